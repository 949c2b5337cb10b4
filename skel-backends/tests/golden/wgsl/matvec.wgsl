// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn skel_note(site: u32) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

// The element at hand, counted in the whole index space: whose row or column it is.
var<private> skel_current: u32 = 0u;

fn skel_add_usize(a: u32, b: u32, site: u32) -> u32 {
    if (a > 4294967295u - b) {
        skel_note(site);
    }
    return a + b;
}

fn term_f0v0v1(c_2: u32) -> f32 {
    return view0(c_2, 2u) * view1(c_2, 3u);
}

fn matvec_f1v0v1() -> f32 {
    if (skel_trap != 0u) {
        return f32();
    }
    var c_2: f32 = 0.0f;
    var d_3: u32 = 0u;
    loop {
        if (skel_trap != 0u) {
            return f32();
        }
        if (d_3 >= params.extent0_0) {
            return c_2;
        }
        c_2 = c_2 + term_f0v0v1(d_3);
        if (skel_trap != 0u) {
            return f32();
        }
        continuing {
            d_3 = skel_add_usize(d_3, 1u, 1u);
        }
    }
    return f32();
}

struct Params {
    count: u32,
    extent0_0: u32,
    base: u32,
    per_row: u32,
    extent1_0: u32,
    offset2: u32,
    first: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<f32>;
@group(0) @binding(2) var<storage, read> arg1: array<f32>;
@group(0) @binding(3) var<storage, read_write> arg2: array<f32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;

fn view0(i0: u32, site: u32) -> f32 {
    if (i0 >= params.extent0_0) {
        skel_note(site);
        return f32();
    }
    return arg0[(skel_current / params.per_row) * params.extent0_0 + i0];
}

fn view1(i0: u32, site: u32) -> f32 {
    if (i0 >= params.extent1_0) {
        skel_note(site);
        return f32();
    }
    return arg1[i0];
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
    skel_current = (params.base + at);
    let value = matvec_f1v0v1();
    if (skel_trap != 0u) {
        atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
        return;
    }
    arg2[params.offset2 + at] = value;
}
