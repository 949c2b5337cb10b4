// Logarithms of `f32`, for the same reason as the exponentials (234 ULP were seen near 1).

// x, positive and finite, as m times 2 to the power of n, with m from sqrt(1/2) to sqrt(2). By bits,
// since subnormals may not survive arithmetic.
struct skel_Parts {
    m: f32,
    n: f32,
}

fn skel_parts_f32(x: f32) -> skel_Parts {
    var bits = bitcast<u32>(x);
    var n = -127i;
    if (bits < 0x00800000u) {
        let zeros = countLeadingZeros(bits) - 8u;
        bits = bits << zeros;
        n = n + 1i - i32(zeros);
        bits = bits & 0x007fffffu;
    } else {
        n = n + i32(bits >> 23u);
        bits = bits & 0x007fffffu;
    }
    if (bits >= 0x003504f3u) {
        return skel_Parts(bitcast<f32>(bits | 0x3f000000u), f32(n + 1i));
    }
    return skel_Parts(bitcast<f32>(bits | 0x3f800000u), f32(n));
}

// (ln(1 + r) - r + r²/2) for 1 + r from sqrt(1/2) to sqrt(2).
fn skel_log_rest_f32(r: f32) -> f32 {
    var p = 7.0376836292e-2f;
    p = p * r - 1.1514610310e-1f;
    p = p * r + 1.1676998740e-1f;
    p = p * r - 1.2420140846e-1f;
    p = p * r + 1.4249322787e-1f;
    p = p * r - 1.6668057665e-1f;
    p = p * r + 2.0000714765e-1f;
    p = p * r - 2.4999993993e-1f;
    p = p * r + 3.3333331174e-1f;
    return p * r * (r * r);
}

// Logarithms of what is not positive and finite.
fn skel_log_edge_f32(x: f32) -> f32 {
    if (x == 0.0f) {
        return skel_bits_f32(0xff800000u);
    }
    if (bitcast<u32>(x) == 0x7f800000u) {
        return x;
    }
    return skel_bits_f32(0x7fc00000u);
}

// By bits, since a subnormal may compare equal to zero.
fn skel_is_positive_f32(x: f32) -> bool {
    let bits = bitcast<u32>(x);
    return bits != 0u && bits < 0x7f800000u;
}

fn skel_ln_f32(x: f32) -> f32 {
    if (!skel_is_positive_f32(x)) {
        return skel_log_edge_f32(x);
    }
    let parts = skel_parts_f32(x);
    let r = parts.m - 1.0f;
    let rest = skel_log_rest_f32(r) + parts.n * -2.12194440e-4f - 0.5f * r * r;
    return (r + rest) + parts.n * 0.693359375f;
}

fn skel_log2_f32(x: f32) -> f32 {
    if (!skel_is_positive_f32(x)) {
        return skel_log_edge_f32(x);
    }
    let parts = skel_parts_f32(x);
    let r = parts.m - 1.0f;
    let rest = skel_log_rest_f32(r) - 0.5f * r * r;
    // log2(e) as 1 + 0.4427: the large part is exact.
    return (((rest * 0.44269504088896f + r * 0.44269504088896f) + rest) + r) + parts.n;
}
