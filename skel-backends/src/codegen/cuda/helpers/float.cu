// Floats: what C++ has otherwise than Rust, or only in headers.

static __device__ bool skel_is_nan_${f}(${f} x) {
    return x != x;
}

static __device__ bool skel_is_infinite_${f}(${f} x) {
    return fabs${s}(x) == ${infinity};
}

static __device__ bool skel_is_finite_${f}(${f} x) {
    return fabs${s}(x) < ${infinity};
}

static __device__ ${f} skel_signum_${f}(${f} x) {
    return x != x ? x : copysign${s}((${f})1, x);
}

static __device__ ${f} skel_fract_${f}(${f} x) {
    return x - trunc${s}(x);
}

static __device__ ${f} skel_limit_${f}(${f} x, ${f} lo, ${f} hi) {
    return x < lo ? lo : x > hi ? hi : x;
}

static __device__ ${f} skel_clamp_${f}(${f} x, ${f} lo, ${f} hi, u32 site, u32& skel_trap) {
    if (!(lo <= hi)) {
        skel_note(site, skel_trap);
    }
    return skel_limit_${f}(x, lo, hi);
}

// By squaring, as Rust's own.
static __device__ ${f} skel_powi_${f}(${f} x, i32 exponent) {
    ${f} base = x;
    ${f} power = 1;
    for (i32 left = exponent;;) {
        if (left % 2 != 0) {
            power *= base;
        }
        left /= 2;
        if (left == 0) {
            break;
        }
        base *= base;
    }
    return exponent < 0 ? 1 / power : power;
}

static __device__ bool skel_is_sign_positive_${f}(${f} x) {
    return ${as_signed}(x) >= 0;
}

static __device__ bool skel_is_sign_negative_${f}(${f} x) {
    return ${as_signed}(x) < 0;
}

static __device__ ${f} skel_div_euclid_${f}(${f} x, ${f} y) {
    const ${f} quotient = trunc${s}(x / y);
    if (fmod${s}(x, y) < 0) {
        return y > 0 ? quotient - 1 : quotient + 1;
    }
    return quotient;
}

static __device__ ${f} skel_rem_euclid_${f}(${f} x, ${f} y) {
    const ${f} rest = fmod${s}(x, y);
    return rest < 0 ? rest + fabs${s}(y) : rest;
}
