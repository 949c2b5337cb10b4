// `usize` in 32 bits: where the 64 bits of the host would hold more, the element traps.

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
