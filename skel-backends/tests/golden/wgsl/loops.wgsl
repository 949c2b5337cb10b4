// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn pairs_f0(a_0: u32) -> u32 {
    if (skel_trap != 0u) {
        return u32();
    }
    var leaving = 0u;
    var b_1: u32 = 0u;
    var c_2: u32 = 0u;
    loop {
        if (c_2 >= a_0) {
            break;
        }
        var d_3: u32 = 0u;
        loop {
            if (d_3 >= a_0) {
                break;
            }
            if ((c_2 % 3u) == 0u) {
                leaving = 2u;
                break;
            }
            if ((c_2 * d_3) == a_0) {
                leaving = 1u;
                break;
            }
            b_1 = b_1 + 1u;
            continuing {
                d_3 = d_3 + 1u;
            }
        }
        if (leaving == 2u) {
            leaving = 0u;
            continue;
        }
        if (leaving == 1u) {
            leaving = 0u;
            break;
        }
        continuing {
            c_2 = c_2 + 1u;
        }
    }
    return b_1;
}

struct Params {
    count: u32,
    offset0: u32,
    offset1: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> arg0: array<u32>;
@group(0) @binding(2) var<storage, read_write> arg1: array<u32>;

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
    let value = pairs_f0(arg0[params.offset0 + at]);
    arg1[params.offset1 + at] = value;
}
