// Each lane takes a block: whole ones as a tree, a last, shorter one as a chain; as a chain all elements if they are few.
for (var place = lane; place < tiles * ${blocks}u${untrapped}; place += ${lanes}u) {
    let first = begin + min(place * params.width, left);
    let last = begin + min((place + 1u) * params.width, left);
    let is_whole = last - first == 16u && params.width == 16u;
    var total: ${element};
    var one: ${element};
    var two: ${element};
    var four: ${element};
    var eight: ${element};
    for (var at = first; at < last; at += 1u) {
        let turn = at - first;
        ${load}
        ${apply}
        ${map_trap}
        if (is_whole) {
            ${tree}
        } else if (turn == 0u) {
            total = value;
        } else {
            total = ${operator}(total, value);
            ${leave}
        }
    }
    set_tile(place, total);
}
${chunks}
${tiles_of_chunks}
