// Unsigned integers.

static __device__ ${t} skel_div_${t}(${t} a, ${t} b, u32 site, u32& skel_trap) {
    if (b == 0u) {
        skel_note(site, skel_trap);
        return 0u;
    }
    return (${t})(a / b);
}

static __device__ ${t} skel_rem_${t}(${t} a, ${t} b, u32 site, u32& skel_trap) {
    if (b == 0u) {
        skel_note(site, skel_trap);
        return 0u;
    }
    return (${t})(a % b);
}

static __device__ ${t} skel_saturating_add_${t}(${t} a, ${t} b) {
    const ${t} sum = (${t})(a + b);
    return sum < a ? (${t})${max} : sum;
}

static __device__ ${t} skel_saturating_sub_${t}(${t} a, ${t} b) {
    return a < b ? (${t})0u : (${t})(a - b);
}

static __device__ bool skel_is_multiple_of_${t}(${t} a, ${t} b) {
    return b == 0u ? a == 0u : a % b == 0u;
}
