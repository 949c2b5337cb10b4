// Integers of every type, as Rust has them in release builds. ${t} computes as ${u}, whose arithmetic
// wraps; ${w} is the unsigned type of the same width.

static __device__ ${t} skel_add_${t}(${t} a, ${t} b) {
    return (${t})((${u})a + (${u})b);
}

static __device__ ${t} skel_sub_${t}(${t} a, ${t} b) {
    return (${t})((${u})a - (${u})b);
}

static __device__ ${t} skel_mul_${t}(${t} a, ${t} b) {
    return (${t})((${u})a * (${u})b);
}

static __device__ ${t} skel_neg_${t}(${t} a) {
    return (${t})(0u - (${u})a);
}

static __device__ ${t} skel_shl_${t}(${t} a, u32 amount) {
    return (${t})((${u})a << (amount & ${mask}u));
}

// Keeps the sign of signed types.
static __device__ ${t} skel_shr_${t}(${t} a, u32 amount) {
    return (${t})(a >> (amount & ${mask}u));
}

static __device__ ${t} skel_rotate_left_${t}(${t} a, u32 amount) {
    const ${u} bits = (${w})a;
    const u32 n = amount & ${mask}u;
    return (${t})(${w})(bits << n | bits >> ((${bits}u - n) & ${mask}u));
}

static __device__ ${t} skel_rotate_right_${t}(${t} a, u32 amount) {
    return skel_rotate_left_${t}(a, ${bits}u - (amount & ${mask}u));
}

static __device__ u32 skel_count_ones_${t}(${t} a) {
    return (u32)${popc}((${w})a);
}

static __device__ u32 skel_leading_zeros_${t}(${t} a) {
    return (u32)${clz}((${c})(${w})a) - ${spare}u;
}

static __device__ u32 skel_trailing_zeros_${t}(${t} a) {
    return a == 0 ? ${bits}u : (u32)${ffs}((${c})a) - 1u;
}

static __device__ ${t} skel_min_${t}(${t} a, ${t} b) {
    return b < a ? b : a;
}

static __device__ ${t} skel_max_${t}(${t} a, ${t} b) {
    return b < a ? a : b;
}

static __device__ ${t} skel_limit_${t}(${t} x, ${t} lo, ${t} hi) {
    return x < lo ? lo : x > hi ? hi : x;
}

static __device__ ${t} skel_clamp_${t}(${t} x, ${t} lo, ${t} hi, u32 site, u32& skel_trap) {
    if (lo > hi) {
        skel_note(site, skel_trap);
    }
    return skel_limit_${t}(x, lo, hi);
}

static __device__ u32 skel_leading_ones_${t}(${t} a) {
    return skel_leading_zeros_${t}((${t})~a);
}

static __device__ u32 skel_trailing_ones_${t}(${t} a) {
    return skel_trailing_zeros_${t}((${t})~a);
}

static __device__ ${t} skel_swap_bytes_${t}(${t} a) {
    ${w} from = (${w})a;
    ${w} to = 0;
    for (u32 k = 0; k < ${bits}u; k += 8u) {
        to = (${w})((${u})to << 8 | ((${u})from & 255u));
        from = (${w})(from >> 8);
    }
    return (${t})to;
}

static __device__ ${t} skel_reverse_bits_${t}(${t} a) {
    return (${t})(${w})(${brev}((${w})a) >> ${spare}u);
}

static __device__ ${t} skel_pow_${t}(${t} a, u32 exponent) {
    ${u} base = (${u})a;
    ${u} power = 1u;
    for (; exponent != 0u; exponent >>= 1) {
        if (exponent & 1u) {
            power *= base;
        }
        base *= base;
    }
    return (${t})power;
}

static __device__ ${w} skel_abs_diff_${t}(${t} a, ${t} b) {
    return a < b ? (${w})((${u})b - (${u})a) : (${w})((${u})a - (${u})b);
}
