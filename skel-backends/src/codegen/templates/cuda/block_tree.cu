// Pairs, pairs of pairs, and so on.
${element} node = value;
if ((in_block & 1u) == 0u) {
    one = node;
} else {
    node = ${operator}(one, node${passed_trap});
    ${leave}
    if ((in_block & 2u) == 0u) {
        two = node;
    } else {
        node = ${operator}(two, node${passed_trap});
        ${leave}
        if ((in_block & 4u) == 0u) {
            four = node;
        } else {
            node = ${operator}(four, node${passed_trap});
            ${leave}
            if ((in_block & 8u) == 0u) {
                eight = node;
            } else {
                total = ${operator}(eight, node${passed_trap});
                ${leave}
            }
        }
    }
}
