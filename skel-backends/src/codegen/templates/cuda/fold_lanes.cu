// Each of a tile's lanes takes every 128th element, or the first lane all of them, and these are halved.
for (u64 place = lane; place < tiles * 128u; place += ${lanes}u) {
    const u64 first = begin + place / 128u * ${tile_elems}u + place % 128u;
    const u64 end = begin + skel_least((place / 128u + 1u) * ${tile_elems}u, left);
    const u64 last = place % 128u < params.width ? end : first;
    ${element} total = {};
    ${each}
    tile[place] = total;
}
for (u32 half = 7u; half > 0u; half -= 1u) {
    __syncthreads();
    const u64 reach = 1ull << (half - 1u);
    for (u64 pair = lane; pair < tiles * reach; pair += ${lanes}u) {
        const u64 of_tile = left - skel_least(left, (pair >> (half - 1u)) * ${tile_elems}u);
        const u64 in_tile = pair & (reach - 1u);
        const u64 place = (pair >> (half - 1u)) * 128u + in_tile;
        if (in_tile + reach < skel_least(of_tile, params.width)${no_trap}) {
            tile[place] = ${operator}(tile[place], tile[place + reach]${passed_trap});
            ${note}
        }
    }
}
