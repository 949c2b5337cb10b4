// Exponentials of `f32`. The builtins' errors depend on the driver (54 ULP were seen); these have
// ours everywhere. Reduction to a half of an octave, then a polynomial (after Cephes, by S. Moshier).

// x times 2 to the power of n, for n from -152 to 128; in two steps, so that the result may be
// subnormal and the factors are not.
fn skel_scale_f32(x: f32, n: i32) -> f32 {
    let half = n >> 1u;
    let low = bitcast<f32>(u32(half + 127i) << 23u);
    let high = bitcast<f32>(u32(n - half + 127i) << 23u);
    return x * low * high;
}

fn skel_exp_f32(x: f32) -> f32 {
    if (skel_is_nan_f32(x)) {
        return x;
    }
    if (x > 88.722839f) {
        return skel_bits_f32(0x7f800000u);
    }
    if (x < -104.0f) {
        return 0.0f;
    }
    let n = skel_floor_f32(x * 1.44269504f + 0.5f);
    let r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    var p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    return skel_scale_f32(p * r * r + r + 1.0f, i32(n));
}

// 2 to the power of r, for r from -0.5 to 0.5.
fn skel_octave_f32(r: f32) -> f32 {
    var p = 1.535336188319500e-4f;
    p = p * r + 1.339887440266574e-3f;
    p = p * r + 9.618437357674640e-3f;
    p = p * r + 5.550332471162809e-2f;
    p = p * r + 2.402264791363012e-1f;
    p = p * r + 6.931472028550421e-1f;
    return p * r + 1.0f;
}

fn skel_exp2_f32(x: f32) -> f32 {
    if (skel_is_nan_f32(x)) {
        return x;
    }
    if (x >= 128.0f) {
        return skel_bits_f32(0x7f800000u);
    }
    if (x < -151.0f) {
        return 0.0f;
    }
    let n = skel_floor_f32(x + 0.5f);
    return skel_scale_f32(skel_octave_f32(x - n), i32(n));
}
