// Every output element folds a row of the arguments, of which a group takes several, tile by tile: see `crate::along`.
// Each of a tile's lanes takes every 128th element, and these are halved.
${declare_flags}

@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    // Two dimensions of groups, since one does not reach far enough.
    let first_row = (group.y * groups.x + group.x) << params.level;
    let rows = 1u << params.level;
    if (first_row >= params.count) {
        return;
    }
    ${stop}
    var total: ${element};
    var first = params.first_turn;
    // No lane leaves before the end, for all must meet.
    while (first < params.end_turn) {
        let last = min(first + params.leaf, params.end_turn);
        for (var slot = lane; slot < rows * 128u; slot += ${lanes}u) {
            let row = slot / 128u;
            let at = first_row + row;
            let begin = first + slot % 128u;
            let end = select(begin, last, at < params.count);
            for (var turn = begin; turn < end; turn += 128u) {
                // The element that is folded, as the arguments count it.
                let place = (params.base + at) * params.places_per_value + turn * params.places_per_step;
                ${load}
                ${apply}
                ${map_trap}
                if (turn == begin) {
                    total = value;
                } else {
                    total = ${operator}(total, value);
                    ${leave}
                }
            }
            set_tile(slot, total);
        }
        for (var half = 64u; half > 0u; half /= 2u) {
            workgroupBarrier();
            for (var pair = lane; pair < rows * half; pair += ${lanes}u) {
                let row = pair / half;
                let at = first_row + row;
                let slot = row * 128u + pair % half;
                if (at < params.count && pair % half + half < last - first${untrapped}) {
                    set_tile(slot, ${operator}(get_tile(slot), get_tile(slot + half)));
                    ${note}
                }
            }
        }
        // Each by the lane that made its last sum.
        for (var row = lane; row < rows; row += ${lanes}u) {
            let at = first_row + row;
            if (at < params.count${untrapped}) {
                total = get_tile(row * 128u);
                ${join}
                if (last == params.depth${untrapped}) {
                    ${initial}
                    ${trap_of_initial}
                    let value = total;
                    ${store}
                }
            }
        }
        workgroupBarrier();
        first = last;
    }
}
