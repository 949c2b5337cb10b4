// What precedes each block, from the totals of all blocks and from what precedes them all; in place.
// Behind the totals comes the carry, if there is one, and behind that the carry of what follows.
var<workgroup> tile: array<${element}, ${lanes}>;

@compute @workgroup_size(${lanes})
fn main(
    ${lane_builtins}
) {
    ${begin}
    ${lane}
    let lanes = (params.count + params.per_lane - 1u) / params.per_lane;
    let first = lane * params.per_lane;
    let last = min(first + params.per_lane, params.count);
    var total: ${element};
    for (var at = first; at < last; at += 1u) {
        let value = ${value};
        if (at == first) {
            total = value;
        } else {
            total = ${operator}(total, value);
            ${leave}
        }
    }
    ${lanes_prefixes}
    var has = params.carried != 0u;
    var prefix: ${element};
    if (has) {
        prefix = ${carry};
    }
    ${lane_prefix}
    for (var at = first; at < last${untrapped}; at += 1u) {
        let value = ${value};
        if (has) {
            ${store}
            prefix = ${operator}(prefix, value);
            ${leave}
        } else {
            prefix = value;
            has = true;
        }
    }
    if (first < last && last == params.count) {
        ${store_carry}
    }
}
