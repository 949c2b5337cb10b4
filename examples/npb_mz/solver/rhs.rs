//! The right-hand side: fluxes and viscosity by central differences, dissipation of fourth order.

use super::equations::{C1, C2, CON43, DISSIPATION, Direction, Grid, Point, State, is_inner, sum};
use skel::prelude::*;

/// What one direction adds at point `i` of `n`; the points before and behind it are its neighbours there.
#[user_function]
#[inline(always)]
pub(crate) fn along<const A: usize>(
    far: (State, State),
    before: Point,
    here: Point,
    after: Point,
    i: usize,
    n: usize,
    k: Direction,
) -> State {
    let (a, b) = (after.v[A], before.v[A]);
    let mut out = [0.0; 5];
    // Near the surface, where points are missing, dissipation takes fewer.
    let far_before = if i > 2 { 1.0 } else { 0.0 };
    let near_before = if i > 1 { 4.0 } else { 0.0 };
    let middle = if i == 1 || i + 2 == n { 5.0 } else { 6.0 };
    let near_after = if i + 2 < n { 4.0 } else { 0.0 };
    let far_after = if i + 3 < n { 1.0 } else { 0.0 };
    for m in 0..5 {
        let (u, v, w) = (before.u[m], here.u[m], after.u[m]);
        out[m] = k.d * k.t1 * (w - 2.0 * v + u)
            - DISSIPATION
                * (far_before * far.0[m] - near_before * u + middle * v - near_after * w
                    + far_after * far.1[m]);
    }
    out[0] -= k.t2 * (after.u[1 + A] - before.u[1 + A]);
    for c in 0..3 {
        let con = if c == A { CON43 * k.con2 } else { k.con2 };
        out[1 + c] += con * (after.v[c] - 2.0 * here.v[c] + before.v[c])
            - k.t2 * (after.u[1 + c] * a - before.u[1 + c] * b);
    }
    out[1 + A] -= k.t2 * C2 * (after.u[4] - after.square - before.u[4] + before.square);
    out[4] += k.con3 * (after.qs - 2.0 * here.qs + before.qs)
        + k.con4 * (a * a - 2.0 * here.v[A] * here.v[A] + b * b)
        + k.con5
            * (after.u[4] * after.rho_i - 2.0 * here.u[4] * here.rho_i
                + before.u[4] * before.rho_i)
        - k.t2
            * ((C1 * after.u[4] - C2 * after.square) * a
                - (C1 * before.u[4] - C2 * before.square) * b);
    out
}

/// All directions; nothing on the surface.
#[user_function]
#[inline(always)]
fn all(p: Tensor3View<Point>, at: Index3, grid: Grid) -> State {
    if is_inner(at.col, at.row, at.plane, grid) {
        let (z, y, x) = (at.plane, at.row, at.col);
        let (nx, ny, nz) = (grid.nx as usize, grid.ny as usize, grid.nz as usize);
        let here = p[(z, y, x)];
        // Beyond the surface there is nothing; what is read instead does not count.
        let in_x = along::<0>(
            (p[(z, y, x.max(2) - 2)].u, p[(z, y, (x + 2).min(nx - 1))].u),
            p[(z, y, x - 1)],
            here,
            p[(z, y, x + 1)],
            x,
            nx,
            grid.directions[0],
        );
        let in_y = along::<1>(
            (p[(z, y.max(2) - 2, x)].u, p[(z, (y + 2).min(ny - 1), x)].u),
            p[(z, y - 1, x)],
            here,
            p[(z, y + 1, x)],
            y,
            ny,
            grid.directions[1],
        );
        let in_z = along::<2>(
            (p[(z.max(2) - 2, y, x)].u, p[((z + 2).min(nz - 1), y, x)].u),
            p[(z - 1, y, x)],
            here,
            p[(z + 1, y, x)],
            z,
            nz,
            grid.directions[2],
        );
        sum(sum(in_x, in_y), in_z)
    } else {
        [0.0; 5]
    }
}

/// What must be added for the exact solution to be one.
#[user_function]
pub(crate) fn forcing(p: Tensor3View<Point>, at: Index3, #[uniform] grid: Grid) -> State {
    let mut out = all(p, at, grid);
    for m in 0..5 {
        out[m] = -out[m];
    }
    out
}

/// The change that one explicit step would make.
#[user_function]
pub(crate) fn change(
    p: Tensor3View<Point>,
    forcing: State,
    at: Index3,
    #[uniform] grid: Grid,
) -> State {
    let mut out = sum(forcing, all(p, at, grid));
    for m in 0..5 {
        out[m] *= grid.dt;
    }
    out
}
