//! Sweeps on devices: tiles, hyperplane by hyperplane.
//!
//! A launch takes the tiles of one hyperplane, a work-group each. Within a tile a lane has one row, and goes along it
//! behind the lanes before: in each turn the lanes are on one hyperplane of elements, and a barrier stands between
//! turns. So a matrix of n by n elements takes 2 n / 64 launches, and not 2 n.

use skel_core::{
    ir::{Ty, ViewKind, Weight},
    plan::{Argument, Kernel, Role, SweepForm},
    space::{MAX_RANK, SweepOrder},
};

/// Lanes of a work-group, at most.
pub(crate) const LANES: u32 = 64;

/// Elements of a row of a tile: in sweeps of one dimension, which are one row, and in others.
const LONG: u32 = 1 << 12;
const SHORT: u32 = 64;

/// Elements of a tile, along planes, rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) extents: [u32; 3],
}

impl Tile {
    /// The tiles of a sweep that sees so far, for so many lanes, a power of two. Planes and rows that do not see each
    /// other are in tiles of their own, unless rows are all there is.
    pub(crate) fn new(rank: usize, radius: [usize; MAX_RANK], lanes: u32) -> Tile {
        let lanes = lanes.clamp(1, LANES);
        let extents = match (rank, radius[1] > 0, radius[2] > 0) {
            (1, ..) => [1, 1, LONG],
            (3, true, true) => {
                let planes = 1 << (lanes.ilog2() / 2);
                [planes, lanes / planes, SHORT]
            }
            (3, true, false) => [lanes, 1, SHORT],
            _ => [1, lanes, SHORT],
        };
        Tile { extents }
    }

    /// The lanes that have a row.
    pub(crate) fn lanes(self) -> u32 {
        let [planes, rows, _] = self.extents;
        planes * rows
    }

    /// Hyperplanes of elements.
    pub(crate) fn turns(self) -> u32 {
        self.extents.iter().sum::<u32>() - 2
    }
}

/// The tiles of one sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiles {
    /// How many there are along planes, rows and columns.
    pub(crate) counts: [usize; 3],
    waits: [bool; 2],
}

impl Tiles {
    pub(crate) fn new(order: &SweepOrder, lanes: u32) -> Tiles {
        let tile = Tile::new(order.rank(), order.radius(), lanes);
        let extents = order.extents();
        Tiles {
            counts: std::array::from_fn(|d| extents[d + 1].div_ceil(tile.extents[d] as usize)),
            waits: waits(order.radius()),
        }
    }

    /// Hyperplanes of tiles: a launch each.
    pub(crate) fn planes(self) -> usize {
        let [planes, rows, columns] = self.counts;
        let outer = [planes, rows].into_iter().zip(self.waits);
        let outer: usize = outer
            .map(|(count, waits)| if waits { count - 1 } else { 0 })
            .sum();
        outer + columns
    }

    /// The rows of tiles that a launch has work-groups for: all that may have a tile on the hyperplane, and, of sweeps in
    /// which both planes and rows wait, some that have none.
    pub(crate) fn launch(self, plane: usize) -> TileRows {
        let mut rows = TileRows {
            first: [0; 2],
            counts: [self.counts[0], self.counts[1]],
        };
        for d in 0..2 {
            if self.waits[d] {
                let first = plane.saturating_sub(self.beyond(d));
                let last = plane.min(self.counts[d] - 1);
                (rows.first[d], rows.counts[d]) = (first, (last + 1).saturating_sub(first));
            }
        }
        rows
    }

    /// How many hyperplanes the tiles of one row of tiles lie on, but for one, whatever its place along the other
    /// dimension.
    fn beyond(self, d: usize) -> usize {
        let other = 1 - d;
        let others = if self.waits[other] {
            self.counts[other].saturating_sub(1)
        } else {
            0
        };
        others + self.counts[2].saturating_sub(1)
    }

    /// Work-groups of a launch, at most.
    pub(crate) fn most_groups(self) -> usize {
        let most = |d: usize| match self.waits[d] {
            true => self.counts[d].min(self.beyond(d) + 1),
            false => self.counts[d],
        };
        most(0).saturating_mul(most(1))
    }
}

/// The rows of tiles of one launch, along planes and rows: from the first on, so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileRows {
    pub(crate) first: [usize; 2],
    pub(crate) counts: [usize; 2],
}

impl TileRows {
    /// Work-groups: one each.
    pub(crate) fn groups(self) -> usize {
        self.counts[0] * self.counts[1]
    }
}

/// Whether planes wait for planes, and rows for rows.
pub(crate) fn waits(radius: [usize; MAX_RANK]) -> [bool; 2] {
    [radius[1] > 0, radius[2] > 0]
}

/// What a kernel sweeps: its first argument.
pub(crate) struct SweptKernel<'k> {
    pub(crate) elem: &'k Ty,
    pub(crate) rank: usize,
    pub(crate) radius: [usize; MAX_RANK],
    pub(crate) form: SweepForm,
    /// The function may take any time. What an element that trapped should have written is not there, so what is behind
    /// it in the sweep is not computed: a loop might never end.
    pub(crate) stops_behind_traps: bool,
}

impl<'k> SweptKernel<'k> {
    pub(crate) fn of(kernel: &'k Kernel) -> Option<SweptKernel<'k>> {
        let Argument { role, ty } = kernel.arguments.first()?;
        let (Role::Sweep(form), Ty::View(view)) = (role, ty) else {
            return None;
        };
        let ViewKind::Sweep { rank, radius } = view.kind else {
            return None;
        };
        Some(SweptKernel {
            elem: &view.elem,
            rank: usize::from(rank),
            radius: radius.map(|far| far as usize),
            form: *form,
            stops_behind_traps: kernel.weight == Weight::Unknown,
        })
    }

    pub(crate) fn tile(&self, lanes: u32) -> Tile {
        Tile::new(self.rank, self.radius, lanes)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_core::space::Shape;

    /// What the kernels do: the elements of each launch, group and turn, by their places.
    fn all(order: &SweepOrder, lanes: u32) -> Vec<(usize, u32, [usize; 4])> {
        let tile = Tile::new(order.rank(), order.radius(), lanes);
        let tiles = Tiles::new(order, lanes);
        let [planes, rows, columns] = tile.extents.map(|extent| extent as usize);
        let mut all = Vec::new();
        for plane in 0..tiles.planes() {
            let launch = tiles.launch(plane);
            assert!(launch.groups() <= tiles.most_groups(), "{tiles:?}");
            for group in 0..launch.groups() {
                let at = [group / launch.counts[1], group % launch.counts[1]];
                let own = [0, 1].map(|d| launch.first[d] + at[d]);
                let waits = waits(order.radius());
                let before: usize = (0..2).map(|d| if waits[d] { own[d] } else { 0 }).sum();
                if plane < before || plane - before >= tiles.counts[2] {
                    continue;
                }
                for turn in 0..tile.turns() {
                    for lane in 0..tile.lanes() as usize {
                        let ahead = [lane / rows, lane % rows];
                        let late = ahead[0] + ahead[1];
                        let Some(x) = (turn as usize).checked_sub(late).filter(|x| *x < columns)
                        else {
                            continue;
                        };
                        let places = [
                            0,
                            own[0] * planes + ahead[0],
                            own[1] * rows + ahead[1],
                            (plane - before) * columns + x,
                        ];
                        if (0..4).all(|d| places[d] < order.extents()[d]) {
                            all.push((plane, turn, places));
                        }
                    }
                }
            }
        }
        all
    }

    /// Tall and thin, or wide and flat.
    #[test]
    fn launches_have_no_more_groups_than_there_are_tiles() {
        for (shape, radius, most) in [
            (Shape::D2(1_000_000, 3), [0, 0, 1, 1], 1),
            (Shape::D2(3, 1_000_000), [0, 0, 1, 1], 1),
            (Shape::D2(1_000_000, 3), [0, 0, 0, 1], 15_625),
            (Shape::D3(40_000, 2, 100), [0, 1, 1, 1], 2),
        ] {
            let tiles = Tiles::new(&SweepOrder::over(shape, radius), LANES);
            let launches = (0..tiles.planes()).map(|plane| tiles.launch(plane).groups());
            let all: usize = tiles.counts.iter().product();
            assert!(launches.sum::<usize>() <= all, "{shape}");
            assert_eq!(tiles.most_groups(), most, "{shape}");
        }
    }

    #[test]
    fn each_element_is_computed_once_behind_all_that_it_sees() {
        for (shape, radius) in [
            (Shape::D1(5000), [0, 0, 0, 1]),
            (Shape::D2(70, 130), [0, 0, 1, 1]),
            (Shape::D2(70, 30), [0, 0, 0, 2]),
            (Shape::D3(10, 9, 70), [0, 1, 1, 1]),
            (Shape::D3(3, 70, 66), [0, 0, 1, 1]),
            (Shape::D3(70, 3, 5), [0, 1, 0, 1]),
            (Shape::D2(300, 3), [0, 0, 1, 1]),
            (Shape::D3(40, 40, 3), [0, 1, 1, 1]),
            (Shape::D3(2, 40, 200), [0, 1, 1, 1]),
        ] {
            for lanes in [1, 8, 64] {
                let order = SweepOrder::over(shape, radius);
                let all = all(&order, lanes);
                assert_eq!(all.len(), shape.len(), "{shape} {lanes}");
                let mut when = vec![None; shape.len()];
                for (plane, turn, places) in all {
                    let one = when[order.at(places)].replace((plane, turn));
                    assert!(one.is_none(), "{shape} {lanes} {places:?}");
                }
                for element in 0..shape.len() {
                    for d in 1..4 {
                        let mut offsets = [0; 4];
                        offsets[d] = -isize::from(radius[d] > 0);
                        let Some(seen) = order.neighbour(element, offsets) else {
                            continue;
                        };
                        let earlier = when[seen] < when[element];
                        assert!(seen == element || earlier, "{shape} {lanes} {element} {d}");
                    }
                }
            }
        }
    }
}
