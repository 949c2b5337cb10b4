// `powf` of `f32`. The exponent magnifies the logarithm's error up to 150 times, so the logarithm is
// computed to about 31 bits, as the sum of two numbers.

struct skel_Pair {
    high: f32,
    low: f32,
}

// The upper 12 bits; the rest is exact, too.
fn skel_upper_f32(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

// a * b as an unevaluated sum.
fn skel_product_f32(a: f32, b: f32) -> skel_Pair {
    let high = skel_kept_f32(a * b);
    let a1 = skel_upper_f32(a);
    let a2 = a - a1;
    let b1 = skel_upper_f32(b);
    let b2 = b - b1;
    return skel_Pair(high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2);
}

// log2 of a positive, finite number.
fn skel_log2_pair_f32(x: f32) -> skel_Pair {
    let parts = skel_parts_f32(x);
    // s = (m - 1) / (m + 1), as a pair; log2(m) = 2 / ln 2 * (s + s^3 / 3 + s^5 / 5 + …).
    let above = parts.m - 1.0f;
    let below = skel_kept_f32(1.0f + parts.m);
    let below_low = (1.0f - below) + parts.m;
    let s = skel_div_f32(above, below);
    let back = skel_product_f32(s, below);
    let s_low = skel_div_f32(((above - back.high) - back.low) - s * below_low, below);
    // The cubic term is a hundredth of the first: its rounding counts as well.
    let z = skel_product_f32(s, s);
    let third = skel_product_f32(z.high, 0.33333334f);
    var p = 0.09090909f;
    p = p * z.high + 0.11111111f;
    p = p * z.high + 0.14285715f;
    p = p * z.high + 0.2f;
    let rest_third = third.low + z.low * 0.33333334f - z.high * 9.934107e-9f;
    let tail = (s_low + s_low * z.high) + s * (third.high + (rest_third + z.high * z.high * p));
    let high = skel_kept_f32(s + tail);
    let low = (s - high) + tail;
    let scaled = skel_product_f32(high, 2.885390043258667f);
    let scaled_low = scaled.low + high * 3.851926e-8f + low * 2.8853900f;
    // The integer part is the larger, or zero.
    let sum = skel_kept_f32(parts.n + scaled.high);
    let rest = ((parts.n - sum) + scaled.high) + scaled_low;
    let total = skel_kept_f32(sum + rest);
    return skel_Pair(total, (sum - total) + rest);
}

// x to the power of y for positive, finite x and finite y.
fn skel_power_f32(x: f32, y: f32) -> f32 {
    let exponent = skel_log2_pair_f32(x);
    let rough = exponent.high * y;
    if (rough >= 129.0f) {
        return skel_bits_f32(0x7f800000u);
    }
    if (rough <= -152.0f) {
        return 0.0f;
    }
    let z = skel_product_f32(exponent.high, y);
    let n = skel_floor_f32(z.high + 0.5f);
    let r = (z.high - n) + (z.low + exponent.low * y);
    return skel_scale_f32(skel_octave_f32(r), i32(n));
}

// 0: not an integer; 1: odd; 2: even.
fn skel_parity_f32(y: f32) -> u32 {
    if (abs(y) >= 16777216.0f) {
        return 2u;
    }
    if (skel_trunc_f32(y) != y) {
        return 0u;
    }
    return 2u - (u32(i32(y)) & 1u);
}

fn skel_powf_f32(x: f32, y: f32) -> f32 {
    if (y == 0.0f || x == 1.0f) {
        return 1.0f;
    }
    if (skel_is_nan_f32(x) || skel_is_nan_f32(y)) {
        return skel_bits_f32(0x7fc00000u);
    }
    let size = skel_copysign_f32(x, 1.0f);
    if (skel_is_infinite_f32(y)) {
        if (size == 1.0f) {
            return 1.0f;
        }
        return select(0.0f, skel_bits_f32(0x7f800000u), (size > 1.0f) == (y > 0.0f));
    }
    let negative = bitcast<u32>(x) >= 0x80000000u;
    let parity = skel_parity_f32(y);
    var power = 0.0f;
    if (bitcast<u32>(size) == 0u || skel_is_infinite_f32(size)) {
        let grows = (bitcast<u32>(size) != 0u) == (y > 0.0f);
        power = select(0.0f, skel_bits_f32(0x7f800000u), grows);
    } else if (negative && parity == 0u) {
        return skel_bits_f32(0x7fc00000u);
    } else {
        power = skel_power_f32(size, y);
    }
    return select(power, skel_copysign_f32(power, -1.0f), negative && parity == 1u);
}
