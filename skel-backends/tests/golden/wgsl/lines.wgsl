// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn skel_note(site: u32) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

fn skel_add_usize(a: u32, b: u32, site: u32) -> u32 {
    if (a > 4294967295u - b) {
        skel_note(site);
    }
    return a + b;
}

fn skel_sub_usize(a: u32, b: u32, site: u32) -> u32 {
    if (a < b) {
        skel_note(site);
    }
    return a - b;
}

fn eliminate_f0v0v1() -> f32 {
    if (skel_trap != 0u) {
        return f32();
    }
    var c_2: u32 = 1u;
    loop {
        if (skel_trap != 0u) {
            return f32();
        }
        if (c_2 >= params.extent0_0) {
            break;
        }
        let value0 = view0(c_2, 2u)[0] - (view1(c_2, 3u) * view0(skel_sub_usize(c_2, 1u, 4u), 5u)[1]);
        if (skel_trap != 0u) {
            return f32();
        }
        let at1 = c_2;
        var element2 = view0(at1, 6u);
        element2[0] = value0;
        put0(at1, element2, 6u);
        if (skel_trap != 0u) {
            return f32();
        }
        continuing {
            c_2 = skel_add_usize(c_2, 1u, 1u);
        }
    }
    let value3 = view0(skel_sub_usize(c_2, 1u, 7u), 8u);
    if (skel_trap != 0u) {
        return f32();
    }
    put0(0u, value3, 9u);
    if (skel_trap != 0u) {
        return f32();
    }
    return view1(0u, 10u);
}

struct Params {
    count: u32,
    offset0: u32,
    base: u32,
    extent0_0: u32,
    pitch0_0: u32,
    offset1: u32,
    extent1_0: u32,
    pitch1_0: u32,
    offset2: u32,
    first: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> arg0: array<u32>;
@group(0) @binding(2) var<storage, read> arg1: array<f32>;
@group(0) @binding(3) var<storage, read_write> arg2: array<f32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;

fn load_arg0(at: u32) -> array<f32, 2> {
    var value: array<f32, 2>;
    for (var i1 = 0u; i1 < 2u; i1++) {
        let at1 = at + i1;
        value[i1] = bitcast<f32>(arg0[at1]);
    }
    return value;
}

fn store_arg0(at: u32, given: array<f32, 2>) {
    var value = given;
    for (var i1 = 0u; i1 < 2u; i1++) {
        let at1 = at + i1;
        arg0[at1] = bitcast<u32>(value[i1]);
    }
}

// Where the first element of the thread's line lies.
var<private> line0: u32 = 0u;

fn view0(i: u32, site: u32) -> array<f32, 2> {
    if (i >= params.extent0_0) {
        skel_note(site);
        return array<f32, 2>();
    }
    return load_arg0((line0 + i * params.pitch0_0) * 2u);
}

fn put0(i: u32, value: array<f32, 2>, site: u32) {
    if (i >= params.extent0_0) {
        skel_note(site);
        return;
    }
    store_arg0((line0 + i * params.pitch0_0) * 2u, value);
}

// Where the first element of the thread's line lies.
var<private> line1: u32 = 0u;

fn view1(i: u32, site: u32) -> f32 {
    if (i >= params.extent1_0) {
        skel_note(site);
        return f32();
    }
    return arg1[line1 + i * params.pitch1_0];
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
    line0 = params.offset0 + (params.base + at) / params.pitch0_0 * (params.extent0_0 * params.pitch0_0) + (params.base + at) % params.pitch0_0;
    line1 = params.offset1 + (params.base + at) / params.pitch1_0 * (params.extent1_0 * params.pitch1_0) + (params.base + at) % params.pitch1_0;
    let value = eliminate_f0v0v1();
    if (skel_trap != 0u) {
        atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
        return;
    }
    arg2[params.offset2 + at] = value;
}
