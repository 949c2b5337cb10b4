// Whole blocks are trees, a last, shorter one is a chain, and so are leaves of columns and of short rows.
let is_whole = ${last} - ${first} == 16u && params.width == 16u;
var one: ${element};
var two: ${element};
var four: ${element};
var eight: ${element};
for (var turn = ${first}; turn < ${last}; turn += 1u) {
    // The element that is folded, as the arguments count it.
    let place = (params.base + at) * params.places_per_value + turn * params.places_per_step;
    ${load}
    ${apply}
    ${leave_map}
    if (is_whole) {
        ${tree}
    } else if (turn == ${first}) {
        total = value;
    } else {
        total = ${operator}(total, value);
        ${leave}
    }
}
${leave_all}
