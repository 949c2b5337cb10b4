fn difference_f0(a_0: i32, b_1: i32) -> i32 {
    return a_0 - b_1;
}

struct Params {
    count: u32,
    offset0: u32,
    base: u32,
    pitch0_0: u32,
    offset1: u32,
    pitch1_0: u32,
    pitch1_1: u32,
    pitch1_2: u32,
    extent1_1: u32,
    extent1_2: u32,
    offset2: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<i32>;
@group(0) @binding(2) var<storage, read> arg1: array<i32>;
@group(0) @binding(3) var<storage, read_write> arg2: array<i32>;

// Every output element from the input elements of the same index.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    // Two dimensions of groups, since one does not reach far enough.
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if (at >= params.count) {
        return;
    }
    let value = difference_f0(arg0[params.offset0 + ((params.base + at) * params.pitch0_0)], arg1[params.offset1 + ((((params.base + at) / params.extent1_2) / params.extent1_1) * params.pitch1_0 + (((params.base + at) / params.extent1_2) % params.extent1_1) * params.pitch1_1 + ((params.base + at) % params.extent1_2) * params.pitch1_2)]);
    arg2[params.offset2 + at] = value;
}
