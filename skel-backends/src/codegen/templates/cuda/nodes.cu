${node_place}

// Nodes above those of `params.level`, as far as one block reaches. The last launch, of one block, also lists those that
// make up the call's part.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[${lanes}];
    const u64 lane = threadIdx.x;
    const u64 level = params.level;
    const u64 end = params.first_leaf + params.leaves;
    const u64 group = (params.first_leaf >> level) / ${fan}u + blockIdx.x;
    ${untrapped}
    ${node_group}
    // They lie behind what precedes the launch: one place for what precedes all elements, and one for each level.
    u64 listed = 2u * params.leaves + 1u;
    for (u64 rest = params.first_leaf; rest > 0u; rest >>= 1u) {
        listed += 1u;
    }
    ${node_list}
}
