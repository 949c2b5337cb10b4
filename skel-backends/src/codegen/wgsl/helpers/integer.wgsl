// Integers, as Rust has them in release builds.

// `site` stands for a zero divisor, the next one for overflow.
fn skel_div_i32(a: i32, b: i32, site: u32) -> i32 {
    if (b == 0i) {
        skel_note(site);
        return 0i;
    }
    if (b == -1i && a == i32(-2147483648)) {
        skel_note(site + 1u);
        return 0i;
    }
    return a / b;
}

fn skel_rem_i32(a: i32, b: i32, site: u32) -> i32 {
    if (b == 0i) {
        skel_note(site);
        return 0i;
    }
    if (b == -1i && a == i32(-2147483648)) {
        skel_note(site + 1u);
        return 0i;
    }
    return a % b;
}

fn skel_div_u32(a: u32, b: u32, site: u32) -> u32 {
    if (b == 0u) {
        skel_note(site);
        return 0u;
    }
    return a / b;
}

fn skel_rem_u32(a: u32, b: u32, site: u32) -> u32 {
    if (b == 0u) {
        skel_note(site);
        return 0u;
    }
    return a % b;
}

fn skel_clamp_i32(x: i32, lo: i32, hi: i32, site: u32) -> i32 {
    if (lo > hi) {
        skel_note(site);
    }
    return max(lo, min(x, hi));
}

fn skel_clamp_u32(x: u32, lo: u32, hi: u32, site: u32) -> u32 {
    if (lo > hi) {
        skel_note(site);
    }
    return max(lo, min(x, hi));
}

// Wraps: the smallest value is its own absolute value.
fn skel_abs_i32(x: i32) -> i32 {
    return select(x, -x, x < 0i);
}

fn skel_rotl_u32(x: u32, n: u32) -> u32 {
    return (x << (n & 31u)) | (x >> ((32u - (n & 31u)) & 31u));
}

fn skel_rotr_u32(x: u32, n: u32) -> u32 {
    return skel_rotl_u32(x, 32u - (n & 31u));
}

fn skel_rotl_i32(x: i32, n: u32) -> i32 {
    return bitcast<i32>(skel_rotl_u32(bitcast<u32>(x), n));
}

fn skel_rotr_i32(x: i32, n: u32) -> i32 {
    return bitcast<i32>(skel_rotr_u32(bitcast<u32>(x), n));
}

// Overflow shows in the sign: that of both operands, and not of the sum.
fn skel_saturating_add_i32(a: i32, b: i32) -> i32 {
    let sum = a + b;
    let limit = select(2147483647i, i32(-2147483648), a < 0i);
    return select(sum, limit, ((a ^ sum) & (b ^ sum)) < 0i);
}

fn skel_saturating_sub_i32(a: i32, b: i32) -> i32 {
    let difference = a - b;
    let limit = select(2147483647i, i32(-2147483648), a < 0i);
    return select(difference, limit, ((a ^ b) & (a ^ difference)) < 0i);
}

fn skel_saturating_add_u32(a: u32, b: u32) -> u32 {
    return a + min(b, 4294967295u - a);
}

fn skel_saturating_sub_u32(a: u32, b: u32) -> u32 {
    return a - min(a, b);
}

// Wraps, and so do the narrow types, when their bits are taken from it.
fn skel_pow_u32(x: u32, exponent: u32) -> u32 {
    var base = x;
    var left = exponent;
    var power = 1u;
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

fn skel_abs_diff_i32(a: i32, b: i32) -> u32 {
    return bitcast<u32>(max(a, b)) - bitcast<u32>(min(a, b));
}

fn skel_abs_diff_u32(a: u32, b: u32) -> u32 {
    return max(a, b) - min(a, b);
}

fn skel_is_multiple_of_u32(a: u32, b: u32) -> bool {
    if (b == 0u) {
        return a == 0u;
    }
    return a % b == 0u;
}

fn skel_swap_bytes_u32(x: u32) -> u32 {
    return (x << 24u) | ((x & 0xff00u) << 8u) | ((x >> 8u) & 0xff00u) | (x >> 24u);
}

// For divisors with which nothing can overflow.
fn skel_euclid_rem_i32(a: i32, b: i32) -> i32 {
    let rest = a % b;
    return select(rest, select(rest - b, rest + b, b > 0i), rest < 0i);
}

fn skel_euclid_div_i32(a: i32, b: i32) -> i32 {
    let whole = a / b;
    return select(whole, select(whole + 1i, whole - 1i, b > 0i), a % b < 0i);
}

fn skel_rem_euclid_i32(a: i32, b: i32, site: u32) -> i32 {
    if (b == 0i) {
        skel_note(site);
        return 0i;
    }
    if (b == -1i && a == i32(-2147483648)) {
        skel_note(site + 1u);
        return 0i;
    }
    return skel_euclid_rem_i32(a, b);
}

fn skel_div_euclid_i32(a: i32, b: i32, site: u32) -> i32 {
    if (b == 0i) {
        skel_note(site);
        return 0i;
    }
    if (b == -1i && a == i32(-2147483648)) {
        skel_note(site + 1u);
        return 0i;
    }
    return skel_euclid_div_i32(a, b);
}
