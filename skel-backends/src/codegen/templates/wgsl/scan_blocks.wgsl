// The elements of a block, each combined with all that precede it, operands in order. What precedes the
// block is known; the first block of all may have nothing before it.
var<workgroup> tile: array<${element}, ${lanes}>;

@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    ${lane_builtins}
) {
    ${begin}
    ${lane}
    let begin = group.x * ${lanes}u * params.per_lane;
    let end = min(begin + ${lanes}u * params.per_lane, params.count);
    let lanes = (end - min(begin, end) + params.per_lane - 1u) / params.per_lane;
    let first = begin + lane * params.per_lane;
    let last = min(first + params.per_lane, end);
    var total: ${element};
    for (var at = first; at < last; at += 1u) {
        ${load}
        ${apply}
        ${leave}
        if (at == first) {
            total = value;
        } else {
            total = ${operator}(total, value);
            ${leave}
        }
    }
    ${lanes_prefixes}
    let block = params.slot + group.x;
    var has = params.carried != 0u || block > 0u;
    var prefix: ${element};
    if (has) {
        prefix = ${carry};
    }
    ${lane_prefix}
    for (var at = first; at < last${untrapped}; at += 1u) {
        ${load}
        ${apply}
        ${leave}
        ${store_before}
        if (has) {
            prefix = ${operator}(prefix, value);
            ${leave}
        } else {
            prefix = value;
            has = true;
        }
        ${store_after}
    }
}
