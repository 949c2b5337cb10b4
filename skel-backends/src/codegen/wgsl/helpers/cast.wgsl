// `as` from floats: saturating, and NaN to 0. WGSL's own conversion stops at 2147483520.

fn skel_f32_to_i32(x: f32) -> i32 {
    if (skel_is_nan_f32(x)) {
        return 0i;
    }
    if (x >= 2147483648.0f) {
        return 2147483647i;
    }
    if (x <= -2147483648.0f) {
        return i32(-2147483648);
    }
    return i32(x);
}

fn skel_f32_to_u32(x: f32) -> u32 {
    if (skel_is_nan_f32(x) || x <= 0.0f) {
        return 0u;
    }
    if (x >= 4294967296.0f) {
        return 4294967295u;
    }
    return u32(x);
}

fn skel_f64_to_i32(x: f64) -> i32 {
    if (skel_is_nan_f64(x)) {
        return 0i;
    }
    if (x >= 2147483647.0lf) {
        return 2147483647i;
    }
    if (x <= -2147483648.0lf) {
        return i32(-2147483648);
    }
    return i32(x);
}

fn skel_f64_to_u32(x: f64) -> u32 {
    if (skel_is_nan_f64(x) || x <= 0.0lf) {
        return 0u;
    }
    if (x >= 4294967295.0lf) {
        return 4294967295u;
    }
    return u32(x);
}
