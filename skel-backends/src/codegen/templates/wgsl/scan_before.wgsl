// What precedes tile `leaf`: nodes, by the bits of its number, the last ones first. Those that end before the launch are
// known by their level. One may lie astride its beginning: it begins with nodes of what precedes, and ends with ours.
var has = false;
var total: ${element};
for (var level = 0u; level < 32u && (leaf >> level) > 0u${untrapped}; level += 1u) {
    if (((leaf >> level) & 1u) == 0u) {
        continue;
    }
    let end = (leaf >> level) << level;
    let first = end - (1u << level);
    var is_known = true;
    var node: ${element};
    if (first >= params.first_leaf) {
        node = ${own};
    } else if (end <= params.first_leaf) {
        is_known = (params.carried & 2u) != 0u;
        if (is_known) {
            node = ${carried};
        }
    } else {
        var part = countTrailingZeros(params.first_leaf);
        node = ${begins};
        for (; part < level${untrapped}; part += 1u) {
            if (((params.first_leaf >> part) & 1u) == 0u) {
                node = ${operator}(node, ${continues});
                ${leave}
            } else if ((params.carried & 2u) != 0u) {
                node = ${operator}(${carried_part}, node);
                ${leave}
            }
        }
    }
    if (!is_known) {
        continue;
    }
    if (has) {
        total = ${operator}(node, total);
        ${leave}
    } else {
        total = node;
        has = true;
    }
}
if ((params.carried & 1u) != 0u) {
    let initial = ${initial};
    if (!has) {
        total = initial;
    }
    if (has${untrapped}) {
        total = ${operator}(initial, total);
        ${note}
    }
}
