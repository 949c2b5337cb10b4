// Signed integers. For a quotient, `site` stands for a zero divisor, the next one for overflow.

static __device__ ${t} skel_div_${t}(${t} a, ${t} b, u32 site, u32& skel_trap) {
    if (b == 0) {
        skel_note(site, skel_trap);
        return 0;
    }
    if (b == -1 && a == ${min}) {
        skel_note(site + 1u, skel_trap);
        return 0;
    }
    return (${t})(a / b);
}

static __device__ ${t} skel_rem_${t}(${t} a, ${t} b, u32 site, u32& skel_trap) {
    if (b == 0) {
        skel_note(site, skel_trap);
        return 0;
    }
    if (b == -1 && a == ${min}) {
        skel_note(site + 1u, skel_trap);
        return 0;
    }
    return (${t})(a % b);
}

// Wraps: the smallest value is its own absolute value.
static __device__ ${t} skel_abs_${t}(${t} a) {
    return a < 0 ? skel_neg_${t}(a) : a;
}

static __device__ ${t} skel_signum_${t}(${t} a) {
    return (${t})((a > 0) - (a < 0));
}
