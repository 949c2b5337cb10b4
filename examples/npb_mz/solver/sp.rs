//! SP: the implicit part of a step is diagonalised, which leaves scalar pentadiagonal systems along lines.

use super::equations::{
    C1C5, C2, C3C4, CON43, DISSIPATION, Direction, Grid, Point, State, is_inner,
};
use skel::prelude::*;

/// √½.
const BT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// What remains of the rows of the three systems of a line when they have been eliminated: two numbers of each.
pub(crate) type Rows = [f64; 6];

/// From changes of the state to those of what each system solves for.
#[user_function]
pub(crate) fn diagonalise(r: &mut State, p: Point) {
    let ac = p.speed;
    let t1 = C2 / (ac * ac) * (p.qs * r[0] - p.v[0] * r[1] - p.v[1] * r[2] - p.v[2] * r[3] + r[4]);
    let t2 = BT * p.rho_i * (p.v[0] * r[0] - r[1]);
    let t3 = BT * p.rho_i * ac * t1;
    *r = [
        r[0] - t1,
        -p.rho_i * (p.v[2] * r[0] - r[3]),
        p.rho_i * (p.v[1] * r[0] - r[2]),
        t3 - t2,
        t2 + t3,
    ];
}

/// From what the systems along one direction solve for to that of the next; behind z, to changes of the state.
#[user_function]
pub(crate) fn turn<const A: usize>(r: State, p: Point) -> State {
    let half = 0.5 * (r[3] + r[4]);
    if A == 0 {
        let t = BT * r[2];
        [-r[1], r[0], BT * (r[3] - r[4]), half - t, half + t]
    } else if A == 1 {
        let t = BT * r[0];
        [BT * (r[3] - r[4]), -r[2], r[1], half - t, half + t]
    } else {
        let density = p.u[0];
        let (x, y, z) = (p.v[0], p.v[1], p.v[2]);
        let t1 = BT * density / p.speed * (r[3] + r[4]);
        let t2 = r[2] + t1;
        let t3 = BT * density * (r[3] - r[4]);
        [
            t2,
            -density * r[1] + x * t2,
            density * r[0] + y * t2,
            z * t2 + t3,
            density * (y * r[0] - x * r[1]) + p.qs * t2 + 2.5 * p.speed * p.speed * t1 + z * t3,
        ]
    }
}

/// The spectral radius of what is viscous.
#[user_function]
fn viscous(p: Point, k: Direction) -> f64 {
    let mu = C3C4 * p.rho_i;
    (k.d + CON43 * mu).max(k.d + C1C5 * mu).max(k.d)
}

/// Solves the three systems of a line along direction `A`, of which `r` has the right-hand sides: the first has three
/// of them, the others one each.
#[user_function]
pub(crate) fn solve<const A: usize>(
    r: &mut Line<State>,
    rows: &mut Line<Rows>,
    p: &Line<Point>,
    at: Index2,
    #[uniform] grid: Grid,
) {
    let n = r.len();
    let inside = if A == 0 {
        is_inner(1, at.col, at.row, grid)
    } else if A == 1 {
        is_inner(at.col, 1, at.row, grid)
    } else {
        is_inner(at.col, at.row, 1, grid)
    };
    if inside {
        let k = grid.directions[A];
        let (t1, t2) = (grid.dt * k.t1, grid.dt * k.t2);
        let z = grid.dt * DISSIPATION;
        let (mut before, mut here) = (p[0], p[1]);
        let (mut v_before, mut v_here) = (viscous(before, k), viscous(here, k));
        // Of the two rows before; those at both ends are the identity.
        let (mut f2, mut f1) = ([0.0; 6], [0.0; 6]);
        let (mut r2, mut r1) = ([0.0; 5], [0.0; 5]);
        for i in 1..n - 1 {
            let after = p[i + 1];
            let v_after = viscous(after, k);
            let far = if i > 2 { z } else { 0.0 };
            let near_before = if i > 1 { 4.0 * z } else { 0.0 };
            let middle = if i == 1 || i + 2 == n {
                5.0 * z
            } else {
                6.0 * z
            };
            let near_after = if i + 2 < n { 4.0 * z } else { 0.0 };
            let far_after = if i + 3 < n { z } else { 0.0 };
            let b = -t2 * before.v[A] - t1 * v_before - near_before;
            let c = 1.0 + 2.0 * t1 * v_here + middle;
            let d = t2 * after.v[A] - t1 * v_after - near_after;
            let mut f = [0.0; 6];
            let (mut low, mut scale) = ([0.0; 3], [0.0; 3]);
            for s in 0..3 {
                let t = if s == 0 {
                    0.0
                } else if s == 1 {
                    t2
                } else {
                    -t2
                };
                let m2 = b - t * before.speed - far * f2[2 * s];
                let fac = 1.0 / (c - far * f2[2 * s + 1] - m2 * f1[2 * s]);
                f[2 * s] = (d + t * after.speed - m2 * f1[2 * s + 1]) * fac;
                f[2 * s + 1] = far_after * fac;
                low[s] = m2;
                scale[s] = fac;
            }
            let mut x = r[i];
            for m in 0..5 {
                let s = if m < 3 { 0 } else { m - 2 };
                x[m] = (x[m] - far * r2[m] - low[s] * r1[m]) * scale[s];
            }
            r[i] = x;
            rows[i] = f;
            f2 = f1;
            f1 = f;
            r2 = r1;
            r1 = x;
            before = here;
            here = after;
            v_before = v_here;
            v_here = v_after;
        }
        // Back again.
        let (mut x2, mut x1) = ([0.0; 5], [0.0; 5]);
        for j in 1..n - 1 {
            let i = n - 1 - j;
            let f = rows[i];
            let mut x = r[i];
            for m in 0..5 {
                let s = if m < 3 { 0 } else { m - 2 };
                x[m] -= f[2 * s] * x1[m] + f[2 * s + 1] * x2[m];
            }
            r[i] = turn::<A>(x, p[i]);
            x2 = x1;
            x1 = x;
        }
    }
}
