// Operations that are the driver's own where these are right; `own.wgsl` has the same by integers.

fn skel_trunc_f32(x: f32) -> f32 {
    return trunc(x);
}

fn skel_floor_f32(x: f32) -> f32 {
    return floor(x);
}

fn skel_ceil_f32(x: f32) -> f32 {
    return ceil(x);
}

fn skel_even_f32(x: f32) -> f32 {
    return round(x);
}

fn skel_sqrt_f32(x: f32) -> f32 {
    return sqrt(x);
}

fn skel_div_f32(x: f32, y: f32) -> f32 {
    return x / y;
}

fn skel_trunc_f64(x: f64) -> f64 {
    return trunc(x);
}

fn skel_floor_f64(x: f64) -> f64 {
    return floor(x);
}

fn skel_ceil_f64(x: f64) -> f64 {
    return ceil(x);
}

fn skel_even_f64(x: f64) -> f64 {
    return round(x);
}

fn skel_sqrt_f64(x: f64) -> f64 {
    return sqrt(x);
}

fn skel_div_f64(x: f64, y: f64) -> f64 {
    return x / y;
}
