// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn pairs_f0(a_0: u32) -> u32 {
    if (skel_trap != 0u) {
        return u32();
    }
    var leaving = 0u;
    var b_1: u32 = 0u;
    var c_2: u32 = 0u;
    loop {
        if (c_2 >= a_0) {
            break;
        }
        var d_3: u32 = 0u;
        loop {
            if (d_3 >= a_0) {
                break;
            }
            if ((c_2 % 3u) == 0u) {
                leaving = 2u;
                break;
            }
            if ((c_2 * d_3) == a_0) {
                leaving = 1u;
                break;
            }
            b_1 = b_1 + 1u;
            continuing {
                d_3 = d_3 + 1u;
            }
        }
        if (leaving == 2u) {
            leaving = 0u;
            continue;
        }
        if (leaving == 1u) {
            leaving = 0u;
            break;
        }
        continuing {
            c_2 = c_2 + 1u;
        }
    }
    return b_1;
}

fn sum_f1(a_0: u32, b_1: u32) -> u32 {
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
    joining: u32,
    from_node: u32,
    width: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<u32>;
@group(0) @binding(2) var<storage, read_write> arg1: array<u32>;
@group(0) @binding(3) var<storage, read_write> nodes: array<u32>;

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
    var total: u32;
    var first = begin;
    while (first < end) {
        let last = first + min(params.leaf, end - first);
        if (params.joining != 0u) {
            total = nodes[params.from_node + first * params.count + at];
        } else {
            // Whole blocks are trees, a last, shorter one is a chain, and so are leaves of columns and of short rows.
            let is_whole = last - first == 16u && params.width == 16u;
            var one: u32;
            var two: u32;
            var four: u32;
            var eight: u32;
            for (var turn = first; turn < last; turn += 1u) {
                // The element that is folded, as the arguments count it.
                let place = (params.base + at) * params.places_per_value + turn * params.places_per_step;
                let value = pairs_f0(arg0[params.offset0 + ((params.base + at) * params.pitch0_0 + turn * params.pitch0_1)]);
                if (is_whole) {
                    // Pairs, pairs of pairs, and so on.
                    var node = value;
                    if ((turn & 1u) == 0u) {
                        one = node;
                    } else {
                        node = sum_f1(one, node);
                        if ((turn & 2u) == 0u) {
                            two = node;
                        } else {
                            node = sum_f1(two, node);
                            if ((turn & 4u) == 0u) {
                                four = node;
                            } else {
                                node = sum_f1(four, node);
                                if ((turn & 8u) == 0u) {
                                    eight = node;
                                } else {
                                    total = sum_f1(eight, node);
                                }
                            }
                        }
                    }
                } else if (turn == first) {
                    total = value;
                } else {
                    total = sum_f1(total, value);
                }
            }
        }
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
        first = last;
    }
    if (params.spans > 1u) {
        nodes[params.to_node + slot] = total;
    } else {
        let value = total;
        arg1[params.offset1 + at] = value;
    }
}
