// Pairs, pairs of pairs, and so on.
var node = value;
if ((turn & 1u) == 0u) {
    one = node;
} else {
    node = ${operator}(one, node);
    ${leave}
    if ((turn & 2u) == 0u) {
        two = node;
    } else {
        node = ${operator}(two, node);
        ${leave}
        if ((turn & 4u) == 0u) {
            four = node;
        } else {
            node = ${operator}(four, node);
            ${leave}
            if ((turn & 8u) == 0u) {
                eight = node;
            } else {
                total = ${operator}(eight, node);
                ${leave}
            }
        }
    }
}
