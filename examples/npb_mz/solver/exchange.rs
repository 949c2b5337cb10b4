//! The exchange of borders between zones.

use super::equations::{Grid, State};
use skel::{Result, prelude::*};
use std::ops::Range;

/// What a zone gives its neighbours: the points beside the four faces that it shares with them.
pub(crate) struct Faces {
    west: Tensor3<State>,
    east: Tensor3<State>,
    south: Tensor3<State>,
    north: Tensor3<State>,
}

impl Faces {
    /// For a zone of this grid.
    pub(crate) fn new(grid: &Grid) -> Result<Faces> {
        let (x, y, z) = inner(grid);
        let along_y = || Tensor3::try_filled(z.len(), y.len(), 1, [0.0; 5]);
        let along_x = || Tensor3::try_filled(z.len(), 1, x.len(), [0.0; 5]);
        Ok(Faces {
            west: along_y()?,
            east: along_y()?,
            south: along_x()?,
            north: along_x()?,
        })
    }

    /// Takes them from the zone.
    pub(crate) fn take(&mut self, u: &Tensor3<State>, grid: &Grid) -> Result<()> {
        let (x, y, z) = inner(grid);
        let copy = map!(|u: State| u);
        let western = u.part(z.clone(), y.clone(), 1..2);
        copy.run_into((western,), &mut self.west)?;
        let eastern = u.part(z.clone(), y.clone(), x.end - 1..x.end);
        copy.run_into((eastern,), &mut self.east)?;
        let southern = u.part(z.clone(), 1..2, x.clone());
        copy.run_into((southern,), &mut self.south)?;
        copy.run_into((u.part(z, y.end - 1..y.end, x),), &mut self.north)
    }
}

/// The neighbours of a zone.
pub(crate) struct Neighbours<'a> {
    pub(crate) west: &'a Faces,
    pub(crate) east: &'a Faces,
    pub(crate) south: &'a Faces,
    pub(crate) north: &'a Faces,
}

/// Writes what the neighbours have behind the common borders to the borders of a zone.
pub(crate) fn receive(u: &mut Tensor3<State>, grid: &Grid, from: &Neighbours<'_>) -> Result<()> {
    let (x, y, z) = inner(grid);
    let copy = map!(|u: State| u);
    let western = u.part_mut(z.clone(), y.clone(), 0..1);
    copy.run_into((&from.west.east,), western)?;
    let eastern = u.part_mut(z.clone(), y.clone(), x.end..x.end + 1);
    copy.run_into((&from.east.west,), eastern)?;
    let southern = u.part_mut(z.clone(), 0..1, x.clone());
    copy.run_into((&from.south.north,), southern)?;
    let northern = u.part_mut(z, y.end..y.end + 1, x);
    copy.run_into((&from.north.south,), northern)
}

/// The points along x, y and z that have others on both sides.
fn inner(grid: &Grid) -> (Range<usize>, Range<usize>, Range<usize>) {
    let Grid { nx, ny, nz, .. } = *grid;
    (1..nx as usize - 1, 1..ny as usize - 1, 1..nz as usize - 1)
}
