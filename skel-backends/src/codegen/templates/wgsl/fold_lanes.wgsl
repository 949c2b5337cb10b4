// Each of a tile's lanes takes every 128th element, or the first lane all of them, and these are halved.
for (var place = lane; place < tiles * 128u${untrapped}; place += ${lanes}u) {
    let first = begin + place / 128u * ${tile_elems}u + place % 128u;
    let end = begin + min((place / 128u + 1u) * ${tile_elems}u, left);
    let last = select(first, end, place % 128u < params.width);
    var total: ${element};
    for (var at = first; at < last; at += params.width) {
        ${load}
        ${apply}
        ${map_trap}
        if (at == first) {
            total = value;
        } else {
            total = ${operator}(total, value);
            ${leave}
        }
    }
    set_tile(place, total);
}
for (var half = 7u; half > 0u; half -= 1u) {
    workgroupBarrier();
    let reach = 1u << (half - 1u);
    for (var pair = lane; pair < tiles * reach; pair += ${lanes}u) {
        let of_tile = left - min(left, (pair >> (half - 1u)) * ${tile_elems}u);
        let place = (pair >> (half - 1u)) * 128u + (pair & (reach - 1u));
        if ((pair & (reach - 1u)) + reach < min(of_tile, params.width)${untrapped}) {
            set_tile(place, ${operator}(get_tile(place), get_tile(place + reach)));
            ${note}
        }
    }
}
