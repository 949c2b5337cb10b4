// A value of each leaf, an aligned group of tiles. Tiles are combined as everywhere: see
// `skel_core::plan::grouping`.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[${places}];
    const u64 lane = threadIdx.x;
    const u64 tiles = 1ull << params.level;
    const u64 begin = skel_least(blockIdx.x * tiles * ${tile_elems}ull, params.count);
    const u64 left = skel_least(params.count - begin, tiles * ${tile_elems}ull);
    ${untrapped}
    // No lane leaves before the end, for all must meet.
    ${gather}
    for (u64 reach = 1u; reach < tiles; reach *= 2u) {
        __syncthreads();
        for (u64 at = lane * 2u * reach; at + reach < tiles; at += ${lanes}u * 2u * reach) {
            if ((at + reach) * ${tile_elems}u < left${no_trap}) {
                tile[at * ${places_per_tile}u] = ${operator}(tile[at * ${places_per_tile}u], tile[(at + reach) * ${places_per_tile}u]${passed_trap});
                ${note}
            }
        }
    }
    if (lane == 0u) {
        params.partials[2u * blockIdx.x] = tile[0];
    }
}
