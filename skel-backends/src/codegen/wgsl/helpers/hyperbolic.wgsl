// Hyperbolic functions of `f32`, and what is exact near 0: polynomials there (of `sinh` and `tanh`
// after Cephes, by S. Moshier), exponentials elsewhere.

// exp(x) / 2 for x from 0 to 89.5; by halves where `exp` itself would be infinite.
fn skel_half_exp_f32(x: f32) -> f32 {
    if (x < 88.0f) {
        return 0.5f * skel_exp_f32(x);
    }
    // exp(88) / 2, times what is left.
    return 8.258181e37f * skel_exp_f32(x - 88.0f);
}

fn skel_sinh_f32(x: f32) -> f32 {
    if (skel_is_nan_f32(x)) {
        return x;
    }
    let size = abs(x);
    if (size <= 1.0f) {
        let z = x * x;
        var p = 2.03721912945e-4f;
        p = p * z + 8.33028376239e-3f;
        p = p * z + 1.66667160211e-1f;
        return p * z * x + x;
    }
    if (size > 89.5f) {
        return skel_copysign_f32(skel_bits_f32(0x7f800000u), x);
    }
    let half = skel_half_exp_f32(size);
    return skel_copysign_f32(half - skel_div_f32(0.25f, half), x);
}

fn skel_cosh_f32(x: f32) -> f32 {
    if (skel_is_nan_f32(x)) {
        return x;
    }
    let size = abs(x);
    if (size > 89.5f) {
        return skel_bits_f32(0x7f800000u);
    }
    let half = skel_half_exp_f32(size);
    return half + skel_div_f32(0.25f, half);
}

fn skel_tanh_f32(x: f32) -> f32 {
    if (skel_is_nan_f32(x)) {
        return x;
    }
    let size = abs(x);
    if (size < 0.625f) {
        let z = x * x;
        var p = -5.70498872745e-3f;
        p = p * z + 2.06390887954e-2f;
        p = p * z - 5.37397155531e-2f;
        p = p * z + 1.33314422036e-1f;
        p = p * z - 3.33332819422e-1f;
        return p * z * x + x;
    }
    if (size > 10.0f) {
        return skel_copysign_f32(1.0f, x);
    }
    return skel_copysign_f32(1.0f - skel_div_f32(2.0f, skel_exp_f32(2.0f * size) + 1.0f), x);
}

// Taylor's series up to 1, where twelve terms suffice.
fn skel_exp_m1_f32(x: f32) -> f32 {
    if (!(abs(x) <= 1.0f)) {
        return skel_exp_f32(x) - 1.0f;
    }
    var p = 2.5052108e-8f;
    p = p * x + 2.7557319e-7f;
    p = p * x + 2.7557319e-6f;
    p = p * x + 2.4801587e-5f;
    p = p * x + 1.9841270e-4f;
    p = p * x + 1.3888889e-3f;
    p = p * x + 8.3333333e-3f;
    p = p * x + 4.1666667e-2f;
    p = p * x + 1.6666667e-1f;
    p = p * x + 0.5f;
    return p * x * x + x;
}

fn skel_ln_1p_f32(x: f32) -> f32 {
    if (x > -0.29289321f && x < 0.41421357f) {
        if (x == 0.0f) {
            return x;
        }
        return x + (skel_log_rest_f32(x) - 0.5f * x * x);
    }
    if (!skel_is_finite_f32(x) || x <= -1.0f) {
        return skel_log_edge_f32(1.0f + x);
    }
    // What the sum loses comes back as its part of the sum: ln(u + c) is ln(u) + c / u.
    let u = skel_kept_f32(1.0f + x);
    let lost = select((1.0f - u) + x, (x - u) + 1.0f, x > 1.0f);
    return skel_ln_f32(u) + skel_div_f32(lost, u);
}

// log10(e) and log10(2) in two parts each, of which the larger ones are short.
fn skel_log10_f32(x: f32) -> f32 {
    if (!skel_is_positive_f32(x)) {
        return skel_log_edge_f32(x);
    }
    let parts = skel_parts_f32(x);
    let r = parts.m - 1.0f;
    let rest = skel_log_rest_f32(r) - 0.5f * r * r;
    let small = (r + rest) * 7.00731903251827651129e-4f + rest * 4.3359375e-1f;
    return ((small + parts.n * 2.48745663981195213739e-4f) + r * 4.3359375e-1f) + parts.n * 3.0078125e-1f;
}

// A third of the exponent, by integers; then Halley's steps, which triple the digits.
fn skel_cbrt_f32(x: f32) -> f32 {
    let size = skel_copysign_f32(x, 1.0f);
    if (!skel_is_positive_f32(size)) {
        return x;
    }
    var a = size;
    var scale = 1.0f;
    if (bitcast<u32>(size) < 0x00800000u) {
        // Subnormal: its bits are the number, in units of 2 to the power of -149.
        a = f32(bitcast<u32>(size)) * 2.0f;
        scale = 8.881784e-16f;
    } else if (size < 1.0e-20f) {
        a = size * 1.1529215e18f;
        scale = 9.536743e-7f;
    } else if (size > 1.0e30f) {
        a = size * 9.313226e-10f;
        scale = 1024.0f;
    }
    var y = bitcast<f32>(bitcast<u32>(a) / 3u + 0x2a514067u);
    for (var step = 0u; step < 2u; step++) {
        let cube = y * y * y;
        y = y * skel_div_f32(cube + 2.0f * a, 2.0f * cube + a);
    }
    // The last bits: the residue of the cube, exactly.
    let square = skel_product_f32(y, y);
    let cube = skel_product_f32(square.high, y);
    let residue = ((cube.high - a) + cube.low) + square.low * y;
    y = y - skel_div_f32(residue, 3.0f * square.high);
    return skel_copysign_f32(y * scale, x);
}

fn skel_hypot_f32(x: f32, y: f32) -> f32 {
    let a = skel_copysign_f32(x, 1.0f);
    let b = skel_copysign_f32(y, 1.0f);
    if (skel_is_infinite_f32(a) || skel_is_infinite_f32(b)) {
        return skel_bits_f32(0x7f800000u);
    }
    if (skel_is_nan_f32(a) || skel_is_nan_f32(b)) {
        return skel_bits_f32(0x7fc00000u);
    }
    // By a power of 2, so that no square overflows or vanishes.
    var scale = 1.0f;
    if (max(a, b) > 1.0e15f) {
        scale = 1.3552527e-20f;
    } else if (max(a, b) < 1.0e-15f) {
        scale = 1.2379401e27f;
    }
    let long = max(a, b) * scale;
    let short = min(a, b) * scale;
    return skel_div_f32(skel_sqrt_f32(long * long + short * short), scale);
}
