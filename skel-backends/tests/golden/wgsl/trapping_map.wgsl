// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn skel_note(site: u32) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

// `site` stands for a zero divisor, the next one for overflow.
fn skel_div_i32(a: i32, b: i32, site: u32) -> i32 {
    if (b == 0i) {
        skel_note(site);
        return 0i;
    }
    if (b == -1i && a == i32(-2147483648)) {
        skel_note(site + 1u);
        return 0i;
    }
    return a / b;
}

fn ratio_f0(a_0: i32, b_1: i32) -> i32 {
    return skel_div_i32(a_0, b_1, 1u);
}

fn caller_f1(given_a_0: i32, b_1: i32) -> i32 {
    var a_0 = given_a_0;
    var c_2: i32 = ratio_f0(a_0, b_1);
    if (skel_trap != 0u) {
        return i32();
    }
    if (c_2 < 0i) {
        a_0 = i32(-2147483648);
    }
    return a_0 + c_2;
}

struct Params {
    count: u32,
    offset0: u32,
    offset1: u32,
    offset2: u32,
    first: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<i32>;
@group(0) @binding(2) var<storage, read> arg1: array<i32>;
@group(0) @binding(3) var<storage, read_write> arg2: array<i32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;

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
    let value = caller_f1(arg0[params.offset0 + at], arg1[params.offset1 + at]);
    if (skel_trap != 0u) {
        atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
        return;
    }
    arg2[params.offset2 + at] = value;
}
