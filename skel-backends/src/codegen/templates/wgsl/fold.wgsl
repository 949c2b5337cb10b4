// A value of each leaf, an aligned group of tiles; in scans, of each tile. Tiles are combined as everywhere: see
// `skel_core::plan::grouping`.

@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    let tiles = 1u << params.level;
    // Two dimensions of groups, since one does not reach far enough.
    let leaf = group.y * groups.x + group.x;
    let begin = min(leaf * tiles * ${tile_elems}u, params.count);
    let left = min(params.count - begin, tiles * ${tile_elems}u);
    // No lane leaves before the end, for all must meet.
    ${gather}
    ${store}
}
