// `as` from floats: saturating, and NaN to 0.

static __device__ ${t} skel_${f}_to_${t}(${f} x) {
    if (x != x) {
        return 0;
    }
    if (x >= ${above}) {
        return ${max};
    }
    if (x <= ${least}) {
        return ${min};
    }
    return (${t})x;
}
