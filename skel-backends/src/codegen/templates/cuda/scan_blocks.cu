// The elements of a block, each combined with all that precede it, operands in order. What precedes the
// block is known; the first block of all may have nothing before it.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[${lanes}];
    const u64 lane = threadIdx.x;
    const u64 begin = skel_least(blockIdx.x * ${lanes}ull * params.per_lane, params.count);
    const u64 end = skel_least(begin + ${lanes}ull * params.per_lane, params.count);
    const u64 lanes = (end - begin + params.per_lane - 1u) / params.per_lane;
    const u64 first = skel_least(begin + lane * params.per_lane, end);
    const u64 last = skel_least(first + params.per_lane, end);
    ${untrapped}
    ${element} total = {};
    for (u64 at = first; at < last; at += 1u) {
        ${load}
        ${apply}
        ${leave}
        if (at == first) {
            total = value;
        } else {
            total = ${operator}(total, value${passed_trap});
            ${leave}
        }
    }
    ${lanes_prefixes}
    const u64 block = params.slot + blockIdx.x;
    bool has = params.carried != 0u || block > 0u;
    ${element} prefix = {};
    if (has) {
        prefix = params.gathered[block];
    }
    ${lane_prefix}
    for (u64 at = first; at < last${no_trap}; at += 1u) {
        ${load}
        ${apply}
        ${leave}
        ${store_before}
        if (has) {
            prefix = ${operator}(prefix, value${passed_trap});
            ${leave}
        } else {
            prefix = value;
            has = true;
        }
        ${store_after}
    }
}
