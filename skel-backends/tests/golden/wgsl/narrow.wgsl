// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn skel_note(site: u32) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

fn skel_to_i8(x: i32) -> i32 {
    return (x << 24u) >> 24u;
}

fn skel_to_u16(x: u32) -> u32 {
    return x & 0xffffu;
}

fn skel_low_u64(x: u64) -> u32 {
    return u32(x & 0xfffffffflu);
}

fn skel_rem_i64(a: i64, b: i64, site: u32) -> i64 {
    if (b == 0li) {
        skel_note(site);
        return 0li;
    }
    if (b == -1li && bitcast<u64>(a) == 0x8000000000000000lu) {
        skel_note(site + 1u);
        return 0li;
    }
    return a - (a / b) * b;
}

fn skel_i32_to_i64(x: i32) -> i64 {
    return i64(x);
}

fn narrow_f0(a_0: i32, b_1: i64) -> u32 {
    return skel_to_u16(skel_low_u64(bitcast<u64>(skel_rem_i64(skel_i32_to_i64(skel_to_i8(a_0 * a_0)), b_1, 1u))));
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
@group(0) @binding(2) var<storage, read> arg1: array<i64>;
@group(0) @binding(3) var<storage, read_write> arg2: array<u32>;
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
    let value = narrow_f0(arg0[params.offset0 + at], arg1[params.offset1 + at]);
    if (skel_trap != 0u) {
        atomicMin(&status[params.status + skel_trap - 1u], params.first + at);
        return;
    }
    arg2[params.offset2 + at] = value;
}
