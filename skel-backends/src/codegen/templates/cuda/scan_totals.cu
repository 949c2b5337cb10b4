// One value from all elements of a block, operands in order. No identity is needed: a lane that has
// no element takes no part.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[${tile}];
    const u64 lane = threadIdx.x;
    const u64 begin = skel_least(blockIdx.x * ${lanes}ull * params.per_lane, params.count);
    const u64 end = skel_least(begin + ${lanes}ull * params.per_lane, params.count);
    const u64 lanes = (end - begin + params.per_lane - 1u) / params.per_lane;
    const u64 first = begin + lane * params.per_lane;
    const u64 last = skel_least(first + params.per_lane, end);
    const u64 stride = 1u;
    ${untrapped}
    ${element} total = {};
    ${each}
    // Neighbours, then pairs of neighbours, and so on: the order is kept. No lane leaves before the
    // end, for all must meet.
    ${tree}
    if (lane == 0u) {
        params.partials[params.slot + blockIdx.x] = total;
    }
}
