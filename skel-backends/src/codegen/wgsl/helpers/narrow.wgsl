// `i8`, `i16`, `u8`, `u16`: computed in 32 bits, and cut to their width where a result may leave it.

fn skel_to_i8(x: i32) -> i32 {
    return (x << 24u) >> 24u;
}

fn skel_to_i16(x: i32) -> i32 {
    return (x << 16u) >> 16u;
}

fn skel_to_u8(x: u32) -> u32 {
    return x & 0xffu;
}

fn skel_to_u16(x: u32) -> u32 {
    return x & 0xffffu;
}

fn skel_div_i8(a: i32, b: i32, site: u32) -> i32 {
    if (b == -1i && a == -128i) {
        skel_note(site + 1u);
    }
    return skel_div_i32(a, b, site);
}

fn skel_rem_i8(a: i32, b: i32, site: u32) -> i32 {
    if (b == -1i && a == -128i) {
        skel_note(site + 1u);
    }
    return skel_rem_i32(a, b, site);
}

fn skel_div_euclid_i8(a: i32, b: i32, site: u32) -> i32 {
    if (b == -1i && a == -128i) {
        skel_note(site + 1u);
    }
    return skel_div_euclid_i32(a, b, site);
}

fn skel_rem_euclid_i8(a: i32, b: i32, site: u32) -> i32 {
    if (b == -1i && a == -128i) {
        skel_note(site + 1u);
    }
    return skel_rem_euclid_i32(a, b, site);
}

fn skel_div_i16(a: i32, b: i32, site: u32) -> i32 {
    if (b == -1i && a == -32768i) {
        skel_note(site + 1u);
    }
    return skel_div_i32(a, b, site);
}

fn skel_rem_i16(a: i32, b: i32, site: u32) -> i32 {
    if (b == -1i && a == -32768i) {
        skel_note(site + 1u);
    }
    return skel_rem_i32(a, b, site);
}

fn skel_div_euclid_i16(a: i32, b: i32, site: u32) -> i32 {
    if (b == -1i && a == -32768i) {
        skel_note(site + 1u);
    }
    return skel_div_euclid_i32(a, b, site);
}

fn skel_rem_euclid_i16(a: i32, b: i32, site: u32) -> i32 {
    if (b == -1i && a == -32768i) {
        skel_note(site + 1u);
    }
    return skel_rem_euclid_i32(a, b, site);
}

// To the left by n of `width` bits; the others are 0 and stay so.
fn skel_rotl_narrow(x: u32, n: u32, width: u32) -> u32 {
    let k = n & (width - 1u);
    return ((x << k) | (x >> (width - k))) & ((1u << width) - 1u);
}

fn skel_rotr_narrow(x: u32, n: u32, width: u32) -> u32 {
    return skel_rotl_narrow(x, width - (n & (width - 1u)), width);
}
