//! LU's part of a step by plain loops, which go over inner points alone.

use super::{
    plain::Plain,
    solver::lu::{advance, alone, from_all},
};

impl Plain {
    pub(crate) fn over_relax(&mut self) {
        self.lower();
        self.upper();
        for (u, change) in self.u.iter_mut().zip(&self.change) {
            advance(u, *change);
        }
        self.points();
        self.explicit();
    }

    fn lower(&mut self) {
        let [nz, ny, nx] = self.size;
        let (r, p) = (&mut self.change, &self.points);
        for z in 1..nz - 1 {
            for y in 1..ny - 1 {
                for x in 1..nx - 1 {
                    let at = (z * ny + y) * nx + x;
                    let [in_x, in_y, in_z] =
                        [1, nx, nx * ny].map(|stride| (r[at - stride], p[at - stride]));
                    let before = from_all(in_x, in_y, in_z, -1.0, self.grid);
                    let mut rest = r[at];
                    for m in 0..5 {
                        rest[m] -= before[m];
                    }
                    r[at] = alone(rest, p[at], self.grid);
                }
            }
        }
    }

    fn upper(&mut self) {
        let [nz, ny, nx] = self.size;
        let (r, p) = (&mut self.change, &self.points);
        for z in (1..nz - 1).rev() {
            for y in (1..ny - 1).rev() {
                for x in (1..nx - 1).rev() {
                    let at = (z * ny + y) * nx + x;
                    let [in_x, in_y, in_z] =
                        [1, nx, nx * ny].map(|stride| (r[at + stride], p[at + stride]));
                    let behind = from_all(in_x, in_y, in_z, 1.0, self.grid);
                    let off = alone(behind, p[at], self.grid);
                    for m in 0..5 {
                        r[at][m] -= off[m];
                    }
                }
            }
        }
    }
}
