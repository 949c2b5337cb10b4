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

struct Params {
    count: u32,
    level: u32,
    width: u32,
    slot: u32,
    offset0: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<u32>;
@group(0) @binding(2) var<storage, read_write> nodes: array<u32>;

fn load_arg0(at: u32) -> Affine_s0 {
    var value: Affine_s0;
    value.a_0 = arg0[at];
    value.b_1 = arg0[at + 1u];
    return value;
}

fn store_nodes(at: u32, given: Affine_s0) {
    var value = given;
    nodes[at] = value.a_0;
    nodes[at + 1u] = value.b_1;
}

var<workgroup> tile: array<Affine_s0, 512>;

fn get_tile(at: u32) -> Affine_s0 {
    return tile[at];
}

fn set_tile(at: u32, value: Affine_s0) {
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
    for (var place = lane; place < tiles * 256u; place += 256u) {
        let first = begin + min(place * params.width, left);
        let last = begin + min((place + 1u) * params.width, left);
        let is_whole = last - first == 16u && params.width == 16u;
        var total: Affine_s0;
        var one: Affine_s0;
        var two: Affine_s0;
        var four: Affine_s0;
        var eight: Affine_s0;
        for (var at = first; at < last; at += 1u) {
            let turn = at - first;
            let value = same_f0(load_arg0(params.offset0 + at * 2u));
            if (is_whole) {
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
            } else if (turn == 0u) {
                total = value;
            } else {
                total = then_f1(total, value);
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
        for (var part = 1u; part < parts; part += 1u) {
            total = then_f1(total, get_tile(first + part * 1u));
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
        for (var part = 1u; part < parts; part += 1u) {
            total = then_f1(total, get_tile(first + part * 16u));
        }
        set_tile(first, total);
    }
    workgroupBarrier();
    for (var at = lane; at < tiles && at * 4096u < left; at += 256u) {
        let total = get_tile(at * 256u);
        store_nodes((2u * (params.slot + leaf * tiles + at)) * 2u, total);
    }
}
