// `f32`: what WGSL leaves open about NaN, zeros and rounding. Looks at bits where it matters, since
// a compiler may assume that there are no NaNs.

// A value that the compiler cannot see through: constant expressions would be checked for overflow.
fn skel_opaque_f32(x: f32) -> f32 {
    return x;
}

fn skel_opaque_i32(x: i32) -> i32 {
    return x;
}

fn skel_opaque_u32(x: u32) -> u32 {
    return x;
}

fn skel_opaque_bool(x: bool) -> bool {
    return x;
}

fn skel_bits_f32(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

// All but the last bit. A compiler may take (a + b) - a for b, as if nothing were ever rounded; what
// was rounded must pass through here before the difference tells how much.
fn skel_kept_f32(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0xfffffffeu);
}

fn skel_is_nan_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn skel_is_infinite_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
}

fn skel_is_finite_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u;
}

fn skel_copysign_f32(x: f32, y: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(y) & 0x80000000u));
}

fn skel_signum_f32(x: f32) -> f32 {
    if (skel_is_nan_f32(x)) {
        return x;
    }
    return skel_copysign_f32(1.0f, x);
}

fn skel_min_f32(a: f32, b: f32) -> f32 {
    return select(select(b, a, a < b), a, skel_is_nan_f32(b));
}

fn skel_max_f32(a: f32, b: f32) -> f32 {
    return select(select(b, a, a > b), a, skel_is_nan_f32(b));
}

// NVIDIA's Vulkan driver makes `min` and `max` of the two comparisons, which lose NaN.
fn skel_limit_f32(x: f32, lo: f32, hi: f32) -> f32 {
    if (skel_is_nan_f32(x)) {
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

fn skel_clamp_f32(x: f32, lo: f32, hi: f32, site: u32) -> f32 {
    if (skel_is_nan_f32(lo) || skel_is_nan_f32(hi) || lo > hi) {
        skel_note(site);
    }
    return skel_limit_f32(x, lo, hi);
}

// Ties away from zero.
fn skel_round_f32(x: f32) -> f32 {
    let whole = skel_trunc_f32(x);
    if (abs(x - whole) >= 0.5f) {
        return whole + skel_copysign_f32(1.0f, x);
    }
    return whole;
}

fn skel_fract_f32(x: f32) -> f32 {
    return x - skel_trunc_f32(x);
}

fn skel_powi_f32(x: f32, exponent: i32) -> f32 {
    var base = x;
    var left = exponent;
    var power = 1.0f;
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
    return select(power, skel_div_f32(1.0f, power), exponent < 0i);
}

// Exact, by long division of the significands.
fn skel_rem_f32(x: f32, y: f32) -> f32 {
    let sign = bitcast<u32>(x) & 0x80000000u;
    let a = bitcast<u32>(x) & 0x7fffffffu;
    let b = bitcast<u32>(y) & 0x7fffffffu;
    if (b == 0u || a >= 0x7f800000u || b > 0x7f800000u) {
        return skel_bits_f32(0x7fc00000u);
    }
    if (a < b) {
        return x;
    }
    var exponent = i32(a >> 23u);
    var rest = (a & 0x007fffffu) | 0x00800000u;
    if (exponent == 0i) {
        let zeros = countLeadingZeros(a) - 8u;
        rest = a << zeros;
        exponent = 1i - i32(zeros);
    }
    var least = i32(b >> 23u);
    var divisor = (b & 0x007fffffu) | 0x00800000u;
    if (least == 0i) {
        let zeros = countLeadingZeros(b) - 8u;
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
    if (rest == 0u) {
        return bitcast<f32>(sign);
    }
    let zeros = countLeadingZeros(rest) - 8u;
    rest = rest << zeros;
    exponent = exponent - i32(zeros);
    if (exponent > 0i) {
        return bitcast<f32>(sign | (rest & 0x007fffffu) | (u32(exponent) << 23u));
    }
    return bitcast<f32>(sign | (rest >> u32(1i - exponent)));
}

// The quotient that leaves a remainder which is not negative.
fn skel_div_euclid_f32(x: f32, y: f32) -> f32 {
    let whole = skel_trunc_f32(skel_div_f32(x, y));
    if (skel_rem_f32(x, y) < 0.0f) {
        return select(whole + 1.0f, whole - 1.0f, y > 0.0f);
    }
    return whole;
}

fn skel_rem_euclid_f32(x: f32, y: f32) -> f32 {
    let rest = skel_rem_f32(x, y);
    if (rest < 0.0f) {
        return rest + abs(y);
    }
    return rest;
}

// 0: what a compiler does not know, it cannot compute with.
var<private> skel_nothing: u32 = 0u;

fn skel_hidden_f32(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) | skel_nothing);
}
