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
    uniform2: i32,
    offset3: u32,
    first: u32,
    status: u32,
    joining: u32,
    from_node: u32,
    width: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<i32>;
@group(0) @binding(2) var<storage, read> arg1: array<i32>;
@group(0) @binding(3) var<storage, read_write> arg3: array<i32>;
@group(0) @binding(4) var<storage, read_write> nodes: array<i32>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

// Every output element folds a row or column of the arguments, leaf after leaf; or one span of it: see `crate::along`.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    // Two dimensions of groups, since one does not reach far enough; and one of spans, of which a group takes several
    // where it has more lanes than there are values.
    let at = ((group.y * groups.x + group.x) << params.level) + (lane & ((1u << params.level) - 1u));
    let span = params.slot + group.z * (256u >> params.level) + (lane >> params.level);
    if (at >= params.count || span >= params.spans) {
        return;
    }
    let slots = params.count * params.spans;
    let slot = span * params.count + at;
    let begin = span * params.span;
    let end = begin + min(params.span, params.depth - begin);
    for (var site = 0u; site < 4u; site++) {
        if (atomicLoad(&status[params.status + site]) < params.first + at + params.joining) {
            return;
        }
    }
    var total: i32;
    var first = begin;
    while (first < end) {
        let last = first + min(params.leaf, end - first);
        if (params.joining != 0u) {
            total = nodes[params.from_node + first * params.count + at];
        } else {
            var of_tile: i32;
            var chunk = first;
            while (chunk < last) {
                let chunk_end = min(chunk + 256u, last);
                var of_chunk: i32;
                var block = chunk;
                while (block < chunk_end) {
                    let block_end = min(block + params.width, chunk_end);
                    // Whole blocks are trees, a last, shorter one is a chain, and so are leaves of columns and of short rows.
                    let is_whole = block_end - block == 16u && params.width == 16u;
                    var one: i32;
                    var two: i32;
                    var four: i32;
                    var eight: i32;
                    for (var turn = block; turn < block_end; turn += 1u) {
                        // The element that is folded, as the arguments count it.
                        let place = (params.base + at) * params.places_per_value + turn * params.places_per_step;
                        let value = ratio_f0(arg0[params.offset0 + ((params.base + at) * params.pitch0_0 + turn * params.pitch0_1)], arg1[params.offset1 + ((params.base + at) * params.pitch1_0 + turn * params.pitch1_1)]);
                        if (skel_trap != 0u) {
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
                                    break;
                                }
                                if ((turn & 2u) == 0u) {
                                    two = node;
                                } else {
                                    node = rest_f1(two, node);
                                    if (skel_trap != 0u) {
                                        break;
                                    }
                                    if ((turn & 4u) == 0u) {
                                        four = node;
                                    } else {
                                        node = rest_f1(four, node);
                                        if (skel_trap != 0u) {
                                            break;
                                        }
                                        if ((turn & 8u) == 0u) {
                                            eight = node;
                                        } else {
                                            total = rest_f1(eight, node);
                                            if (skel_trap != 0u) {
                                                break;
                                            }
                                        }
                                    }
                                }
                            }
                        } else if (turn == block) {
                            total = value;
                        } else {
                            total = rest_f1(total, value);
                            if (skel_trap != 0u) {
                                break;
                            }
                        }
                    }
                    if (skel_trap != 0u) {
                        break;
                    }
                    if (block == chunk) {
                        of_chunk = total;
                    } else {
                        of_chunk = rest_f1(of_chunk, total);
                        if (skel_trap != 0u) {
                            break;
                        }
                    }
                    block = block_end;
                }
                if (skel_trap != 0u) {
                    break;
                }
                if (chunk == first) {
                    of_tile = of_chunk;
                } else {
                    of_tile = rest_f1(of_tile, of_chunk);
                    if (skel_trap != 0u) {
                        break;
                    }
                }
                chunk = chunk_end;
            }
            if (skel_trap != 0u) {
                break;
            }
            total = of_tile;
        }
        // The nodes that end where this one begins; of the last leaf, all that precede it.
        let number = (first - begin) / params.leaf;
        var level = 0u;
        while ((number >> level) > 0u && (last == end || ((number >> level) & 1u) == 1u)) {
            if (((number >> level) & 1u) == 1u) {
                total = rest_f1(nodes[params.table_node + level * slots + slot], total);
                if (skel_trap != 0u) {
                    break;
                }
            }
            level += 1u;
        }
        if (last < end) {
            nodes[params.table_node + level * slots + slot] = total;
        }
        if (skel_trap != 0u) {
            break;
        }
        first = last;
    }
    if (skel_trap != 0u) {
        atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
        return;
    }
    if (params.spans > 1u) {
        nodes[params.to_node + slot] = total;
    } else {
        total = rest_f1(params.uniform2, total);
        if (skel_trap != 0u) {
            atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
            return;
        }
        let value = total;
        arg3[params.offset3 + at] = value;
    }
}
