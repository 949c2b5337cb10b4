#pragma unroll
for (u32 reach = 1u; reach < 32u; reach *= 2u) {
    const ${element} right = __shfl_down_sync(4294967295u, total, reach);
    if (lane % (2u * reach) == 0u && lane + reach < lanes${no_trap}) {
        total = ${operator}(total, right${passed_trap});
        ${tree_trap}
    }
}
// The values of the warps are those of the lanes of one.
if (lane % 32u == 0u) {
    tile[lane / 32u] = total;
}
__syncthreads();
if (lane < 32u) {
    if (lane < ${tile}u) {
        total = tile[lane];
    }
    #pragma unroll
    for (u32 reach = 1u; reach < ${tile}u; reach *= 2u) {
        const ${element} right = __shfl_down_sync(4294967295u, total, reach);
        if (lane % (2u * reach) == 0u && 32u * (lane + reach) < lanes${no_trap}) {
            total = ${operator}(total, right${passed_trap});
            ${tree_trap}
        }
    }
}
