// The elements of a block, each combined with all that precede it, operands in order. What precedes the
// block is known; the first block of all may have nothing before it. Neighbouring lanes load and store
// neighbouring elements; in between each lane has some in a row.
extern "C" __global__ void __launch_bounds__(${lanes}) skel_kernel(const Params params) {
    __shared__ ${element} tile[${lanes}];
    __shared__ ${element} row[${row}];
    const u64 lane = threadIdx.x;
    const u64 begin = skel_least(blockIdx.x * ${lanes}ull * params.per_lane, params.count);
    const u64 end = skel_least(begin + ${lanes}ull * params.per_lane, params.count);
    const u64 block = params.slot + blockIdx.x;
    bool carried = params.carried != 0u || block > 0u;
    ${element} carry = {};
    if (carried) {
        carry = params.gathered[block];
    }
    ${untrapped}
    for (u64 from = begin; from < end; from += ${row}u) {
        const u64 count = skel_least(end - from, ${row}u);
        const u64 lanes = (count + ${batch}u - 1u) / ${batch}u;
        ${element} values[${batch}];
        #pragma unroll
        for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
            const u64 in_row = turn * ${lanes}u + lane;
            const u64 at = from + in_row;
            if (in_row < count${no_trap}) {
                ${load}
                ${apply}
                ${note}
                values[turn] = value;
                row[in_row] = value;
            }
            ${nothing}
        }
        __syncthreads();
        const u64 first = skel_least(lane * ${batch}u, count);
        const u64 last = skel_least(first + ${batch}u, count);
        ${element} total = {};
        for (u64 in_row = first; in_row < last${no_trap}; in_row += 1u) {
            if (in_row == first) {
                total = row[in_row];
            } else {
                total = ${operator}(total, row[in_row]${passed_trap});
                ${note}
            }
        }
        ${lanes_prefixes}
        bool has = carried;
        ${element} prefix = carry;
        ${lane_prefix}
        for (u64 in_row = first; in_row < last${no_trap}; in_row += 1u) {
            const ${element} value = row[in_row];
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
        // All of them precede the next row.
        if (!carried) {
            carry = tile[lanes - 1u];
            carried = true;
        } else if (from + count < end${no_trap}) {
            carry = ${operator}(carry, tile[lanes - 1u]${passed_trap});
            ${note}
        }
        __syncthreads();
        #pragma unroll
        for (u32 turn = 0u; turn < ${batch}u; turn += 1u) {
            const u64 in_row = turn * ${lanes}u + lane;
            const u64 at = from + in_row;
            if (in_row < count${no_trap}) {
                const ${element} value = values[turn];
                const ${element} prefix = row[in_row];
                ${store}
            }
        }
    }
}
