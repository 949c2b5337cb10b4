//! Bands: rows of operands that lie by columns, as those of a transposed matrix do.
//!
//! Where a row is gone through element by element, each would be of another cache line, which is not there any more when the
//! next row needs its neighbour. So some rows are worked on together, as a copy that the caches hold: as many as cache lines
//! have elements, or more.

use super::{Frame, Slot, room};
use std::ops::Range;

/// Bytes that a copy takes. Where rows are so long that it would have fewer than two cache lines of each column, which are
/// often fetched in pairs: as many as it takes to have them; and at most, to have one.
const BAND_BYTES: usize = 256 << 10;
const LONG_BYTES: usize = room::MOST_BYTES;
const MOST_BYTES: usize = 8 << 20;

pub(super) const CACHE_LINE_BYTES: usize = 64;

/// The rows of a band that has one cache line of each column, if caches hold such a band.
pub(crate) fn band_of_lines(size_bytes: usize, cols: usize) -> Option<usize> {
    let in_line = (CACHE_LINE_BYTES / size_bytes.max(1)).max(1);
    let bytes = cols.saturating_mul(size_bytes).saturating_mul(in_line);
    (1..=MOST_BYTES).contains(&bytes).then_some(in_line)
}

impl Frame<'_> {
    /// How many elements a band has, if operands lie by columns. A piece that has fewer shares cache lines with the next one.
    #[must_use]
    pub fn band_elems(&self) -> Option<usize> {
        let (rows, cols) = self.band_rows(self.slots.len())?;
        Some(rows.saturating_mul(cols))
    }

    /// The rows of a band, and the elements of one.
    fn band_rows(&self, slots: usize) -> Option<(usize, usize)> {
        let cols = self.arguments_space().shape.row_elems();
        let slots = self.slots[..slots].iter();
        let size_bytes = slots.filter_map(|slot| slot.bytes_by_columns(cols)).max()?;
        let in_line = band_of_lines(size_bytes, cols)?;
        let rows_of = |bytes: usize| bytes / (cols * size_bytes) / in_line * in_line;
        let (few, long) = (rows_of(BAND_BYTES), rows_of(LONG_BYTES));
        Some((few.max(long.min(2 * in_line)).max(in_line), cols))
    }

    /// The first of elements `rest` of the first `slots`, which are arguments, or outputs of as many elements: those to go on
    /// with, in order, before others are asked for. All of them, if no operand lies by columns.
    pub(crate) fn hold_band(&mut self, slots: usize, rest: &Range<usize>) -> Range<usize> {
        let Some((rows, cols)) = self.band_rows(slots) else {
            return rest.clone();
        };
        // They end where cache lines do, if those begin with a row.
        let end = (rest.start / cols / rows + 1) * rows;
        let band = rest.start..rest.end.min(end.saturating_mul(cols));
        for slot in &mut self.slots[..slots] {
            match slot {
                slot if slot.bytes_by_columns(cols).is_none() => {}
                Slot::Strided(strided) => strided.hold(band.clone()),
                Slot::Scattered(scattered) => scattered.hold(band.clone()),
                _ => {}
            }
        }
        band
    }

    /// Nothing is held any more: elements are opened as others are, and those that were written are in their places.
    pub(crate) fn release_bands(&mut self) {
        for slot in &mut self.slots {
            match slot {
                Slot::Strided(strided) => strided.hold(0..0),
                Slot::Scattered(scattered) => scattered.release(),
                _ => {}
            }
        }
    }
}

impl Slot<'_> {
    /// The bytes of an element, if rows of `cols` lie by columns, and can be held.
    fn bytes_by_columns(&self, cols: usize) -> Option<usize> {
        match self {
            Slot::Strided(strided) => strided.bytes_by_columns(cols),
            Slot::Scattered(scattered) => scattered.bytes_by_columns(cols),
            _ => None,
        }
    }
}

#[cfg(test)]
mod test;
