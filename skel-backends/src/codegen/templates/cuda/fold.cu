${node_place}
// A value of each leaf, an aligned group of tiles; for a scan, of each tile. Tiles are combined as everywhere: see
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
    ${store}
}
