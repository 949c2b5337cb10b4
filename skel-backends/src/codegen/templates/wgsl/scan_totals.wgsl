for (var place = lane; (place + 1u) * 16u <= left${untrapped}; place += ${lanes}u) {
    let first = begin + place * 16u;
    var total: ${element};
    var one: ${element};
    var two: ${element};
    var four: ${element};
    var eight: ${element};
    for (var turn = 0u; turn < 16u; turn += 1u) {
        let at = first + turn;
        ${load}
        ${apply}
        ${leave}
        ${tree}
    }
    set_tile(place, total);
}
