//! All zones of a mesh.

use super::{
    equations,
    exchange::{Faces, Neighbours},
    reference::{self, Norms},
    zone::Zone,
};
use skel::{
    Result,
    tasks::{
        Steps,
        npb_mz::{Benchmark, Mesh},
    },
};
use std::mem;

/// The zones, and what each has for its neighbours.
pub(crate) struct Field {
    pub(crate) mesh: Mesh,
    pub(crate) zones: Vec<Zone>,
    given: Vec<Faces>,
}

impl Field {
    /// All zones at the beginning.
    pub(crate) fn new(mesh: Mesh) -> Result<Field> {
        let dt = reference::dt(mesh.benchmark(), mesh.class());
        let zones = (0..mesh.len()).map(|zone| Zone::new(&mesh, zone, dt));
        let zones: Vec<Zone> = zones.collect::<Result<_>>()?;
        let given = zones.iter().map(|zone| Faces::new(&zone.grid));
        let mut field = Field {
            given: given.collect::<Result<_>>()?,
            mesh,
            zones,
        };
        field.give()?;
        Ok(field)
    }

    /// Back to the beginning.
    pub(crate) fn restart(&mut self) -> Result<()> {
        self.zones.iter_mut().try_for_each(Zone::restart)?;
        self.give()
    }

    /// One time step: each zone gets its neighbours' borders, advances, and takes what its neighbours get in the next
    /// step, all on the unit that has the zone. So the zones of a device stay there, and only borders between
    /// memories are copied.
    pub(crate) fn step(&mut self, steps: &mut Steps) -> Result<()> {
        let Field { mesh, zones, given } = self;
        let mut numbered: Vec<(usize, &mut Zone)> = zones.iter_mut().enumerate().collect();
        steps.run(&mut numbered, |(number, zone), _unit| {
            zone.receive(&Neighbours {
                west: &given[mesh.west(*number)],
                east: &given[mesh.east(*number)],
                south: &given[mesh.south(*number)],
                north: &given[mesh.north(*number)],
            })?;
            zone.step()?;
            zone.take_faces()
        })?;
        self.give_taken();
        Ok(())
    }

    /// Takes the faces of all zones.
    pub(crate) fn give(&mut self) -> Result<()> {
        self.zones.iter_mut().try_for_each(Zone::take_faces)?;
        self.give_taken();
        Ok(())
    }

    fn give_taken(&mut self) {
        for (zone, given) in self.zones.iter_mut().zip(&mut self.given) {
            mem::swap(&mut zone.faces, given);
        }
    }

    /// Over all zones, in their order.
    pub(crate) fn norms(&mut self) -> Result<Norms> {
        let is_lu = self.mesh.benchmark() == Benchmark::Lu;
        let mut all = Norms {
            residual: [0.0; 5],
            error: [0.0; 5],
            surface: is_lu.then_some(0.0),
        };
        for zone in &mut self.zones {
            all.residual = equations::sum(all.residual, zone.residual()?);
            all.error = equations::sum(all.error, zone.error()?);
            if let Some(surface) = &mut all.surface {
                *surface += zone.surface()?;
            }
        }
        Ok(all)
    }
}
