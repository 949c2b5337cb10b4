//! Programs over grids of tiles and blocks.

use crate::{
    HandleId, MemoryNode,
    sim::{Program, patterns::factor::flops},
};

/// Tiles on the host, by rows.
pub(super) fn tiles(
    program: &mut Program,
    rows: usize,
    columns: usize,
    bytes: u64,
) -> Vec<Vec<HandleId>> {
    let mut row = || {
        let row = (0..columns).map(|_| program.data_at(bytes, MemoryNode::HOST));
        row.collect()
    };
    (0..rows).map(|_| row()).collect()
}

/// The product C += A·B of `n` × `n` tiles of `tile`² doubles: n³ tasks of the kind `gemm`, with operations as work.
///
/// ```
/// # use skel_tasks::sim::patterns;
/// assert_eq!(patterns::gemm(5, 960).len(), 125);
/// ```
#[must_use]
pub fn gemm(n: usize, tile: u64) -> Program {
    let mut program = Program::new(format!("product of {n} × {n} tiles"));
    let kind = program.kind("gemm");
    let bytes = tile.saturating_mul(tile).saturating_mul(8);
    let [a, b, c] = [(); 3].map(|()| tiles(&mut program, n, n, bytes));
    for k in 0..n {
        for row in 0..n {
            for column in 0..n {
                let task = program.task(kind).reads(a[row][k]).reads(b[k][column]);
                task.updates(c[row][column]).work(flops(tile, 6)).add();
            }
        }
    }
    program
}

/// A stencil over a row of blocks with two copies each, of which one is read and the other written in turn: a block
/// reads itself and its neighbours. Tasks of the kind `stencil`, with bytes as work.
///
/// ```
/// # use skel_tasks::sim::patterns;
/// assert_eq!(patterns::stencil_1d(10, 4, 1 << 20).len(), 40);
/// ```
#[must_use]
pub fn stencil_1d(blocks: usize, steps: usize, bytes: u64) -> Program {
    let name = format!("stencil of {blocks} blocks, {steps} steps");
    stencil(name, 1, blocks, steps, bytes)
}

/// The same over `blocks` × `blocks` blocks, each of which reads itself and four neighbours.
///
/// ```
/// # use skel_tasks::sim::patterns;
/// assert_eq!(patterns::stencil_2d(10, 4, 1 << 20).len(), 400);
/// ```
#[must_use]
pub fn stencil_2d(blocks: usize, steps: usize, bytes: u64) -> Program {
    let name = format!("stencil of {blocks} × {blocks} blocks, {steps} steps");
    stencil(name, blocks, blocks, steps, bytes)
}

fn stencil(name: String, rows: usize, columns: usize, steps: usize, bytes: u64) -> Program {
    let mut program = Program::new(name);
    let kind = program.kind("stencil");
    let copies = [(); 2].map(|()| tiles(&mut program, rows, columns, bytes));
    for step in 0..steps {
        let (old, new) = (&copies[step % 2], &copies[(step + 1) % 2]);
        for row in 0..rows {
            for column in 0..columns {
                let mut task = program.task(kind).reads(old[row][column]);
                if row > 0 {
                    task = task.reads(old[row - 1][column]);
                }
                if row + 1 < rows {
                    task = task.reads(old[row + 1][column]);
                }
                if column > 0 {
                    task = task.reads(old[row][column - 1]);
                }
                if column + 1 < columns {
                    task = task.reads(old[row][column + 1]);
                }
                task.writes(new[row][column]).work(bytes).add();
            }
        }
    }
    program
}
