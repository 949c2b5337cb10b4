// Each lane takes an element; whole blocks are trees, a last, shorter one is a chain.
for (var place = lane; place < left${untrapped}; place += ${lanes}u) {
    let at = begin + place;
    ${load}
    ${apply}
    ${map_trap}
    set_tile(place, value);
}
for (var reach = 1u; reach < 16u; reach *= 2u) {
    workgroupBarrier();
    for (var place = lane * 2u * reach; place < left / 16u * 16u${untrapped}; place += ${lanes}u * 2u * reach) {
        set_tile(place, ${operator}(get_tile(place), get_tile(place + reach)));
        ${leave}
    }
}
workgroupBarrier();
if (lane == 0u && left % 16u > 0u) {
    let first = left / 16u * 16u;
    var total = get_tile(first);
    for (var place = first + 1u; place < left${untrapped}; place += 1u) {
        total = ${operator}(total, get_tile(place));
        ${leave}
    }
    set_tile(first, total);
}
