// Every output element folds a row or column of the arguments, one element after the other.
@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    // Two dimensions of groups, since one does not reach far enough.
    let at = (group.y * groups.x + group.x) * ${lanes}u + lane;
    if (at >= params.count) {
        return;
    }
    var total: ${element};
    if (params.first_turn == 0u) {
        ${initial}
    } else {
        ${stop}
        ${so_far}
    }
    for (var turn = params.first_turn; turn < params.end_turn; turn++) {
        // The element that is folded, as the arguments count it.
        let place = (params.base + at) * params.places_per_value + turn * params.places_per_step;
        ${load}
        ${apply}
        ${map_trap}
        ${combine}
        ${operator_trap}
    }
    let value = total;
    ${store}
}
