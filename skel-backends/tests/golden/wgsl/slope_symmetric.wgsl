fn skel_symmetric(at: i32, extent: i32) -> i32 {
    let mirrored = select(at, -1i - at, at < 0i);
    return min(mirrored, 2i * extent - 1i - mirrored);
}

fn slope_f0v0() -> f32 {
    return near0(1i) - near0(-1i);
}

struct Params {
    count: u32,
    base: u32,
    window0_positions_3: u32,
    window0_extent_3: u32,
    window0_shift_3: u32,
    beginning0: u32,
    pad0: f32,
    offset1: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<f32>;
@group(0) @binding(2) var<storage, read_write> arg1: array<f32>;

var<private> window0_inside: bool;
var<private> window0_outer: u32;
var<private> window0_origin: u32;
var<private> window0_place3: i32;

fn find_window0(element: u32) {
    var rest = element / 1u;
    window0_place3 = i32(rest * 1u + params.window0_shift_3);
    rest = 0u;
    window0_outer = rest * (params.window0_extent_3 * 1u) + element % 1u - params.beginning0;
    window0_inside = window0_place3 >= 1i && window0_place3 < i32(params.window0_extent_3) - 1i;
    window0_origin = window0_outer + u32(window0_place3) * 1u;
}

fn near0(d3: i32) -> f32 {
    let at3 = skel_symmetric(window0_place3 + d3, i32(params.window0_extent_3));
    return arg0[window0_outer + u32(at3) * 1u];
}

// Every output element from the input elements of the same index.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    // Two dimensions of groups, since one does not reach far enough.
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if (at >= params.count) {
        return;
    }
    find_window0((params.base + at));
    let value = slope_f0v0();
    arg1[params.offset1 + at] = value;
}
