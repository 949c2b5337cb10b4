// `mul_add` by integers: exact, and rounded once.

// A number of 64 bits.
struct skel_Pair_u32 {
    low: u32,
    high: u32,
}

fn skel_product_u32(x: u32, y: u32) -> skel_Pair_u32 {
    let x_low = x & 0xffffu;
    let x_high = x >> 16u;
    let y_low = y & 0xffffu;
    let y_high = y >> 16u;
    let first = x_high * y_low + ((x_low * y_low) >> 16u);
    let second = x_low * y_high + (first & 0xffffu);
    return skel_Pair_u32(x * y, x_high * y_high + (first >> 16u) + (second >> 16u));
}

// Shifted to the right; the last bit is 1 if any bit left.
fn skel_jammed_u32(x: skel_Pair_u32, amount: u32) -> skel_Pair_u32 {
    if (amount >= 64u) {
        return skel_Pair_u32(select(0u, 1u, (x.low | x.high) != 0u), 0u);
    }
    let n = amount & 31u;
    // What a shift by 32 would be, of n = 0.
    let from_low = (x.low << (31u - n)) << 1u;
    let from_high = (x.high << (31u - n)) << 1u;
    if (amount >= 32u) {
        let lost = (x.low | from_high) != 0u;
        return skel_Pair_u32((x.high >> n) | select(0u, 1u, lost), 0u);
    }
    return skel_Pair_u32((x.low >> n) | from_high | select(0u, 1u, from_low != 0u), x.high >> n);
}

// Product and summand exactly, with their highest bits in one place but for what lies far below; then one rounding.
fn skel_fma_f32(x: f32, y: f32, z: f32) -> f32 {
    let a = bitcast<u32>(x) & 0x7fffffffu;
    let b = bitcast<u32>(y) & 0x7fffffffu;
    let c = bitcast<u32>(z) & 0x7fffffffu;
    let product_sign = (bitcast<u32>(x) ^ bitcast<u32>(y)) & 0x80000000u;
    let summand_sign = bitcast<u32>(z) & 0x80000000u;
    let infinite = 0x7f800000u;
    let of_infinite = (a == infinite || b == infinite);
    let cancels = of_infinite && c == infinite && product_sign != summand_sign;
    if (a > infinite || b > infinite || c > infinite || (of_infinite && (a == 0u || b == 0u)) || cancels) {
        return skel_bits_f32(0x7fc00000u);
    }
    if (of_infinite) {
        return bitcast<f32>(product_sign | infinite);
    }
    if (c == infinite) {
        return z;
    }
    if (a == 0u || b == 0u) {
        // Of zeros of both signs, the positive one.
        let both = product_sign & summand_sign;
        return bitcast<f32>(select(summand_sign | c, both, c == 0u));
    }
    let left = skel_normal_f32(a);
    let right = skel_normal_f32(b);
    var larger = skel_product_u32(left.significand << 7u, right.significand << 7u);
    var exponent = left.exponent + right.exponent - 126i;
    if ((larger.high >> 29u) == 0u) {
        larger = skel_Pair_u32(larger.low << 1u, (larger.high << 1u) | (larger.low >> 31u));
        exponent = exponent - 1i;
    }
    var smaller = skel_Pair_u32(0u, 0u);
    var sign = product_sign;
    if (c != 0u) {
        let summand = skel_normal_f32(c);
        smaller.high = summand.significand << 6u;
        var below = exponent - summand.exponent;
        if (below < 0i) {
            let product = larger;
            larger = smaller;
            smaller = product;
            exponent = summand.exponent;
            sign = summand_sign;
            below = -below;
        }
        smaller = skel_jammed_u32(smaller, u32(below));
    }
    var total: skel_Pair_u32;
    if (product_sign == summand_sign) {
        total.low = larger.low + smaller.low;
        total.high = larger.high + smaller.high + select(0u, 1u, total.low < larger.low);
    } else {
        total.low = larger.low - smaller.low;
        total.high = larger.high - smaller.high - select(0u, 1u, larger.low < smaller.low);
        if ((total.high >> 31u) != 0u) {
            sign = sign ^ 0x80000000u;
            total.high = ~total.high + select(0u, 1u, total.low == 0u);
            total.low = 0u - total.low;
        }
        if ((total.high | total.low) == 0u) {
            return 0.0f;
        }
    }
    // The highest bit to the top.
    var zeros = countLeadingZeros(total.high);
    if (total.high == 0u) {
        zeros = 32u + countLeadingZeros(total.low);
        total.high = total.low << (zeros & 31u);
        total.low = 0u;
    } else {
        total.high = (total.high << zeros) | ((total.low >> (31u - zeros)) >> 1u);
        total.low = total.low << zeros;
    }
    let lost = (total.low | (total.high & 127u)) != 0u;
    return skel_packed_f32(sign, exponent + 2i - i32(zeros), total.high >> 7u, lost);
}

// A number of 128 bits.
struct skel_Pair_u64 {
    low: u64,
    high: u64,
}

fn skel_product_u64(x: u64, y: u64) -> skel_Pair_u64 {
    let x_low = x & 0xfffffffflu;
    let x_high = x >> 32u;
    let y_low = y & 0xfffffffflu;
    let y_high = y >> 32u;
    let first = x_high * y_low + ((x_low * y_low) >> 32u);
    let second = x_low * y_high + (first & 0xfffffffflu);
    return skel_Pair_u64(x * y, x_high * y_high + (first >> 32u) + (second >> 32u));
}

// Shifted to the right; the last bit is 1 if any bit left.
fn skel_jammed_u64(x: skel_Pair_u64, amount: u32) -> skel_Pair_u64 {
    if (amount >= 128u) {
        return skel_Pair_u64(select(0lu, 1lu, (x.low | x.high) != 0lu), 0lu);
    }
    let n = amount & 63u;
    // What a shift by 64 would be, of n = 0.
    let from_low = (x.low << (63u - n)) << 1u;
    let from_high = (x.high << (63u - n)) << 1u;
    if (amount >= 64u) {
        let lost = (x.low | from_high) != 0lu;
        return skel_Pair_u64((x.high >> n) | select(0lu, 1lu, lost), 0lu);
    }
    return skel_Pair_u64((x.low >> n) | from_high | select(0lu, 1lu, from_low != 0lu), x.high >> n);
}

// Product and summand exactly, with their highest bits in one place but for what lies far below; then one rounding.
fn skel_fma_f64(x: f64, y: f64, z: f64) -> f64 {
    let a = bitcast<u64>(x) & 0x7ffffffffffffffflu;
    let b = bitcast<u64>(y) & 0x7ffffffffffffffflu;
    let c = bitcast<u64>(z) & 0x7ffffffffffffffflu;
    let product_sign = (bitcast<u64>(x) ^ bitcast<u64>(y)) & 0x8000000000000000lu;
    let summand_sign = bitcast<u64>(z) & 0x8000000000000000lu;
    let infinite = 0x7ff0000000000000lu;
    let of_infinite = (a == infinite || b == infinite);
    let cancels = of_infinite && c == infinite && product_sign != summand_sign;
    if (a > infinite || b > infinite || c > infinite || (of_infinite && (a == 0lu || b == 0lu)) || cancels) {
        return skel_bits_f64(0x7ff8000000000000lu);
    }
    if (of_infinite) {
        return bitcast<f64>(product_sign | infinite);
    }
    if (c == infinite) {
        return z;
    }
    if (a == 0lu || b == 0lu) {
        // Of zeros of both signs, the positive one.
        let both = product_sign & summand_sign;
        return bitcast<f64>(select(summand_sign | c, both, c == 0lu));
    }
    let left = skel_normal_f64(a);
    let right = skel_normal_f64(b);
    var larger = skel_product_u64(left.significand << 10u, right.significand << 10u);
    var exponent = left.exponent + right.exponent - 1022i;
    if ((larger.high >> 61u) == 0lu) {
        larger = skel_Pair_u64(larger.low << 1u, (larger.high << 1u) | (larger.low >> 63u));
        exponent = exponent - 1i;
    }
    var smaller = skel_Pair_u64(0lu, 0lu);
    var sign = product_sign;
    if (c != 0lu) {
        let summand = skel_normal_f64(c);
        smaller.high = summand.significand << 9u;
        var below = exponent - summand.exponent;
        if (below < 0i) {
            let product = larger;
            larger = smaller;
            smaller = product;
            exponent = summand.exponent;
            sign = summand_sign;
            below = -below;
        }
        smaller = skel_jammed_u64(smaller, u32(below));
    }
    var total: skel_Pair_u64;
    if (product_sign == summand_sign) {
        total.low = larger.low + smaller.low;
        total.high = larger.high + smaller.high + select(0lu, 1lu, total.low < larger.low);
    } else {
        total.low = larger.low - smaller.low;
        total.high = larger.high - smaller.high - select(0lu, 1lu, larger.low < smaller.low);
        if ((total.high >> 63u) != 0lu) {
            sign = sign ^ 0x8000000000000000lu;
            total.high = ~total.high + select(0lu, 1lu, total.low == 0lu);
            total.low = 0lu - total.low;
        }
        if ((total.high | total.low) == 0lu) {
            return 0.0lf;
        }
    }
    // The highest bit to the top.
    var zeros = skel_zeros_u64(total.high);
    if (total.high == 0lu) {
        zeros = 64u + skel_zeros_u64(total.low);
        total.high = total.low << (zeros & 63u);
        total.low = 0lu;
    } else {
        total.high = (total.high << zeros) | ((total.low >> (63u - zeros)) >> 1u);
        total.low = total.low << zeros;
    }
    let lost = (total.low | (total.high & 1023lu)) != 0lu;
    return skel_packed_f64(sign, exponent + 2i - i32(zeros), total.high >> 10u, lost);
}
