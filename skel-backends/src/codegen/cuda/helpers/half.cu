// `f16` from and to `f32`. CUDA has them in a header, which NVRTC may not find.

static __device__ f32 skel_f16_to_f32(f16 x) {
    const u32 sign = (x.bits & 0x8000u) << 16;
    const u32 size = x.bits & 0x7fffu;
    if (size >= 0x7c00u) {
        return __uint_as_float(sign | (size << 13) | 0x7f800000u);
    }
    if (size >= 0x400u) {
        return __uint_as_float(sign | ((size << 13) + 0x38000000u));
    }
    const f32 multiple = (f32)size * 5.9604644775390625e-8f;
    return sign == 0u ? multiple : -multiple;
}

// The bits of `x` but the lowest, rounded to nearest, ties to even.
static __device__ u32 skel_nearest_even(u32 x, u32 dropped) {
    const u32 odd = (x >> dropped) & 1u;
    return (x + (1u << (dropped - 1u)) - 1u + odd) >> dropped;
}

static __device__ f16 skel_f32_to_f16(f32 x) {
    const u32 bits = __float_as_uint(x);
    const u32 sign = (bits >> 16) & 0x8000u;
    const u32 size = bits & 0x7fffffffu;
    u32 rounded = 0u;
    if (size > 0x7f800000u) {
        rounded = 0x7e00u;
    } else if (size >= 0x477ff000u) {
        rounded = 0x7c00u;
    } else if (size >= 0x38800000u) {
        rounded = skel_nearest_even(size, 13u) - 0x1c000u;
    } else if (size >= 0x33000000u) {
        // Multiples of the smallest number.
        rounded = skel_nearest_even((size & 0x7fffffu) | 0x800000u, 126u - (size >> 23));
    }
    return f16{(u16)(sign | rounded)};
}
