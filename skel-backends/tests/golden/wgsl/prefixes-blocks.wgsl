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

fn prefix_f2(a_0: Affine_s0, b_1: Affine_s0) -> Affine_s0 {
    return a_0;
}

struct Params {
    count: u32,
    per_lane: u32,
    slot: u32,
    carried: u32,
    offset0: u32,
    offset1: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<u32>;
@group(0) @binding(2) var<storage, read_write> arg1: array<u32>;
@group(0) @binding(3) var<storage, read> gathered: array<u32>;

fn load_arg0(at: u32) -> Affine_s0 {
    var value: Affine_s0;
    value.a_0 = arg0[at];
    value.b_1 = arg0[at + 1u];
    return value;
}

fn store_arg1(at: u32, given: Affine_s0) {
    var value = given;
    arg1[at] = value.a_0;
    arg1[at + 1u] = value.b_1;
}

fn load_gathered(at: u32) -> Affine_s0 {
    var value: Affine_s0;
    value.a_0 = gathered[at];
    value.b_1 = gathered[at + 1u];
    return value;
}

// The elements of a block, each combined with all that precede it, operands in order. What precedes the
// block is known; the first block of all may have nothing before it.
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
    var total: Affine_s0;
    for (var at = first; at < last; at += 1u) {
        let value = same_f0(load_arg0(params.offset0 + at * 2u));
        if (at == first) {
            total = value;
        } else {
            total = then_f1(total, value);
        }
    }
    // Each lane's total becomes that of all lanes up to it: in pairs, then in pairs of pairs, …, the lanes of the
    // upper half combine what all of the lower half come to with what they have. No lane leaves before the end,
    // for all must meet.
    tile[lane] = total;
    for (var reach = 1u; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        // Lanes that read also write, and no lane reads what is written between the same barriers.
        if ((lane & reach) != 0u && lane < lanes) {
            total = then_f1(tile[lane - lane % reach - 1u], total);
            tile[lane] = total;
        }
    }
    workgroupBarrier();
    let block = params.slot + group.x;
    var has = params.carried != 0u || block > 0u;
    var prefix: Affine_s0;
    if (has) {
        prefix = load_gathered((block) * 2u);
    }
    if (lane > 0u && lane < lanes) {
        if (has) {
            prefix = then_f1(prefix, tile[lane - 1u]);
        } else {
            prefix = tile[lane - 1u];
            has = true;
        }
    }
    for (var at = first; at < last; at += 1u) {
        let value = same_f0(load_arg0(params.offset0 + at * 2u));
        if (has) {
            prefix = then_f1(prefix, value);
        } else {
            prefix = value;
            has = true;
        }
        let shown = prefix_f2(prefix, value);
        store_arg1(params.offset1 + at * 2u, shown);
    }
}
