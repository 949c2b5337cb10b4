// Every output element from what lies around elements.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    const u64 columns = params.columns;
    if (columns >= ${lanes}u && params.count > columns${has_rows}) {
        // A thread takes elements below each other. Where they are, and that nothing beyond an edge is seen, is found
        // once for all; what several see is loaded once.
        const u64 first_row = params.base / columns;
        const u64 rows = (params.base + params.count - 1u) / columns + 1u - first_row;
        const u64 across = (columns + ${lanes}u - 1u) / ${lanes}u;
        const u64 tiles = across * ((rows + ${rows}u - 1u) / ${rows}u);
        for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const u64 tile_row = tile / across;
            const u64 row = first_row + tile_row * ${rows}u;
            const u64 column = (tile - tile_row * across) * ${lanes}u + threadIdx.x;
            if (column >= columns) {
                continue;
            }
            const u64 highest = row * columns + column;
            const u64 lowest = highest + ${rows_but_one}u * columns;
            bool are_inside = highest >= params.base && lowest - params.base < params.count;
            ${find}
            if (are_inside) {
                ${value} values[${rows}];
                ${trapped}
                #pragma unroll
                for (u32 turn = 0u; turn < ${rows}u; turn += 1u) {
                    const u64 at = highest - params.base + turn * columns;
                    (void)at;
                    ${untrapped}
                    ${found}
                    ${load_in_row}
                    ${apply_in_row}
                    ${trap_in_row}
                    values[turn] = value;
                }
                #pragma unroll
                for (u32 turn = 0u; turn < ${rows}u; turn += 1u) {
                    const u64 at = highest - params.base + turn * columns;
                    const ${value} value = values[turn];
                    ${store_in_row}
                }
                continue;
            }
            #pragma unroll 1
            for (u32 turn = 0u; turn < ${rows}u; turn += 1u) {
                // Modulo 2^64: elements before the first one are beyond the last one.
                const u64 at = highest + turn * columns - params.base;
                if (at >= params.count) {
                    continue;
                }
                ${body_in_row}
            }
        }
        return;
    }
    const u64 stride = (u64)gridDim.x * ${tile}u;
    ${each}
}
