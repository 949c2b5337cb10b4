// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn skel_note(site: u32) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

// `site` stands for a zero divisor, the next one for overflow.
fn skel_div_i32(a: i32, b: i32, site: u32) -> i32 {
    if (b == 0i) {
        skel_note(site);
        return 0i;
    }
    if (b == -1i && a == i32(-2147483648)) {
        skel_note(site + 1u);
        return 0i;
    }
    return a / b;
}

fn skel_rem_i32(a: i32, b: i32, site: u32) -> i32 {
    if (b == 0i) {
        skel_note(site);
        return 0i;
    }
    if (b == -1i && a == i32(-2147483648)) {
        skel_note(site + 1u);
        return 0i;
    }
    return a % b;
}

fn ratio_f0(a_0: i32, b_1: i32) -> i32 {
    return skel_div_i32(a_0, b_1, 1u);
}

fn rest_f1(a_0: i32, b_1: i32) -> i32 {
    return skel_rem_i32(a_0, b_1, 3u);
}

struct Params {
    count: u32,
    per_lane: u32,
    slot: u32,
    offset0: u32,
    offset1: u32,
    first: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<i32>;
@group(0) @binding(2) var<storage, read> arg1: array<i32>;
@group(0) @binding(3) var<storage, read_write> partials: array<i32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;

// One value from all elements of a group, operands in order. No identity is needed: a lane that has
// no element takes no part.
var<workgroup> tile: array<i32, 256>;

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
    let lanes = (end - min(begin, end) + params.per_lane - 1u) / params.per_lane;
    let first = begin + lane * params.per_lane;
    let last = min(first + params.per_lane, end);
    let stride = 1u;
    var total: i32;
    for (var at = first; at < last; at += stride) {
        let value = ratio_f0(arg0[params.offset0 + at], arg1[params.offset1 + at]);
        if (skel_trap != 0u) {
            atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
            break;
        }
        if (at == first) {
            total = value;
        } else {
            total = rest_f1(total, value);
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
                break;
            }
        }
    }
    // Neighbours, then pairs of neighbours, …: the order is kept. No lane leaves before the end, for
    // all must meet.
    for (var reach = 1u; reach < width; reach *= 2u) {
        let right = subgroupShuffleDown(total, reach);
        if (lane % (2u * reach) == 0u && lane + reach < lanes && skel_trap == 0u) {
            total = rest_f1(total, right);
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
            }
        }
    }
    tile[lane] = total;
    for (var reach = width; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        if (lane % (2u * reach) == 0u && lane + reach < lanes && skel_trap == 0u) {
            total = rest_f1(total, tile[lane + reach]);
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
            }
            tile[lane] = total;
        }
    }
    if (lane == 0u) {
        partials[params.slot + group.x] = total;
    }
}
