//! Elements of containers, and values for all elements.

use super::{Each, EachMut, Param, Uniform, access::opened_as_one};
use crate::{
    Element,
    frame::{RowsMut, RowsView, Slot, View},
    ir::{Ty, Value},
    plan::Role,
    space::Segment,
};
use std::ops::Range;

/// What the slot holds, for reading. The executor makes the slots from [`Param::ROLE`], so another
/// variant is a bug of ours.
fn readable<'a>(slot: &'a Slot<'_>) -> View<'a> {
    match slot {
        Slot::In(view) => *view,
        Slot::InOut(view) => view.as_view(),
        Slot::Strided(_) | Slot::Scattered(_) => unreachable!("strided elements are gathered"),
        Slot::Out(_)
        | Slot::Whole(..)
        | Slot::Window(_)
        | Slot::Lines(_)
        | Slot::LinesMut(_)
        | Slot::Sweep(_) => {
            unreachable!("neither an output nor a whole container is read element by element")
        }
    }
}

impl<T: Element> Param for Each<T> {
    const ROLE: Role = Role::In;
    type Access<'a> = &'a [T];
    type Rows<'a> = RowsView<'a, T>;

    fn ty() -> Ty {
        T::ty()
    }

    #[inline(always)]
    fn cut(slot: &Slot<'_>, segment: &Segment, rows: usize) -> usize {
        let r = segment.range();
        match slot {
            Slot::Strided(strided) => r.end.min(r.start + strided.most_of_row(segment, rows)),
            _ => r.end,
        }
    }

    #[inline(always)]
    fn rows(slot: &Slot<'_>, segment: &Segment, most: usize) -> usize {
        match slot {
            Slot::Strided(strided) => strided.rows_at_once(segment, most),
            _ => most,
        }
    }

    #[inline(always)]
    fn open_rows<'a>(slot: &'a mut Slot<'_>, segment: &Segment, rows: usize) -> RowsView<'a, T> {
        match slot {
            Slot::Strided(strided) => strided.rows(segment, rows),
            slot => RowsView::Apart {
                elements: readable(slot).slice(segment.spanning(rows).range()),
                pitch: segment.row_elems(),
            },
        }
    }

    #[inline(always)]
    fn are_one(opened: &RowsView<'_, T>, elems: usize) -> bool {
        opened.is_one(elems)
    }

    #[inline(always)]
    fn row<'b, 'a: 'b>(
        opened: &'b mut RowsView<'a, T>,
        row: usize,
        _: usize,
        elems: usize,
    ) -> &'b [T] {
        opened.row(row, elems)
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> &'a [T] {
        match slot {
            Slot::Strided(strided) => strided.slice(segment.range()),
            slot => readable(slot).slice(segment.range()),
        }
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut &'a [T], r: Range<usize>) -> &'b [T] {
        &access[r]
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut &'a [T], i: usize) -> T {
        access[i]
    }

    fn value(slot: &Slot<'_>, i: usize, _: usize) -> Value {
        let element: T = match slot {
            Slot::Strided(strided) => strided.element(i),
            Slot::Scattered(scattered) => scattered.element(i),
            slot => readable(slot).slice(i..i + 1)[0],
        };
        element.to_value()
    }
}

impl<T: Element> Param for EachMut<T> {
    const ROLE: Role = Role::InOut;
    type Access<'a> = &'a mut [T];
    type Rows<'a> = RowsMut<'a, T>;

    fn ty() -> Ty {
        T::ty()
    }

    #[inline(always)]
    fn cut(slot: &Slot<'_>, segment: &Segment, _: usize) -> usize {
        slot.cut_to_write(segment)
    }

    #[inline(always)]
    fn rows(slot: &Slot<'_>, segment: &Segment, most: usize) -> usize {
        slot.rows_to_write(segment, most)
    }

    #[inline(always)]
    fn open_rows<'a>(slot: &'a mut Slot<'_>, segment: &Segment, rows: usize) -> RowsMut<'a, T> {
        match slot {
            Slot::Scattered(scattered) => scattered.rows_mut(segment, rows),
            slot => RowsMut::over(Self::open(slot, &segment.spanning(rows)), segment, rows),
        }
    }

    #[inline(always)]
    fn are_one(opened: &RowsMut<'_, T>, _: usize) -> bool {
        opened.is_one()
    }

    #[inline(always)]
    fn join(opened: &mut RowsMut<'_, T>) {
        opened.join();
    }

    #[inline(always)]
    fn row<'b, 'a: 'b>(
        opened: &'b mut RowsMut<'a, T>,
        row: usize,
        _: usize,
        elems: usize,
    ) -> &'b mut [T] {
        opened.row(row, elems)
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> &'a mut [T] {
        match slot {
            Slot::InOut(view) => view.slice(segment.range()),
            Slot::Scattered(scattered) => scattered.slice_mut(segment.range()),
            _ => unreachable!("`&mut` arguments are read and written"),
        }
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut &'a mut [T], r: Range<usize>) -> &'b mut [T] {
        &mut access[r]
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut &'a mut [T], i: usize) -> &'b mut T {
        &mut access[i]
    }

    fn value(slot: &Slot<'_>, i: usize, number: usize) -> Value {
        Each::<T>::value(slot, i, number)
    }
}

impl<T: Element> Param for Uniform<T> {
    const ROLE: Role = Role::Uniform;
    type Access<'a> = T;

    opened_as_one!();

    fn ty() -> Ty {
        T::ty()
    }

    #[inline(always)]
    fn open(slot: &mut Slot<'_>, _: &Segment) -> T {
        readable(slot).slice::<T>(0..1)[0]
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut T, _: Range<usize>) -> T {
        *access
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut T, _: usize) -> T {
        *access
    }

    fn value(slot: &Slot<'_>, _: usize, number: usize) -> Value {
        Each::<T>::value(slot, 0, number)
    }
}
