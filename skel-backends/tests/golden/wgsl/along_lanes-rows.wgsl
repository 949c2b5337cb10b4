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

fn ratio_f0(a_0: i32, b_1: i32) -> i32 {
    return skel_div_i32(a_0, b_1, 1u);
}

fn sum_f1(a_0: i32, b_1: i32) -> i32 {
    return a_0 + b_1;
}

struct Params {
    count: u32,
    base: u32,
    level: u32,
    slot: u32,
    depth: u32,
    leaf: u32,
    spans: u32,
    span: u32,
    to_node: u32,
    table_node: u32,
    places_per_value: u32,
    places_per_step: u32,
    offset0: u32,
    pitch0_0: u32,
    pitch0_1: u32,
    offset1: u32,
    pitch1_0: u32,
    pitch1_1: u32,
    offset2: u32,
    first: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<i32>;
@group(0) @binding(2) var<storage, read> arg1: array<i32>;
@group(0) @binding(3) var<storage, read_write> arg2: array<i32>;
@group(0) @binding(4) var<storage, read_write> nodes: array<i32>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

var<workgroup> tile: array<i32, 1024>;

fn get_tile(at: u32) -> i32 {
    return tile[at];
}

fn set_tile(at: u32, value: i32) {
    tile[at] = value;
}

// Every output element folds a row of the arguments, of which a group takes several, or one span of them, tile by
// tile: see `crate::along`.
// Each of a tile's lanes takes every 128th element, and these are halved.
// Which rows have trapped.
var<workgroup> trapped: array<atomic<u32>, 8>;

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    // Two dimensions of groups, since one does not reach far enough; and one of spans.
    let first_row = (group.y * groups.x + group.x) << params.level;
    let rows = 1u << params.level;
    if (first_row >= params.count) {
        return;
    }
    let span = params.slot + group.z;
    let begin = span * params.span;
    let end = begin + min(params.span, params.depth - begin);
    for (var row = lane; row < rows; row += 128u) {
        let at = first_row + row;
        atomicStore(&trapped[row], 0u);
        for (var site = 0u; site < 2u; site++) {
            if (atomicLoad(&status[params.status + site]) < params.first + at) {
                atomicStore(&trapped[row], 1u);
            }
        }
    }
    workgroupBarrier();
    var total: i32;
    var first = begin;
    // No lane leaves before the end, for all must meet.
    while (first < end) {
        let last = first + min(params.leaf, end - first);
        for (var slot = lane; slot < rows * 128u; slot += 128u) {
            let row = slot / 128u;
            let at = first_row + row;
            let own = first + slot % 128u;
            let own_end = select(own, last, at < params.count);
            for (var turn = own; turn < own_end; turn += 128u) {
                // The element that is folded, as the arguments count it.
                let place = (params.base + at) * params.places_per_value + turn * params.places_per_step;
                let value = ratio_f0(arg0[params.offset0 + ((params.base + at) * params.pitch0_0 + turn * params.pitch0_1)], arg1[params.offset1 + ((params.base + at) * params.pitch1_0 + turn * params.pitch1_1)]);
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
                    skel_trap = 0u;
                    atomicStore(&trapped[row], 1u);
                    break;
                }
                if (turn == own) {
                    total = value;
                } else {
                    total = sum_f1(total, value);
                }
            }
            set_tile(slot, total);
        }
        for (var half = 64u; half > 0u; half /= 2u) {
            workgroupBarrier();
            for (var pair = lane; pair < rows * half; pair += 128u) {
                let row = pair / half;
                let at = first_row + row;
                let slot = row * 128u + pair % half;
                if (at < params.count && pair % half + half < last - first && !(atomicLoad(&trapped[row]) != 0u)) {
                    set_tile(slot, sum_f1(get_tile(slot), get_tile(slot + half)));
                }
            }
        }
        // Each by the lane that made its last sum.
        for (var row = lane; row < rows; row += 128u) {
            let at = first_row + row;
            if (at < params.count && !(atomicLoad(&trapped[row]) != 0u)) {
                let slots = params.count * params.spans;
                let slot = span * params.count + at;
                total = get_tile(row * 128u);
                // The nodes that end where this one begins; of the last leaf, all that precede it.
                let number = (first - begin) / params.leaf;
                var level = 0u;
                while ((number >> level) > 0u && (last == end || ((number >> level) & 1u) == 1u)) {
                    if (((number >> level) & 1u) == 1u) {
                        total = sum_f1(nodes[params.table_node + level * slots + slot], total);
                    }
                    level += 1u;
                }
                if (last < end) {
                    nodes[params.table_node + level * slots + slot] = total;
                }
                if (last == end && !(atomicLoad(&trapped[row]) != 0u)) {
                    if (params.spans > 1u) {
                        nodes[params.to_node + slot] = total;
                    } else {
                        let value = total;
                        arg2[params.offset2 + at] = value;
                    }
                }
            }
        }
        workgroupBarrier();
        first = last;
    }
}
