//! LU: the implicit part of a step is solved approximately, by one symmetric successive over-relaxation: a sweep over
//! all points upwards, and one downwards. The matrices are those of BT; they are applied to vectors, and never formed.

use super::equations::{
    C1, C2, C3C4, C1345, CON43, Direction, Grid, Point, State, is_inner, point, squared_error,
};
use skel::prelude::*;

/// Of the over-relaxation.
const OMEGA: f64 = 1.2;

/// BT's matrix of viscosity and heat conduction at a point, times `r`. The coefficients of momentum along x, y and z
/// are `mu`, the one of heat is `heat`.
#[user_function]
#[inline(always)]
fn viscous(r: State, p: Point, mu: [f64; 3], heat: f64) -> State {
    let mut out = [0.0; 5];
    out[4] = heat * p.rho_i * (r[4] - p.u[4] * p.rho_i * r[0]);
    for c in 0..3 {
        let velocity = p.rho_i * (r[1 + c] - p.v[c] * r[0]);
        out[1 + c] = mu[c] * velocity;
        out[4] += (mu[c] - heat) * p.v[c] * velocity;
    }
    out
}

/// The block of the matrix that couples a point with a neighbour along direction `A`, times `r`, the neighbour's value;
/// `p` is its state. `side` is -1 if it comes before the point, 1 if behind.
#[user_function]
#[inline(always)]
fn from<const A: usize>(r: State, p: Point, side: f64, dt: f64, k: Direction) -> State {
    let a = p.v[A];
    let mut mu = [C3C4; 3];
    mu[A] *= CON43;
    let viscous = viscous(r, p, mu, C1345);
    let flow = r[1 + A] - a * r[0];
    let pressure = C2 * (p.qs * r[0] - p.v[0] * r[1] - p.v[1] * r[2] - p.v[2] * r[3] + r[4]);
    let mut flux = [0.0; 5];
    flux[0] = r[1 + A];
    for c in 0..3 {
        flux[1 + c] = a * r[1 + c] + p.v[c] * flow;
    }
    flux[1 + A] += pressure;
    flux[4] = (C1 * p.u[4] * p.rho_i - C2 * p.qs) * flow + a * (r[4] + pressure);
    let (t1, t2) = (dt * k.t1, side * dt * k.t2);
    let mut out = [0.0; 5];
    for m in 0..5 {
        out[m] = t2 * flux[m] - t1 * (viscous[m] + k.d * r[m]);
    }
    out
}

/// The sum over three neighbours, along x, y and z, each with its state; over-relaxed.
#[user_function]
#[inline(always)]
pub(crate) fn from_all(
    x: (State, Point),
    y: (State, Point),
    z: (State, Point),
    side: f64,
    grid: Grid,
) -> State {
    let in_x = from::<0>(x.0, x.1, side, grid.dt, grid.directions[0]);
    let in_y = from::<1>(y.0, y.1, side, grid.dt, grid.directions[1]);
    let in_z = from::<2>(z.0, z.1, side, grid.dt, grid.directions[2]);
    let mut out = [0.0; 5];
    for m in 0..5 {
        out[m] = OMEGA * (in_z[m] + (in_y[m] + in_x[m]));
    }
    out
}

/// Solves the diagonal block of a point for the right-hand side `b`: it is triangular, since only viscosity is in it.
#[user_function]
#[inline(always)]
pub(crate) fn alone(b: State, p: Point, grid: Grid) -> State {
    let (kx, ky, kz) = (grid.directions[0], grid.directions[1], grid.directions[2]);
    let twice = 2.0 * grid.dt;
    let all = kx.t1 + ky.t1 + kz.t1;
    let diagonal = 1.0 + twice * (kx.t1 * kx.d + ky.t1 * ky.d + kz.t1 * kz.d);
    let heat = twice * all * C1345;
    let mut x = b;
    x[0] = b[0] / diagonal;
    let mut energy = b[4] + heat * p.rho_i * p.u[4] * p.rho_i * x[0];
    for c in 0..3 {
        let mu = twice * C3C4 * (all + (CON43 - 1.0) * grid.directions[c].t1);
        x[1 + c] = (b[1 + c] + mu * p.rho_i * p.v[c] * x[0]) / (diagonal + mu * p.rho_i);
        energy -= (mu - heat) * p.v[c] * p.rho_i * (x[1 + c] - p.v[c] * x[0]);
    }
    x[4] = energy / (diagonal + heat * p.rho_i);
    x
}

/// Upwards: each point from what became of those before it.
#[user_function]
pub(crate) fn lower(
    r: Sweep3<State, 1, 1, 1>,
    p: Tensor3View<Point>,
    at: Index3,
    #[uniform] grid: Grid,
) -> State {
    let mut here = r[(0, 0, 0)];
    if is_inner(at.col, at.row, at.plane, grid) {
        let (z, y, x) = (at.plane, at.row, at.col);
        let before = from_all(
            (r[(0, 0, -1)], p[(z, y, x - 1)]),
            (r[(0, -1, 0)], p[(z, y - 1, x)]),
            (r[(-1, 0, 0)], p[(z - 1, y, x)]),
            -1.0,
            grid,
        );
        for m in 0..5 {
            here[m] -= before[m];
        }
        here = alone(here, p[(z, y, x)], grid);
    }
    here
}

/// Downwards: offsets count along the sweep, so those before a point are the ones above it.
#[user_function]
pub(crate) fn upper(
    r: Sweep3<State, 1, 1, 1>,
    p: Tensor3View<Point>,
    at: Index3,
    #[uniform] grid: Grid,
) -> State {
    let mut here = r[(0, 0, 0)];
    if is_inner(at.col, at.row, at.plane, grid) {
        let (z, y, x) = (at.plane, at.row, at.col);
        let behind = from_all(
            (r[(0, 0, -1)], p[(z, y, x + 1)]),
            (r[(0, -1, 0)], p[(z, y + 1, x)]),
            (r[(-1, 0, 0)], p[(z + 1, y, x)]),
            1.0,
            grid,
        );
        let off = alone(behind, p[(z, y, x)], grid);
        for m in 0..5 {
            here[m] -= off[m];
        }
    }
    here
}

#[user_function]
pub(crate) fn advance(u: &mut State, change: State) {
    for m in 0..5 {
        u[m] += change[m] / (OMEGA * (2.0 - OMEGA));
    }
}

/// Of points that have others on all sides: LU's norm of errors has no others.
#[user_function]
pub(crate) fn inner_error(at: Index3, u: State, #[uniform] grid: Grid) -> State {
    if is_inner(at.col, at.row, at.plane, grid) {
        squared_error(at, u, grid)
    } else {
        [0.0; 5]
    }
}

/// What a point gives to the integral of the pressure over the surface of a box within the zone, by the trapezoidal
/// rule. The box is the benchmark's: of points that have others on all sides, the last ones along y and the first ones
/// along z are not in it.
#[user_function]
pub(crate) fn pressure(at: Index3, u: State, #[uniform] grid: Grid) -> f64 {
    let i = [at.col, at.row, at.plane];
    let low = [1, 1, 2];
    let high = [
        grid.nx as usize - 2,
        grid.ny as usize - 3,
        grid.nz as usize - 2,
    ];
    // How long a piece of each edge belongs to the point, and whether it is on the sides across it.
    let (mut length, mut is_end) = ([0.0; 3], [0.0; 3]);
    for d in 0..3 {
        if i[d] == low[d] || i[d] == high[d] {
            length[d] = 0.5 * grid.h[d];
            is_end[d] = 1.0;
        } else if i[d] > low[d] && i[d] < high[d] {
            length[d] = grid.h[d];
        }
    }
    let area = is_end[0] * length[1] * length[2]
        + length[0] * is_end[1] * length[2]
        + length[0] * length[1] * is_end[2];
    let p = point(u);
    area * C2 * (p.u[4] - p.square)
}
