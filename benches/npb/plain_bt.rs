//! BT's lines by plain loops.

use super::{
    plain::Plain,
    solver::bt::{Block, flux, viscous},
};

impl Plain {
    /// Eliminates a line's blocks downwards, and solves upwards.
    pub(crate) fn block_line<const A: usize>(&mut self, first: usize, stride: usize, n: usize) {
        let (p, r, blocks) = (&self.points, &mut self.change, &mut self.blocks);
        let (k, dt) = (self.grid.directions[A], self.grid.dt);
        let (t1, t2) = (dt * k.t1, dt * k.t2);
        let at = |i: usize| first + i * stride;
        let matrices = |i: usize| (flux::<A>(p[at(i)]), viscous::<A>(p[at(i)]));
        let (mut before, mut here) = (matrices(0), matrices(1));
        let (mut last_block, mut last) = ([[0.0; 5]; 5], [0.0; 5]);
        for i in 1..n - 1 {
            let after = matrices(i + 1);
            let (mut b, mut c): (Block, Block) = ([[0.0; 5]; 5], [[0.0; 5]; 5]);
            let mut x = r[at(i)];
            for m in 0..5 {
                for l in 0..5 {
                    b[m][l] = 2.0 * t1 * here.1[m][l];
                    c[m][l] = t2 * after.0[m][l] - t1 * after.1[m][l];
                }
                b[m][m] += 1.0 + 2.0 * t1 * k.d;
                c[m][m] -= t1 * k.d;
                for q in 0..5 {
                    let diagonal = if q == m { t1 * k.d } else { 0.0 };
                    let a = -t2 * before.0[m][q] - t1 * before.1[m][q] - diagonal;
                    x[m] -= a * last[q];
                    for l in 0..5 {
                        b[m][l] -= a * last_block[q][l];
                    }
                }
            }
            eliminate(&mut b, &mut c, &mut x);
            r[at(i)] = x;
            blocks[i] = c;
            (last_block, last) = (c, x);
            (before, here) = (here, after);
        }
        let mut behind = [0.0; 5];
        for i in (1..n - 1).rev() {
            let (c, mut x) = (&blocks[i], r[at(i)]);
            for m in 0..5 {
                for l in 0..5 {
                    x[m] -= c[m][l] * behind[l];
                }
            }
            r[at(i)] = x;
            behind = x;
        }
    }
}

/// `b⁻¹` times both others, by Gauss and Jordan.
fn eliminate(b: &mut Block, c: &mut Block, x: &mut [f64; 5]) {
    for q in 0..5 {
        let pivot = 1.0 / b[q][q];
        b[q][q + 1..].iter_mut().for_each(|b| *b *= pivot);
        c[q].iter_mut().for_each(|c| *c *= pivot);
        x[q] *= pivot;
        let (row_b, row_c, row_x) = (b[q], c[q], x[q]);
        for m in (0..5).filter(|m| *m != q) {
            let factor = b[m][q];
            for l in q + 1..5 {
                b[m][l] -= factor * row_b[l];
            }
            for l in 0..5 {
                c[m][l] -= factor * row_c[l];
            }
            x[m] -= factor * row_x;
        }
    }
}
