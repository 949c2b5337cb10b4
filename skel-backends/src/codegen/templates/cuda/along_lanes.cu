// Every output element folds a row of the arguments, of which a block takes several, or one span of them, tile by
// tile: see `crate::along`.
// Each of a tile's lanes takes every 128th element, and these are halved.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[${places}];
    ${declare_flags}
    const u64 lane = threadIdx.x;
    const u64 rows = 1ull << params.level;
    const u64 slots = params.count * params.spans;
    const u64 blocks_of_span = (params.count + rows - 1u) >> params.level;
    for (u64 turn_of_block = blockIdx.x; turn_of_block < blocks_of_span * params.spans; turn_of_block += gridDim.x) {
        const u64 first_row = turn_of_block % blocks_of_span << params.level;
        const u64 span = turn_of_block / blocks_of_span;
        const u64 begin = span * params.span;
        const u64 end = skel_least(begin + params.span, params.depth);
        ${untrapped}
        ${begin_flags}
        ${element} total = {};
        // No lane leaves before the end, for all must meet.
        for (u64 first = begin; first < end; first += params.leaf) {
            const u64 last = skel_least(first + params.leaf, end);
            for (u64 slot = lane; slot < rows * 128u; slot += ${lanes}u) {
                const u64 row = slot / 128u;
                const u64 at = first_row + row;
                const u64 own = first + slot % 128u;
                const u64 own_end = at < params.count ? last : own;
                (void)row;
                for (u64 turn = own; turn < own_end; turn += 128u) {
                    // The element that is folded, as the arguments count it.
                    const u64 place =
                        (params.base + at) * params.places_per_value + turn * params.places_per_step;
                    (void)place;
                    ${load}
                    ${apply}
                    ${map_trap}
                    if (turn == own) {
                        total = value;
                    } else {
                        total = ${operator}(total, value${passed_trap});
                        ${leave}
                    }
                }
                tile[slot] = total;
            }
            for (u64 half = 64u; half > 0u; half /= 2u) {
                __syncthreads();
                for (u64 pair = lane; pair < rows * half; pair += ${lanes}u) {
                    const u64 row = pair / half;
                    const u64 at = first_row + row;
                    const u64 slot = row * 128u + pair % half;
                    if (at < params.count && pair % half + half < last - first${no_trap}) {
                        tile[slot] = ${operator}(tile[slot], tile[slot + half]${passed_trap});
                        ${note}
                    }
                }
            }
            // Each by the lane that made its last sum.
            for (u64 row = lane; row < rows; row += ${lanes}u) {
                const u64 at = first_row + row;
                if (at < params.count${no_trap}) {
                    const u64 slot = span * params.count + at;
                    total = tile[row * 128u];
                    ${join}
                    if (last == end${no_trap}) {
                        if (params.spans > 1u) {
                            params.partials[params.to_node + slot] = total;
                        } else {
                            ${initial}
                            ${trap_of_initial}
                            const ${element} value = total;
                            ${store}
                        }
                    }
                }
            }
            __syncthreads();
        }
    }
}
