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

fn repeat0(x: u32) -> array<u32, 2> {
    var all: array<u32, 2>;
    for (var i = 0u; i < 2u; i++) {
        all[i] = x;
    }
    return all;
}

fn move_all_f0(a_0: ptr<function, u32>, b_1: ptr<function, u32>) {
    (*b_1) = (*a_0) + (*b_1);
    (*a_0) = 0u;
    return;
}

fn sides_f1(a_0: u32) -> array<u32, 2> {
    if (a_0 > 1u) {
        skel_note(1u);
        return array<u32, 2>();
    }
    var b_1: array<u32, 2> = repeat0(a_0);
    var c_2: u32 = 7u;
    let at0 = skel_index(a_0, 2u, 2u);
    var part1 = b_1[at0];
    move_all_f0(&c_2, &part1);
    b_1[at0] = part1;
    if (skel_trap != 0u) {
        return array<u32, 2>();
    }
    return b_1;
}

struct Params {
    count: u32,
    offset0: u32,
    offset1: u32,
    first: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<u32>;
@group(0) @binding(2) var<storage, read_write> arg1: array<u32>;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;

fn store_arg1(at: u32, given: array<u32, 2>) {
    var value = given;
    for (var i1 = 0u; i1 < 2u; i1++) {
        let at1 = at + i1;
        arg1[at1] = value[i1];
    }
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
    let value = sides_f1(arg0[params.offset0 + at]);
    if (skel_trap != 0u) {
        atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
        return;
    }
    store_arg1(params.offset1 + at * 2u, value);
}
