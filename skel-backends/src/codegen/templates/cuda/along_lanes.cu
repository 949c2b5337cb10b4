// Every output element folds a row of the arguments, which a block takes tile by tile: see `crate::along`. Each of a
// tile's lanes takes every 128th element, and these are halved.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[128];
    ${declare_flag}
    const u64 lane = threadIdx.x;
    for (u64 at = blockIdx.x; at < params.count; at += gridDim.x) {
        ${untrapped}
        ${begin_flag}
        ${element} total = {};
        // No lane leaves before the end, for all must meet.
        for (u64 first = 0u; first < params.depth; first += params.leaf) {
            const u64 last = skel_least(first + params.leaf, params.depth);
            for (u64 slot = lane; slot < 128u; slot += ${lanes}u) {
                for (u64 turn = first + slot; turn < last; turn += 128u) {
                    // The element that is folded, as the arguments count it.
                    const u64 place =
                        (params.base + at) * params.places_per_value + turn * params.places_per_step;
                    (void)place;
                    ${load}
                    ${apply}
                    ${map_trap}
                    if (turn == first + slot) {
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
                for (u64 slot = lane; slot < half; slot += ${lanes}u) {
                    if (slot + half < last - first${no_trap}) {
                        tile[slot] = ${operator}(tile[slot], tile[slot + half]${passed_trap});
                        ${note}
                    }
                }
            }
            if (lane == 0u${no_trap}) {
                total = tile[0];
                ${join}
            }
            __syncthreads();
        }
        if (lane == 0u${no_trap}) {
            ${initial}
            ${trap_of_initial}
            const ${element} value = total;
            ${store}
        }
    }
}
