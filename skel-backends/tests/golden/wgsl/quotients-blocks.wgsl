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

fn same_f0(a_0: i32, b_1: i32) -> i32 {
    return a_0;
}

fn quotient_f1(a_0: i32, b_1: i32) -> i32 {
    return skel_div_i32(a_0, b_1, 1u);
}

fn shown_f2(a_0: i32, b_1: i32, c_2: i32) -> i32 {
    return a_0 + c_2;
}

struct Params {
    count: u32,
    per_lane: u32,
    slot: u32,
    carried: u32,
    offset0: u32,
    uniform1: i32,
    offset2: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<i32>;
@group(0) @binding(2) var<storage, read_write> arg2: array<i32>;
@group(0) @binding(3) var<storage, read> gathered: array<i32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;

// The elements of a block, each combined with all that precede it, operands in order. What precedes the
// block is known; the first block of all may have nothing before it.
var<workgroup> tile: array<i32, 256>;

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
    var total: i32;
    for (var at = first; at < last; at += 1u) {
        let value = same_f0(arg0[params.offset0 + at], params.uniform1);
        if (skel_trap != 0u) {
            atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
            break;
        }
        if (at == first) {
            total = value;
        } else {
            total = quotient_f1(total, value);
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                break;
            }
        }
    }
    // Each lane's total becomes that of all lanes up to it: in pairs, then in pairs of pairs, …, the lanes of the
    // upper half combine what all of the lower half come to with what they have. No lane leaves before the end,
    // for all must meet.
    tile[lane] = total;
    for (var reach = 1u; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        // Lanes that read also write, and no lane reads what is written between the same barriers.
        if ((lane & reach) != 0u && lane < lanes && skel_trap == 0u) {
            total = quotient_f1(tile[lane - lane % reach - 1u], total);
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
            }
            tile[lane] = total;
        }
    }
    workgroupBarrier();
    let block = params.slot + group.x;
    var has = params.carried != 0u || block > 0u;
    var prefix: i32;
    if (has) {
        prefix = gathered[block];
    }
    if (lane > 0u && lane < lanes && skel_trap == 0u) {
        if (has) {
            prefix = quotient_f1(prefix, tile[lane - 1u]);
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
            }
        } else {
            prefix = tile[lane - 1u];
            has = true;
        }
    }
    for (var at = first; at < last && skel_trap == 0u; at += 1u) {
        let value = same_f0(arg0[params.offset0 + at], params.uniform1);
        if (skel_trap != 0u) {
            atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
            break;
        }
        let shown = shown_f2(prefix, value, params.uniform1);
        arg2[params.offset2 + at] = shown;
        if (has) {
            prefix = quotient_f1(prefix, value);
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                break;
            }
        } else {
            prefix = value;
            has = true;
        }
    }
}
