fn sweep_element(at: u32, number: u32) {
    ${stop}
    ${load}
    ${apply}
    ${trap}
    ${store}
}

// The tiles of one hyperplane, of ${planes} planes, ${rows} rows and ${columns} columns each: in every turn the elements of
// one hyperplane of the tile.
@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    // Two dimensions of groups, since one does not reach far enough.
    let tile = group.y * groups.x + group.x;
    let tile_plane = params.first_tile0 + tile / params.tiles1;
    let tile_row = params.first_tile1 + tile % params.tiles1;
    let before = ${before};
    if (tile / params.tiles1 >= params.tiles0 || params.hyperplane < before || params.hyperplane - before >= params.tiles2) {
        return;
    }
    let ahead_plane = lane / ${rows}u;
    let ahead_row = lane % ${rows}u;
    let ahead = ahead_plane + ahead_row;
    let plane = tile_plane * ${planes}u + ahead_plane;
    let row = tile_row * ${rows}u + ahead_row;
    let first = (params.hyperplane - before) * ${columns}u;
    let is_there = plane < params.planes && row < params.rows;
    for (var turn = 0u; turn < ${turns}u; turn += 1u) {
        let column = first + turn - ahead;
        if (is_there && turn >= ahead && turn - ahead < ${columns}u && column < params.columns) {
            sweep_plane = i32(plane);
            sweep_row = i32(row);
            sweep_column = i32(column);
            let at = (${at_plane} * params.rows + ${at_row}) * params.columns + ${at_column};
            sweep_element(at, (plane * params.rows + row) * params.columns + column);
        }
        storageBarrier();
    }
}
