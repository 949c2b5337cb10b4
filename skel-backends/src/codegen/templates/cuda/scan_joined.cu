for (u64 at = lane; at < ${chunks}u && at * 256u < left${no_trap}; at += ${lanes}u) {
    const u64 of_tile = at / ${chunks_per_tile}u;
    if (at % ${chunks_per_tile}u > 0u && (params.carried % 4u != 0u || first_tile + of_tile > 0u)) {
        chunk[at] = ${operator}(before[of_tile], chunk[at]${passed_trap});
        ${leave}
    }
}
__syncthreads();
