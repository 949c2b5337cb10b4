// Every output element folds a row or column of the arguments, leaf after leaf: see `crate::along`.
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
    ${stop}
    var total: ${element};
    var first = params.first_turn;
    while (first < params.end_turn) {
        let last = min(first + params.leaf, params.end_turn);
        ${gather}
        ${join}
        ${leave_all}
        first = last;
    }
    ${trap}
    if (params.end_turn == params.depth) {
        ${initial}
        ${trap_of_initial}
        let value = total;
        ${store}
    }
}
