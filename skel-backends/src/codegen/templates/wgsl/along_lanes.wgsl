// Every output element folds a row of the arguments, which a group takes tile by tile: see `crate::along`. Each of a
// tile's lanes takes every 128th element, and these are halved.
var<workgroup> tile: array<${element}, 128>;
${declare_flag}

@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    // Two dimensions of groups, since one does not reach far enough.
    let at = group.y * groups.x + group.x;
    if (at >= params.count) {
        return;
    }
    ${stop}
    var total: ${element};
    var first = params.first_turn;
    // No lane leaves before the end, for all must meet.
    while (first < params.end_turn) {
        let last = min(first + params.leaf, params.end_turn);
        for (var slot = lane; slot < 128u; slot += ${lanes}u) {
            for (var turn = first + slot; turn < last; turn += 128u) {
                // The element that is folded, as the arguments count it.
                let place = (params.base + at) * params.places_per_value + turn * params.places_per_step;
                ${load}
                ${apply}
                ${map_trap}
                if (turn == first + slot) {
                    total = value;
                } else {
                    total = ${operator}(total, value);
                    ${leave}
                }
            }
            tile[slot] = total;
        }
        for (var half = 64u; half > 0u; half /= 2u) {
            workgroupBarrier();
            for (var slot = lane; slot < half; slot += ${lanes}u) {
                if (slot + half < last - first${untrapped}) {
                    tile[slot] = ${operator}(tile[slot], tile[slot + half]);
                    ${note}
                }
            }
        }
        if (lane == 0u${untrapped}) {
            total = tile[0];
            ${join}
        }
        workgroupBarrier();
        first = last;
    }
    if (lane == 0u && params.end_turn == params.depth${untrapped}) {
        ${initial}
        ${trap_of_initial}
        let value = total;
        ${store}
    }
}
