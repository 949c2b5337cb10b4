// Each lane takes an element; whole blocks are trees, a last, shorter one is a chain.
for (u64 place = lane; place < left; place += ${lanes}u) {
    const u64 at = begin + place;
    ${load}
    ${apply}
    ${map_trap}
    tile[place] = value;
}
for (u64 reach = 1u; reach < 16u; reach *= 2u) {
    __syncthreads();
    for (u64 place = lane * 2u * reach; place < left / 16u * 16u${no_trap}; place += ${lanes}u * 2u * reach) {
        tile[place] = ${operator}(tile[place], tile[place + reach]${passed_trap});
        ${leave}
    }
}
__syncthreads();
if (lane == 0u && left % 16u > 0u) {
    const u64 first = left / 16u * 16u;
    ${element} total = tile[first];
    for (u64 place = first + 1u; place < left${no_trap}; place += 1u) {
        total = ${operator}(total, tile[place]${passed_trap});
        ${leave}
    }
    tile[first] = total;
}
