// Where the node of `level` is that begins with leaf `first`, or, where nothing is in its right half, its left one.
static __device__ u64 skel_place(u64 first, u64 level, const Params& params) {
    const u64 end = params.first_leaf + params.leaves;
    while (level > 0u && first + (1ull << (level - 1u)) >= end) {
        level -= 1u;
    }
    if (level == 0u) {
        return 2u * (first - params.first_leaf);
    }
    return 2u * (first + (1ull << (level - 1u)) - params.first_leaf) - 1u;
}

