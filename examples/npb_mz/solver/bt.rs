//! BT: the implicit part of a step is factored by direction, which leaves block tridiagonal systems along lines.

use super::equations::{C1, C2, C3C4, C1345, CON43, Grid, Point, State, is_inner};
use skel::prelude::*;

/// A matrix of components.
pub(crate) type Block = [[f64; 5]; 5];

/// How the flux along direction `A` depends on the state.
#[user_function]
pub(crate) fn flux<const A: usize>(p: Point) -> Block {
    let a = p.v[A];
    let mut j = [[0.0; 5]; 5];
    j[0][1 + A] = 1.0;
    for c in 0..3 {
        j[1 + c][0] = -a * p.v[c];
        j[1 + c][1 + A] = p.v[c];
        j[1 + c][1 + c] = a;
    }
    for c in 0..3 {
        j[1 + A][1 + c] = -C2 * p.v[c];
        j[4][1 + c] = -C2 * p.v[c] * a;
    }
    j[1 + A][0] = C2 * p.qs - a * a;
    j[1 + A][1 + A] = (2.0 - C2) * a;
    j[1 + A][4] = C2;
    let energy = C1 * p.u[4] * p.rho_i;
    j[4][0] = (2.0 * C2 * p.square - C1 * p.u[4]) * a * p.rho_i;
    j[4][1 + A] = energy - C2 * (a * a + p.qs);
    j[4][4] = C1 * a;
    j
}

/// How viscosity and heat conduction along direction `A` depend on the state.
#[user_function]
pub(crate) fn viscous<const A: usize>(p: Point) -> Block {
    let mut j = [[0.0; 5]; 5];
    let mut energy = -C1345 * p.u[4] * p.rho_i;
    for c in 0..3 {
        let mu = if c == A { CON43 * C3C4 } else { C3C4 };
        j[1 + c][0] = -mu * p.rho_i * p.v[c];
        j[1 + c][1 + c] = mu * p.rho_i;
        j[4][1 + c] = (mu - C1345) * p.rho_i * p.v[c];
        energy -= (mu - C1345) * p.v[c] * p.v[c];
    }
    j[4][0] = energy * p.rho_i;
    j[4][4] = C1345 * p.rho_i;
    j
}

/// Solves the system of a line along direction `A`, of which `r` has the right-hand side. `next` keeps what each row
/// leaves of the next one.
#[user_function]
pub(crate) fn solve<const A: usize>(
    r: &mut Line<State>,
    next: &mut Line<Block>,
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
        // Rows at both ends are the identity.
        let (mut c1, mut r1) = ([[0.0; 5]; 5], [0.0; 5]);
        let (mut f_before, mut v_before) = (flux::<A>(p[0]), viscous::<A>(p[0]));
        let (mut f_here, mut v_here) = (flux::<A>(p[1]), viscous::<A>(p[1]));
        for i in 1..n - 1 {
            let (f_after, v_after) = (flux::<A>(p[i + 1]), viscous::<A>(p[i + 1]));
            let mut b = [[0.0; 5]; 5];
            let mut c = [[0.0; 5]; 5];
            let mut x = r[i];
            for m in 0..5 {
                for l in 0..5 {
                    b[m][l] = 2.0 * t1 * v_here[m][l];
                    c[m][l] = t2 * f_after[m][l] - t1 * v_after[m][l];
                }
                b[m][m] += 1.0 + 2.0 * t1 * k.d;
                c[m][m] -= t1 * k.d;
                for q in 0..5 {
                    let mut a = -t2 * f_before[m][q] - t1 * v_before[m][q];
                    if q == m {
                        a -= t1 * k.d;
                    }
                    x[m] -= a * r1[q];
                    for l in 0..5 {
                        b[m][l] -= a * c1[q][l];
                    }
                }
            }
            // Gauss and Jordan, without pivots: the diagonal is dominant.
            for q in 0..5 {
                let pivot = 1.0 / b[q][q];
                for l in q + 1..5 {
                    b[q][l] *= pivot;
                }
                for l in 0..5 {
                    c[q][l] *= pivot;
                }
                x[q] *= pivot;
                for m in 0..5 {
                    if m != q {
                        let factor = b[m][q];
                        for l in q + 1..5 {
                            b[m][l] -= factor * b[q][l];
                        }
                        for l in 0..5 {
                            c[m][l] -= factor * c[q][l];
                        }
                        x[m] -= factor * x[q];
                    }
                }
            }
            r[i] = x;
            next[i] = c;
            r1 = x;
            c1 = c;
            f_before = f_here;
            v_before = v_here;
            f_here = f_after;
            v_here = v_after;
        }
        // Back again.
        let mut behind = [0.0; 5];
        for j in 1..n - 1 {
            let i = n - 1 - j;
            let c = next[i];
            let mut x = r[i];
            for m in 0..5 {
                for l in 0..5 {
                    x[m] -= c[m][l] * behind[l];
                }
            }
            r[i] = x;
            behind = x;
        }
    }
}
