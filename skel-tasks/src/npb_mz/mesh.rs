//! How a mesh is cut into zones.

use super::{Benchmark, Class};
use crate::distribution::Sizes;

/// The mesh of a benchmark: a grid of zones, in x and y, each over all of z. Both directions wrap around, so every zone
/// has four neighbours. Zones are numbered along x first.
///
/// ```
/// use skel_tasks::npb_mz::{Benchmark, Class, Mesh};
///
/// let mesh = Mesh::new(Benchmark::Bt, Class::W);
/// assert_eq!((mesh.x_zones(), mesh.y_zones(), mesh.len()), (4, 4, 16));
/// assert_eq!((mesh.zone(0).nx, mesh.zone(3).nx), (6, 29));
/// assert_eq!(mesh.points(15), 29 * 29 * 8);
/// assert_eq!((mesh.east(3), mesh.north(12)), (0, 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    benchmark: Benchmark,
    class: Class,
    /// The widths of columns and rows of zones.
    xs: Vec<usize>,
    ys: Vec<usize>,
    nz: usize,
}

/// The points of a zone in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "points in each direction")]
pub struct Zone {
    pub nx: usize,
    pub ny: usize,
    pub nz: usize,
}

impl Mesh {
    /// The mesh of a benchmark and class.
    #[must_use]
    pub fn new(benchmark: Benchmark, class: Class) -> Mesh {
        let (gx, gy, nz) = match class {
            Class::S => (24, 24, 6),
            Class::W => (64, 64, 8),
            Class::A => (128, 128, 16),
            Class::B => (304, 208, 17),
            Class::C => (480, 320, 28),
            Class::D => (1632, 1216, 34),
        };
        let zones = match (benchmark, class) {
            (Benchmark::Lu, _) | (_, Class::W | Class::A) => 4,
            (_, Class::S) => 2,
            (_, Class::B) => 8,
            (_, Class::C) => 16,
            (_, Class::D) => 32,
        };
        let widths = |points| match (benchmark, class) {
            (Benchmark::Bt, Class::S) => uneven(points, zones, 3.0),
            (Benchmark::Bt, _) => uneven(points, zones, 4.5),
            _ => even(points, zones),
        };
        Mesh {
            benchmark,
            class,
            xs: widths(gx),
            ys: widths(gy),
            nz,
        }
    }

    /// The benchmark.
    #[must_use]
    pub fn benchmark(&self) -> Benchmark {
        self.benchmark
    }

    /// The class.
    #[must_use]
    pub fn class(&self) -> Class {
        self.class
    }

    /// The number of zones. There are some.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there are some")]
    pub fn len(&self) -> usize {
        self.xs.len() * self.ys.len()
    }

    /// The number of zones along x.
    #[must_use]
    pub fn x_zones(&self) -> usize {
        self.xs.len()
    }

    /// The number of zones along y.
    #[must_use]
    pub fn y_zones(&self) -> usize {
        self.ys.len()
    }

    /// A zone by its number.
    ///
    /// # Panics
    /// If there is no such zone.
    #[must_use]
    pub fn zone(&self, zone: usize) -> Zone {
        Zone {
            nx: self.xs[zone % self.xs.len()],
            ny: self.ys[zone / self.xs.len()],
            nz: self.nz,
        }
    }

    /// The points of a zone.
    ///
    /// # Panics
    /// If there is no such zone.
    #[must_use]
    pub fn points(&self, zone: usize) -> usize {
        let Zone { nx, ny, nz } = self.zone(zone);
        nx * ny * nz
    }

    /// The points of all zones.
    #[must_use]
    pub fn all_points(&self) -> usize {
        (0..self.len()).map(|zone| self.points(zone)).sum()
    }

    /// Zones as items of a distribution, by points.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        let points = (0..self.len()).map(|zone| self.points(zone) as f64);
        // Each has points, so there is nothing to refuse.
        Sizes::new(points).unwrap_or_else(|_| Sizes::equal(self.len()))
    }

    /// The neighbour towards higher x.
    #[must_use]
    pub fn east(&self, zone: usize) -> usize {
        let (x, y) = (zone % self.xs.len(), zone / self.xs.len());
        (x + 1) % self.xs.len() + y * self.xs.len()
    }

    /// The neighbour towards lower x.
    #[must_use]
    pub fn west(&self, zone: usize) -> usize {
        let (x, y) = (zone % self.xs.len(), zone / self.xs.len());
        (x + self.xs.len() - 1) % self.xs.len() + y * self.xs.len()
    }

    /// The neighbour towards higher y.
    #[must_use]
    pub fn north(&self, zone: usize) -> usize {
        (zone + self.xs.len()) % self.len()
    }

    /// The neighbour towards lower y.
    #[must_use]
    pub fn south(&self, zone: usize) -> usize {
        (zone + self.len() - self.xs.len()) % self.len()
    }

    /// All pairs of neighbours: twice as many as zones.
    pub fn faces(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.len()).flat_map(|zone| [(zone, self.east(zone)), (zone, self.north(zone))])
    }

    /// How many pairs of neighbours lie in different memories, by the memory of each zone.
    ///
    /// # Panics
    /// If a zone has no memory.
    #[must_use]
    pub fn cut_faces(&self, memory: &[usize]) -> usize {
        let is_cut = |(a, b): &(usize, usize)| memory[*a] != memory[*b];
        self.faces().filter(is_cut).count()
    }

    /// How many time steps the benchmark makes.
    #[must_use]
    pub fn steps(&self) -> usize {
        match (self.benchmark, self.class) {
            (Benchmark::Bt, Class::S) => 60,
            (Benchmark::Bt, Class::D) => 250,
            (Benchmark::Bt, _) => 200,
            (Benchmark::Sp, Class::S) => 100,
            (Benchmark::Sp, Class::D) => 500,
            (Benchmark::Sp, _) => 400,
            (Benchmark::Lu, Class::S) => 50,
            (Benchmark::Lu, Class::W | Class::D) => 300,
            (Benchmark::Lu, _) => 250,
        }
    }
}

/// Widths that are as equal as they can be.
fn even(points: usize, zones: usize) -> Vec<usize> {
    let end = |zone: usize| zone * points / zones;
    (0..zones).map(|zone| end(zone + 1) - end(zone)).collect()
}

/// Widths in a geometric progression, the last about `ratio` times the first.
fn uneven(points: usize, zones: usize, ratio: f64) -> Vec<usize> {
    let q = (ratio.ln() / (zones - 1) as f64).exp();
    let first = points as f64 * (q - 1.0) / (q.powi(zones as i32) - 1.0);
    let end = |zone: usize| (first * (q.powi(zone as i32) - 1.0) / (q - 1.0) + 0.45) as usize;
    (0..zones).map(|zone| end(zone + 1) - end(zone)).collect()
}
