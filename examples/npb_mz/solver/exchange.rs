//! The exchange of borders between zones.

use super::{
    equations::{Grid, State},
    zone::Zone,
};
use skel::{Result, prelude::*, tasks::npb_mz::Mesh};

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
