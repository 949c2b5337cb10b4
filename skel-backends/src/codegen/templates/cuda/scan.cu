// The elements, each combined with all that precede it, operands in order, grouped as everywhere: see
// `skel_core::plan::grouping`. Neighbouring lanes load and store neighbouring elements; in between they have blocks of 16
// each, behind which one place of the row stays empty, so that neighbouring lanes are not at the same bank of the memory.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} row[${row_places}];
    __shared__ ${element} tile[${blocks}];
    __shared__ ${element} before[${tiles}];
    ${memory}
    const u64 lane = threadIdx.x;
    ${number}
    const u64 begin = first_tile * ${tile_elems}u;
    const u64 left = skel_least(params.count - begin, tiles * ${tile_elems}u);
    ${untrapped}
    ${fetched}
    ${element} values[${batch}];
    #pragma unroll ${unrolled}
    for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
        const u64 in_row = turn * ${lanes}u + lane;
        const u64 at = begin + in_row;
        if (in_row < left${no_trap}) {
            ${load}
            ${apply}
            ${note}
            values[turn] = value;
            row[in_row + in_row / 16u] = value;
        }
        ${nothing}
    }
    __syncthreads();
    // What the blocks come to. Nothing follows one that is not whole, but the total of all.
    ${block_totals}
    __syncthreads();
    ${chunk_chains}
    ${precedes}
    __syncthreads();
    ${joined}
    ${block_prefixes}
    __syncthreads();
    #pragma unroll ${unrolled}
    for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
        const u64 in_row = turn * ${lanes}u + lane;
        const u64 at = begin + in_row;
        if (in_row < left${no_trap}) {
            const ${element} value = values[turn];
            const ${element} prefix = row[in_row + in_row / 16u];
            ${store}
        }
    }
}
