// Every output element folds a row of the arguments, of which a group takes several, or one span of them, tile by
// tile: see `crate::along`.
// Each of a tile's lanes takes every 128th element, and these are halved.
${declare_flags}

@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    // Two dimensions of groups, since one does not reach far enough; and one of spans.
    let first_row = (group.y * groups.x + group.x) << params.level;
    let rows = 1u << params.level;
    if (first_row >= params.count) {
        return;
    }
    let span = params.slot + group.z;
    let begin = span * params.span;
    let end = begin + min(params.span, params.depth - begin);
    ${stop}
    var total: ${element};
    var first = begin;
    // No lane leaves before the end, for all must meet.
    while (first < end) {
        let last = first + min(params.leaf, end - first);
        for (var slot = lane; slot < rows * 128u; slot += ${lanes}u) {
            let row = slot / 128u;
            let at = first_row + row;
            let own = first + slot % 128u;
            let own_end = select(own, last, at < params.count);
            for (var turn = own; turn < own_end; turn += 128u) {
                // The element that is folded, as the arguments count it.
                let place = (params.base + at) * params.places_per_value + turn * params.places_per_step;
                ${load}
                ${apply}
                ${map_trap}
                if (turn == own) {
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
                let slots = params.count * params.spans;
                let slot = span * params.count + at;
                total = get_tile(row * 128u);
                ${join}
                if (last == end${untrapped}) {
                    if (params.spans > 1u) {
                        ${hand_on}
                    } else {
                        ${initial}
                        ${trap_of_initial}
                        let value = total;
                        ${store}
                    }
                }
            }
        }
        workgroupBarrier();
        first = last;
    }
}
