tile[lane] = total;
for (u64 reach = 1u; reach < ${lanes}u; reach *= 2u) {
    __syncthreads();
    if (lane % (2u * reach) == 0u && lane + reach < lanes${no_trap}) {
        total = ${operator}(total, tile[lane + reach]${passed_trap});
        ${tree_trap}
        tile[lane] = total;
    }
}
