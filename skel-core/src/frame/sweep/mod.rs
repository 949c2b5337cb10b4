//! A container that a sweep changes, of which each element sees others: the memory of a sweep parameter.
#![allow(
    unsafe_code,
    reason = "elements are written while others of the container are read, so no slice is theirs alone"
)]

mod access;
mod inside;
mod neighbourhood;

pub use access::SweepAccess;
pub use inside::{SweepInside, SweepRadius};
pub use neighbourhood::{Near, SweepNeighbourhood};

use super::{ElementLayout, ErasedArray, View, ViewMut};
use crate::{
    Element, Result,
    space::{EdgeKind, MAX_RANK, SweepOrder},
};
use std::{marker::PhantomData, ops::Range};

/// The elements of a sweep. Invariant: all elements of the container are initialised, within the window, and nothing
/// but the parts of one call reads or writes them during `'m`; those write through `SweepAccess::put` and
/// `SweepInside::put` alone, whose callers keep to the order of the sweep.
#[derive(Debug)]
pub struct SweepMut<'m> {
    all: ViewMut<'m>,
    order: SweepOrder,
    pad: Option<View<'m>>,
    /// The elements that it computes.
    range: Range<usize>,
    /// Whether another one of these elements is at hand: see [`SweepMut::beside`].
    is_copy: bool,
}

impl<'m> SweepMut<'m> {
    /// All elements of `all`; `pad` is what lies beyond edges that are padded.
    ///
    /// # Panics
    /// If it does not show as many elements as the order has, counted from 0, or there is no value to pad with.
    #[must_use]
    pub fn new(all: ViewMut<'m>, order: SweepOrder, pad: Option<View<'m>>) -> Self {
        let range = 0..order.elems();
        assert_eq!(all.window(), range, "the elements of a sweep");
        let padded = order.edge() == EdgeKind::Pad;
        assert!(!padded || pad.is_some(), "a padded edge has a value");
        SweepMut {
            all,
            order,
            pad: pad.filter(|_| padded),
            range,
            is_copy: false,
        }
    }

    /// Takes the elements before `mid`: what is left begins there. Either sees all elements.
    ///
    /// # Panics
    /// If `mid` is not within its range.
    #[must_use]
    pub fn take_front(&mut self, mid: usize) -> Self {
        let Range { start, end } = self.range;
        assert!(start <= mid && mid <= end, "split outside of the sweep");
        self.range.start = mid;
        SweepMut {
            // SAFETY: both are parts of one call, and each writes its own elements alone, by `put`, whose caller sees to it
            // that no part reads an element while another writes it.
            all: unsafe { self.all.again() },
            order: self.order,
            pad: self.pad,
            range: start..mid,
            is_copy: self.is_copy,
        }
    }

    /// The same elements once more. It counts as a part, whatever its range: with what is for a whole alone, elements could
    /// be written that the other one has opened.
    #[must_use]
    pub(crate) fn beside(&mut self) -> Self {
        SweepMut {
            // SAFETY: both are parts of one call, and through this one, which is never a whole, elements are written by
            // `put` alone, whose caller sees to it that nothing reads an element meanwhile.
            all: unsafe { self.all.again() },
            order: self.order,
            pad: self.pad,
            range: self.range.clone(),
            is_copy: true,
        }
    }

    /// Puts back what [`SweepMut::take_front`] has taken.
    ///
    /// # Panics
    /// If these elements do not precede its own, or are of another container.
    pub fn join_front(&mut self, front: SweepMut<'m>) {
        assert!(
            front.range.end == self.range.start
                && front.order == self.order
                && std::ptr::eq(front.first_byte(), self.first_byte()),
            "parts of different sweeps"
        );
        self.range.start = front.range.start;
    }

    fn first_byte(&self) -> *const u8 {
        self.all.as_view().bytes().as_ptr()
    }

    /// Whether it computes all elements: then no other part does anything with them.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.is_copy && self.range == self.all.window()
    }

    /// Which elements are computed before which.
    #[must_use]
    pub fn order(&self) -> &SweepOrder {
        &self.order
    }

    /// The layout of the elements.
    #[must_use]
    pub fn layout(&self) -> ElementLayout {
        self.all.layout()
    }

    /// Elements `r`, of one row, opened.
    ///
    /// # Panics
    /// If the elements are not `T`, or some of them are not here.
    #[inline(always)]
    #[must_use]
    pub fn open<T: Element, const RANK: usize>(
        &mut self,
        r: Range<usize>,
    ) -> SweepAccess<'_, T, RANK> {
        let (own, order) = (&self.range, &self.order);
        assert!(
            own.start <= r.start && r.start < r.end && r.end <= own.end && RANK == order.rank(),
            "elements {r:?} of {own:?}"
        );
        let (first, x) = (order.places(r.start), MAX_RANK - 1);
        let room = match order.is_descending()[x] {
            true => first[x] + 1,
            false => order.extents()[x] - first[x],
        };
        assert!(r.len() <= room, "elements of more than one row");
        let mut pitch = [0_isize; RANK];
        let mut step = 1_isize;
        for d in (MAX_RANK - RANK..MAX_RANK).rev() {
            pitch[d + RANK - MAX_RANK] = match order.is_descending()[d] {
                true => -step,
                false => step,
            };
            step *= order.extents()[d].cast_signed();
        }
        let along = |of: [usize; MAX_RANK]| {
            std::array::from_fn(|d: usize| of[d + MAX_RANK - RANK].cast_signed())
        };
        let extents: [isize; RANK] = along(order.extents());
        let before: [isize; RANK] = along(first);
        let pad = self.pad.map(|pad| &pad.slice::<T>(pad.window())[0]);
        SweepAccess {
            first: self.all.pointer::<T>(r.clone()),
            len: r.len(),
            pitch,
            before,
            after: std::array::from_fn(|d| extents[d] - 1 - before[d]),
            pad,
            _life: PhantomData,
        }
    }

    /// The element that element `at` sees at these offsets; none, and what it sees beyond the edges.
    ///
    /// # Panics
    /// If the elements are not `T`, or the element is not here.
    #[must_use]
    pub fn seen<T: Element>(&self, at: usize, offsets: [isize; MAX_RANK]) -> T {
        assert!(self.range.contains(&at), "element {at} of {:?}", self.range);
        match (self.order.neighbour(at, offsets), self.pad) {
            (Some(element), _) => self.all.as_view().slice::<T>(element..element + 1)[0],
            (None, Some(pad)) => pad.slice::<T>(pad.window())[0],
            (None, None) => unreachable!("a padded edge has a value"),
        }
    }

    /// A copy of all elements.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    ///
    /// # Panics
    /// If this is not all of the sweep: another part may be at work.
    pub fn copy(&self) -> Result<ErasedArray> {
        assert!(self.is_whole(), "a part of a sweep is copied");
        ErasedArray::copy_of(self.all.as_view())
    }

    /// Makes all elements what they were when a [`SweepMut::copy`] was made.
    ///
    /// # Panics
    /// If this is not all of the sweep, or the copy has other elements.
    pub fn put_all(&mut self, copy: View<'_>) {
        assert!(
            self.is_whole() && self.range == copy.window(),
            "a part of a sweep is set"
        );
        self.all.reborrow().into_out().copy_from(copy);
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::space::Shape;

    fn order(shape: Shape) -> SweepOrder {
        SweepOrder::over(shape, [0, 0, 1, 1])
    }

    #[test]
    fn elements_are_seen_as_the_order_says() {
        let shape = Shape::D2(4, 5);
        for turned in 0..4 {
            let descending = [false, false, turned & 2 != 0, turned & 1 != 0];
            for edge in [EdgeKind::Duplicate, EdgeKind::Pad] {
                let order = order(shape).descending(descending).with_edge(edge);
                let mut data: Vec<u32> = (0..20).collect();
                let pad = [99_u32];
                let mut sweep = SweepMut::new(ViewMut::of(&mut data), order, Some(View::of(&pad)));
                for row in 0..4 {
                    for (y, x) in [(-1, 0), (0, -1), (-1, -1), (0, 0), (1, 1), (1, 0)] {
                        for col in 0..5 {
                            let at = 5 * row + col;
                            let expected = sweep.seen::<u32>(at, [0, 0, y, x]);
                            let mut access = sweep.open::<u32, 2>(5 * row..5 * row + 5);
                            let access = access.sub(col.min(2)..5);
                            let seen = access.get(col - col.min(2));
                            let place =
                                |d: usize, o: isize| o.clamp(-seen.before[d], seen.after[d]);
                            let (to_y, to_x) = (place(0, y), place(1, x));
                            let beyond = (to_y, to_x) != (y, x);
                            let distance = to_y * seen.pitch[0] + to_x * seen.pitch[1];
                            let found = match seen.pad.filter(|_| beyond) {
                                Some(pad) => *pad,
                                // SAFETY: within the container, by the invariant; nothing is written.
                                None => unsafe { *seen.origin.offset(distance) },
                            };
                            assert_eq!(found, expected, "{turned} {edge:?} {at} {y} {x}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn parts_write_their_own_elements_and_are_joined_again() {
        let mut data = [0_u32; 6];
        let mut rest = SweepMut::new(ViewMut::of(&mut data), order(Shape::D2(2, 3)), None);
        let mut front = rest.take_front(3);
        // SAFETY: one thread, in order.
        unsafe { front.open::<u32, 2>(0..3).put(1, 7) };
        assert_eq!(rest.seen::<u32>(4, [0, 0, -1, 0]), 7);
        rest.join_front(front);
        rest.put_all(View::of(&[1_u32, 2, 3, 4, 5, 6]));
        assert_eq!(data, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    #[should_panic(expected = "elements 0..3 of 3..6")]
    fn the_elements_of_others_are_refused() {
        let mut data = [0_u32; 6];
        let mut rest = SweepMut::new(ViewMut::of(&mut data), order(Shape::D2(2, 3)), None);
        drop(rest.take_front(3));
        let _ = rest.open::<u32, 2>(0..3);
    }

    #[test]
    #[should_panic(expected = "a part of a sweep is set")]
    fn what_is_beside_a_sweep_is_no_whole() {
        let mut data = [0_u32; 6];
        let mut all = SweepMut::new(ViewMut::of(&mut data), order(Shape::D2(2, 3)), None);
        let mut beside = all.beside();
        assert!(!beside.is_whole() && !beside.take_front(3).is_whole());
        assert!(all.is_whole());
        all.beside().put_all(View::of(&[1_u32; 6]));
    }

    struct Near;

    impl SweepRadius<2> for Near {
        const RADIUS: [isize; 2] = [1, 1];
    }

    #[test]
    #[should_panic(expected = "elements at an edge")]
    fn what_is_at_an_edge_is_not_inside() {
        let mut data = [0_u32; 9];
        let mut all = SweepMut::new(ViewMut::of(&mut data), order(Shape::D2(3, 3)), None);
        let _ = all.open::<u32, 2>(3..6).inside::<Near>(0..2);
    }
}
