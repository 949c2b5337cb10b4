//! What a tile of a sweep is before it is computed, so that it can be computed again.

use crate::{
    Result,
    frame::{ErasedArray, Frame, Slot, SweepMut},
    space::{MAX_RANK, SweepBox, SweepOrder},
};
use std::ops::Range;

/// The elements of a tile, row by row, as the container counts them.
fn rows(order: SweepOrder, tile: SweepBox) -> impl Iterator<Item = Range<usize>> {
    let (x, extent) = (MAX_RANK - 1, order.extents()[MAX_RANK - 1]);
    let columns = match order.is_descending()[x] {
        true => extent - tile.end[x]..extent - tile.start[x],
        false => tile.start[x]..tile.end[x],
    };
    tile.rows().map(move |first| {
        let row = order.row(first);
        row + columns.start..row + columns.end
    })
}

impl SweepMut<'_> {
    /// A copy of the elements of a tile, row by row, in the memory of another one if there is one.
    unsafe fn copy_tile(&self, tile: &SweepBox, old: Option<ErasedArray>) -> Result<ErasedArray> {
        let elems = (0..MAX_RANK).map(|d| tile.end[d] - tile.start[d]);
        let mut copy = ErasedArray::renewed(old, self.layout(), 0..elems.product())?;
        let mut to = 0;
        for row in rows(self.order, *tile) {
            let (start, len) = (row.start, row.len());
            let from = self.all.as_view().narrow(row).counted_from(start);
            copy.view_out(to..to + len).counted_from(to).copy_from(from);
            to += len;
        }
        Ok(copy)
    }

    /// Makes the elements of a tile what they were when a copy was made.
    unsafe fn put_tile(&mut self, tile: &SweepBox, copy: &ErasedArray) {
        let mut from = 0;
        for row in rows(self.order, *tile) {
            let was = copy.view(from..from + row.len()).counted_from(from);
            from += row.len();
            // SAFETY: the caller says that nothing reads or writes the tile meanwhile, and nothing else is written.
            let mut rest = unsafe { self.all.again() };
            drop(rest.take_front(row.start));
            let own = rest.take_front(row.end).into_out();
            own.counted_from(row.start).copy_from(was);
        }
    }
}

impl Frame<'_> {
    /// The bytes of an element of the container that is swept; 0 without a sweep.
    #[must_use]
    pub fn sweep_elem_bytes(&self) -> usize {
        let mut slots = self.slots.iter();
        let bytes = slots.find_map(|slot| match slot {
            Slot::Sweep(sweep) => Some(sweep.layout().size_bytes()),
            _ => None,
        });
        bytes.unwrap_or(0)
    }

    /// A copy of what a sweep has in a tile, in the memory of another one if there is one. Nothing without a sweep.
    ///
    /// # Safety
    /// Nothing writes elements of the tile meanwhile.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub unsafe fn copy_tile(
        &self,
        tile: &SweepBox,
        old: Option<ErasedArray>,
    ) -> Result<Option<ErasedArray>> {
        let mut slots = self.slots.iter();
        let sweep = slots.find_map(|slot| match slot {
            Slot::Sweep(sweep) => Some(sweep),
            _ => None,
        });
        // SAFETY: the caller says that nothing writes them.
        let copy = sweep.map(|sweep| unsafe { sweep.copy_tile(tile, old) });
        copy.transpose()
    }

    /// Makes a tile what it was when a copy was made.
    ///
    /// # Safety
    /// Nothing reads or writes elements of the tile meanwhile.
    ///
    /// # Panics
    /// If the copy is one of another tile or sweep.
    pub unsafe fn put_tile(&mut self, tile: &SweepBox, copy: &ErasedArray) {
        for slot in &mut self.slots {
            if let Slot::Sweep(sweep) = slot {
                // SAFETY: the caller says that nothing reads or writes them.
                unsafe { sweep.put_tile(tile, copy) };
            }
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{frame::ViewMut, space::Shape};

    #[test]
    fn a_tile_is_what_it_was_and_nothing_else_is_written() {
        for turned in 0..4 {
            let descending = [false, false, turned & 2 != 0, turned & 1 != 0];
            let order = SweepOrder::over(Shape::D2(4, 5), [0, 0, 1, 1]).descending(descending);
            let tile = SweepBox {
                start: [0, 0, 1, 2],
                end: [1, 1, 3, 4],
            };
            let mut data: Vec<u32> = (0..20).collect();
            let mut sweep = SweepMut::new(ViewMut::of(&mut data), order, None);
            // SAFETY: one thread.
            let copy = unsafe { sweep.copy_tile(&tile, None) }.unwrap();
            assert_eq!(copy.len(), 4);
            sweep.put_all(crate::frame::View::of(&[99_u32; 20]));
            // SAFETY: one thread.
            unsafe { sweep.put_tile(&tile, &copy) };
            for (element, found) in data.iter().enumerate() {
                let places = order.places(element);
                let is_in = (1..3).contains(&places[2]) && (2..4).contains(&places[3]);
                let expected = if is_in { element as u32 } else { 99 };
                assert_eq!(*found, expected, "{turned} {element}");
            }
        }
    }
}
