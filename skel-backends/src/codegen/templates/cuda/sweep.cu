// The tiles of one hyperplane, of ${planes} planes, ${rows} rows and ${columns} columns each: in every turn the elements of
// one hyperplane of the tile.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    const u64 tile_plane = params.first_tile0 + blockIdx.x / params.tiles1;
    const u64 tile_row = params.first_tile1 + blockIdx.x % params.tiles1;
    const u64 before = ${before};
    if (blockIdx.x / params.tiles1 >= params.tiles0 || params.hyperplane < before || params.hyperplane - before >= params.tiles2) {
        return;
    }
    const u64 ahead_plane = threadIdx.x / ${rows}u;
    const u64 ahead_row = threadIdx.x % ${rows}u;
    const u64 ahead = ahead_plane + ahead_row;
    const u64 plane = tile_plane * ${planes}u + ahead_plane;
    const u64 row = tile_row * ${rows}u + ahead_row;
    const u64 first = (params.hyperplane - before) * ${columns}u;
    const bool is_there = plane < params.planes && row < params.rows;
    for (u64 turn = 0; turn < ${turns}u; turn += 1) {
        const u64 column = first + turn - ahead;
        bool is_next = is_there && turn >= ahead && turn - ahead < ${columns}u && column < params.columns;
        ${stop}
        if (is_next) {
            const u64 at = (${at_plane} * params.rows + ${at_row}) * params.columns + ${at_column};
            ${untrapped}
            ${load}
            ${apply}
            ${trap}
            ${store}
        }
        __syncthreads();
    }
}
