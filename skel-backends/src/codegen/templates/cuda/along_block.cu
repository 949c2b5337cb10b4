// Whole blocks are trees, a last, shorter one is a chain, and so are leaves of columns and of short rows.
const bool is_whole = ${last} - ${first} == 16u && params.width == 16u;
${element} one = {};
${element} two = {};
${element} four = {};
${element} eight = {};
for (u64 turn = ${first}; turn < ${last}; turn += 1u) {
    // The element that is folded, as the arguments count it.
    const u64 place =
        (params.base + at) * params.places_per_value + turn * params.places_per_step;
    (void)place;
    const u64 in_block = turn - ${first};
    ${load}
    ${apply}
    ${leave_map}
    if (is_whole) {
        ${tree}
    } else if (in_block == 0u) {
        total = value;
    } else {
        total = ${operator}(total, value${passed_trap});
        ${leave}
    }
}
${leave_all}
