struct Affine_s0 {
    a_0: u32,
    b_1: u32,
}

fn then_f1(a_0: Affine_s0, b_1: Affine_s0) -> Affine_s0 {
    return Affine_s0((a_0.a_0 * b_1.a_0), ((a_0.b_1 * b_1.a_0) + b_1.b_1));
}

struct Params {
    level: u32,
    first_leaf: u32,
    leaves: u32,
    to_leaf: u32,
    slot: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> nodes: array<u32>;

fn load_nodes(at: u32) -> Affine_s0 {
    var value: Affine_s0;
    value.a_0 = nodes[at];
    value.b_1 = nodes[at + 1u];
    return value;
}

fn store_nodes(at: u32, given: Affine_s0) {
    var value = given;
    nodes[at] = value.a_0;
    nodes[at + 1u] = value.b_1;
}

var<workgroup> tile: array<Affine_s0, 256>;

fn get_tile(at: u32) -> Affine_s0 {
    return tile[at];
}

fn set_tile(at: u32, value: Affine_s0) {
    tile[at] = value;
}

// Nodes above those of `params.level`, as far as one group reaches. The last dispatch, of one group, also lists those
// that make up the launch.

// Where the node of `level` is that begins with leaf `first`, or, where nothing is in its right half, its left one.
fn place(first: u32, level: u32) -> u32 {
    let end = params.first_leaf + params.leaves;
    var here = level;
    while (here > 0u && first + (1u << (here - 1u)) >= end) {
        here -= 1u;
    }
    if (here == 0u) {
        return 2u * (first - params.first_leaf);
    }
    return 2u * (first + (1u << (here - 1u)) - params.first_leaf) - 1u;
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let end = params.first_leaf + params.leaves;
    let number = (params.first_leaf >> params.level) / 256u + params.slot + group.y * groups.x + group.x;
    let first = (number * 256u + lane) << params.level;
    let is_there = first >= params.first_leaf && first < end;
    var total: Affine_s0;
    if (is_there) {
        total = load_nodes((place(first, params.level)) * 2u);
    }
    set_tile(lane, total);
    for (var reach = 1u; reach < 256u; reach *= 2u) {
        storageBarrier();
        workgroupBarrier();
        let right = first + (reach << params.level);
        if (is_there && lane % (2u * reach) == 0u && right < end) {
            total = then_f1(total, get_tile(lane + reach));
            set_tile(lane, total);
            let at = 2u * (right - params.first_leaf) - 1u;
            store_nodes((at) * 2u, total);
        }
    }
    storageBarrier();
    workgroupBarrier();
    var at = params.first_leaf;
    for (var node = 0u; at < params.to_leaf; node += 1u) {
        let level = min(countTrailingZeros(at), firstLeadingBit(params.to_leaf - at));
        if (node % 256u == lane) {
            let listed = place(at, level);
            store_nodes((2u * params.leaves + 33u - countLeadingZeros(params.first_leaf) + node) * 2u, load_nodes((listed) * 2u));
        }
        at += 1u << level;
    }
}
