@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<f32>;

const GROUPS: u32 = 256;
var<workgroup> lanes: array<f32, 256>;

fn add_up(lane: u32) {
    for (var half = 128u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if lane < half {
            lanes[lane] += lanes[lane + half];
        }
    }
}

// One sum of each group, over elements that lie GROUPS * 256 apart.
@compute @workgroup_size(256)
fn groups(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    var sum = 0.0;
    for (var i = group.x * 256u + lane; i < arrayLength(&x); i += GROUPS * 256u) {
        sum += x[i] * y[i];
    }
    lanes[lane] = sum;
    add_up(lane);
    if lane == 0u {
        sums[1u + group.x] = lanes[0];
    }
}

// The sum of those, in front of them.
@compute @workgroup_size(256)
fn all(@builtin(local_invocation_index) lane: u32) {
    lanes[lane] = sums[1u + lane];
    add_up(lane);
    if lane == 0u {
        sums[0] = lanes[0];
    }
}
