//! How a sweep is cut into bands, and bands into tiles.

use super::super::pieces::WORTH_SHARING;
use skel_core::{
    ir::Weight,
    plan::Kernel,
    space::{MAX_RANK, ROWS_AT_ONCE, SweepBox, SweepOrder},
};

/// What a simple operation of a sweep takes, roughly: each waits for the element before, beside those of other rows.
const OPERATION_NS: f64 = 0.25;

/// What an element of a function with loops takes, roughly.
const HEAVY_NS: f64 = 100.0;

/// What a tile should take: much more than to see that the band before has come far enough.
const TILE_NS: f64 = 40_000.0;

/// A row of a tile takes no less, where tiles are parts of rows, so that opening a row costs little.
const LEAST_ROW_NS: f64 = 512.0;

/// There are at most so many bands, and so many tiles of each.
const MOST: usize = 256;

/// How a sweep is cut. Bands are cut along one dimension, their tiles along the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cuts {
    /// The dimension of bands; that of tiles is the next one.
    pub(super) along: usize,
    pub(super) band: usize,
    tile: usize,
    /// Whether a band waits for the one before.
    pub(super) waits: bool,
}

impl Cuts {
    /// How the work is shared among so many threads; none if it is not worth sharing, or cannot be.
    pub(super) fn new(order: &SweepOrder, element_ns: f64, threads: usize) -> Option<Cuts> {
        let (extents, rank) = (order.extents(), order.rank());
        let elems: usize = extents.iter().product();
        if threads < 2
            || rank < 2
            || elems as f64 * element_ns < WORTH_SHARING.as_nanos() as f64 * 2.0
        {
            return None;
        }
        let along = MAX_RANK - rank;
        let inner: usize = extents[along + 2..].iter().product();
        let at_once = (TILE_NS / element_ns / inner as f64).max(1.0) as usize;
        // Enough tiles for the threads to be at work beside each other, most of the time.
        let most_tile = (extents[along + 1] / (4 * threads)).max(1);
        let least = match rank {
            2 => (LEAST_ROW_NS / element_ns).max(1.0) as usize,
            _ => 1,
        };
        let tile = match order.radius()[along] > 0 {
            true => (at_once.isqrt() * 4).clamp(least, most_tile.max(least)),
            false => extents[along + 1],
        };
        let most_band = (extents[along] / (4 * threads)).max(1);
        let band = (at_once / tile).clamp(1, most_band);
        // Of rows, as many as are computed at once: rather fewer bands than rows that are computed one by one.
        let rounded = |elems: usize, d: usize| {
            let elems = elems.max(extents[d].div_ceil(MOST)).max(1);
            let has_enough = extents[d] >= 2 * threads * ROWS_AT_ONCE;
            match d + 2 == MAX_RANK && (has_enough || elems > ROWS_AT_ONCE) {
                true => elems.next_multiple_of(ROWS_AT_ONCE),
                false => elems,
            }
        };
        let cuts = Cuts {
            along,
            band: rounded(band, along),
            tile: rounded(tile, along + 1),
            waits: order.radius()[along] > 0,
        };
        let (bands, tiles) = (cuts.bands(order), cuts.tiles(order));
        (bands > 1 && (tiles > 1 || !cuts.waits)).then_some(cuts)
    }

    pub(super) fn bands(&self, order: &SweepOrder) -> usize {
        order.extents()[self.along].div_ceil(self.band)
    }

    pub(super) fn tiles(&self, order: &SweepOrder) -> usize {
        order.extents()[self.along + 1].div_ceil(self.tile)
    }

    /// The band and the tile of the element at these places.
    pub(super) fn tile_of(&self, places: [usize; MAX_RANK]) -> (usize, usize) {
        (
            places[self.along] / self.band,
            places[self.along + 1] / self.tile,
        )
    }

    /// The elements of tile `tile` of band `band`, by their places.
    pub(super) fn places(&self, order: &SweepOrder, band: usize, tile: usize) -> SweepBox {
        let mut places = order.all();
        for (d, number, size) in [
            (self.along, band, self.band),
            (self.along + 1, tile, self.tile),
        ] {
            places.start[d] = number * size;
            places.end[d] = places.end[d].min((number + 1) * size);
        }
        places
    }
}

/// What an element takes, roughly.
pub(super) fn element_ns(kernel: Option<&Kernel>) -> f64 {
    match kernel.map_or(Weight::Unknown, |kernel| kernel.weight) {
        Weight::Operations(n) => f64::from(n.max(2)) * OPERATION_NS,
        Weight::Unknown => HEAVY_NS,
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_core::space::Shape;

    #[test]
    fn tiles_cover_all_elements_once() {
        for (shape, radius) in [
            (Shape::D2(1000, 3000), [0, 0, 1, 1]),
            (Shape::D2(4000, 300), [0, 0, 0, 1]),
            (Shape::D2(4000, 300), [0, 0, 1, 0]),
            (Shape::D3(40, 50, 60), [0, 1, 1, 1]),
            (Shape::D3(40, 50, 60), [0, 0, 1, 1]),
        ] {
            let order = SweepOrder::over(shape, radius);
            for threads in [2, 16] {
                let cuts = Cuts::new(&order, 2.0, threads).expect("much work");
                let (bands, tiles) = (cuts.bands(&order), cuts.tiles(&order));
                assert!(bands <= MOST && tiles <= MOST, "{shape} {cuts:?}");
                let mut elems = 0;
                for band in 0..bands {
                    for tile in 0..tiles {
                        let SweepBox { start, end } = cuts.places(&order, band, tile);
                        let last = end.map(|place| place - 1);
                        assert_eq!([start, last].map(|p| cuts.tile_of(p)), [(band, tile); 2]);
                        let lens = (0..MAX_RANK).map(|d| end[d] - start[d]);
                        elems += lens.product::<usize>();
                    }
                }
                assert_eq!(elems, shape.len(), "{shape} {cuts:?}");
            }
        }
    }

    #[test]
    fn little_work_and_chains_stay_on_one_thread() {
        let small = SweepOrder::over(Shape::D2(30, 30), [0, 0, 1, 1]);
        assert_eq!(Cuts::new(&small, 2.0, 8), None);
        assert!(Cuts::new(&small, 500.0, 2).is_some());
        let chain = SweepOrder::over(Shape::D1(1 << 20), [0, 0, 0, 1]);
        assert_eq!(Cuts::new(&chain, 2.0, 8), None);
        let order = SweepOrder::over(Shape::D2(1 << 10, 1 << 10), [0, 0, 1, 1]);
        assert_eq!(Cuts::new(&order, 2.0, 1), None);
    }
}
