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
    level: u32,
    width: u32,
    slot: u32,
    offset0: u32,
    offset1: u32,
    first: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<i32>;
@group(0) @binding(2) var<storage, read> arg1: array<i32>;
@group(0) @binding(3) var<storage, read_write> nodes: array<i32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;

var<workgroup> tile: array<i32, 512>;

fn get_tile(at: u32) -> i32 {
    return tile[at];
}

fn set_tile(at: u32, value: i32) {
    tile[at] = value;
}

// A value of each leaf, an aligned group of tiles; in scans, of each tile. Tiles are combined as everywhere: see
// `skel_core::plan::grouping`.

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tiles = 1u << params.level;
    // Two dimensions of groups, since one does not reach far enough.
    let leaf = group.y * groups.x + group.x;
    let begin = min(leaf * tiles * 4096u, params.count);
    let left = min(params.count - begin, tiles * 4096u);
    // No lane leaves before the end, for all must meet.
    // Each lane takes a block: whole ones as a tree, a last, shorter one as a chain; as a chain all elements if they are few.
    for (var place = lane; place < tiles * 256u && skel_trap == 0u; place += 256u) {
        let first = begin + min(place * params.width, left);
        let last = begin + min((place + 1u) * params.width, left);
        let is_whole = last - first == 16u && params.width == 16u;
        var total: i32;
        var one: i32;
        var two: i32;
        var four: i32;
        var eight: i32;
        for (var at = first; at < last; at += 1u) {
            let turn = at - first;
            let value = ratio_f0(arg0[params.offset0 + at], arg1[params.offset1 + at]);
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
                skel_trap = 0u;
                break;
            }
            if (is_whole) {
                // Pairs, pairs of pairs, and so on.
                var node = value;
                if ((turn & 1u) == 0u) {
                    one = node;
                } else {
                    node = rest_f1(one, node);
                    if (skel_trap != 0u) {
                        atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
                        break;
                    }
                    if ((turn & 2u) == 0u) {
                        two = node;
                    } else {
                        node = rest_f1(two, node);
                        if (skel_trap != 0u) {
                            atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
                            break;
                        }
                        if ((turn & 4u) == 0u) {
                            four = node;
                        } else {
                            node = rest_f1(four, node);
                            if (skel_trap != 0u) {
                                atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
                                break;
                            }
                            if ((turn & 8u) == 0u) {
                                eight = node;
                            } else {
                                total = rest_f1(eight, node);
                                if (skel_trap != 0u) {
                                    atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
                                    break;
                                }
                            }
                        }
                    }
                }
            } else if (turn == 0u) {
                total = value;
            } else {
                total = rest_f1(total, value);
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
                    break;
                }
            }
        }
        set_tile(place, total);
    }
    workgroupBarrier();
    for (var whole = lane; whole < tiles * 16u; whole += 256u) {
        let first = whole * 16u * 1u;
        let elems = min(left - min(left, whole * 16u * 16u), 16u * 16u);
        let parts = (elems + params.width - 1u) / params.width;
        if (parts == 0u) {
            continue;
        }
        var total = get_tile(first);
        for (var part = 1u; part < parts && skel_trap == 0u; part += 1u) {
            total = rest_f1(total, get_tile(first + part * 1u));
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
                break;
            }
        }
        set_tile(first, total);
    }
    workgroupBarrier();
    for (var whole = lane; whole < tiles * 1u; whole += 256u) {
        let first = whole * 16u * 16u;
        let elems = min(left - min(left, whole * 16u * 256u), 16u * 256u);
        let parts = (elems + 256u - 1u) / 256u;
        if (parts == 0u) {
            continue;
        }
        var total = get_tile(first);
        for (var part = 1u; part < parts && skel_trap == 0u; part += 1u) {
            total = rest_f1(total, get_tile(first + part * 16u));
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
                break;
            }
        }
        set_tile(first, total);
    }
    for (var reach = 1u; reach < tiles; reach *= 2u) {
        workgroupBarrier();
        for (var at = lane * 2u * reach; at + reach < tiles; at += 256u * 2u * reach) {
            if ((at + reach) * 4096u < left && skel_trap == 0u) {
                set_tile(at * 256u, rest_f1(get_tile(at * 256u), get_tile((at + reach) * 256u)));
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + 4u + skel_trap - 1u], 0u);
                }
            }
        }
    }
    if (lane == 0u && left > 0u) {
        let total = get_tile(0);
        nodes[2u * (params.slot + leaf)] = total;
    }
}
