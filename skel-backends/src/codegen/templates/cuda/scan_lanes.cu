tile[lane] = total;
// Each lane's total becomes that of all lanes up to it. No lane leaves before the end, for all must meet
// at the barriers.
for (u64 reach = 1u; reach < ${lanes}u; reach *= 2u) {
    __syncthreads();
    const bool joins = lane >= reach && lane < lanes${no_trap};
    ${element} left = {};
    if (joins) {
        left = tile[lane - reach];
    }
    __syncthreads();
    if (joins) {
        total = ${operator}(left, total${passed_trap});
        ${note}
        tile[lane] = total;
    }
}
__syncthreads();
