// A warp takes a tile. Each of its lanes takes every 128th element, or the first lane all of them, and these are halved.
const u64 in_warp = lane % ${warp}u;
for (u64 of_block = lane / ${warp}u; of_block < tiles; of_block += ${warps}u) {
    const u64 of_tile = skel_least(left - skel_least(left, of_block * ${tile_elems}u), ${tile_elems}u);
    ${element}* const places = tile + of_block * 128u;
    ${places_of_tile}
    for (u64 reach = 64u; reach > 0u; reach /= 2u) {
        __syncwarp();
        for (u64 place = in_warp; place < reach; place += ${warp}u) {
            if (place + reach < skel_least(of_tile, params.width)${no_trap}) {
                places[place] = ${operator}(places[place], places[place + reach]${passed_trap});
                ${note}
            }
        }
    }
}
