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
