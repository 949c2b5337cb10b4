// What `native.wgsl` leaves to the driver, by integers: for drivers that do it wrongly (see `arithmetic`).

fn skel_trunc_f32(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let exponent = i32((bits & 0x7fffffffu) >> 23u) - 127i;
    if (exponent >= 23i) {
        return x;
    }
    if (exponent < 0i) {
        return bitcast<f32>(bits & 0x80000000u);
    }
    return bitcast<f32>(bits & ~(0x007fffffu >> u32(exponent)));
}

fn skel_floor_f32(x: f32) -> f32 {
    let whole = skel_trunc_f32(x);
    if (x < whole) {
        return whole - 1.0f;
    }
    return whole;
}

fn skel_ceil_f32(x: f32) -> f32 {
    let whole = skel_trunc_f32(x);
    if (x > whole) {
        return whole + 1.0f;
    }
    return whole;
}

// Ties to even. Where there is a fraction, half of the whole part is exact.
fn skel_even_f32(x: f32) -> f32 {
    let whole = skel_trunc_f32(x);
    let rest = abs(x - whole);
    let half = 0.5f * whole;
    let odd = half != skel_trunc_f32(half);
    if (rest > 0.5f || (rest == 0.5f && odd)) {
        return whole + skel_copysign_f32(1.0f, x);
    }
    return whole;
}

// The float next to significand * 2 to the power of (exponent - 151), ties to even. The significand has
// 25 bits, the last of which stands for all that was cut if `sticky`.
fn skel_packed_f32(sign: u32, exponent: i32, significand: u32, sticky: bool) -> f32 {
    if (exponent >= 255i) {
        return bitcast<f32>(sign | 0x7f800000u);
    }
    var kept = significand;
    var lost = sticky;
    var base = 0u;
    if (exponent > 0i) {
        // The leading bit counts as one of the exponent.
        base = u32(exponent - 1i) << 23u;
    } else {
        let cut = min(u32(1i - exponent), 26u);
        lost = lost || (kept & ((1u << cut) - 1u)) != 0u;
        kept = kept >> cut;
    }
    let rounded = (kept >> 1u) + base;
    let up = (kept & 1u) != 0u && (lost || (rounded & 1u) != 0u);
    return bitcast<f32>(sign | (rounded + select(0u, 1u, up)));
}

// The exponent and the significand of a number that is neither 0, infinite nor NaN, as if it were normal.
struct skel_Normal_f32 {
    exponent: i32,
    significand: u32,
}

fn skel_normal_f32(magnitude: u32) -> skel_Normal_f32 {
    let exponent = i32(magnitude >> 23u);
    if (exponent > 0i) {
        return skel_Normal_f32(exponent, (magnitude & 0x007fffffu) | 0x00800000u);
    }
    let shift = countLeadingZeros(magnitude) - 8u;
    return skel_Normal_f32(1i - i32(shift), magnitude << shift);
}

// Long division, bit by bit.
fn skel_div_f32(x: f32, y: f32) -> f32 {
    let sign = (bitcast<u32>(x) ^ bitcast<u32>(y)) & 0x80000000u;
    let a = bitcast<u32>(x) & 0x7fffffffu;
    let b = bitcast<u32>(y) & 0x7fffffffu;
    let infinite = 0x7f800000u;
    if (a > infinite || b > infinite || (a == infinite && b == infinite) || (a == 0u && b == 0u)) {
        return skel_bits_f32(0x7fc00000u);
    }
    if (a == infinite || b == 0u) {
        return bitcast<f32>(sign | infinite);
    }
    if (a == 0u || b == infinite) {
        return bitcast<f32>(sign);
    }
    let dividend = skel_normal_f32(a);
    let divisor = skel_normal_f32(b);
    var exponent = dividend.exponent - divisor.exponent + 127i;
    var rest = dividend.significand;
    if (rest < divisor.significand) {
        rest = rest << 1u;
        exponent = exponent - 1i;
    }
    var quotient = 0u;
    for (var k = 0u; k < 25u; k++) {
        quotient = quotient << 1u;
        if (rest >= divisor.significand) {
            rest = rest - divisor.significand;
            quotient = quotient | 1u;
        }
        rest = rest << 1u;
    }
    return skel_packed_f32(sign, exponent, quotient, rest != 0u);
}

// The root's bits from the highest on: each is set if the square does not exceed the number then.
fn skel_sqrt_f32(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let a = bits & 0x7fffffffu;
    if (a == 0u || bits == 0x7f800000u) {
        return x;
    }
    if (bits > 0x7f800000u) {
        return skel_bits_f32(0x7fc00000u);
    }
    let parts = skel_normal_f32(a);
    var exponent = parts.exponent - 127i;
    var rest = parts.significand << 1u;
    if ((exponent & 1i) != 0i) {
        rest = rest << 1u;
        exponent = exponent - 1i;
    }
    // What is left of the number, less twice the root so far; both shifted as the bit goes down.
    var root = 0u;
    var twice = 0u;
    for (var bit = 1u << 24u; bit != 0u; bit = bit >> 1u) {
        let next = twice + bit;
        if (next <= rest) {
            twice = next + bit;
            rest = rest - next;
            root = root + bit;
        }
        rest = rest << 1u;
    }
    return skel_packed_f32(0u, exponent / 2i + 127i, root, rest != 0u);
}

fn skel_trunc_f64(x: f64) -> f64 {
    let bits = bitcast<u64>(x);
    let exponent = i32(u32((bits & 0x7ffffffffffffffflu) >> 52u)) - 1023i;
    if (exponent >= 52i) {
        return x;
    }
    if (exponent < 0i) {
        return bitcast<f64>(bits & 0x8000000000000000lu);
    }
    return bitcast<f64>(bits & ~(0x000ffffffffffffflu >> u32(exponent)));
}

fn skel_floor_f64(x: f64) -> f64 {
    let whole = skel_trunc_f64(x);
    if (x < whole) {
        return whole - 1.0lf;
    }
    return whole;
}

fn skel_ceil_f64(x: f64) -> f64 {
    let whole = skel_trunc_f64(x);
    if (x > whole) {
        return whole + 1.0lf;
    }
    return whole;
}

// Ties to even. Where there is a fraction, half of the whole part is exact.
fn skel_even_f64(x: f64) -> f64 {
    let whole = skel_trunc_f64(x);
    let rest = abs(x - whole);
    let half = 0.5lf * whole;
    let odd = half != skel_trunc_f64(half);
    if (rest > 0.5lf || (rest == 0.5lf && odd)) {
        return whole + skel_copysign_f64(1.0lf, x);
    }
    return whole;
}

// The float next to significand * 2 to the power of (exponent - 1076), ties to even. The significand has
// 54 bits, the last of which stands for all that was cut if `sticky`.
fn skel_packed_f64(sign: u64, exponent: i32, significand: u64, sticky: bool) -> f64 {
    if (exponent >= 2047i) {
        return bitcast<f64>(sign | 0x7ff0000000000000lu);
    }
    var kept = significand;
    var lost = sticky;
    var base = 0lu;
    if (exponent > 0i) {
        // The leading bit counts as one of the exponent.
        base = u64(u32(exponent - 1i)) << 52u;
    } else {
        let cut = min(u32(1i - exponent), 55u);
        lost = lost || (kept & ((1lu << cut) - 1lu)) != 0lu;
        kept = kept >> cut;
    }
    let rounded = (kept >> 1u) + base;
    let up = (kept & 1lu) != 0lu && (lost || (rounded & 1lu) != 0lu);
    return bitcast<f64>(sign | (rounded + select(0lu, 1lu, up)));
}

// The exponent and the significand of a number that is neither 0, infinite nor NaN, as if it were normal.
struct skel_Normal_f64 {
    exponent: i32,
    significand: u64,
}

fn skel_normal_f64(magnitude: u64) -> skel_Normal_f64 {
    let exponent = i32(u32(magnitude >> 52u));
    if (exponent > 0i) {
        return skel_Normal_f64(exponent, (magnitude & 0x000ffffffffffffflu) | 0x0010000000000000lu);
    }
    let shift = skel_zeros_u64(magnitude) - 11u;
    return skel_Normal_f64(1i - i32(shift), magnitude << shift);
}

// Long division, bit by bit.
fn skel_div_f64(x: f64, y: f64) -> f64 {
    let sign = (bitcast<u64>(x) ^ bitcast<u64>(y)) & 0x8000000000000000lu;
    let a = bitcast<u64>(x) & 0x7ffffffffffffffflu;
    let b = bitcast<u64>(y) & 0x7ffffffffffffffflu;
    let infinite = 0x7ff0000000000000lu;
    if (a > infinite || b > infinite || (a == infinite && b == infinite) || (a == 0lu && b == 0lu)) {
        return skel_bits_f64(0x7ff8000000000000lu);
    }
    if (a == infinite || b == 0lu) {
        return bitcast<f64>(sign | infinite);
    }
    if (a == 0lu || b == infinite) {
        return bitcast<f64>(sign);
    }
    let dividend = skel_normal_f64(a);
    let divisor = skel_normal_f64(b);
    var exponent = dividend.exponent - divisor.exponent + 1023i;
    var rest = dividend.significand;
    if (rest < divisor.significand) {
        rest = rest << 1u;
        exponent = exponent - 1i;
    }
    var quotient = 0lu;
    for (var k = 0u; k < 54u; k++) {
        quotient = quotient << 1u;
        if (rest >= divisor.significand) {
            rest = rest - divisor.significand;
            quotient = quotient | 1lu;
        }
        rest = rest << 1u;
    }
    return skel_packed_f64(sign, exponent, quotient, rest != 0lu);
}

// The root's bits from the highest on: each is set if the square does not exceed the number then.
fn skel_sqrt_f64(x: f64) -> f64 {
    let bits = bitcast<u64>(x);
    let a = bits & 0x7ffffffffffffffflu;
    if (a == 0lu || bits == 0x7ff0000000000000lu) {
        return x;
    }
    if (bits > 0x7ff0000000000000lu) {
        return skel_bits_f64(0x7ff8000000000000lu);
    }
    let parts = skel_normal_f64(a);
    var exponent = parts.exponent - 1023i;
    var rest = parts.significand << 1u;
    if ((exponent & 1i) != 0i) {
        rest = rest << 1u;
        exponent = exponent - 1i;
    }
    // What is left of the number, less twice the root so far; both shifted as the bit goes down.
    var root = 0lu;
    var twice = 0lu;
    for (var bit = 1lu << 53u; bit != 0lu; bit = bit >> 1u) {
        let next = twice + bit;
        if (next <= rest) {
            twice = next + bit;
            rest = rest - next;
            root = root + bit;
        }
        rest = rest << 1u;
    }
    return skel_packed_f64(0lu, exponent / 2i + 1023i, root, rest != 0lu);
}

// The sign is spread bit by bit.
fn skel_i32_to_i64(x: i32) -> i64 {
    return bitcast<i64>(u64(bitcast<u32>(x)) | select(0lu, 0xffffffff00000000lu, x < 0i));
}
