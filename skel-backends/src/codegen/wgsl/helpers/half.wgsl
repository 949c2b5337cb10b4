// `f16`, held as the `f32` of the same value. Integers round it: drivers need not round conversions
// to nearest, and may take the smallest numbers for 0.

fn skel_to_f16(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let sign = bits & 0x80000000u;
    let size = bits ^ sign;
    if (size > 0x7f800000u) {
        return x;
    }
    if (size >= 0x477ff000u) {
        return bitcast<f32>(sign | 0x7f800000u);
    }
    if (size < 0x33800000u) {
        return bitcast<f32>(sign | select(0u, 0x33800000u, size > 0x33000000u));
    }
    // Fewer bits remain where numbers are multiples of the smallest.
    let dropped = max(13u, 126u - min(size >> 23u, 126u));
    let odd = (size >> dropped) & 1u;
    let rounded = (size + (1u << (dropped - 1u)) - 1u + odd) >> dropped;
    return bitcast<f32>(sign | (rounded << dropped));
}

fn skel_f16_to_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let sign = (bits >> 16u) & 0x8000u;
    let size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) {
        return sign | 0x7e00u;
    }
    if (size == 0x7f800000u) {
        return sign | 0x7c00u;
    }
    if (size >= 0x38800000u) {
        return sign | ((size >> 13u) - 0x1c000u);
    }
    return sign | u32(bitcast<f32>(size) * 16777216.0f);
}

fn skel_f16_of_bits(bits: u32) -> f32 {
    let sign = (bits & 0x8000u) << 16u;
    let size = bits & 0x7fffu;
    if (size >= 0x7c00u) {
        return bitcast<f32>(sign | (size << 13u) | 0x7f800000u);
    }
    if (size >= 0x400u) {
        return bitcast<f32>(sign | ((size << 13u) + 0x38000000u));
    }
    return bitcast<f32>(sign | bitcast<u32>(f32(size) * 5.9604645e-8f));
}
