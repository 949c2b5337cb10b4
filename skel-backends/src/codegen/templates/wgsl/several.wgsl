// Every output element from the input elements of the same index; several to a lane, a group's width apart.
@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    // Two dimensions of groups, since one does not reach far enough.
    let base = (group.y * groups.x + group.x) * ${elems}u * ${lanes}u + lane;
    for (var turn = 0u; turn < ${elems}u; turn += 1u) {
        let at = base + turn * ${lanes}u;
        if (at >= params.count) {
            return;
        }
        ${load}
        ${apply}
        ${trap}
        ${store}
    }
}
