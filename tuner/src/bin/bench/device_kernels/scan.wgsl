@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

// Elements of a block: eight of each lane.
const BLOCK: u32 = 2048;
const EACH: u32 = 8;
var<workgroup> lanes: array<u32, 256>;

fn block_of(group: vec3u, groups: vec3u) -> u32 {
    return group.y * groups.x + group.x;
}

// The sum of what precedes the lane in its group.
fn before(lane: u32, own: u32) -> u32 {
    lanes[lane] = own;
    for (var reach = 1u; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        var sum = lanes[lane];
        if lane >= reach {
            sum += lanes[lane - reach];
        }
        workgroupBarrier();
        lanes[lane] = sum;
    }
    workgroupBarrier();
    return lanes[lane] - own;
}

// The sum of each block.
@compute @workgroup_size(256)
fn reduce(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
          @builtin(local_invocation_index) lane: u32) {
    let block = block_of(group, groups);
    var sum = 0u;
    for (var k = 0u; k < EACH; k++) {
        let i = block * BLOCK + k * 256u + lane;
        if i < arrayLength(&x) {
            sum += x[i];
        }
    }
    let all = before(lane, sum) + sum;
    if lane == 255u && block < arrayLength(&sums) {
        sums[block] = all;
    }
}

// What precedes each block.
@compute @workgroup_size(256)
fn carries(@builtin(local_invocation_index) lane: u32) {
    let count = arrayLength(&sums);
    let each = (count + 255u) / 256u;
    var sum = 0u;
    for (var i = lane * each; i < min((lane + 1u) * each, count); i++) {
        sum += sums[i];
    }
    sum = before(lane, sum);
    for (var i = lane * each; i < min((lane + 1u) * each, count); i++) {
        let own = sums[i];
        sums[i] = sum;
        sum += own;
    }
}

@compute @workgroup_size(256)
fn scan(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) lane: u32) {
    let block = block_of(group, groups);
    let first = block * BLOCK + lane * EACH;
    var own: array<u32, EACH>;
    var sum = 0u;
    for (var k = 0u; k < EACH; k++) {
        if first + k < arrayLength(&x) {
            sum += x[first + k];
        }
        own[k] = sum;
    }
    let carry = before(lane, sum) + sums[min(block, arrayLength(&sums) - 1u)];
    for (var k = 0u; k < EACH; k++) {
        if first + k < arrayLength(&y) {
            y[first + k] = carry + own[k];
        }
    }
}
