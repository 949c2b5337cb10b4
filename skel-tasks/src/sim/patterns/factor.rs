//! Tiled factorisations of dense matrices (Buttari et al. 2009).

use crate::{
    HandleId, MemoryNode,
    sim::{Program, patterns::grid::tiles},
};

/// Operations of a kernel on tiles of `tile`² elements, of which it does `thirds`/3 · `tile`³.
pub(super) fn flops(tile: u64, thirds: u64) -> u64 {
    tile.saturating_pow(3).saturating_mul(thirds) / 3
}

/// The factorisation A = L·Lᵀ of `n` × `n` tiles of `tile`² doubles: n(n+1)(n+2)/6 tasks of the kinds `potrf`,
/// `trsm`, `syrk` and `gemm`, with operations as work. Priorities are higher the longer the path that follows.
///
/// ```
/// use skel_tasks::sim::patterns;
///
/// assert_eq!(patterns::cholesky(16, 960).len(), 16 * 17 * 18 / 6);
/// ```
#[must_use]
pub fn cholesky(n: usize, tile: u64) -> Program {
    let mut program = Program::new(format!("Cholesky of {n} × {n} tiles"));
    let [potrf, trsm, syrk, gemm] =
        ["potrf", "trsm", "syrk", "gemm"].map(|kind| program.kind(kind));
    let bytes = tile.saturating_mul(tile).saturating_mul(8);
    // The lower triangle, by rows.
    let mut lower = Vec::new();
    for row in 0..n {
        let tiles = (0..=row).map(|_| program.data_at(bytes, MemoryNode::HOST));
        lower.push(tiles.collect::<Vec<HandleId>>());
    }
    for k in 0..n {
        // Three kernels follow each other per column that is left.
        let left = |column: usize| 3 * (n - column) as i32;
        let task = program.task(potrf).updates(lower[k][k]);
        task.work(flops(tile, 1)).priority(left(k)).add();
        for row in k + 1..n {
            let task = program.task(trsm).reads(lower[k][k]).updates(lower[row][k]);
            task.work(flops(tile, 3)).priority(left(row) + 1).add();
        }
        for row in k + 1..n {
            for column in k + 1..row {
                let task = program.task(gemm).reads(lower[row][k]);
                let task = task.reads(lower[column][k]).updates(lower[row][column]);
                task.work(flops(tile, 6)).priority(left(row)).add();
            }
            let task = program
                .task(syrk)
                .reads(lower[row][k])
                .updates(lower[row][row]);
            task.work(flops(tile, 3)).priority(left(row)).add();
        }
    }
    program
}

/// The factorisation A = Q·R of `n` × `n` tiles of `tile`² doubles with a flat tree: tasks of the kinds `geqrt`,
/// `unmqr`, `tsqrt` and `tsmqr`, with operations as work.
///
/// ```
/// use skel_tasks::sim::patterns;
///
/// let n = 8;
/// assert_eq!(patterns::qr(n, 960).len(), n * (n + 1) * (2 * n + 1) / 6);
/// ```
#[must_use]
pub fn qr(n: usize, tile: u64) -> Program {
    let mut program = Program::new(format!("QR of {n} × {n} tiles"));
    let [geqrt, unmqr, tsqrt, tsmqr] =
        ["geqrt", "unmqr", "tsqrt", "tsmqr"].map(|kind| program.kind(kind));
    let bytes = tile.saturating_mul(tile).saturating_mul(8);
    let a = tiles(&mut program, n, n, bytes);
    // Reflectors' triangular factors; of a tile's width, and much less high.
    let factors = (0..n * n).map(|_| program.data(bytes / 16));
    let t: Vec<HandleId> = factors.collect();
    for k in 0..n {
        let left = (n - k) as i32;
        let task = program.task(geqrt).updates(a[k][k]).writes(t[k * n + k]);
        task.work(flops(tile, 4)).priority(4 * left).add();
        for column in k + 1..n {
            let task = program.task(unmqr).reads(a[k][k]).reads(t[k * n + k]);
            let task = task.updates(a[k][column]);
            task.work(flops(tile, 6)).priority(4 * left - 2).add();
        }
        for row in k + 1..n {
            let task = program.task(tsqrt).updates(a[k][k]).updates(a[row][k]);
            let task = task.writes(t[row * n + k]);
            task.work(flops(tile, 6)).priority(4 * left - 1).add();
            for column in k + 1..n {
                let task = program.task(tsmqr).reads(a[row][k]).reads(t[row * n + k]);
                let task = task.updates(a[k][column]).updates(a[row][column]);
                task.work(flops(tile, 12)).priority(4 * left - 3).add();
            }
        }
    }
    program
}
