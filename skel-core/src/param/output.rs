//! What a user function returns: the elements of the output containers.

use crate::{
    Element,
    frame::{Block, Fence, OutSlice, RowsOut, Slot},
    ir::Ty,
    lanes::Lane,
    space::Segment,
};
use std::ops::Range;

/// An element; `()` for functions that write through `&mut` alone; or a tuple of two to four elements,
/// each of which goes to a container of its own.
#[diagnostic::on_unimplemented(
    message = "a user function cannot return `{Self}`",
    label = "neither an element, nor a tuple of elements, nor `()`",
    note = "elements are the numbers of up to 64 bits, `bool`, arrays of elements, and types with #[derive(Element)]",
    note = "each part of a tuple fills a container: instead of a tuple in a tuple write `(a, b, c)`, or a struct with #[derive(Element)]"
)]
pub trait Outputs: super::sealed::Outputs + Lane {
    /// The number of output containers.
    const LEN: usize;

    /// The opened slots.
    type Access<'a>;

    /// The element types.
    fn tys() -> Vec<Ty>;

    /// Several rows of them, opened at once.
    type Rows<'a>;

    /// See [`Param::open_rows`](super::Param::open_rows).
    fn open_rows<'a>(slots: &'a mut [Slot<'_>], segment: &Segment, rows: usize) -> Self::Rows<'a>;

    /// Whether all rows can be accessed as one.
    fn are_one(opened: &Self::Rows<'_>) -> bool;

    /// See [`Param::join`](super::Param::join).
    fn join(opened: &mut Self::Rows<'_>);

    /// The first `elems` elements of row `row`.
    fn row<'b>(opened: &'b mut Self::Rows<'_>, row: usize, elems: usize) -> Self::Access<'b>;

    /// Elements `r` of the `LEN` output slots.
    fn open<'a>(slots: &'a mut [Slot<'_>], r: &Range<usize>) -> Self::Access<'a>;

    /// The accesses of elements `r`, counted from the beginning of the access: one bounds check for many elements.
    fn sub<'b>(access: &'b mut Self::Access<'_>, r: Range<usize>) -> Self::Access<'b>;

    /// Stores the result for element `i`, counted from the beginning of the access.
    fn put(access: &mut Self::Access<'_>, i: usize, value: Self);

    /// How many results are [streamed](crate::streaming) at once; 0 for those that are not.
    const STREAMED: usize = 0;

    /// Whether results can be streamed from the `i`-th on: they begin at a boundary of the stores.
    #[inline(always)]
    fn can_stream(_: &Self::Access<'_>, _: usize) -> bool {
        false
    }

    /// Streams the results for [`Outputs::STREAMED`] elements from the `i`-th on, which are there when the fence is dropped.
    fn stream(
        access: &mut Self::Access<'_>,
        i: usize,
        fence: &Fence,
        value: impl FnMut(usize) -> Self,
    ) {
        let _ = (access, i, fence, value);
        unreachable!("these results are not streamed")
    }
}

impl<T: Element> Outputs for T {
    const LEN: usize = 1;
    type Access<'a> = OutSlice<'a, T>;
    type Rows<'a> = RowsOut<'a, T>;

    fn tys() -> Vec<Ty> {
        vec![T::ty()]
    }

    #[inline(always)]
    fn open_rows<'a>(slots: &'a mut [Slot<'_>], segment: &Segment, rows: usize) -> Self::Rows<'a> {
        match slots {
            [slot] => opened_rows(slot, segment, rows),
            _ => unreachable!("one output slot for one output"),
        }
    }

    #[inline(always)]
    fn are_one(opened: &Self::Rows<'_>) -> bool {
        opened.is_one()
    }

    #[inline(always)]
    fn join(opened: &mut Self::Rows<'_>) {
        opened.join();
    }

    #[inline(always)]
    fn row<'b>(opened: &'b mut Self::Rows<'_>, row: usize, elems: usize) -> Self::Access<'b> {
        opened.row(row, elems)
    }

    #[inline(always)]
    fn open<'a>(slots: &'a mut [Slot<'_>], r: &Range<usize>) -> Self::Access<'a> {
        match slots {
            [slot] => slice(slot, r),
            _ => unreachable!("one output slot for one output"),
        }
    }

    #[inline(always)]
    fn sub<'b>(access: &'b mut Self::Access<'_>, r: Range<usize>) -> Self::Access<'b> {
        access.sub(r)
    }

    #[inline(always)]
    fn put(access: &mut Self::Access<'_>, i: usize, value: Self) {
        access.put(i, value);
    }

    const STREAMED: usize = Block::<T>::ELEMS;

    #[inline(always)]
    fn can_stream(access: &Self::Access<'_>, i: usize) -> bool {
        access.is_aligned(i)
    }

    #[inline(always)]
    fn stream(
        access: &mut Self::Access<'_>,
        i: usize,
        fence: &Fence,
        value: impl FnMut(usize) -> Self,
    ) {
        access.stream(i, &Block::from_fn(value), fence);
    }
}

#[inline(always)]
fn slice<'a, T: Element>(slot: &'a mut Slot<'_>, r: &Range<usize>) -> OutSlice<'a, T> {
    match slot {
        Slot::Out(view) => view.slice(r.clone()),
        Slot::Scattered(scattered) => scattered.slice_out(r.clone()),
        _ => unreachable!("an output is written"),
    }
}

#[inline(always)]
fn opened_rows<'a, T: Element>(
    slot: &'a mut Slot<'_>,
    segment: &Segment,
    rows: usize,
) -> RowsOut<'a, T> {
    match slot {
        Slot::Scattered(scattered) => scattered.rows_out(segment, rows),
        slot => RowsOut::over(slice(slot, &segment.spanning(rows).range()), segment, rows),
    }
}

macro_rules! tuple {
    ($len:literal: $($t:ident $i:tt),*) => {
        impl<$($t: Element),*> Outputs for ($($t,)*) {
            const LEN: usize = $len;
            type Access<'a> = ($(OutSlice<'a, $t>,)*);
            type Rows<'a> = ($(RowsOut<'a, $t>,)*);

            fn tys() -> Vec<Ty> {
                vec![$($t::ty()),*]
            }

            #[inline(always)]
            #[allow(non_snake_case, reason = "the slots are called like the types")]
            fn open_rows<'a>(slots: &'a mut [Slot<'_>], segment: &Segment, rows: usize) -> Self::Rows<'a> {
                let [$($t),*] = slots else { unreachable!("an output slot for each part") };
                ($(opened_rows($t, segment, rows),)*)
            }

            #[inline(always)]
            fn are_one(opened: &Self::Rows<'_>) -> bool {
                true $(&& opened.$i.is_one())*
            }

            #[inline(always)]
            fn join(opened: &mut Self::Rows<'_>) {
                $(opened.$i.join();)*
            }

            #[inline(always)]
            fn row<'b>(opened: &'b mut Self::Rows<'_>, row: usize, elems: usize) -> Self::Access<'b> {
                ($(opened.$i.row(row, elems),)*)
            }

            #[inline(always)]
            #[allow(non_snake_case, reason = "the slots are called like the types")]
            fn open<'a>(slots: &'a mut [Slot<'_>], r: &Range<usize>) -> Self::Access<'a> {
                let [$($t),*] = slots else { unreachable!("an output slot for each part") };
                ($(slice($t, r),)*)
            }

            #[inline(always)]
            fn sub<'b>(access: &'b mut Self::Access<'_>, r: Range<usize>) -> Self::Access<'b> {
                ($(access.$i.sub(r.clone()),)*)
            }

            #[inline(always)]
            fn put(access: &mut Self::Access<'_>, i: usize, value: Self) {
                $(access.$i.put(i, value.$i);)*
            }
        }
    };
}
tuple!(2: A 0, B 1);
tuple!(3: A 0, B 1, C 2);
tuple!(4: A 0, B 1, C 2, D 3);

impl Outputs for () {
    const LEN: usize = 0;
    type Access<'a> = ();
    type Rows<'a> = ();

    #[inline(always)]
    fn open_rows(_: &mut [Slot<'_>], _: &Segment, _: usize) {}

    #[inline(always)]
    fn are_one((): &()) -> bool {
        true
    }

    #[inline(always)]
    fn join((): &mut ()) {}

    #[inline(always)]
    fn row((): &mut (), _: usize, _: usize) {}

    fn tys() -> Vec<Ty> {
        Vec::new()
    }

    #[inline(always)]
    fn open(_: &mut [Slot<'_>], _: &Range<usize>) {}

    #[inline(always)]
    fn sub((): &mut (), _: Range<usize>) {}

    #[inline(always)]
    fn put((): &mut (), _: usize, (): ()) {}
}
