// Nodes above those of `params.level`, as far as one group reaches. The last dispatch, of one group, also lists those
// that make up the launch.

// Where the node of `level` is that begins with leaf `first`, or, where nothing is in its right half, its left one.
fn place(first: u32, level: u32) -> u32 {
    let end = params.first_leaf + params.leaves;
    var here = level;
    while (here > 0u && first + (1u << (here - 1u)) >= end) {
        here -= 1u;
    }
    if (here == 0u) {
        return 2u * (first - params.first_leaf);
    }
    return 2u * (first + (1u << (here - 1u)) - params.first_leaf) - 1u;
}

@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    let end = params.first_leaf + params.leaves;
    let number = (params.first_leaf >> params.level) / ${lanes}u + params.slot + group.y * groups.x + group.x;
    let first = (number * ${lanes}u + lane) << params.level;
    let is_there = first >= params.first_leaf && first < end;
    var total: ${element};
    if (is_there) {
        total = ${value};
    }
    set_tile(lane, total);
    for (var reach = 1u; reach < ${lanes}u; reach *= 2u) {
        storageBarrier();
        workgroupBarrier();
        let right = first + (reach << params.level);
        if (is_there && lane % (2u * reach) == 0u && right < end${untrapped}) {
            total = ${operator}(total, get_tile(lane + reach));
            ${note}
            set_tile(lane, total);
            let at = 2u * (right - params.first_leaf) - 1u;
            ${store_total}
        }
    }
    storageBarrier();
    workgroupBarrier();
    var at = params.first_leaf;
    for (var node = 0u; at < params.to_leaf; node += 1u) {
        let level = min(countTrailingZeros(at), firstLeadingBit(params.to_leaf - at));
        if (node % ${lanes}u == lane) {
            let listed = place(at, level);
            ${store_node}
        }
        at += 1u << level;
    }
}
