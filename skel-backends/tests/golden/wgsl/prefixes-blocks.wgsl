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
    slot: u32,
    carried: u32,
    first_leaf: u32,
    leaves: u32,
    offset0: u32,
    offset1: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<u32>;
@group(0) @binding(2) var<storage, read_write> arg1: array<u32>;
@group(0) @binding(3) var<storage, read> nodes: array<u32>;

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

fn load_nodes(at: u32) -> Affine_s0 {
    var value: Affine_s0;
    value.a_0 = nodes[at];
    value.b_1 = nodes[at + 1u];
    return value;
}

var<workgroup> tile: array<Affine_s0, 256>;

fn get_tile(at: u32) -> Affine_s0 {
    return tile[at];
}

fn set_tile(at: u32, value: Affine_s0) {
    tile[at] = value;
}

var<workgroup> before: array<Affine_s0, 1>;

fn get_before(at: u32) -> Affine_s0 {
    return before[at];
}

fn set_before(at: u32, value: Affine_s0) {
    before[at] = value;
}

var<workgroup> chunk: array<Affine_s0, 16>;

fn get_chunk(at: u32) -> Affine_s0 {
    return chunk[at];
}

fn set_chunk(at: u32, value: Affine_s0) {
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
        var total: Affine_s0;
        for (var level = 0u; level < 32u && (leaf >> level) > 0u; level += 1u) {
            if (((leaf >> level) & 1u) == 0u) {
                continue;
            }
            let end = (leaf >> level) << level;
            let first = end - (1u << level);
            var is_known = true;
            var node: Affine_s0;
            if (first >= params.first_leaf) {
                node = load_nodes((2u * (first + ((1u << level) >> 1u) - params.first_leaf) - select(1u, 0u, level == 0u)) * 2u);
            } else if (end <= params.first_leaf) {
                is_known = (params.carried & 2u) != 0u;
                if (is_known) {
                    node = load_nodes((2u * params.leaves + 1u + level) * 2u);
                }
            } else {
                var part = countTrailingZeros(params.first_leaf);
                node = load_nodes((2u * (params.first_leaf + ((1u << part) >> 1u) - params.first_leaf) - select(1u, 0u, part == 0u)) * 2u);
                for (; part < level; part += 1u) {
                    if (((params.first_leaf >> part) & 1u) == 0u) {
                        node = then_f1(node, load_nodes((2u * ((((params.first_leaf >> part) + 1u) << part) + ((1u << part) >> 1u) - params.first_leaf) - select(1u, 0u, part == 0u)) * 2u));
                    } else if ((params.carried & 2u) != 0u) {
                        node = then_f1(load_nodes((2u * params.leaves + 1u + part) * 2u), node);
                    }
                }
            }
            if (!is_known) {
                continue;
            }
            if (has) {
                total = then_f1(node, total);
            } else {
                total = node;
                has = true;
            }
        }
        if ((params.carried & 1u) != 0u) {
            let initial = load_nodes((2u * params.leaves) * 2u);
            if (!has) {
                total = initial;
            }
            if (has) {
                total = then_f1(initial, total);
            }
        }
        set_before(of_group, total);
    }
    for (var place = lane; (place + 1u) * 16u <= left; place += 256u) {
        let first = begin + place * 16u;
        var total: Affine_s0;
        var one: Affine_s0;
        var two: Affine_s0;
        var four: Affine_s0;
        var eight: Affine_s0;
        for (var turn = 0u; turn < 16u; turn += 1u) {
            let at = first + turn;
            let value = same_f0(load_arg0(params.offset0 + at * 2u));
            // Pairs, pairs of pairs, and so on.
            var node = value;
            if ((turn & 1u) == 0u) {
                one = node;
            } else {
                node = then_f1(one, node);
                if ((turn & 2u) == 0u) {
                    two = node;
                } else {
                    node = then_f1(two, node);
                    if ((turn & 4u) == 0u) {
                        four = node;
                    } else {
                        node = then_f1(four, node);
                        if ((turn & 8u) == 0u) {
                            eight = node;
                        } else {
                            total = then_f1(eight, node);
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
        for (var part = 1u; part < 16u && (of_group * 16u + part) * 16u < left; part += 1u) {
            let place = of_group * 16u + part;
            let own = get_tile(place);
            set_tile(place, total);
            // Nothing follows a block that is not whole.
            if ((place + 1u) * 16u <= left) {
                total = then_f1(total, own);
            }
        }
        set_chunk(of_group, total);
    }
    workgroupBarrier();
    for (var of_group = lane; of_group < 1u && of_group * 4096u < left; of_group += 256u) {
        let has = params.carried != 0u || params.slot + first_tile + of_group > 0u;
        var total = get_chunk(of_group * 16u);
        for (var part = 1u; part < 16u && (of_group * 16u + part) * 256u < left; part += 1u) {
            let at = of_group * 16u + part;
            let own = get_chunk(at);
            set_chunk(at, total);
            if (has) {
                set_chunk(at, then_f1(get_before(of_group), total));
            }
            if ((at + 1u) * 256u <= left) {
                total = then_f1(total, own);
            }
        }
    }
    workgroupBarrier();
    for (var place = lane; place * 16u < left; place += 256u) {
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
                prefix = then_f1(prefix, get_tile(place));
            } else {
                prefix = get_tile(place);
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
}
