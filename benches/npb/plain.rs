//! A zone by plain loops over plain arrays, in the same order of operations: what is common, and SP. What a line
//! leaves for its way back is kept for one line at a time.

use super::solver::{
    bt::Block,
    equations::{
        C1C5, C3C4, CON43, DISSIPATION, Direction, Grid, Point, State, advance, point, sum,
    },
    rhs::along,
    sp::{Rows, diagonalise, turn},
    zone::Zone,
};
use skel::{Result, tasks::npb_mz::Benchmark};

pub(crate) struct Plain {
    benchmark: Benchmark,
    pub(crate) grid: Grid,
    pub(crate) size: [usize; 3],
    pub(crate) u: Vec<State>,
    pub(crate) points: Vec<Point>,
    forcing: Vec<State>,
    pub(crate) change: Vec<State>,
    rows: Vec<Rows>,
    pub(crate) blocks: Vec<Block>,
}

impl Plain {
    /// A copy of a zone.
    pub(crate) fn of(benchmark: Benchmark, zone: &Zone) -> Result<Plain> {
        let u = zone.u.host()?.to_vec();
        let grid = zone.grid;
        let size = [grid.nz, grid.ny, grid.nx].map(|n| n as usize);
        let longest = size.into_iter().max().unwrap_or(0);
        let points: Vec<Point> = u.iter().map(|u| point(*u)).collect();
        let mut plain = Plain {
            benchmark,
            size,
            grid,
            points,
            forcing: zone.forcing.host()?.to_vec(),
            change: vec![[0.0; 5]; u.len()],
            rows: vec![[0.0; 6]; longest],
            blocks: vec![[[0.0; 5]; 5]; longest],
            u,
        };
        plain.explicit();
        Ok(plain)
    }

    pub(crate) fn u(&self) -> &[State] {
        &self.u
    }

    pub(crate) fn step(&mut self) {
        match self.benchmark {
            Benchmark::Lu => self.over_relax(),
            Benchmark::Sp | Benchmark::Bt => self.alternate(),
        }
    }

    pub(crate) fn points(&mut self) {
        for (p, u) in self.points.iter_mut().zip(&self.u) {
            *p = point(*u);
        }
    }

    fn alternate(&mut self) {
        self.points();
        self.explicit();
        if self.benchmark == Benchmark::Sp {
            for (change, p) in self.change.iter_mut().zip(&self.points) {
                diagonalise(change, *p);
            }
        }
        for axis in [2, 1, 0] {
            self.solve(axis);
        }
        for (u, change) in self.u.iter_mut().zip(&self.change) {
            advance(u, *change);
        }
    }

    pub(crate) fn explicit(&mut self) {
        let [nz, ny, nx] = self.size;
        let (p, grid) = (&self.points, &self.grid);
        self.change.fill([0.0; 5]);
        for z in 1..nz - 1 {
            for y in 1..ny - 1 {
                for x in 1..nx - 1 {
                    let at = (z * ny + y) * nx + x;
                    let in_direction = |i: usize, n: usize, stride: usize| {
                        let before2 = if i > 1 { at - 2 * stride } else { at - stride };
                        let after2 = if i + 2 < n {
                            at + 2 * stride
                        } else {
                            at + stride
                        };
                        ((p[before2].u, p[after2].u), p[at - stride], p[at + stride])
                    };
                    let (far, before, after) = in_direction(x, nx, 1);
                    let of_x = along::<0>(far, before, p[at], after, x, nx, grid.directions[0]);
                    let (far, before, after) = in_direction(y, ny, nx);
                    let of_y = along::<1>(far, before, p[at], after, y, ny, grid.directions[1]);
                    let (far, before, after) = in_direction(z, nz, nx * ny);
                    let of_z = along::<2>(far, before, p[at], after, z, nz, grid.directions[2]);
                    let all = sum(self.forcing[at], sum(sum(of_x, of_y), of_z));
                    self.change[at] = all.map(|c| c * grid.dt);
                }
            }
        }
    }

    /// Solves all lines along an axis.
    pub(crate) fn solve(&mut self, axis: usize) {
        let [nz, ny, nx] = self.size;
        match axis {
            2 => (1..nz - 1).for_each(|z| {
                (1..ny - 1).for_each(|y| self.line::<0>((z * ny + y) * nx, 1, nx));
            }),
            1 => (1..nz - 1).for_each(|z| {
                (1..nx - 1).for_each(|x| self.line::<1>(z * ny * nx + x, nx, ny));
            }),
            _ => (1..ny - 1).for_each(|y| {
                (1..nx - 1).for_each(|x| self.line::<2>(y * nx + x, ny * nx, nz));
            }),
        }
    }

    fn line<const A: usize>(&mut self, first: usize, stride: usize, n: usize) {
        match self.benchmark {
            Benchmark::Bt => self.block_line::<A>(first, stride, n),
            Benchmark::Sp | Benchmark::Lu => self.scalar_line::<A>(first, stride, n),
        }
    }

    fn scalar_line<const A: usize>(&mut self, first: usize, stride: usize, n: usize) {
        let (p, r, rows) = (&self.points, &mut self.change, &mut self.rows);
        let (k, dt) = (self.grid.directions[A], self.grid.dt);
        let (t1, t2, z) = (dt * k.t1, dt * k.t2, dt * DISSIPATION);
        let at = |i: usize| first + i * stride;
        let (mut f2, mut f1) = ([0.0; 6], [0.0; 6]);
        let (mut r2, mut r1) = ([0.0; 5], [0.0; 5]);
        for i in 1..n - 1 {
            let (before, here, after) = (&p[at(i - 1)], &p[at(i)], &p[at(i + 1)]);
            let far = if i > 2 { z } else { 0.0 };
            let middle = if i == 1 || i + 2 == n {
                5.0 * z
            } else {
                6.0 * z
            };
            let near_before = if i > 1 { 4.0 * z } else { 0.0 };
            let near_after = if i + 2 < n { 4.0 * z } else { 0.0 };
            let far_after = if i + 3 < n { z } else { 0.0 };
            let b = -t2 * before.v[A] - t1 * viscous(before, &k) - near_before;
            let c = 1.0 + 2.0 * t1 * viscous(here, &k) + middle;
            let d = t2 * after.v[A] - t1 * viscous(after, &k) - near_after;
            let mut f = [0.0; 6];
            let (mut low, mut scale) = ([0.0; 3], [0.0; 3]);
            for (s, t) in [0.0, t2, -t2].into_iter().enumerate() {
                low[s] = b - t * before.speed - far * f2[2 * s];
                scale[s] = 1.0 / (c - far * f2[2 * s + 1] - low[s] * f1[2 * s]);
                f[2 * s] = (d + t * after.speed - low[s] * f1[2 * s + 1]) * scale[s];
                f[2 * s + 1] = far_after * scale[s];
            }
            let mut x = r[at(i)];
            for m in 0..5_usize {
                let s = m.saturating_sub(2);
                x[m] = (x[m] - far * r2[m] - low[s] * r1[m]) * scale[s];
            }
            r[at(i)] = x;
            rows[i] = f;
            (f2, f1) = (f1, f);
            (r2, r1) = (r1, x);
        }
        let (mut x2, mut x1) = ([0.0; 5], [0.0; 5]);
        for i in (1..n - 1).rev() {
            let (f, mut x) = (rows[i], r[at(i)]);
            for m in 0..5_usize {
                let s = m.saturating_sub(2);
                x[m] -= f[2 * s] * x1[m] + f[2 * s + 1] * x2[m];
            }
            r[at(i)] = turn::<A>(x, p[at(i)]);
            (x2, x1) = (x1, x);
        }
    }
}

fn viscous(p: &Point, k: &Direction) -> f64 {
    let mu = C3C4 * p.rho_i;
    (k.d + CON43 * mu).max(k.d + C1C5 * mu).max(k.d)
}
