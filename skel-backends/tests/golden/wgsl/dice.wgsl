struct Random_s0 {
    seed_0: u32,
    seed_high_1: u32,
    call_2: u32,
    index_3: u32,
    index_high_4: u32,
}

struct tuple_s1 {
    x0_0: u32,
    x1_1: f32,
}

fn dice_f0(a_0: ptr<function, Random_s0>) -> tuple_s1 {
    return tuple_s1(((*a_0).seed_0 ^ (*a_0).index_3), f32(((*a_0).seed_0 ^ (*a_0).index_3)));
}

struct Params {
    count: u32,
    offset0: u32,
    offset1: u32,
    base: u32,
    seed: u32,
    seed_high: u32,
    call: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> arg0: array<u32>;
@group(0) @binding(2) var<storage, read_write> arg1: array<f32>;

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
    var random = Random_s0(params.seed, params.seed_high, params.call, (params.base + at), 0u);
    let value = dice_f0(&random);
    arg0[params.offset0 + at] = value.x0_0;
    arg1[params.offset1 + at] = value.x1_1;
}
