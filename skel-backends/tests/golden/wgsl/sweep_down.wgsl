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

fn swept_f0v0(b_1: i32) -> i32 {
    return near0(0i, 0i) + skel_div_i32(near0(-1i, 0i), b_1, 1u);
}

struct Params {
    hyperplane: u32,
    tiles0: u32,
    tiles1: u32,
    tiles2: u32,
    first_tile0: u32,
    first_tile1: u32,
    planes: u32,
    rows: u32,
    columns: u32,
    base: u32,
    offset0: u32,
    pad0: i32,
    offset1: u32,
    status: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> arg0: array<i32>;
@group(0) @binding(2) var<storage, read> arg1: array<i32>;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;

// The places of the thread's element.
var<private> sweep_plane: i32 = 0i;
var<private> sweep_row: i32 = 0i;
var<private> sweep_column: i32 = 0i;

fn near0(d_row: i32, d_column: i32) -> i32 {
    let last_row = i32(params.rows) - 1i;
    let to_row = clamp(sweep_row + d_row, 0i, last_row);
    let last_column = i32(params.columns) - 1i;
    let to_column = clamp(sweep_column + d_column, 0i, last_column);
    if (to_row != sweep_row + d_row || to_column != sweep_column + d_column) {
        return params.pad0;
    }
    return arg0[params.offset0 + (u32(last_row - to_row)) * params.columns + u32(to_column)];
}

fn sweep_element(at: u32, number: u32) {
    let value = swept_f0v0(arg1[params.offset1 + at]);
    if (skel_trap != 0u) {
        atomicMin(&status[params.status + skel_trap - 1u], number);
        skel_trap = 0u;
        return;
    }
    arg0[params.offset0 + at] = value;
}

// The tiles of one hyperplane, of 1 planes, 64 rows and 64 columns each: in every turn the elements of
// one hyperplane of the tile.
@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    // Two dimensions of groups, since one does not reach far enough.
    let tile = group.y * groups.x + group.x;
    let tile_plane = params.first_tile0 + tile / params.tiles1;
    let tile_row = params.first_tile1 + tile % params.tiles1;
    let before = tile_row;
    if (tile / params.tiles1 >= params.tiles0 || params.hyperplane < before || params.hyperplane - before >= params.tiles2) {
        return;
    }
    let ahead_plane = lane / 64u;
    let ahead_row = lane % 64u;
    let ahead = ahead_plane + ahead_row;
    let plane = tile_plane * 1u + ahead_plane;
    let row = tile_row * 64u + ahead_row;
    let first = (params.hyperplane - before) * 64u;
    let is_there = plane < params.planes && row < params.rows;
    for (var turn = 0u; turn < 127u; turn += 1u) {
        let column = first + turn - ahead;
        if (is_there && turn >= ahead && turn - ahead < 64u && column < params.columns) {
            sweep_plane = i32(plane);
            sweep_row = i32(row);
            sweep_column = i32(column);
            let at = (plane * params.rows + (params.rows - 1u - row)) * params.columns + column;
            sweep_element(at, (plane * params.rows + row) * params.columns + column);
        }
        storageBarrier();
    }
}
