// `f64`: arithmetic, and what can be made of it and of the bits. SPIR-V has no `sin`, `exp` and the
// like for it, so neither have we.

fn skel_opaque_f64(x: f64) -> f64 {
    return x;
}

fn skel_bits_f64(bits: u64) -> f64 {
    return bitcast<f64>(bits);
}

fn skel_is_nan_f64(x: f64) -> bool {
    return (bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu;
}

fn skel_is_infinite_f64(x: f64) -> bool {
    return (bitcast<u64>(x) & 0x7ffffffffffffffflu) == 0x7ff0000000000000lu;
}

fn skel_is_finite_f64(x: f64) -> bool {
    return (bitcast<u64>(x) & 0x7ffffffffffffffflu) < 0x7ff0000000000000lu;
}

fn skel_copysign_f64(x: f64, y: f64) -> f64 {
    return bitcast<f64>((bitcast<u64>(x) & 0x7ffffffffffffffflu) | (bitcast<u64>(y) & 0x8000000000000000lu));
}

fn skel_signum_f64(x: f64) -> f64 {
    if (skel_is_nan_f64(x)) {
        return x;
    }
    return skel_copysign_f64(1.0lf, x);
}

fn skel_min_f64(a: f64, b: f64) -> f64 {
    return select(select(b, a, a < b), a, skel_is_nan_f64(b));
}

fn skel_max_f64(a: f64, b: f64) -> f64 {
    return select(select(b, a, a > b), a, skel_is_nan_f64(b));
}

fn skel_limit_f64(x: f64, lo: f64, hi: f64) -> f64 {
    if (skel_is_nan_f64(x)) {
        return x;
    }
    if (x < lo) {
        return lo;
    }
    if (x > hi) {
        return hi;
    }
    return x;
}

fn skel_clamp_f64(x: f64, lo: f64, hi: f64, site: u32) -> f64 {
    if (skel_is_nan_f64(lo) || skel_is_nan_f64(hi) || lo > hi) {
        skel_note(site);
    }
    return skel_limit_f64(x, lo, hi);
}

fn skel_round_f64(x: f64) -> f64 {
    let whole = skel_trunc_f64(x);
    if (abs(x - whole) >= 0.5lf) {
        return whole + skel_copysign_f64(1.0lf, x);
    }
    return whole;
}

fn skel_fract_f64(x: f64) -> f64 {
    return x - skel_trunc_f64(x);
}

fn skel_powi_f64(x: f64, exponent: i32) -> f64 {
    var base = x;
    var left = exponent;
    var power = 1.0lf;
    loop {
        if ((left & 1i) != 0i) {
            power = power * base;
        }
        left = left / 2i;
        if (left == 0i) {
            break;
        }
        base = base * base;
    }
    return select(power, skel_div_f64(1.0lf, power), exponent < 0i);
}

fn skel_zeros_u64(x: u64) -> u32 {
    let high = u32(x >> 32u);
    return select(countLeadingZeros(high), 32u + countLeadingZeros(u32(x & 0xfffffffflu)), high == 0u);
}

// Exact, as for `f32`.
fn skel_rem_f64(x: f64, y: f64) -> f64 {
    let sign = bitcast<u64>(x) & 0x8000000000000000lu;
    let a = bitcast<u64>(x) & 0x7ffffffffffffffflu;
    let b = bitcast<u64>(y) & 0x7ffffffffffffffflu;
    if (b == 0lu || a >= 0x7ff0000000000000lu || b > 0x7ff0000000000000lu) {
        return skel_bits_f64(0x7ff8000000000000lu);
    }
    if (a < b) {
        return x;
    }
    var exponent = i32(u32(a >> 52u));
    var rest = (a & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    if (exponent == 0i) {
        let zeros = skel_zeros_u64(a) - 11u;
        rest = a << zeros;
        exponent = 1i - i32(zeros);
    }
    var least = i32(u32(b >> 52u));
    var divisor = (b & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    if (least == 0i) {
        let zeros = skel_zeros_u64(b) - 11u;
        divisor = b << zeros;
        least = 1i - i32(zeros);
    }
    loop {
        if (rest >= divisor) {
            rest = rest - divisor;
        }
        if (exponent == least) {
            break;
        }
        rest = rest << 1u;
        exponent = exponent - 1i;
    }
    if (rest == 0lu) {
        return bitcast<f64>(sign);
    }
    let zeros = skel_zeros_u64(rest) - 11u;
    rest = rest << zeros;
    exponent = exponent - i32(zeros);
    if (exponent > 0i) {
        return bitcast<f64>(sign | (rest & 0x000ffffffffffffflu) | (u64(u32(exponent)) << 52u));
    }
    return bitcast<f64>(sign | (rest >> u32(1i - exponent)));
}

fn skel_div_euclid_f64(x: f64, y: f64) -> f64 {
    let whole = skel_trunc_f64(skel_div_f64(x, y));
    if (skel_rem_f64(x, y) < 0.0lf) {
        return select(whole + 1.0lf, whole - 1.0lf, y > 0.0lf);
    }
    return whole;
}

fn skel_rem_euclid_f64(x: f64, y: f64) -> f64 {
    let rest = skel_rem_f64(x, y);
    if (rest < 0.0lf) {
        return rest + abs(y);
    }
    return rest;
}

fn skel_hidden_f64(x: f64) -> f64 {
    return bitcast<f64>(bitcast<u64>(x) | u64(skel_nothing));
}
