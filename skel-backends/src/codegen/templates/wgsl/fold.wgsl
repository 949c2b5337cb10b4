// One value from all elements of a group, operands in order. No identity is needed: a lane that has
// no element takes no part.
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
    ${share}
    var total: ${element};
    for (var at = first; at < last; at += stride) {
        ${load}
        ${apply}
        ${map_trap}
        if (at == first) {
            total = value;
        } else {
            total = ${operator}(total, value);
            ${operator_trap}
        }
    }
    // Neighbours, then pairs of neighbours, …: the order is kept. No lane leaves before the end, for
    // all must meet.
    ${within_subgroups}
    tile[lane] = total;
    for (var reach = ${width}; reach < ${lanes}u; reach *= 2u) {
        workgroupBarrier();
        if (lane % (2u * reach) == 0u && lane + reach < lanes${untrapped}) {
            total = ${operator}(total, tile[lane + reach]);
            ${tree_trap}
            tile[lane] = total;
        }
    }
    if (lane == 0u) {
        ${result}
    }
}
