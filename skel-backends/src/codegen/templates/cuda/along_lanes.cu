// Every output element folds a row of the arguments, of which a block takes several, tile by tile: see `crate::along`.
// Each of a tile's lanes takes every 128th element, and these are halved.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[${places}];
    ${declare_flags}
    const u64 lane = threadIdx.x;
    const u64 rows = 1ull << params.level;
    for (u64 first_row = blockIdx.x * rows; first_row < params.count; first_row += gridDim.x * rows) {
        ${untrapped}
        ${begin_flags}
        ${element} total = {};
        // No lane leaves before the end, for all must meet.
        for (u64 first = 0u; first < params.depth; first += params.leaf) {
            const u64 last = skel_least(first + params.leaf, params.depth);
            for (u64 slot = lane; slot < rows * 128u; slot += ${lanes}u) {
                const u64 row = slot / 128u;
                const u64 at = first_row + row;
                const u64 begin = first + slot % 128u;
                const u64 end = at < params.count ? last : begin;
                (void)row;
                for (u64 turn = begin; turn < end; turn += 128u) {
                    // The element that is folded, as the arguments count it.
                    const u64 place =
                        (params.base + at) * params.places_per_value + turn * params.places_per_step;
                    (void)place;
                    ${load}
                    ${apply}
                    ${map_trap}
                    if (turn == begin) {
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
                    total = tile[row * 128u];
                    ${join}
                    if (last == params.depth${no_trap}) {
                        ${initial}
                        ${trap_of_initial}
                        const ${element} value = total;
                        ${store}
                    }
                }
            }
            __syncthreads();
        }
    }
}
