struct Index2_s0 {
    row_0: u32,
    col_1: u32,
}

fn place_f0(a_0: Index2_s0) -> u32 {
    return (a_0.row_0 * 1000u) + a_0.col_1;
}

struct Params {
    count: u32,
    offset0: u32,
    base: u32,
    columns: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> arg0: array<u32>;

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
    let value = place_f0(Index2_s0((params.base + at) / params.columns, (params.base + at) % params.columns));
    arg0[params.offset0 + at] = value;
}
