// Inverse trigonometry of `f32`: reductions to a small argument, then polynomials (after Cephes, by
// S. Moshier).

// asin(a) for a from 0 to 1/2.
fn skel_arc_f32(a: f32) -> f32 {
    let z = a * a;
    var p = 4.2163199048e-2f;
    p = p * z + 2.4181311049e-2f;
    p = p * z + 4.5470025998e-2f;
    p = p * z + 7.4953002686e-2f;
    p = p * z + 1.6666752422e-1f;
    return p * z * a + a;
}

fn skel_asin_f32(x: f32) -> f32 {
    let size = abs(x);
    if (!(size <= 1.0f)) {
        return skel_bits_f32(0x7fc00000u);
    }
    if (size <= 0.5f) {
        return skel_copysign_f32(skel_arc_f32(size), x);
    }
    // A quarter turn as a sum of two numbers.
    let rest = 2.0f * skel_arc_f32(skel_sqrt_f32(0.5f * (1.0f - size)));
    return skel_copysign_f32(1.5707964f - (rest + 4.371139e-8f), x);
}

fn skel_acos_f32(x: f32) -> f32 {
    let size = abs(x);
    if (!(size <= 1.0f)) {
        return skel_bits_f32(0x7fc00000u);
    }
    if (size <= 0.5f) {
        return 1.5707964f - (skel_copysign_f32(skel_arc_f32(size), x) + 4.371139e-8f);
    }
    let rest = 2.0f * skel_arc_f32(skel_sqrt_f32(0.5f * (1.0f - size)));
    return select(rest, 3.1415927f - (rest + 8.742278e-8f), x < 0.0f);
}

// The arc tangent of t from 0 to 1.
fn skel_slope_f32(t: f32) -> f32 {
    var r = t;
    var turn = 0.0f;
    var rest = 0.0f;
    if (t > 0.41421357f) {
        // atan(t) = pi/4 + atan((t - 1) / (t + 1))
        r = skel_div_f32(t - 1.0f, t + 1.0f);
        turn = 0.78539819f;
        rest = -2.1855694e-8f;
    }
    let z = r * r;
    var p = 8.05374449538e-2f;
    p = p * z - 1.38776856032e-1f;
    p = p * z + 1.99777106478e-1f;
    p = p * z - 3.33329491539e-1f;
    return turn + (r + (p * z * r + rest));
}

fn skel_atan_f32(x: f32) -> f32 {
    if (skel_is_nan_f32(x)) {
        return x;
    }
    let size = abs(x);
    if (size <= 1.0f) {
        return skel_copysign_f32(skel_slope_f32(size), x);
    }
    return skel_copysign_f32(1.5707964f - (skel_slope_f32(skel_div_f32(1.0f, size)) + 4.371139e-8f), x);
}

fn skel_atan2_f32(y: f32, x: f32) -> f32 {
    if (skel_is_nan_f32(x) || skel_is_nan_f32(y)) {
        return skel_bits_f32(0x7fc00000u);
    }
    let across = skel_copysign_f32(x, 1.0f);
    let up = skel_copysign_f32(y, 1.0f);
    var slope = 0.0f;
    if (across == up) {
        slope = select(1.0f, 0.0f, up == 0.0f);
    } else {
        slope = skel_div_f32(min(across, up), max(across, up));
    }
    var angle = skel_slope_f32(slope);
    if (up > across) {
        angle = 1.5707964f - (angle + 4.371139e-8f);
    }
    if (bitcast<u32>(x) >= 0x80000000u) {
        angle = 3.1415927f - (angle + 8.742278e-8f);
    }
    return skel_copysign_f32(angle, y);
}
