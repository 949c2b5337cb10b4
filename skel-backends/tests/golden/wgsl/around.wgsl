// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn skel_note(site: u32) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

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

struct Pair_s0 {
    x_0: i32,
    y_1: u32,
    z_2: u32,
    w_3: i32,
}

fn near_f0v0(b_1: i32) -> i32 {
    return window0((-1i), b_1, 1u);
}

fn around_f1v0v1(c_2: i32) -> i32 {
    return near_f0v0(c_2) ^ near1(2i).x_0;
}

struct Params {
    count: u32,
    base: u32,
    window0_positions_2: u32,
    window0_extent_2: u32,
    window0_stride_2: u32,
    window0_shift_2: u32,
    window0_positions_3: u32,
    window0_extent_3: u32,
    window0_stride_3: u32,
    window0_shift_3: u32,
    window0_inner: u32,
    window0_edge: u32,
    beginning0: u32,
    pad0: i32,
    window1_positions_3: u32,
    window1_extent_3: u32,
    window1_stride_3: u32,
    window1_shift_3: u32,
    window1_inner: u32,
    window1_edge: u32,
    beginning1: u32,
    pad1: array<vec4<u32>, 1>,
    offset2: u32,
    offset3: u32,
    first: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<i32>;
@group(0) @binding(2) var<storage, read> arg1: array<u32>;
@group(0) @binding(3) var<storage, read> arg2: array<i32>;
@group(0) @binding(4) var<storage, read_write> arg3: array<i32>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

var<private> window0_inside: bool;
var<private> window0_outer: u32;
var<private> window0_origin: u32;
var<private> window0_place2: i32;
var<private> window0_place3: i32;

fn find_window0(element: u32) {
    var rest = element / params.window0_inner;
    let rows3 = rest / params.window0_positions_3;
    window0_place3 = i32((rest - rows3 * params.window0_positions_3) * params.window0_stride_3 + params.window0_shift_3);
    rest = rows3;
    let rows2 = rest / params.window0_positions_2;
    window0_place2 = i32((rest - rows2 * params.window0_positions_2) * params.window0_stride_2 + params.window0_shift_2);
    rest = rows2;
    window0_outer = rest * (params.window0_extent_2 * params.window0_extent_3 * params.window0_inner) + element % params.window0_inner - params.beginning0;
    window0_inside = window0_place2 >= 1i && window0_place2 < i32(params.window0_extent_2) - 1i && window0_place3 >= 2i && window0_place3 < i32(params.window0_extent_3) - 2i;
    window0_origin = window0_outer + (u32(window0_place2) * params.window0_extent_3 + u32(window0_place3)) * params.window0_inner;
}

fn edge0(d2: i32, d3: i32) -> i32 {
    let at2 = skel_edge(window0_place2 + d2, i32(params.window0_extent_2), params.window0_edge);
    let at3 = skel_edge(window0_place3 + d3, i32(params.window0_extent_3), params.window0_edge);
    if (at2 < 0i || at3 < 0i) {
        return params.pad0;
    }
    return arg0[window0_outer + (u32(at2) * params.window0_extent_3 + u32(at3)) * params.window0_inner];
}

fn near0(d2: i32, d3: i32) -> i32 {
    if (window0_inside) {
        return arg0[window0_origin + bitcast<u32>((d2 * i32(params.window0_extent_3) + d3) * i32(params.window0_inner))];
    }
    return edge0(d2, d3);
}

fn window0(d2: i32, d3: i32, site: u32) -> i32 {
    if (d2 < -1i || d2 >= 2i || d3 < -2i || d3 >= 3i) {
        skel_note(site);
        return i32();
    }
    return near0(d2, d3);
}

fn load_arg1(at: u32) -> Pair_s0 {
    var value: Pair_s0;
    value.x_0 = bitcast<i32>(arg1[at]);
    value.y_1 = arg1[at + 1u];
    value.z_2 = arg1[at + 2u];
    value.w_3 = bitcast<i32>(arg1[at + 3u]);
    return value;
}

fn load_pad1() -> Pair_s0 {
    var value: Pair_s0;
    value.x_0 = bitcast<i32>(params.pad1[0][0]);
    value.y_1 = params.pad1[0][1];
    value.z_2 = params.pad1[0][2];
    value.w_3 = bitcast<i32>(params.pad1[0][3]);
    return value;
}

var<private> window1_inside: bool;
var<private> window1_outer: u32;
var<private> window1_origin: u32;
var<private> window1_place3: i32;

fn find_window1(element: u32) {
    var rest = element / params.window1_inner;
    let rows3 = rest / params.window1_positions_3;
    window1_place3 = i32((rest - rows3 * params.window1_positions_3) * params.window1_stride_3 + params.window1_shift_3);
    rest = rows3;
    window1_outer = rest * (params.window1_extent_3 * params.window1_inner) + element % params.window1_inner - params.beginning1;
    window1_inside = window1_place3 >= 0i && window1_place3 < i32(params.window1_extent_3) - 2i;
    window1_origin = window1_outer + u32(window1_place3) * params.window1_inner;
}

fn edge1(d3: i32) -> Pair_s0 {
    let at3 = skel_edge(window1_place3 + d3, i32(params.window1_extent_3), params.window1_edge);
    if (at3 < 0i) {
        return load_pad1();
    }
    return load_arg1((window1_outer + u32(at3) * params.window1_inner) * 4u);
}

fn near1(d3: i32) -> Pair_s0 {
    if (window1_inside) {
        return load_arg1((window1_origin + bitcast<u32>(d3 * i32(params.window1_inner))) * 4u);
    }
    return edge1(d3);
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
    find_window1((params.base + at));
    let value = around_f1v0v1(arg2[params.offset2 + at]);
    if (skel_trap != 0u) {
        atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
        return;
    }
    arg3[params.offset3 + at] = value;
}
