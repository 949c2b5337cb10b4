// `usize` and `isize` in 32 bits: where the 64 bits of the host would hold more, the element traps.

fn skel_add_usize(a: u32, b: u32, site: u32) -> u32 {
    if (a > 4294967295u - b) {
        skel_note(site);
    }
    return a + b;
}

fn skel_sub_usize(a: u32, b: u32, site: u32) -> u32 {
    if (a < b) {
        skel_note(site);
    }
    return a - b;
}

fn skel_mul_usize(a: u32, b: u32, site: u32) -> u32 {
    if (a != 0u && b > 4294967295u / a) {
        skel_note(site);
    }
    return a * b;
}

fn skel_not_usize(a: u32, site: u32) -> u32 {
    skel_note(site);
    return a;
}

// The amount is masked to the host's 64 bits; what those lose is lost here, too.
fn skel_shl_usize(a: u32, amount: u32, site: u32) -> u32 {
    let k = amount & 31u;
    let far = (amount & 63u) > 31u;
    let high = select(select(a >> ((32u - k) & 31u), 0u, k == 0u), a << k, far);
    if (high != 0u) {
        skel_note(site);
    }
    return select(a << k, 0u, far);
}

fn skel_shr_usize(a: u32, amount: u32) -> u32 {
    let n = amount & 63u;
    return select(a >> (n & 31u), 0u, n > 31u);
}

// Left by n: what leaves the low half must be nothing, or come round to it.
fn skel_rotl_usize(a: u32, amount: u32, site: u32) -> u32 {
    let n = amount & 63u;
    if (n == 0u) {
        return a;
    }
    let k = n & 31u;
    let low = select(a << k, 0u, n > 31u);
    let middle = select(a >> ((32u - k) & 31u), 0u, k == 0u);
    // The two halves of the 64-bit shift left, and what came round from its top.
    let high = select(middle, a << k, n > 31u);
    let round = select(0u, middle, n > 31u);
    if (high != 0u) {
        skel_note(site);
    }
    return low | round;
}

fn skel_rotr_usize(a: u32, amount: u32, site: u32) -> u32 {
    return skel_rotl_usize(a, 64u - (amount & 63u), site);
}

fn skel_i32_to_usize(x: i32, site: u32) -> u32 {
    if (x < 0i) {
        skel_note(site);
    }
    return u32(x);
}

fn skel_f32_to_usize(x: f32, site: u32) -> u32 {
    if (x >= 4294967296.0f) {
        skel_note(site);
    }
    return skel_f32_to_u32(x);
}

fn skel_f64_to_usize(x: f64, site: u32) -> u32 {
    if (x >= 4294967296.0lf) {
        skel_note(site);
    }
    return skel_f64_to_u32(x);
}

fn skel_pow_usize(x: u32, exponent: u32, site: u32) -> u32 {
    var base = x;
    var left = exponent;
    var power = 1u;
    loop {
        if ((left & 1u) != 0u) {
            power = skel_mul_usize(power, base, site);
        }
        left = left >> 1u;
        if (left == 0u) {
            break;
        }
        // Its highest bit is still to come, so this is a factor of the result.
        base = skel_mul_usize(base, base, site);
    }
    return power;
}

// What 64 bits have on one side moves to the other.
fn skel_moved_usize(x: u32, site: u32) -> u32 {
    if (x != 0u) {
        skel_note(site);
    }
    return 0u;
}

// Only if all bits are alike do they stay so when they are moved.
fn skel_moved_isize(x: i32, site: u32) -> i32 {
    if (x != (x >> 31u)) {
        skel_note(site);
    }
    return x;
}

fn skel_leading_zeros_usize(x: u32) -> u32 {
    return 32u + countLeadingZeros(x);
}

fn skel_trailing_zeros_usize(x: u32) -> u32 {
    return select(countTrailingZeros(x), 64u, x == 0u);
}

fn skel_u64_to_usize(x: u64, site: u32) -> u32 {
    if (x > 0xfffffffflu) {
        skel_note(site);
    }
    return skel_low_u64(x);
}

fn skel_add_isize(a: i32, b: i32, site: u32) -> i32 {
    let sum = a + b;
    if (((a ^ sum) & (b ^ sum)) < 0i) {
        skel_note(site);
    }
    return sum;
}

fn skel_sub_isize(a: i32, b: i32, site: u32) -> i32 {
    let difference = a - b;
    if (((a ^ b) & (a ^ difference)) < 0i) {
        skel_note(site);
    }
    return difference;
}

fn skel_mul_isize(a: i32, b: i32, site: u32) -> i32 {
    let size = skel_mul_usize(bitcast<u32>(skel_abs_i32(a)), bitcast<u32>(skel_abs_i32(b)), site);
    let negative = (a ^ b) < 0i && size != 0u;
    if (size > select(2147483647u, 2147483648u, negative)) {
        skel_note(site);
    }
    return bitcast<i32>(select(size, 0u - size, negative));
}

// `site` stands for a zero divisor, the next one for a result that does not fit.
fn skel_div_isize(a: i32, b: i32, site: u32) -> i32 {
    return skel_div_i32(a, b, site);
}

// Of a divisor of -1 nothing is left over, however small the number.
fn skel_rem_isize(a: i32, b: i32, site: u32) -> i32 {
    return skel_rem_i32(a, select(b, 1i, b == -1i), site);
}

fn skel_div_euclid_isize(a: i32, b: i32, site: u32) -> i32 {
    return skel_div_euclid_i32(a, b, site);
}

fn skel_rem_euclid_isize(a: i32, b: i32, site: u32) -> i32 {
    return skel_rem_euclid_i32(a, select(b, 1i, b == -1i), site);
}

fn skel_abs_isize(x: i32, site: u32) -> i32 {
    if (x == i32(-2147483648)) {
        skel_note(site);
    }
    return skel_abs_i32(x);
}

fn skel_shl_isize(a: i32, amount: u32, site: u32) -> i32 {
    let k = amount & 31u;
    let far = (amount & 63u) > 31u;
    let low = select(a << k, 0i, far);
    // The upper half of the 64-bit shift, which must repeat the sign of the lower one.
    let high = select(a >> ((32u - k) & 31u), a >> 31u, k == 0u);
    if (select(high, a << k, far) != (low >> 31u)) {
        skel_note(site);
    }
    return low;
}

fn skel_shr_isize(a: i32, amount: u32) -> i32 {
    return a >> min(amount & 63u, 31u);
}

fn skel_rotl_isize(a: i32, amount: u32, site: u32) -> i32 {
    let n = amount & 63u;
    let k = n & 31u;
    let low = bitcast<u32>(a);
    let high = bitcast<u32>(a >> 31u);
    // One half is the other's sign; turned by k, then perhaps by 32.
    let first = select((low << k) | (high >> ((32u - k) & 31u)), low, k == 0u);
    let second = select((high << k) | (low >> ((32u - k) & 31u)), high, k == 0u);
    let result = bitcast<i32>(select(first, second, n > 31u));
    if (bitcast<i32>(select(second, first, n > 31u)) != (result >> 31u)) {
        skel_note(site);
    }
    return result;
}

fn skel_rotr_isize(a: i32, amount: u32, site: u32) -> i32 {
    return skel_rotl_isize(a, 64u - (amount & 63u), site);
}

fn skel_pow_isize(x: i32, exponent: u32, site: u32) -> i32 {
    var base = x;
    var left = exponent;
    var power = 1i;
    loop {
        if ((left & 1u) != 0u) {
            power = skel_mul_isize(power, base, site);
        }
        left = left >> 1u;
        if (left == 0u) {
            break;
        }
        base = skel_mul_isize(base, base, site);
    }
    return power;
}

fn skel_count_ones_isize(x: i32) -> u32 {
    return countOneBits(bitcast<u32>(x)) + select(0u, 32u, x < 0i);
}

fn skel_leading_zeros_isize(x: i32) -> u32 {
    return select(32u + countLeadingZeros(bitcast<u32>(x)), 0u, x < 0i);
}

fn skel_trailing_zeros_isize(x: i32) -> u32 {
    return select(countTrailingZeros(bitcast<u32>(x)), 64u, x == 0i);
}

fn skel_u32_to_isize(x: u32, site: u32) -> i32 {
    if (x > 2147483647u) {
        skel_note(site);
    }
    return bitcast<i32>(x);
}

fn skel_i64_to_isize(x: i64, site: u32) -> i32 {
    let low = bitcast<i32>(skel_low_u64(bitcast<u64>(x)));
    if (i64(low) != x) {
        skel_note(site);
    }
    return low;
}

fn skel_f32_to_isize(x: f32, site: u32) -> i32 {
    if (abs(x) >= 2147483648.0f && x != -2147483648.0f) {
        skel_note(site);
    }
    return skel_f32_to_i32(x);
}

fn skel_f64_to_isize(x: f64, site: u32) -> i32 {
    if (x >= 2147483648.0lf || x <= -2147483649.0lf) {
        skel_note(site);
    }
    return skel_f64_to_i32(x);
}
