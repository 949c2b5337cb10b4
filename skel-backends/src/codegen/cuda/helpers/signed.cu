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

static __device__ ${t} skel_saturating_add_${t}(${t} a, ${t} b) {
    const ${t} sum = skel_add_${t}(a, b);
    if (b < 0 ? sum > a : sum < a) {
        return b < 0 ? ${min} : ${max};
    }
    return sum;
}

static __device__ ${t} skel_saturating_sub_${t}(${t} a, ${t} b) {
    const ${t} difference = skel_sub_${t}(a, b);
    if (b < 0 ? difference < a : difference > a) {
        return b < 0 ? ${max} : ${min};
    }
    return difference;
}

static __device__ ${w} skel_unsigned_abs_${t}(${t} a) {
    return (${w})skel_abs_${t}(a);
}

// The divisor is neither 0 nor, of the smallest value, -1.
static __device__ ${t} skel_euclidean_quotient_${t}(${t} a, ${t} b) {
    const ${t} quotient = (${t})(a / b);
    if (a % b < 0) {
        return (${t})(b > 0 ? quotient - 1 : quotient + 1);
    }
    return quotient;
}

static __device__ ${t} skel_euclidean_remainder_${t}(${t} a, ${t} b) {
    const ${t} rest = (${t})(a % b);
    if (rest < 0) {
        return (${t})(b < 0 ? rest - b : rest + b);
    }
    return rest;
}

static __device__ bool skel_divides_${t}(${t} a, ${t} b, u32 site, u32& skel_trap) {
    if (b == 0) {
        skel_note(site, skel_trap);
        return false;
    }
    if (b == -1 && a == ${min}) {
        skel_note(site + 1u, skel_trap);
        return false;
    }
    return true;
}

static __device__ ${t} skel_div_euclid_${t}(${t} a, ${t} b, u32 site, u32& skel_trap) {
    return skel_divides_${t}(a, b, site, skel_trap) ? skel_euclidean_quotient_${t}(a, b) : (${t})0;
}

static __device__ ${t} skel_rem_euclid_${t}(${t} a, ${t} b, u32 site, u32& skel_trap) {
    return skel_divides_${t}(a, b, site, skel_trap) ? skel_euclidean_remainder_${t}(a, b) : (${t})0;
}
