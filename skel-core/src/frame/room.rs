//! Memory for copies of operands, which a thread keeps from one piece to the next: new memory is cleared page by page, which
//! takes longer than to copy to it.

use super::{ElementLayout, ErasedArray};
use crate::caught::or_unwind;
use arrayvec::ArrayVec;
use std::cell::RefCell;

/// Smaller arrays are left to the allocator, and larger ones given back.
const LEAST_BYTES: usize = 32 << 10;
pub(super) const MOST_BYTES: usize = 1 << 20;

/// Arrays that a thread keeps, at most.
const MOST_KEPT: usize = 4;

thread_local! {
    static KEPT: RefCell<ArrayVec<ErasedArray, MOST_KEPT>> = const { RefCell::new(ArrayVec::new_const()) };
}

/// An array, if it is needed.
#[derive(Debug, Default)]
pub(crate) struct Room(Option<ErasedArray>);

impl Room {
    /// An array of `elems` elements or more, which are zero, or what elements of this type were there.
    ///
    /// # Panics
    /// Unwinds where memory is short: [`caught`](crate::caught).
    pub(crate) fn of(&mut self, layout: ElementLayout, elems: usize) -> &mut ErasedArray {
        let is_enough = |array: &ErasedArray| array.layout() == layout && array.len() >= elems;
        if !self.0.as_ref().is_some_and(is_enough) {
            self.give_back();
            let kept = KEPT.try_with(|kept| {
                let mut kept = kept.borrow_mut();
                let fits = |array: &ErasedArray| array.has_room_for(layout, elems);
                kept.iter()
                    .position(fits)
                    .map(|found| kept.swap_remove(found))
            });
            let kept = kept.ok().flatten();
            self.0 = Some(or_unwind(ErasedArray::renewed(kept, layout, 0..elems)));
        }
        self.0
            .as_mut()
            .unwrap_or_else(|| unreachable!("it was just made"))
    }

    /// The array, if there is one.
    pub(super) fn array(&self) -> Option<&ErasedArray> {
        self.0.as_ref()
    }

    fn give_back(&mut self) {
        let Some(array) = self.0.take() else {
            return;
        };
        if !(LEAST_BYTES..=MOST_BYTES).contains(&array.room_bytes()) {
            return;
        }
        // A thread that ends keeps nothing.
        _ = KEPT.try_with(|kept| {
            let mut kept = kept.borrow_mut();
            if kept.is_full() {
                drop(kept.remove(0));
            }
            kept.push(array);
        });
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod test {
    use super::*;

    const ELEMS: usize = LEAST_BYTES;

    fn kept() -> usize {
        KEPT.with(|kept| kept.borrow().len())
    }

    #[test]
    fn arrays_are_kept_for_elements_of_their_type() {
        let (layout, bools) = (ElementLayout::of::<u8>(), ElementLayout::of::<bool>());
        let mut room = Room::default();
        let array = room.of(layout, ELEMS);
        array.view_mut(0..ELEMS).into_slice::<u8>().fill(7);
        let place = array.all().bytes().as_ptr();
        drop(room);
        assert_eq!(kept(), 1);
        // What is no value of another type is not shown as one.
        let mut other = Room::default();
        let flags = other.of(bools, ELEMS);
        assert!(flags.all().slice::<bool>(0..ELEMS).iter().all(|flag| !flag));
        let mut room = Room::default();
        assert_eq!(room.of(layout, ELEMS - 1).all().bytes().as_ptr(), place);
        assert_eq!(kept(), 0);
        // More than there is: another array, and this one is kept.
        assert_eq!(room.of(layout, ELEMS + 16).len(), ELEMS + 16);
        assert_eq!(kept(), 1);
    }

    #[test]
    fn few_arrays_are_kept_and_none_that_is_small_or_large() {
        let layout = ElementLayout::of::<u8>();
        let mut rooms: Vec<Room> = (0..9).map(|_| Room::default()).collect();
        for (k, room) in rooms.iter_mut().enumerate() {
            room.of(layout, ELEMS << (k % 2));
        }
        drop(rooms);
        assert_eq!(kept(), MOST_KEPT);
        KEPT.with(|kept| kept.borrow_mut().clear());
        for elems in [10, MOST_BYTES + 1] {
            Room::default().of(layout, elems);
        }
        assert_eq!(kept(), 0);
    }
}
