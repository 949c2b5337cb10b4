// The elements, each combined with all that precede it, operands in order, grouped as everywhere: see
// `skel_core::plan::grouping`. Each lane takes blocks of 16 elements.

@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    // Two dimensions of groups, since one does not reach far enough.
    let first_tile = (group.y * groups.x + group.x) * ${tiles}u;
    let begin = min(first_tile * ${tile_elems}u, params.count);
    let left = min(params.count - begin, ${tiles}u * ${tile_elems}u);
    for (var of_group = lane; of_group < ${tiles}u && of_group * ${tile_elems}u < left; of_group += ${lanes}u) {
        let leaf = params.first_leaf + params.slot + first_tile + of_group;
        ${find_before}
        set_before(of_group, total);
    }
    ${totals}
    workgroupBarrier();
    ${chunks}
    for (var place = lane; place * 16u < left${untrapped}; place += ${lanes}u) {
        let first = begin + place * 16u;
        let last = begin + min((place + 1u) * 16u, left);
        let of_group = place / ${blocks}u;
        var has = params.carried != 0u || params.slot + first_tile + of_group > 0u;
        var prefix = get_before(of_group);
        ${carry}
        ${histories}
        for (var at = first; at < last${untrapped}; at += 1u) {
            ${load}
            ${apply}
            ${leave}
            ${store_before}
            ${combine}
            ${store_after}
        }
    }
}
