// Every output element from the input elements of the same index${distance}.
@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    // Two dimensions of groups, since one does not reach far enough.
    let ${first} = (group.y * groups.x + group.x) * ${tile}u + lane;
    ${each}
}
