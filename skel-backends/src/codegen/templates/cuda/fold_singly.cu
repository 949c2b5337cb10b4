for (u64 place = in_warp; place < 128u; place += ${warp}u) {
    const u64 first = begin + of_block * ${tile_elems}u + place;
    const u64 end = begin + of_block * ${tile_elems}u + of_tile;
    const u64 last = place < params.width ? end : first;
    ${element} total = {};
    ${each}
    places[place] = total;
}
