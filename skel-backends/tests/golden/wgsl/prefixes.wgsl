struct Affine_s0 {
    a_0: u32,
    b_1: u32,
}

fn same_f0(a_0: Affine_s0) -> Affine_s0 {
    return a_0;
}

fn then_f1(a_0: Affine_s0, b_1: Affine_s0) -> Affine_s0 {
    return Affine_s0((a_0.a_0 * b_1.a_0), ((a_0.b_1 * b_1.a_0) + b_1.b_1));
}

struct Params {
    count: u32,
    per_lane: u32,
    slot: u32,
    offset0: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<u32>;
@group(0) @binding(2) var<storage, read_write> partials: array<u32>;

fn load_arg0(at: u32) -> Affine_s0 {
    var value: Affine_s0;
    value.a_0 = arg0[at];
    value.b_1 = arg0[at + 1u];
    return value;
}

fn store_partials(at: u32, given: Affine_s0) {
    var value = given;
    partials[at] = value.a_0;
    partials[at + 1u] = value.b_1;
}

// One value from all elements of a group, operands in order. No identity is needed: a lane that has
// no element takes no part.
var<workgroup> tile: array<Affine_s0, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let begin = group.x * 256u * params.per_lane;
    let end = min(begin + 256u * params.per_lane, params.count);
    let lanes = (end - min(begin, end) + params.per_lane - 1u) / params.per_lane;
    let first = begin + lane * params.per_lane;
    let last = min(first + params.per_lane, end);
    let stride = 1u;
    var total: Affine_s0;
    for (var at = first; at < last; at += stride) {
        let value = same_f0(load_arg0(params.offset0 + at * 2u));
        if (at == first) {
            total = value;
        } else {
            total = then_f1(total, value);
        }
    }
    // Neighbours, then pairs of neighbours, …: the order is kept. No lane leaves before the end, for
    // all must meet.
    tile[lane] = total;
    for (var reach = 1u; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        if (lane % (2u * reach) == 0u && lane + reach < lanes) {
            total = then_f1(total, tile[lane + reach]);
            tile[lane] = total;
        }
    }
    if (lane == 0u) {
        store_partials((params.slot + group.x) * 2u, total);
    }
}
