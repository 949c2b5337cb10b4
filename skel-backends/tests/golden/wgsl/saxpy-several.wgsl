fn saxpy_f0(a_0: f32, b_1: f32, c_2: f32) -> f32 {
    return (a_0 * b_1) + c_2;
}

struct Params {
    count: u32,
    uniform0: f32,
    offset1: u32,
    offset2: u32,
    offset3: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg1: array<f32>;
@group(0) @binding(2) var<storage, read> arg2: array<f32>;
@group(0) @binding(3) var<storage, read_write> arg3: array<f32>;

// Every output element from the input elements of the same index; several to a lane, a group's width apart.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    // Two dimensions of groups, since one does not reach far enough.
    let base = (group.y * groups.x + group.x) * 1024u + lane;
    for (var turn = 0u; turn < 4u; turn += 1u) {
        let at = base + turn * 256u;
        if (at >= params.count) {
            return;
        }
        let value = saxpy_f0(params.uniform0, arg1[params.offset1 + at], arg2[params.offset2 + at]);
        arg3[params.offset3 + at] = value;
    }
}
