//! The QR factorisation of a sparse matrix by fronts (Duff and Reid 1983; Agullo et al. 2013).

use crate::{
    HandleId, KindId, MemoryNode,
    sim::{Program, patterns::factor::flops},
};

/// The multifrontal factorisation A = Q·R of a sparse matrix whose columns are ordered by nested dissection: a binary
/// tree of `levels` levels of dense *fronts*, of which the root has `root` × `root` tiles of `tile`² doubles in R. A
/// front has its own columns, a third fewer with each level, and those of its ancestors that it touches: all own columns of
/// its parent, and half of the others. It is factorised by tiles with a flat tree, as [`qr`](super::qr) is; what its R has
/// of the ancestors' columns becomes rows of its parent. Tiles that are zero have no tasks.
///
/// Tasks are of the kinds `geqrt`, `unmqr`, `tsqrt` and `tsmqr`, with operations as work, and are submitted front by
/// front, children first. Rows are stacked where they lie, so there is no task that assembles a front.
///
/// ```
/// use skel_tasks::sim::patterns;
///
/// // One front whose rows are twice its columns: dense QR of 6 × 3 tiles.
/// let dense: usize = (0..3).map(|k| (6 - k) * (3 - k)).sum();
/// assert_eq!(patterns::multifrontal_qr(1, 3, 256).len(), dense);
/// assert!(patterns::multifrontal_qr(3, 3, 256).len() > 5 * dense);
/// ```
#[must_use]
pub fn multifrontal_qr(levels: u32, root: usize, tile: u64) -> Program {
    let name = format!("multifrontal QR, {levels} levels, {root} × {root} tiles at the root");
    let mut program = Program::new(name);
    let kinds = ["geqrt", "unmqr", "tsqrt", "tsmqr"].map(|kind| program.kind(kind));
    let mut fronts = Fronts {
        program,
        kinds,
        levels,
        tile,
    };
    fronts.front(0, root, 0);
    fronts.program
}

/// The tiles of a row by column; none where the matrix is zero.
type Row = Vec<Option<HandleId>>;

struct Fronts {
    program: Program,
    kinds: [KindId; 4],
    levels: u32,
    tile: u64,
}

impl Fronts {
    fn bytes(&self) -> u64 {
        self.tile.saturating_mul(self.tile).saturating_mul(8)
    }

    /// Factorises the subtree of a front with so many columns of its own and of its ancestors. Gives the rows that are left
    /// for its parent: triangular, over the columns of the ancestors.
    fn front(&mut self, level: u32, own: usize, others: usize) -> Vec<Row> {
        let columns = own + others;
        let mut rows = Vec::new();
        if level + 1 >= self.levels {
            // Of the matrix itself: as many rows as a front has that is assembled of two.
            let bytes = self.bytes();
            let mut row = || {
                let tiles = (0..columns).map(|_| program_tile(&mut self.program, bytes));
                tiles.collect()
            };
            rows.extend((0..own + columns).map(|_| row()));
        } else {
            let half = others / 2;
            for (from, count) in [(own, half), (own + half, others - half)] {
                let childs_own = (own * 2).div_ceil(3).max(1);
                let left = self.front(level + 1, childs_own, own + count);
                // The child's columns among those of this front.
                let at: Vec<usize> = (0..own).chain(from..from + count).collect();
                rows.extend(left.into_iter().map(|tiles| {
                    let mut row = vec![None; columns];
                    for (column, tile) in at.iter().zip(tiles) {
                        row[*column] = tile;
                    }
                    row
                }));
            }
        }
        self.factorise(rows, columns)
            .split_off(own)
            .into_iter()
            .map(|mut row| row.split_off(own))
            .collect()
    }

    /// Rows of R, by elimination of one column after the other.
    fn factorise(&mut self, mut rows: Vec<Row>, columns: usize) -> Vec<Row> {
        let mut done = Vec::new();
        for k in 0..columns {
            let Some(first) = rows.iter().position(|row| row[k].is_some()) else {
                done.push(vec![None; columns]);
                continue;
            };
            let mut pivot = rows.remove(first);
            self.triangle(&pivot, k);
            for row in &mut rows[first..] {
                self.eliminate(&mut pivot, row, k);
            }
            done.push(pivot);
        }
        done
    }

    fn triangle(&mut self, pivot: &Row, k: usize) {
        let Some(diagonal) = pivot[k] else { return };
        let [geqrt, unmqr, ..] = self.kinds;
        let t = self.program.data(self.bytes() / 16);
        let task = self.program.task(geqrt).updates(diagonal).writes(t);
        task.work(flops(self.tile, 4)).add();
        for tile in pivot[k + 1..].iter().flatten() {
            let task = self.program.task(unmqr).reads(diagonal).reads(t);
            task.updates(*tile).work(flops(self.tile, 6)).add();
        }
    }

    /// Makes the row zero in a column, by the pivot's row.
    fn eliminate(&mut self, pivot: &mut Row, row: &mut Row, k: usize) {
        let (Some(diagonal), Some(below)) = (pivot[k], row[k].take()) else {
            return;
        };
        let [.., tsqrt, tsmqr] = self.kinds;
        let t = self.program.data(self.bytes() / 16);
        let task = self.program.task(tsqrt).updates(diagonal).updates(below);
        task.writes(t).work(flops(self.tile, 6)).add();
        for column in k + 1..pivot.len() {
            if pivot[column].is_none() && row[column].is_none() {
                continue;
            }
            // Where one of the two is zero, it is filled in.
            let bytes = self.bytes();
            let new = [pivot[column], row[column]].map(|tile| match tile {
                Some(tile) => (tile, false),
                None => (self.program.data(bytes), true),
            });
            let mut task = self.program.task(tsmqr).reads(below).reads(t);
            for (tile, is_new) in new {
                task = match is_new {
                    true => task.writes(tile),
                    false => task.updates(tile),
                };
            }
            task.work(flops(self.tile, 12)).add();
            (pivot[column], row[column]) = (Some(new[0].0), Some(new[1].0));
        }
    }
}

fn program_tile(program: &mut Program, bytes: u64) -> Option<HandleId> {
    Some(program.data_at(bytes, MemoryNode::HOST))
}
