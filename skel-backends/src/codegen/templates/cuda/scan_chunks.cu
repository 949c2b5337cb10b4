// What precedes each block in its chunk, then each chunk in its tile; and what these come to.
for (u64 at = lane; at < ${chunks}u && at * 256u < left; at += ${lanes}u) {
    ${element} total = tile[at * 16u];
    for (u64 place = at * 16u + 1u; place < at * 16u + 16u && place * 16u < left${no_trap}; place += 1u) {
        const ${element} own = tile[place];
        tile[place] = total;
        if ((place + 1u) * 16u <= left${or_total}) {
            total = ${operator}(total, own${passed_trap});
            ${leave}
        }
    }
    chunk[at] = total;
}
__syncthreads();
for (u64 of_tile = lane; of_tile < ${tiles}u && of_tile * ${tile_elems}u < left; of_tile += ${lanes}u) {
    ${element} total = chunk[of_tile * ${chunks_per_tile}u];
    for (u64 part = 1u; part < ${chunks_per_tile}u && (of_tile * ${chunks_per_tile}u + part) * 256u < left${no_trap}; part += 1u) {
        const u64 at = of_tile * ${chunks_per_tile}u + part;
        const ${element} own = chunk[at];
        chunk[at] = total;
        if ((at + 1u) * 256u <= left${or_total}) {
            total = ${operator}(total, own${passed_trap});
            ${leave}
        }
    }
    ${keep_tile}
}
