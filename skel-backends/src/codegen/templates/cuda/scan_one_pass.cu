// A scan in one pass, by decoupled look-back (Merrill and Garland 2016): a block combines its own elements, and
// looks back at others for its prefix. Blocks are numbered as they begin, so each waits only for begun ones. Neighbouring
// lanes load and store neighbouring elements; in between each lane has some in a row.
//
// Each block publishes its aggregate to the later blocks of its group; the last block of a group publishes the
// group's inclusive prefix. So values are grouped by position alone, never by arrival. Behind the blocks'
// values is the carry, if there is one; the last value of all is the carry of what follows.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[${lanes}];
    __shared__ ${element} row[${row_places}];
    __shared__ ${element} group[${lanes}];
    __shared__ ${element} before;
    __shared__ u32 number;
    const u64 lane = threadIdx.x;
    if (lane == 0u) {
        number = atomicAdd(&params.states[0], 1u);
    }
    __syncthreads();
    const u64 block = number;
    u32* const states = params.states + 1u;
    const u64 begin = block * ${row}u;
    const u64 count = skel_least(params.count - begin, ${row}u);
    const u64 lanes = (count + ${batch}u - 1u) / ${batch}u;
    ${untrapped}
    ${fetched}
    ${element} values[${batch}];
    #pragma unroll
    for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
        const u64 in_row = turn * ${lanes}u + lane;
        const u64 at = begin + in_row;
        if (in_row < count${no_trap}) {
            ${load}
            ${apply}
            ${note}
            values[turn] = value;
            row[${place}] = value;
        }
        ${nothing}
    }
    __syncthreads();
    const u64 first = skel_least(lane * ${batch}u, count);
    const u64 last = skel_least(first + ${batch}u, count);
    ${element} total = {};
    for (u64 in_row = first; in_row < last${no_trap}; in_row += 1u) {
        if (in_row == first) {
            total = row[${place}];
        } else {
            total = ${operator}(total, row[${place}]${passed_trap});
            ${note}
        }
    }
    ${lanes_prefixes}
    ${look_back}
    bool has = block > 0u || params.carried != 0u;
    ${element} prefix = {};
    if (has) {
        prefix = before;
    }
    ${lane_prefix}
    for (u64 in_row = first; in_row < last${no_trap}; in_row += 1u) {
        const ${element} value = row[${place}];
        ${keep_before}
        if (has) {
            prefix = ${operator}(prefix, value${passed_trap});
            ${leave}
        } else {
            prefix = value;
            has = true;
        }
        ${keep_after}
    }
    __syncthreads();
    #pragma unroll
    for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
        const u64 in_row = turn * ${lanes}u + lane;
        const u64 at = begin + in_row;
        if (in_row < count${no_trap}) {
            const ${element} value = values[turn];
            const ${element} prefix = row[${place}];
            ${store}
        }
    }
}
