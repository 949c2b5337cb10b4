// `i64` and `u64`, where the device has them. Bits are counted in halves: SPIR-V counts in 32 bits.

fn skel_opaque_i64(x: i64) -> i64 {
    return x;
}

fn skel_opaque_u64(x: u64) -> u64 {
    return x;
}

fn skel_hidden_i64(x: i64) -> i64 {
    return x | i64(skel_nothing);
}

fn skel_hidden_u64(x: u64) -> u64 {
    return x | u64(skel_nothing);
}

fn skel_bits_i64(bits: u64) -> i64 {
    return bitcast<i64>(bits);
}

fn skel_low_u64(x: u64) -> u32 {
    return u32(x & 0xfffffffflu);
}

fn skel_high_u64(x: u64) -> u32 {
    return u32(x >> 32u);
}

fn skel_wide(low: u32, high: u32) -> u64 {
    return u64(low) | (u64(high) << 32u);
}

// `site` stands for a zero divisor, the next one for overflow.
fn skel_div_i64(a: i64, b: i64, site: u32) -> i64 {
    if (b == 0li) {
        skel_note(site);
        return 0li;
    }
    if (b == -1li && bitcast<u64>(a) == 0x8000000000000000lu) {
        skel_note(site + 1u);
        return 0li;
    }
    return a / b;
}

fn skel_rem_i64(a: i64, b: i64, site: u32) -> i64 {
    if (b == 0li) {
        skel_note(site);
        return 0li;
    }
    if (b == -1li && bitcast<u64>(a) == 0x8000000000000000lu) {
        skel_note(site + 1u);
        return 0li;
    }
    return a - (a / b) * b;
}

fn skel_div_u64(a: u64, b: u64, site: u32) -> u64 {
    if (b == 0lu) {
        skel_note(site);
        return 0lu;
    }
    return a / b;
}

fn skel_rem_u64(a: u64, b: u64, site: u32) -> u64 {
    if (b == 0lu) {
        skel_note(site);
        return 0lu;
    }
    return a - (a / b) * b;
}

fn skel_min_i64(a: i64, b: i64) -> i64 {
    return select(b, a, a < b);
}

fn skel_max_i64(a: i64, b: i64) -> i64 {
    return select(b, a, a > b);
}

fn skel_min_u64(a: u64, b: u64) -> u64 {
    return select(b, a, a < b);
}

fn skel_max_u64(a: u64, b: u64) -> u64 {
    return select(b, a, a > b);
}

fn skel_limit_i64(x: i64, lo: i64, hi: i64) -> i64 {
    return skel_max_i64(lo, skel_min_i64(x, hi));
}

fn skel_limit_u64(x: u64, lo: u64, hi: u64) -> u64 {
    return skel_max_u64(lo, skel_min_u64(x, hi));
}

fn skel_clamp_i64(x: i64, lo: i64, hi: i64, site: u32) -> i64 {
    if (lo > hi) {
        skel_note(site);
    }
    return skel_limit_i64(x, lo, hi);
}

fn skel_clamp_u64(x: u64, lo: u64, hi: u64, site: u32) -> u64 {
    if (lo > hi) {
        skel_note(site);
    }
    return skel_limit_u64(x, lo, hi);
}

fn skel_i32_to_i64(x: i32) -> i64 {
    return i64(x);
}

fn skel_neg_i64(x: i64) -> i64 {
    return bitcast<i64>(0lu - bitcast<u64>(x));
}

fn skel_abs_i64(x: i64) -> i64 {
    return select(x, skel_neg_i64(x), x < 0li);
}

fn skel_signum_i64(x: i64) -> i64 {
    return select(select(0li, 1li, x > 0li), -1li, x < 0li);
}

fn skel_unsigned_abs_i64(x: i64) -> u64 {
    return bitcast<u64>(skel_abs_i64(x));
}

fn skel_abs_diff_u64(a: u64, b: u64) -> u64 {
    return select(a - b, b - a, a < b);
}

fn skel_abs_diff_i64(a: i64, b: i64) -> u64 {
    let difference = bitcast<u64>(a) - bitcast<u64>(b);
    return select(difference, 0lu - difference, a < b);
}

fn skel_count_ones_u64(x: u64) -> u32 {
    return countOneBits(skel_low_u64(x)) + countOneBits(skel_high_u64(x));
}

fn skel_leading_zeros_u64(x: u64) -> u32 {
    let high = skel_high_u64(x);
    return select(countLeadingZeros(high), 32u + countLeadingZeros(skel_low_u64(x)), high == 0u);
}

fn skel_trailing_zeros_u64(x: u64) -> u32 {
    let low = skel_low_u64(x);
    return select(countTrailingZeros(low), 32u + countTrailingZeros(skel_high_u64(x)), low == 0u);
}

fn skel_swap_bytes_u64(x: u64) -> u64 {
    return skel_wide(skel_swap_bytes_u32(skel_high_u64(x)), skel_swap_bytes_u32(skel_low_u64(x)));
}

fn skel_reverse_bits_u64(x: u64) -> u64 {
    return skel_wide(reverseBits(skel_high_u64(x)), reverseBits(skel_low_u64(x)));
}

fn skel_rotl_u64(x: u64, amount: u32) -> u64 {
    let n = amount & 63u;
    return (x << n) | (x >> ((64u - n) & 63u));
}

fn skel_rotr_u64(x: u64, amount: u32) -> u64 {
    return skel_rotl_u64(x, 64u - (amount & 63u));
}

fn skel_pow_u64(x: u64, exponent: u32) -> u64 {
    var base = x;
    var left = exponent;
    var power = 1lu;
    loop {
        if ((left & 1u) != 0u) {
            power = power * base;
        }
        left = left >> 1u;
        if (left == 0u) {
            break;
        }
        base = base * base;
    }
    return power;
}

fn skel_saturating_add_u64(a: u64, b: u64) -> u64 {
    let sum = a + b;
    return select(sum, 0xfffffffffffffffflu, sum < a);
}

fn skel_saturating_sub_u64(a: u64, b: u64) -> u64 {
    return select(a - b, 0lu, a < b);
}

// Overflow shows in the sign: that of both operands, and not of the sum.
fn skel_saturating_add_i64(a: i64, b: i64) -> i64 {
    let sum = bitcast<i64>(bitcast<u64>(a) + bitcast<u64>(b));
    let limit = select(0x7fffffffffffffffli, bitcast<i64>(skel_wide(0u, 0x80000000u)), a < 0li);
    return select(sum, limit, ((a ^ sum) & (b ^ sum)) < 0li);
}

fn skel_saturating_sub_i64(a: i64, b: i64) -> i64 {
    let difference = bitcast<i64>(bitcast<u64>(a) - bitcast<u64>(b));
    let limit = select(0x7fffffffffffffffli, bitcast<i64>(skel_wide(0u, 0x80000000u)), a < 0li);
    return select(difference, limit, ((a ^ b) & (a ^ difference)) < 0li);
}

fn skel_euclid_rem_i64(a: i64, b: i64) -> i64 {
    let rest = a - (a / b) * b;
    return select(rest, rest + skel_abs_i64(b), rest < 0li);
}

fn skel_euclid_div_i64(a: i64, b: i64) -> i64 {
    let whole = a / b;
    let rest = a - whole * b;
    return select(whole, select(whole + 1li, whole - 1li, b > 0li), rest < 0li);
}

fn skel_rem_euclid_i64(a: i64, b: i64, site: u32) -> i64 {
    if (b == 0li) {
        skel_note(site);
        return 0li;
    }
    if (b == -1li && bitcast<u64>(a) == 0x8000000000000000lu) {
        skel_note(site + 1u);
        return 0li;
    }
    return skel_euclid_rem_i64(a, b);
}

fn skel_div_euclid_i64(a: i64, b: i64, site: u32) -> i64 {
    if (b == 0li) {
        skel_note(site);
        return 0li;
    }
    if (b == -1li && bitcast<u64>(a) == 0x8000000000000000lu) {
        skel_note(site + 1u);
        return 0li;
    }
    return skel_euclid_div_i64(a, b);
}

fn skel_is_multiple_of_u64(a: u64, b: u64) -> bool {
    if (b == 0lu) {
        return a == 0lu;
    }
    return a - (a / b) * b == 0lu;
}

// To the nearest, ties to even: a driver may round twice. So the number is cut to 32 bits, the last of
// which says whether anything was lost; then one rounding is left.
fn skel_u64_to_f32(x: u64) -> f32 {
    let zeros = skel_leading_zeros_u64(x);
    if (zeros >= 32u) {
        return f32(skel_low_u64(x));
    }
    let lost = 32u - zeros;
    let kept = skel_low_u64(x >> lost);
    let sticky = select(0u, 1u, (x << (64u - lost)) != 0lu);
    return f32(kept | sticky) * f32(1u << (lost - 1u)) * 2.0f;
}

fn skel_i64_to_f32(x: i64) -> f32 {
    let size = skel_u64_to_f32(bitcast<u64>(skel_abs_i64(x)));
    return select(size, -size, x < 0li);
}

// Both halves are exact, so there is one rounding.
fn skel_u64_to_f64(x: u64) -> f64 {
    return f64(skel_high_u64(x)) * 4294967296.0lf + f64(skel_low_u64(x));
}

fn skel_i64_to_f64(x: i64) -> f64 {
    let size = skel_u64_to_f64(bitcast<u64>(skel_abs_i64(x)));
    return select(size, -size, x < 0li);
}

// Saturating, from the bits: |x| is below 2 to the power of 64.
fn skel_f32_to_u64(x: f32) -> u64 {
    if (skel_is_nan_f32(x) || x < 1.0f) {
        return 0lu;
    }
    if (x >= 18446744073709551616.0f) {
        return 0xfffffffffffffffflu;
    }
    let exponent = bitcast<u32>(x) >> 23u;
    let significand = u64((bitcast<u32>(x) & 0x007fffffu) | 0x00800000u);
    if (exponent >= 150u) {
        return significand << (exponent - 150u);
    }
    return significand >> (150u - exponent);
}

fn skel_f32_to_i64(x: f32) -> i64 {
    let size = skel_f32_to_u64(abs(x));
    if (x < 0.0f) {
        return bitcast<i64>(0lu - skel_min_u64(size, 0x8000000000000000lu));
    }
    return bitcast<i64>(skel_min_u64(size, 0x7ffffffffffffffflu));
}

fn skel_f64_to_u64(x: f64) -> u64 {
    if (skel_is_nan_f64(x) || x < 1.0lf) {
        return 0lu;
    }
    if (x >= 18446744073709551616.0lf) {
        return 0xfffffffffffffffflu;
    }
    let exponent = skel_low_u64(bitcast<u64>(x) >> 52u);
    let significand = (bitcast<u64>(x) & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    if (exponent >= 1075u) {
        return significand << (exponent - 1075u);
    }
    return significand >> (1075u - exponent);
}

fn skel_f64_to_i64(x: f64) -> i64 {
    let size = skel_f64_to_u64(abs(x));
    if (x < 0.0lf) {
        return bitcast<i64>(0lu - skel_min_u64(size, 0x8000000000000000lu));
    }
    return bitcast<i64>(skel_min_u64(size, 0x7ffffffffffffffflu));
}
