// The place that stands for `at` in a container of that extent, by the number of the edge: 1 cyclic,
// 2 duplicate, 3 reflect, 4 padded, for which it is -1, 5 symmetric. Without an edge it is not called.
fn skel_edge(at: i32, extent: i32, edge: u32) -> i32 {
    if (at >= 0i && at < extent) {
        return at;
    }
    if (edge == 1u) {
        let rest = at % extent;
        return select(rest, rest + extent, rest < 0i);
    }
    if (edge == 3u) {
        let period = max(2i * (extent - 1i), 1i);
        var rest = at % period;
        rest = select(rest, rest + period, rest < 0i);
        return min(rest, period - rest);
    }
    if (edge == 4u) {
        return -1i;
    }
    if (edge == 5u) {
        let period = 2i * extent;
        var rest = at % period;
        rest = select(rest, rest + period, rest < 0i);
        return min(rest, period - 1i - rest);
    }
    return select(extent - 1i, 0i, at < 0i);
}

fn slope_f0v0() -> f32 {
    return near0(1i) - near0(-1i);
}

struct Params {
    count: u32,
    base: u32,
    window0_positions_3: u32,
    window0_extent_3: u32,
    window0_stride_3: u32,
    window0_shift_3: u32,
    window0_inner: u32,
    window0_edge: u32,
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
    var rest = element / params.window0_inner;
    let rows3 = rest / params.window0_positions_3;
    window0_place3 = i32((rest - rows3 * params.window0_positions_3) * params.window0_stride_3 + params.window0_shift_3);
    rest = rows3;
    window0_outer = rest * (params.window0_extent_3 * params.window0_inner) + element % params.window0_inner - params.beginning0;
    window0_inside = window0_place3 >= 1i && window0_place3 < i32(params.window0_extent_3) - 1i;
    window0_origin = window0_outer + u32(window0_place3) * params.window0_inner;
}

fn edge0(d3: i32) -> f32 {
    let at3 = skel_edge(window0_place3 + d3, i32(params.window0_extent_3), params.window0_edge);
    if (at3 < 0i) {
        return params.pad0;
    }
    return arg0[window0_outer + u32(at3) * params.window0_inner];
}

fn near0(d3: i32) -> f32 {
    if (window0_inside) {
        return arg0[window0_origin + bitcast<u32>(d3 * i32(params.window0_inner))];
    }
    return edge0(d3);
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
