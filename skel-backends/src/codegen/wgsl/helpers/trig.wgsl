// Sine, cosine and tangent of `f32`. Good to |x| = 10,000: beyond, the reduction by four parts of
// pi/2 runs out of bits, and the driver's builtin answers.

// x less the nearest multiple of pi/2, and which multiple it is, modulo 4.
struct skel_Angle {
    r: f32,
    quadrant: u32,
}

fn skel_angle_f32(x: f32) -> skel_Angle {
    let n = skel_floor_f32(x * 0.63661977f + 0.5f);
    // The products with the first three parts, of 11 bits each, are exact, and so are the first two
    // differences. What the third one loses comes back with the last part.
    let near = (x - n * 1.5703125f) - n * 4.837512969970703e-4f;
    let high = skel_kept_f32(near - n * 7.549533620476723e-8f);
    let low = (near - high) - n * 7.549533620476723e-8f;
    let r = high + (low - n * 2.5633440682570896e-12f);
    return skel_Angle(r, u32(i32(n)) & 3u);
}

fn skel_sine_f32(r: f32) -> f32 {
    let z = r * r;
    var p = -1.9515295891e-4f;
    p = p * z + 8.3321608736e-3f;
    p = p * z - 1.6666654611e-1f;
    return p * z * r + r;
}

fn skel_cosine_f32(r: f32) -> f32 {
    let z = r * r;
    var p = 2.443315711809948e-5f;
    p = p * z - 1.388731625493765e-3f;
    p = p * z + 4.166664568298827e-2f;
    return p * z * z - 0.5f * z + 1.0f;
}

fn skel_sin_f32(x: f32) -> f32 {
    if (!skel_is_finite_f32(x)) {
        return skel_bits_f32(0x7fc00000u);
    }
    if (abs(x) > 10000.0f) {
        return sin(x);
    }
    let angle = skel_angle_f32(x);
    let value = select(skel_sine_f32(angle.r), skel_cosine_f32(angle.r), (angle.quadrant & 1u) != 0u);
    return select(value, -value, (angle.quadrant & 2u) != 0u);
}

fn skel_cos_f32(x: f32) -> f32 {
    if (!skel_is_finite_f32(x)) {
        return skel_bits_f32(0x7fc00000u);
    }
    if (abs(x) > 10000.0f) {
        return cos(x);
    }
    let angle = skel_angle_f32(x);
    let value = select(skel_cosine_f32(angle.r), skel_sine_f32(angle.r), (angle.quadrant & 1u) != 0u);
    return select(value, -value, ((angle.quadrant + 1u) & 2u) != 0u);
}

fn skel_tan_f32(x: f32) -> f32 {
    if (!skel_is_finite_f32(x)) {
        return skel_bits_f32(0x7fc00000u);
    }
    if (abs(x) > 10000.0f) {
        return tan(x);
    }
    let angle = skel_angle_f32(x);
    let s = skel_sine_f32(angle.r);
    let c = skel_cosine_f32(angle.r);
    return select(skel_div_f32(s, c), skel_div_f32(-c, s), (angle.quadrant & 1u) != 0u);
}
