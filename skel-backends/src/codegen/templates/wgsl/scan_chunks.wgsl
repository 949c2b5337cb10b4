// What precedes each block in its chunk, and then each chunk, with all that precedes its tile.
for (var of_group = lane; of_group < ${chunks}u && of_group * 256u < left; of_group += ${lanes}u) {
    var total = get_tile(of_group * 16u);
    for (var part = 1u; part < 16u && (of_group * 16u + part) * 16u < left${untrapped}; part += 1u) {
        let place = of_group * 16u + part;
        let own = get_tile(place);
        set_tile(place, total);
        // Nothing follows a block that is not whole.
        if ((place + 1u) * 16u <= left) {
            total = ${operator}(total, own);
            ${leave}
        }
    }
    set_chunk(of_group, total);
}
workgroupBarrier();
for (var of_group = lane; of_group < ${tiles}u && of_group * ${tile_elems}u < left; of_group += ${lanes}u) {
    let has = params.carried != 0u || params.slot + first_tile + of_group > 0u;
    var total = get_chunk(of_group * ${chunks_per_tile}u);
    for (var part = 1u; part < ${chunks_per_tile}u && (of_group * ${chunks_per_tile}u + part) * 256u < left${untrapped}; part += 1u) {
        let at = of_group * ${chunks_per_tile}u + part;
        let own = get_chunk(at);
        set_chunk(at, total);
        if (has) {
            set_chunk(at, ${operator}(get_before(of_group), total));
            ${leave}
        }
        if ((at + 1u) * 256u <= left) {
            total = ${operator}(total, own);
            ${leave}
        }
    }
}
workgroupBarrier();
