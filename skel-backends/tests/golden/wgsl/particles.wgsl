// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn skel_note(site: u32) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

// An index of an array of `len` elements. Where it is none, the first element stands for what is not
// there.
fn skel_index(i: u32, len: u32, site: u32) -> u32 {
    if (i >= len) {
        skel_note(site);
        return 0u;
    }
    return i;
}

fn skel_low_u64(x: u64) -> u32 {
    return u32(x & 0xfffffffflu);
}

fn skel_high_u64(x: u64) -> u32 {
    return u32(x >> 32u);
}

fn skel_wide(low: u32, high: u32) -> u64 {
    return u64(low) | (u64(high) << 32u);
}

struct Particle_s0 {
    position_0: array<f32, 3>,
    mass_1: f64,
    alive_2: bool,
}

struct tuple_s1 {
    x0_0: f32,
    x1_1: u32,
}

var<private> table0: array<f32, 3> = array<f32, 3>(0.5f, 1.0f, 2.0f);

fn drift_f0(a_0: ptr<function, Particle_s0>, b_1: u32, c_2: tuple_s1) {
    let value0 = (*a_0).position_0[skel_index(b_1, 3u, 1u)] + (c_2.x0_0 * table0[skel_index(b_1, 3u, 2u)]);
    if (skel_trap != 0u) {
        return;
    }
    (*a_0).position_0[skel_index(b_1, 3u, 3u)] = value0;
    if (skel_trap != 0u) {
        return;
    }
    return;
}

struct Params {
    count: u32,
    offset0: u32,
    offset1: u32,
    uniform2: array<vec4<u32>, 1>,
    first: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> arg0: array<u32>;
@group(0) @binding(2) var<storage, read> arg1: array<u32>;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;

fn load_arg0(at: u32) -> Particle_s0 {
    var value: Particle_s0;
    for (var i1 = 0u; i1 < 3u; i1++) {
        let at1 = at + i1;
        value.position_0[i1] = bitcast<f32>(arg0[at1]);
    }
    value.mass_1 = bitcast<f64>(skel_wide(arg0[at + 3u], arg0[at + 4u]));
    value.alive_2 = arg0[at + 5u] != 0u;
    return value;
}

fn store_arg0(at: u32, given: Particle_s0) {
    var value = given;
    for (var i1 = 0u; i1 < 3u; i1++) {
        let at1 = at + i1;
        arg0[at1] = bitcast<u32>(value.position_0[i1]);
    }
    arg0[at + 3u] = skel_low_u64(bitcast<u64>(value.mass_1));
    arg0[at + 4u] = skel_high_u64(bitcast<u64>(value.mass_1));
    arg0[at + 5u] = select(0u, 1u, value.alive_2);
}

fn load_uniform2() -> tuple_s1 {
    var value: tuple_s1;
    value.x0_0 = bitcast<f32>(params.uniform2[0][0]);
    value.x1_1 = params.uniform2[0][1];
    return value;
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
    var changed0 = load_arg0(params.offset0 + at * 6u);
    drift_f0(&changed0, arg1[params.offset1 + at], load_uniform2());
    if (skel_trap != 0u) {
        atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
        return;
    }
    store_arg0(params.offset0 + at * 6u, changed0);
}
