for (u64 turn = first; turn < last; turn += 1u) {
    // The element that is folded, as the arguments count it.
    const u64 place =
        (params.base + at) * params.places_per_value + turn * params.places_per_step;
    (void)place;
    ${load}
    ${apply}
    ${leave_map}
    if (turn == first) {
        total = value;
    } else {
        total = ${operator}(total, value${passed_trap});
        ${leave}
    }
}
${leave_all}
