// What precedes each block, from the totals of all blocks and from what precedes them all; in place.
// Behind the totals comes the carry, if there is one, and behind that the carry of what follows.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[${lanes}];
    const u64 lane = threadIdx.x;
    const u64 lanes = (params.count + params.per_lane - 1u) / params.per_lane;
    const u64 first = skel_least(lane * params.per_lane, params.count);
    const u64 last = skel_least(first + params.per_lane, params.count);
    ${untrapped}
    ${element} total = {};
    for (u64 at = first; at < last; at += 1u) {
        const ${element} value = params.partials[at];
        if (at == first) {
            total = value;
        } else {
            total = ${operator}(total, value${passed_trap});
            ${leave}
        }
    }
    ${lanes_prefixes}
    bool has = params.carried != 0u;
    ${element} prefix = {};
    if (has) {
        prefix = params.partials[params.count];
    }
    ${lane_prefix}
    for (u64 at = first; at < last${no_trap}; at += 1u) {
        const ${element} value = params.partials[at];
        if (has) {
            params.partials[at] = prefix;
            prefix = ${operator}(prefix, value${passed_trap});
            ${leave}
        } else {
            prefix = value;
            has = true;
        }
    }
    if (first < last && last == params.count) {
        params.partials[params.count + 1u] = prefix;
    }
}
