//! Zones: their arrays, a step of one, and its norms.

use super::{
    bt,
    equations::{self, Grid, Point, State},
    exchange::{self, Faces, Neighbours},
    lu, rhs, sp,
};
use skel::{
    Result,
    prelude::*,
    tasks::npb_mz::{Benchmark, Mesh},
};

/// A zone of the mesh: tensors of planes along z, rows along y, columns along x.
pub(crate) struct Zone {
    pub(crate) grid: Grid,
    pub(crate) u: Tensor3<State>,
    points: Tensor3<Point>,
    pub(crate) forcing: Tensor3<State>,
    change: Tensor3<State>,
    scratch: Scratch,
    /// What its neighbours get in the next step.
    pub(crate) faces: Faces,
}

/// What the solver of a line leaves for its way back; LU's sweeps leave nothing.
enum Scratch {
    Sp(Tensor3<sp::Rows>),
    Bt(Tensor3<bt::Block>),
    Lu,
}

/// The bytes that all zones of a mesh take.
pub(crate) fn bytes(mesh: &Mesh) -> usize {
    let scratch = match mesh.benchmark() {
        Benchmark::Bt => size_of::<bt::Block>(),
        Benchmark::Sp => size_of::<sp::Rows>(),
        Benchmark::Lu => 0,
    };
    let point = 3 * size_of::<State>() + size_of::<Point>() + scratch;
    // Of each zone four faces, twice: those that it takes, and those that it has given.
    let faces = |zone: usize| {
        let at = mesh.zone(zone);
        4 * (at.nx + at.ny) * at.nz * size_of::<State>()
    };
    mesh.all_points() * point + (0..mesh.len()).map(faces).sum::<usize>()
}

impl Zone {
    /// A zone at the beginning.
    pub(crate) fn new(mesh: &Mesh, zone: usize, dt: f64) -> Result<Zone> {
        let grid = Grid::new(mesh, zone, dt);
        let shape @ (nz, ny, nx) = (grid.nz as usize, grid.ny as usize, grid.nx as usize);
        let exact = map!(equations::exact_point).run_shaped(shape, (grid,))?;
        let mut zone = Zone {
            grid,
            u: Tensor3::try_filled(nz, ny, nx, [0.0; 5])?,
            forcing: map!(rhs::forcing).run_shaped(shape, (&exact, grid))?,
            points: exact,
            change: Tensor3::try_filled(nz, ny, nx, [0.0; 5])?,
            scratch: match mesh.benchmark() {
                Benchmark::Sp => Scratch::Sp(Tensor3::try_filled(nz, ny, nx, [0.0; 6])?),
                Benchmark::Bt => Scratch::Bt(Tensor3::try_filled(nz, ny, nx, [[0.0; 5]; 5])?),
                Benchmark::Lu => Scratch::Lu,
            },
            faces: Faces::new(&grid)?,
        };
        zone.restart()?;
        Ok(zone)
    }

    /// Back to the beginning.
    pub(crate) fn restart(&mut self) -> Result<()> {
        map!(equations::initial).run_into((self.grid,), &mut self.u)?;
        // LU's steps end with this, and begin with what it computed before the exchange of borders: so does the first.
        self.explicit()
    }

    /// The change that an explicit step would make.
    fn explicit(&mut self) -> Result<()> {
        map!(equations::point).run_into((&self.u,), &mut self.points)?;
        let change = map!(rhs::change);
        change.run_into((&self.points, &self.forcing, self.grid), &mut self.change)
    }

    /// Gets what its neighbours have behind the common borders.
    pub(crate) fn receive(&mut self, from: &Neighbours<'_>) -> Result<()> {
        exchange::receive(&mut self.u, &self.grid, from)
    }

    /// Takes what its neighbours get in the next step.
    pub(crate) fn take_faces(&mut self) -> Result<()> {
        self.faces.take(&self.u, &self.grid)
    }

    /// One implicit step.
    pub(crate) fn step(&mut self) -> Result<()> {
        match self.scratch {
            Scratch::Sp(_) | Scratch::Bt(_) => self.alternate(),
            Scratch::Lu => self.over_relax(),
        }
    }

    /// By alternating directions.
    fn alternate(&mut self) -> Result<()> {
        self.explicit()?;
        if let Scratch::Sp(_) = self.scratch {
            map!(sp::diagonalise).run((&mut self.change, &self.points))?;
        }
        for axis in [2, 1, 0] {
            self.solve(axis)?;
        }
        map!(equations::advance).run((&mut self.u, &self.change))
    }

    /// By a sweep upwards and one downwards.
    fn over_relax(&mut self) -> Result<()> {
        sweep!(lu::lower).run((&mut self.change, &self.points, self.grid))?;
        let upper = sweep!(lu::upper).descending([0, 1, 2]);
        upper.run((&mut self.change, &self.points, self.grid))?;
        map!(lu::advance).run((&mut self.u, &self.change))?;
        self.explicit()
    }

    /// Solves the systems of all lines along an axis of the tensors: 2 is x.
    pub(crate) fn solve(&mut self, axis: usize) -> Result<()> {
        let Zone {
            grid,
            points,
            change,
            scratch,
            ..
        } = self;
        match scratch {
            Scratch::Sp(rows) => {
                let args = (change, rows, &*points, *grid);
                match axis {
                    0 => map_lines!(sp::solve::<2>).along(0).run(args),
                    1 => map_lines!(sp::solve::<1>).along(1).run(args),
                    _ => map_lines!(sp::solve::<0>).along(2).run(args),
                }
            }
            Scratch::Bt(next) => {
                let args = (change, next, &*points, *grid);
                match axis {
                    0 => map_lines!(bt::solve::<2>).along(0).run(args),
                    1 => map_lines!(bt::solve::<1>).along(1).run(args),
                    _ => map_lines!(bt::solve::<0>).along(2).run(args),
                }
            }
            // No lines.
            Scratch::Lu => Ok(()),
        }
    }

    /// The root mean square of what is left of the equations.
    pub(crate) fn residual(&mut self) -> Result<State> {
        self.explicit()?;
        let squares = map_reduce!(equations::squares, equations::sum).run((&self.change,))?;
        Ok(squares.map(|s| (s / self.grid.inner_points()).sqrt() / self.grid.dt))
    }

    /// The same of the distance to the exact solution, by the number of inner points; but for LU, of all points.
    pub(crate) fn error(&self) -> Result<State> {
        let args = (&self.u, self.grid);
        let squares = match self.scratch {
            Scratch::Lu => map_reduce!(lu::inner_error, equations::sum).run(args)?,
            _ => map_reduce!(equations::squared_error, equations::sum).run(args)?,
        };
        Ok(squares.map(|s| (s / self.grid.inner_points()).sqrt()))
    }

    /// The integral of the pressure over a surface within the zone, which is LU's alone.
    pub(crate) fn surface(&self) -> Result<f64> {
        map_reduce!(lu::pressure, |a: f64, b: f64| a + b).run((&self.u, self.grid))
    }
}
