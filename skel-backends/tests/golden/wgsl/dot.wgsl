fn mult_f0(a_0: f32, b_1: f32) -> f32 {
    return a_0 * b_1;
}

fn add_f1(a_0: f32, b_1: f32) -> f32 {
    return a_0 + b_1;
}

struct Params {
    count: u32,
    level: u32,
    width: u32,
    slot: u32,
    offset0: u32,
    offset1: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<f32>;
@group(0) @binding(2) var<storage, read> arg1: array<f32>;
@group(0) @binding(3) var<storage, read_write> nodes: array<f32>;

var<workgroup> tile: array<f32, 1024>;

fn get_tile(at: u32) -> f32 {
    return tile[at];
}

fn set_tile(at: u32, value: f32) {
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
    let begin = min(leaf * tiles * 1024u, params.count);
    let left = min(params.count - begin, tiles * 1024u);
    // No lane leaves before the end, for all must meet.
    // Each of a tile's lanes takes every 128th element, or the first lane all of them, and these are halved.
    for (var place = lane; place < tiles * 128u; place += 256u) {
        let first = begin + place / 128u * 1024u + place % 128u;
        let end = begin + min((place / 128u + 1u) * 1024u, left);
        let last = select(first, end, place % 128u < params.width);
        var total: f32;
        for (var at = first; at < last; at += params.width) {
            let value = mult_f0(arg0[params.offset0 + at], arg1[params.offset1 + at]);
            if (at == first) {
                total = value;
            } else {
                total = add_f1(total, value);
            }
        }
        set_tile(place, total);
    }
    for (var half = 7u; half > 0u; half -= 1u) {
        workgroupBarrier();
        let reach = 1u << (half - 1u);
        for (var pair = lane; pair < tiles * reach; pair += 256u) {
            let of_tile = left - min(left, (pair >> (half - 1u)) * 1024u);
            let place = (pair >> (half - 1u)) * 128u + (pair & (reach - 1u));
            if ((pair & (reach - 1u)) + reach < min(of_tile, params.width)) {
                set_tile(place, add_f1(get_tile(place), get_tile(place + reach)));
            }
        }
    }
    for (var reach = 1u; reach < tiles; reach *= 2u) {
        workgroupBarrier();
        for (var at = lane * 2u * reach; at + reach < tiles; at += 256u * 2u * reach) {
            if ((at + reach) * 1024u < left) {
                set_tile(at * 128u, add_f1(get_tile(at * 128u), get_tile((at + reach) * 128u)));
            }
        }
    }
    if (lane == 0u && left > 0u) {
        let total = get_tile(0);
        nodes[2u * (params.slot + leaf)] = total;
    }
}
