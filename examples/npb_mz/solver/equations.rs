//! The compressible Navier–Stokes equations that the benchmarks solve: constants, state, exact solution.

use skel::{prelude::*, tasks::npb_mz};

/// Ratios of specific heats and the like.
pub(crate) const C1: f64 = 1.4;
pub(crate) const C2: f64 = 0.4;
pub(crate) const C3C4: f64 = 0.1;
pub(crate) const C1C5: f64 = 1.96;
pub(crate) const C1345: f64 = C1C5 * C3C4;
pub(crate) const CON43: f64 = 4.0 / 3.0;
/// Dissipation of fourth order.
pub(crate) const DISSIPATION: f64 = 0.25;

/// The exact solution is a polynomial in each direction: coefficients of 1, of x, y, z, of their squares, cubes, and
/// fourth powers, for the five components.
const EXACT: [[f64; 13]; 5] = [
    [
        2.0, 0.0, 0.0, 4.0, 5.0, 3.0, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3,
    ],
    [
        1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5,
    ],
    [
        2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4,
    ],
    [
        2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3,
    ],
    [
        5.0, 4.0, 3.0, 2.0, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2,
    ],
];

/// Density, momentum in each direction, energy.
pub(crate) type State = [f64; 5];

/// What the discretisation says of one direction.
#[derive(Clone, Copy, Element)]
#[repr(C)]
pub(crate) struct Direction {
    /// Dissipation of second order.
    pub(crate) d: f64,
    /// 1 / h², and 1 / 2 h.
    pub(crate) t1: f64,
    pub(crate) t2: f64,
    /// Viscosity and heat conduction.
    pub(crate) con2: f64,
    pub(crate) con3: f64,
    pub(crate) con4: f64,
    pub(crate) con5: f64,
}

/// A zone's grid: points, distances, and directions are those of x, y and z.
#[derive(Clone, Copy, Element)]
#[repr(C)]
pub(crate) struct Grid {
    pub(crate) nx: u32,
    pub(crate) ny: u32,
    pub(crate) nz: u32,
    unused: u32,
    pub(crate) h: [f64; 3],
    pub(crate) dt: f64,
    pub(crate) directions: [Direction; 3],
}

impl Grid {
    /// The grid of a zone of the mesh. Coordinates begin at 0 in each.
    pub(crate) fn new(mesh: &npb_mz::Mesh, zone: usize, dt: f64) -> Grid {
        let npb_mz::Zone { nx, ny, nz } = mesh.zone(zone);
        let all = |of: &dyn Fn(usize) -> usize, zones: usize| -> usize { (0..zones).map(of).sum() };
        let gx = all(&|x| mesh.zone(x).nx, mesh.x_zones());
        let gy = all(&|y| mesh.zone(y * mesh.x_zones()).ny, mesh.y_zones());
        // As if all zones were of one size: LU divides the points among zones, the others the intervals between points.
        let h = |points: usize, zones: usize| match mesh.benchmark() {
            npb_mz::Benchmark::Lu => zones as f64 / (points - zones) as f64,
            npb_mz::Benchmark::Sp | npb_mz::Benchmark::Bt => zones as f64 / (points - 1) as f64,
        };
        let h = [h(gx, mesh.x_zones()), h(gy, mesh.y_zones()), h(nz, 1)];
        let direction = |h: f64, d: f64| {
            let con2 = C3C4 / h / h;
            Direction {
                d,
                t1: 1.0 / (h * h),
                t2: 1.0 / (2.0 * h),
                con2,
                con3: con2 * (1.0 - C1C5),
                con4: con2 / 6.0,
                con5: con2 * C1C5,
            }
        };
        Grid {
            nx: nx as u32,
            ny: ny as u32,
            nz: nz as u32,
            unused: 0,
            h,
            dt,
            directions: [
                direction(h[0], 0.75),
                direction(h[1], 0.75),
                direction(h[2], 1.0),
            ],
        }
    }

    /// How many points have others on all sides.
    pub(crate) fn inner_points(&self) -> f64 {
        [self.nx, self.ny, self.nz]
            .map(|n| f64::from(n) - 2.0)
            .iter()
            .product()
    }
}

/// A point's state, and what follows from it.
#[derive(Clone, Copy, Element)]
#[repr(C)]
pub(crate) struct Point {
    pub(crate) u: State,
    /// Velocity along x, y, z.
    pub(crate) v: [f64; 3],
    /// 1 / density.
    pub(crate) rho_i: f64,
    /// Half of momentum² / density.
    pub(crate) square: f64,
    /// The same by density again.
    pub(crate) qs: f64,
    /// Of sound.
    pub(crate) speed: f64,
}

#[user_function]
pub(crate) fn point(u: State) -> Point {
    let rho_i = 1.0 / u[0];
    let square = 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) * rho_i;
    Point {
        u,
        v: [u[1] * rho_i, u[2] * rho_i, u[3] * rho_i],
        rho_i,
        square,
        qs: square * rho_i,
        speed: (C1 * C2 * rho_i * (u[4] - square)).sqrt(),
    }
}

#[user_function]
fn exact(place: [f64; 3]) -> State {
    let mut u = [0.0; 5];
    for m in 0..5 {
        let mut sum = EXACT[m][0];
        for d in 0..3 {
            let x = place[d];
            sum += x
                * (EXACT[m][1 + d]
                    + x * (EXACT[m][4 + d] + x * (EXACT[m][7 + d] + x * EXACT[m][10 + d])));
        }
        u[m] = sum;
    }
    u
}

#[user_function]
fn place(col: usize, row: usize, plane: usize, grid: Grid) -> [f64; 3] {
    [
        col as f64 * grid.h[0],
        row as f64 * grid.h[1],
        plane as f64 * grid.h[2],
    ]
}

/// What follows from the exact solution: the forcing is made of it.
#[user_function]
pub(crate) fn exact_point(at: Index3, #[uniform] grid: Grid) -> Point {
    point(exact(place(at.col, at.row, at.plane, grid)))
}

/// Whether a point has others on all sides.
#[user_function]
pub(crate) fn is_inner(col: usize, row: usize, plane: usize, grid: Grid) -> bool {
    let (nx, ny, nz) = (grid.nx as usize, grid.ny as usize, grid.nz as usize);
    col > 0 && col + 1 < nx && row > 0 && row + 1 < ny && plane > 0 && plane + 1 < nz
}

/// The state at the beginning: exact on the surface of a zone, and blended of its six sides within. What lies at the
/// far sides along x and y counts as if it were at 1 there, as the benchmarks have it; the edges of a zone keep that,
/// and are part of the norm of errors.
#[user_function]
pub(crate) fn initial(at: Index3, #[uniform] grid: Grid) -> State {
    let mut here = place(at.col, at.row, at.plane, grid);
    if is_inner(at.col, at.row, at.plane, grid) {
        let mut keeps = [1.0; 5];
        for d in 0..3 {
            let (mut low, mut high) = (here, here);
            low[d] = 0.0;
            high[d] = 1.0;
            let (before, after) = (exact(low), exact(high));
            for m in 0..5 {
                // 1 - (1 - p₀)(1 - p₁)(1 - p₂) are the sums, pairs and triple of the three.
                keeps[m] *= 1.0 - here[d] * after[m] - (1.0 - here[d]) * before[m];
            }
        }
        let mut u = [0.0; 5];
        for m in 0..5 {
            u[m] = 1.0 - keeps[m];
        }
        u
    } else {
        let (nx, ny, nz) = (grid.nx as usize, grid.ny as usize, grid.nz as usize);
        if at.plane > 0 && at.plane + 1 < nz {
            if at.row + 1 == ny {
                here[1] = 1.0;
            } else if at.row > 0 && at.col + 1 == nx {
                here[0] = 1.0;
            }
        }
        exact(here)
    }
}

#[user_function]
pub(crate) fn squares(r: State) -> State {
    let mut s = r;
    for m in 0..5 {
        s[m] *= r[m];
    }
    s
}

#[user_function]
pub(crate) fn squared_error(at: Index3, u: State, #[uniform] grid: Grid) -> State {
    let mut off = exact(place(at.col, at.row, at.plane, grid));
    for m in 0..5 {
        off[m] -= u[m];
    }
    squares(off)
}

#[user_function]
pub(crate) fn sum(a: State, b: State) -> State {
    let mut s = a;
    for m in 0..5 {
        s[m] += b[m];
    }
    s
}

#[user_function]
pub(crate) fn advance(u: &mut State, change: State) {
    *u = sum(*u, change);
}
