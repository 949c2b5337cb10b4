for (var turn = first; turn < last; turn += 1u) {
    // The element that is folded, as the arguments count it.
    let place = (params.base + at) * params.places_per_value + turn * params.places_per_step;
    ${load}
    ${apply}
    ${leave_map}
    if (turn == first) {
        total = value;
    } else {
        total = ${operator}(total, value);
        ${leave}
    }
}
${leave_all}
