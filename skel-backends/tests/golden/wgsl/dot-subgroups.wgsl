fn mult_f0(a_0: f32, b_1: f32) -> f32 {
    return a_0 * b_1;
}

fn add_f1(a_0: f32, b_1: f32) -> f32 {
    return a_0 + b_1;
}

struct Params {
    count: u32,
    per_lane: u32,
    slot: u32,
    offset0: u32,
    offset1: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<f32>;
@group(0) @binding(2) var<storage, read> arg1: array<f32>;
@group(0) @binding(3) var<storage, read_write> partials: array<f32>;

// One value from all elements of a group, operands in order. No identity is needed: a lane that has
// no element takes no part.
var<workgroup> tile: array<f32, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(subgroup_invocation_id) in_subgroup: u32,
) {
    // WGSL does not say which lanes make a subgroup. So lanes are numbered by subgroups if these are full, which they
    // are if they have as many places as there are lanes. If not, each lane is on its own.
    let is_full = subgroups * subgroup_size == 256u;
    let width = select(1u, subgroup_size, is_full);
    let lane = select(index, subgroup * subgroup_size + in_subgroup, is_full);
    let begin = group.x * 256u * params.per_lane;
    let end = min(begin + 256u * params.per_lane, params.count);
    let lanes = min(256u, end - min(begin, end));
    let first = begin + lane;
    let last = end;
    let stride = 256u;
    var total: f32;
    for (var at = first; at < last; at += stride) {
        let value = mult_f0(arg0[params.offset0 + at], arg1[params.offset1 + at]);
        if (at == first) {
            total = value;
        } else {
            total = add_f1(total, value);
        }
    }
    // Neighbours, then pairs of neighbours, …: the order is kept. No lane leaves before the end, for
    // all must meet.
    for (var reach = 1u; reach < width; reach *= 2u) {
        let right = subgroupShuffleDown(total, reach);
        if (lane % (2u * reach) == 0u && lane + reach < lanes) {
            total = add_f1(total, right);
        }
    }
    tile[lane] = total;
    for (var reach = width; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        if (lane % (2u * reach) == 0u && lane + reach < lanes) {
            total = add_f1(total, tile[lane + reach]);
            tile[lane] = total;
        }
    }
    if (lane == 0u) {
        partials[params.slot + group.x] = total;
    }
}
