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
    slot: u32,
    carried: u32,
    first_leaf: u32,
    leaves: u32,
    offset0: u32,
    uniform1: i32,
    offset2: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<i32>;
@group(0) @binding(2) var<storage, read_write> arg2: array<i32>;
@group(0) @binding(3) var<storage, read> nodes: array<i32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;

var<workgroup> tile: array<i32, 256>;

fn get_tile(at: u32) -> i32 {
    return tile[at];
}

fn set_tile(at: u32, value: i32) {
    tile[at] = value;
}

var<workgroup> before: array<i32, 1>;

fn get_before(at: u32) -> i32 {
    return before[at];
}

fn set_before(at: u32, value: i32) {
    before[at] = value;
}

var<workgroup> chunk: array<i32, 16>;

fn get_chunk(at: u32) -> i32 {
    return chunk[at];
}

fn set_chunk(at: u32, value: i32) {
    chunk[at] = value;
}

// The elements, each combined with all that precede it, operands in order, grouped as everywhere: see
// `skel_core::plan::grouping`. Each lane takes blocks of 16 elements.

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    // Two dimensions of groups, since one does not reach far enough.
    let first_tile = (group.y * groups.x + group.x) * 1u;
    let begin = min(first_tile * 4096u, params.count);
    let left = min(params.count - begin, 1u * 4096u);
    for (var of_group = lane; of_group < 1u && of_group * 4096u < left; of_group += 256u) {
        let leaf = params.first_leaf + params.slot + first_tile + of_group;
        // What precedes tile `leaf`: nodes, by the bits of its number, the last ones first. Those that end before the launch are
        // known by their level. One may lie astride its beginning: it begins with nodes of what precedes, and ends with ours.
        var has = false;
        var total: i32;
        for (var level = 0u; level < 32u && (leaf >> level) > 0u && skel_trap == 0u; level += 1u) {
            if (((leaf >> level) & 1u) == 0u) {
                continue;
            }
            let end = (leaf >> level) << level;
            let first = end - (1u << level);
            var is_known = true;
            var node: i32;
            if (first >= params.first_leaf) {
                node = nodes[2u * (first + ((1u << level) >> 1u) - params.first_leaf) - select(1u, 0u, level == 0u)];
            } else if (end <= params.first_leaf) {
                is_known = (params.carried & 2u) != 0u;
                if (is_known) {
                    node = nodes[2u * params.leaves + 1u + level];
                }
            } else {
                var part = countTrailingZeros(params.first_leaf);
                node = nodes[2u * (params.first_leaf + ((1u << part) >> 1u) - params.first_leaf) - select(1u, 0u, part == 0u)];
                for (; part < level && skel_trap == 0u; part += 1u) {
                    if (((params.first_leaf >> part) & 1u) == 0u) {
                        node = quotient_f1(node, nodes[2u * ((((params.first_leaf >> part) + 1u) << part) + ((1u << part) >> 1u) - params.first_leaf) - select(1u, 0u, part == 0u)]);
                        if (skel_trap != 0u) {
                            atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                            break;
                        }
                    } else if ((params.carried & 2u) != 0u) {
                        node = quotient_f1(nodes[2u * params.leaves + 1u + part], node);
                        if (skel_trap != 0u) {
                            atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                            break;
                        }
                    }
                }
            }
            if (!is_known) {
                continue;
            }
            if (has) {
                total = quotient_f1(node, total);
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                    break;
                }
            } else {
                total = node;
                has = true;
            }
        }
        if ((params.carried & 1u) != 0u) {
            let initial = nodes[2u * params.leaves];
            if (!has) {
                total = initial;
            }
            if (has && skel_trap == 0u) {
                total = quotient_f1(initial, total);
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                }
            }
        }
        set_before(of_group, total);
    }
    for (var place = lane; (place + 1u) * 16u <= left && skel_trap == 0u; place += 256u) {
        let first = begin + place * 16u;
        var total: i32;
        var one: i32;
        var two: i32;
        var four: i32;
        var eight: i32;
        for (var turn = 0u; turn < 16u; turn += 1u) {
            let at = first + turn;
            let value = same_f0(arg0[params.offset0 + at], params.uniform1);
            if (skel_trap != 0u) {
                atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                break;
            }
            // Pairs, pairs of pairs, and so on.
            var node = value;
            if ((turn & 1u) == 0u) {
                one = node;
            } else {
                node = quotient_f1(one, node);
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                    break;
                }
                if ((turn & 2u) == 0u) {
                    two = node;
                } else {
                    node = quotient_f1(two, node);
                    if (skel_trap != 0u) {
                        atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                        break;
                    }
                    if ((turn & 4u) == 0u) {
                        four = node;
                    } else {
                        node = quotient_f1(four, node);
                        if (skel_trap != 0u) {
                            atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                            break;
                        }
                        if ((turn & 8u) == 0u) {
                            eight = node;
                        } else {
                            total = quotient_f1(eight, node);
                            if (skel_trap != 0u) {
                                atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                                break;
                            }
                        }
                    }
                }
            }
        }
        set_tile(place, total);
    }
    workgroupBarrier();
    // What precedes each block in its chunk, and then each chunk, with all that precedes its tile.
    for (var of_group = lane; of_group < 16u && of_group * 256u < left; of_group += 256u) {
        var total = get_tile(of_group * 16u);
        for (var part = 1u; part < 16u && (of_group * 16u + part) * 16u < left && skel_trap == 0u; part += 1u) {
            let place = of_group * 16u + part;
            let own = get_tile(place);
            set_tile(place, total);
            // Nothing follows a block that is not whole.
            if ((place + 1u) * 16u <= left) {
                total = quotient_f1(total, own);
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                    break;
                }
            }
        }
        set_chunk(of_group, total);
    }
    workgroupBarrier();
    for (var of_group = lane; of_group < 1u && of_group * 4096u < left; of_group += 256u) {
        let has = params.carried != 0u || params.slot + first_tile + of_group > 0u;
        var total = get_chunk(of_group * 16u);
        for (var part = 1u; part < 16u && (of_group * 16u + part) * 256u < left && skel_trap == 0u; part += 1u) {
            let at = of_group * 16u + part;
            let own = get_chunk(at);
            set_chunk(at, total);
            if (has) {
                set_chunk(at, quotient_f1(get_before(of_group), total));
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                    break;
                }
            }
            if ((at + 1u) * 256u <= left) {
                total = quotient_f1(total, own);
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                    break;
                }
            }
        }
    }
    workgroupBarrier();
    for (var place = lane; place * 16u < left && skel_trap == 0u; place += 256u) {
        let first = begin + place * 16u;
        let last = begin + min((place + 1u) * 16u, left);
        let of_group = place / 256u;
        var has = params.carried != 0u || params.slot + first_tile + of_group > 0u;
        var prefix = get_before(of_group);
        if (place / 16u % 16u > 0u) {
            prefix = get_chunk(place / 16u);
            has = true;
        }
        if (place % 16u > 0u) {
            if (has) {
                prefix = quotient_f1(prefix, get_tile(place));
                if (skel_trap != 0u) {
                    atomicMin(&status[params.status + 2u + skel_trap - 1u], 0u);
                }
            } else {
                prefix = get_tile(place);
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
}
