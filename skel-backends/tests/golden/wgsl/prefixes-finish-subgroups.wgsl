struct Affine_s0 {
    a_0: u32,
    b_1: u32,
}

fn then_f1(a_0: Affine_s0, b_1: Affine_s0) -> Affine_s0 {
    return Affine_s0((a_0.a_0 * b_1.a_0), ((a_0.b_1 * b_1.a_0) + b_1.b_1));
}

struct Params {
    count: u32,
    per_lane: u32,
    carried: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> partials: array<u32>;

fn load_partials(at: u32) -> Affine_s0 {
    var value: Affine_s0;
    value.a_0 = partials[at];
    value.b_1 = partials[at + 1u];
    return value;
}

fn store_partials(at: u32, given: Affine_s0) {
    var value = given;
    partials[at] = value.a_0;
    partials[at + 1u] = value.b_1;
}

fn passed(given: Affine_s0, by: u32) -> Affine_s0 {
    var value = given;
    value.a_0 = subgroupShuffle(value.a_0, by);
    value.b_1 = subgroupShuffle(value.b_1, by);
    return value;
}

// What precedes each block, from the totals of all blocks and from what precedes them all; in place.
// Behind the totals comes the carry, if there is one, and behind that the carry of what follows.
var<workgroup> tile: array<Affine_s0, 256>;

@compute @workgroup_size(256)
fn main(
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
    let lanes = (params.count + params.per_lane - 1u) / params.per_lane;
    let first = lane * params.per_lane;
    let last = min(first + params.per_lane, params.count);
    var total: Affine_s0;
    for (var at = first; at < last; at += 1u) {
        let value = load_partials((at) * 2u);
        if (at == first) {
            total = value;
        } else {
            total = then_f1(total, value);
        }
    }
    // Each lane's total becomes that of all lanes up to it: in pairs, then in pairs of pairs, …, the lanes of the
    // upper half combine what all of the lower half come to with what they have. No lane leaves before the end,
    // for all must meet.
    for (var reach = 1u; reach < width; reach *= 2u) {
        let at = lane % width;
        let left = passed(total, max(at - at % reach, 1u) - 1u);
        if ((lane & reach) != 0u && lane < lanes) {
            total = then_f1(left, total);
        }
    }
    tile[lane] = total;
    for (var reach = width; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        // Lanes that read also write, and no lane reads what is written between the same barriers.
        if ((lane & reach) != 0u && lane < lanes) {
            total = then_f1(tile[lane - lane % reach - 1u], total);
            tile[lane] = total;
        }
    }
    workgroupBarrier();
    var has = params.carried != 0u;
    var prefix: Affine_s0;
    if (has) {
        prefix = load_partials((params.count) * 2u);
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
        let value = load_partials((at) * 2u);
        if (has) {
            store_partials((at) * 2u, prefix);
            prefix = then_f1(prefix, value);
        } else {
            prefix = value;
            has = true;
        }
    }
    if (first < last && last == params.count) {
        store_partials((params.count + 1u) * 2u, prefix);
    }
}
