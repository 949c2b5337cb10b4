//! What zones take on a machine.

use super::{Benchmark, Mesh};
use crate::{Ns, distribution::ComputeUnits};

/// What a point takes on one core alone. Class D of BT-MZ then takes 35 s per step, as figure 11 of the paper suggests
/// (900 ms on a machine 39 times as fast). Speedups do not depend on it.
const CORE_NS_PER_POINT: f64 = 520.0;
/// The exchange of all borders where no face is cut: the paper's 80 ms for class D, by face.
const FACE_NS: f64 = 80e6 / 2048.0;
/// What a face that is cut takes in addition: the paper's 200 ms under Dynamic, with 1,229 cut faces.
const CUT_FACE_NS: f64 = 120e6 / 1229.0;

/// A machine by the speeds of its units, where 1 is one core that works alone. The time of a zone is proportional to its
/// points, and the exchange of borders takes more for each pair of neighbours in different memories. It knows no caches,
/// and no time of a launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    units: ComputeUnits,
    /// The speed of a unit of cores.
    pub cores: f64,
    /// The speed of a device.
    pub device: f64,
}

impl Model {
    /// Units of given speeds.
    #[must_use]
    pub fn new(units: ComputeUnits, cores: f64, device: f64) -> Model {
        Model {
            units,
            cores,
            device,
        }
    }

    /// The paper's machine, an AMD EPYC 7742 of 64 cores and two Radeon Instinct MI50, as far as its text tells: a device
    /// is as fast as 10 cores, for LU-MZ as 43. The more cores work, the slower each of them is, since they share caches
    /// and memory: for LU-MZ, 16 are as fast as 6, and 64 as 19, as measured. For the others, by 1.45 with 16 and 2.2
    /// from 62 on, which is assumed: the text gives speedups under Static alone, and the table of times is an image.
    #[must_use]
    pub fn paper(mesh: &Mesh, units: ComputeUnits) -> Model {
        let all_cores = (units.cpus() * units.cores()) as f64;
        let (device, slowdown) = match mesh.benchmark() {
            Benchmark::Lu => (43.0, slowdown(all_cores, 16.0 / 6.0, (64.0, 64.0 / 19.0))),
            _ => (10.0, slowdown(all_cores, 1.45, (62.0, 2.2))),
        };
        Model::new(units, units.cores() as f64 / slowdown, device)
    }

    /// The units.
    #[must_use]
    pub fn units(&self) -> ComputeUnits {
        self.units
    }

    /// The speed of a unit.
    #[must_use]
    pub fn speed(&self, unit: usize) -> f64 {
        match self.units.is_device(unit) {
            true => self.device,
            false => self.cores,
        }
    }

    /// The speeds of all units together: no distribution is faster.
    #[must_use]
    pub fn ideal(&self) -> f64 {
        (0..self.units.len()).map(|unit| self.speed(unit)).sum()
    }

    /// What so many points take on a unit.
    #[must_use]
    pub fn points_ns(&self, points: usize, unit: usize) -> Ns {
        (points as f64 * CORE_NS_PER_POINT / self.speed(unit)).round() as Ns
    }

    /// What all zones take on one core alone.
    #[must_use]
    pub fn alone_ns(&self, mesh: &Mesh) -> f64 {
        mesh.all_points() as f64 * CORE_NS_PER_POINT
    }

    /// What the exchange of borders takes.
    #[must_use]
    pub fn exchange_ns(&self, mesh: &Mesh, cut_faces: usize) -> f64 {
        2.0 * mesh.len() as f64 * FACE_NS + cut_faces as f64 * CUT_FACE_NS
    }

    /// The memory of a unit: that of the host, or a device's own.
    #[must_use]
    pub fn memory(&self, unit: usize) -> usize {
        unit.checked_sub(self.units.cpus())
            .map_or(0, |device| 1 + device)
    }
}

/// How much slower a core is when so many work: by `with_16` if 16 do, and with more, up to a number of cores, by more.
fn slowdown(cores: f64, with_16: f64, with_most: (f64, f64)) -> f64 {
    let between = |(x0, y0): (f64, f64), (x1, y1): (f64, f64)| {
        y0 + (y1 - y0) * ((cores - x0) / (x1 - x0)).clamp(0.0, 1.0)
    };
    match cores <= 16.0 {
        true => between((1.0, 1.0), (16.0, with_16)),
        false => between((16.0, with_16), with_most),
    }
}
