//! Zones: their arrays, a step of one, and the exchange of their borders.

use super::{
    bt,
    equations::{self, Grid, Point, State},
    rhs, sp,
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
}

/// What the solver of a line leaves for its way back.
enum Scratch {
    Sp(Tensor3<sp::Rows>),
    Bt(Tensor3<bt::Block>),
}

/// The bytes that each point takes.
pub(crate) fn point_bytes(benchmark: Benchmark) -> usize {
    let scratch = match benchmark {
        Benchmark::Bt => size_of::<bt::Block>(),
        Benchmark::Sp | Benchmark::Lu => size_of::<sp::Rows>(),
    };
    3 * size_of::<State>() + size_of::<Point>() + scratch
}

impl Zone {
    /// A zone at the beginning.
    pub(crate) fn new(mesh: &Mesh, zone: usize, dt: f64) -> Result<Zone> {
        let grid = Grid::new(mesh, zone, dt);
        let shape @ (nz, ny, nx) = (grid.nz as usize, grid.ny as usize, grid.nx as usize);
        let exact = map!(equations::exact_point).run_shaped(shape, (grid,))?;
        Ok(Zone {
            grid,
            u: map!(equations::initial).run_shaped(shape, (grid,))?,
            forcing: map!(rhs::forcing).run_shaped(shape, (&exact, grid))?,
            points: exact,
            change: Tensor3::try_filled(nz, ny, nx, [0.0; 5])?,
            scratch: match mesh.benchmark() {
                Benchmark::Bt => Scratch::Bt(Tensor3::try_filled(nz, ny, nx, [[0.0; 5]; 5])?),
                Benchmark::Sp | Benchmark::Lu => {
                    Scratch::Sp(Tensor3::try_filled(nz, ny, nx, [0.0; 6])?)
                }
            },
        })
    }

    /// Back to the beginning.
    pub(crate) fn restart(&mut self) -> Result<()> {
        map!(equations::initial).run_into((self.grid,), &mut self.u)
    }

    /// The change that an explicit step would make.
    fn explicit(&mut self) -> Result<()> {
        map!(equations::point).run_into((&self.u,), &mut self.points)?;
        let change = map!(rhs::change);
        change.run_into((&self.points, &self.forcing, self.grid), &mut self.change)
    }

    /// One implicit step, by alternating directions.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.explicit()?;
        if let Scratch::Sp(_) = self.scratch {
            map!(sp::diagonalise).run((&mut self.change, &self.points))?;
        }
        for axis in [2, 1, 0] {
            self.solve(axis)?;
        }
        map!(equations::advance).run((&mut self.u, &self.change))
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
        }
    }

    /// The root mean square of what is left of the equations.
    pub(crate) fn residual(&mut self) -> Result<State> {
        self.explicit()?;
        let squares = map_reduce!(equations::squares, equations::sum).run((&self.change,))?;
        Ok(squares.map(|s| (s / self.grid.inner_points()).sqrt() / self.grid.dt))
    }

    /// The same of the distance to the exact solution, of all points by the number of inner ones.
    pub(crate) fn error(&self) -> Result<State> {
        let squares = map_reduce!(equations::squared_error, equations::sum);
        let squares = squares.run((&self.u, self.grid))?;
        Ok(squares.map(|s| (s / self.grid.inner_points()).sqrt()))
    }
}

/// What zones give to their neighbours: the points beside the four faces that they share with others.
pub(crate) struct Faces {
    west: Tensor3<State>,
    east: Tensor3<State>,
    south: Tensor3<State>,
    north: Tensor3<State>,
}

impl Faces {
    pub(crate) fn new(zone: &Zone) -> Result<Faces> {
        let Grid { nx, ny, nz, .. } = zone.grid;
        let [nx, ny, nz] = [nx, ny, nz].map(|n| n as usize - 2);
        let along_y = || Tensor3::try_filled(nz, ny, 1, [0.0; 5]);
        let along_x = || Tensor3::try_filled(nz, 1, nx, [0.0; 5]);
        Ok(Faces {
            west: along_y()?,
            east: along_y()?,
            south: along_x()?,
            north: along_x()?,
        })
    }
}

/// All zones get what their neighbours have behind their common borders; the mesh is closed in x and y. All faces are
/// taken before the first one is given.
pub(crate) fn exchange(mesh: &Mesh, zones: &mut [Zone], faces: &mut [Faces]) -> Result<()> {
    let copy = map!(|u: State| u);
    for (zone, faces) in zones.iter().zip(faces.iter_mut()) {
        let (x, y, z) = inner(zone);
        let u = &zone.u;
        copy.run_into((u.part(z.clone(), y.clone(), 1..2),), &mut faces.west)?;
        copy.run_into(
            (u.part(z.clone(), y.clone(), x.end - 1..x.end),),
            &mut faces.east,
        )?;
        copy.run_into((u.part(z.clone(), 1..2, x.clone()),), &mut faces.south)?;
        copy.run_into((u.part(z, y.end - 1..y.end, x),), &mut faces.north)?;
    }
    for zone in 0..mesh.len() {
        let (east, north) = (mesh.east(zone), mesh.north(zone));
        let (x, y, z) = inner(&zones[zone]);
        let u = &mut zones[zone].u;
        let eastern = u.part_mut(z.clone(), y.clone(), x.end..x.end + 1);
        copy.run_into((&faces[east].west,), eastern)?;
        let northern = u.part_mut(z, y.end..y.end + 1, x);
        copy.run_into((&faces[north].south,), northern)?;
        let (_, y, z) = inner(&zones[east]);
        let western = zones[east].u.part_mut(z, y, 0..1);
        copy.run_into((&faces[zone].east,), western)?;
        let (x, _, z) = inner(&zones[north]);
        let southern = zones[north].u.part_mut(z, 0..1, x);
        copy.run_into((&faces[zone].north,), southern)?;
    }
    Ok(())
}

type Inner = std::ops::Range<usize>;

/// The points along x, y and z that have others on both sides.
fn inner(zone: &Zone) -> (Inner, Inner, Inner) {
    let Grid { nx, ny, nz, .. } = zone.grid;
    (1..nx as usize - 1, 1..ny as usize - 1, 1..nz as usize - 1)
}
