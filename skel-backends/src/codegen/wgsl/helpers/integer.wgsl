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
