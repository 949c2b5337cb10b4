//! How a host function gets at its arguments.

use super::{Form, Kind};
use crate::{
    frame::Slot,
    ir::{Ty, Value, eval},
    plan::Role,
    space::Segment,
};
use std::ops::Range;

/// A kind whose element type every unit knows, and how its arguments are read from a slot.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of parameter that skeletons can pass",
    label = "not a parameter kind"
)]
pub trait Param: Kind {
    /// What the slot is for.
    const ROLE: Role;

    /// Whether all elements of a segment must be of one row.
    const BY_ROWS: bool = false;

    /// What a neighbourhood looks like.
    const NEAR: Option<Form> = None;

    /// Whether it is a line.
    const IS_LINE: bool = false;

    /// Whether it is a sweep.
    const IS_SWEEP: bool = false;

    /// The opened slot: a typed slice, mostly.
    type Access<'a>;

    /// Several rows of it, opened at once.
    type Rows<'a>;

    /// The type in the IR.
    fn ty() -> Ty;

    /// Where a segment must end, at the latest, so that all its elements can be opened in one way, and those below it, in
    /// `rows` rows.
    #[inline(always)]
    fn cut(slot: &Slot<'_>, segment: &Segment, rows: usize) -> usize {
        let _ = (slot, rows);
        segment.range().end
    }

    /// How many rows can be opened at once, that of the segment and those below: where one is cut, all are. At least 1, and
    /// `most` at most.
    #[inline(always)]
    fn rows(slot: &Slot<'_>, segment: &Segment, most: usize) -> usize {
        let _ = (slot, segment);
        if Self::BY_ROWS { 1 } else { most }
    }

    /// The slot's elements of so many rows, from that of the segment on, at its columns. Not of more rows than
    /// [`Param::rows`] says.
    fn open_rows<'a>(slot: &'a mut Slot<'_>, segment: &Segment, rows: usize) -> Self::Rows<'a>;

    /// Whether all rows, of `elems` elements each, can be accessed as one.
    #[inline(always)]
    fn are_one(opened: &Self::Rows<'_>, elems: usize) -> bool {
        let _ = (opened, elems);
        true
    }

    /// From now on, all rows are one.
    #[inline(always)]
    fn join(opened: &mut Self::Rows<'_>) {
        let _ = opened;
    }

    /// The accesses of row `row`: of its `elems` elements from element `first` on, where those of the first row count from 0
    /// on, and those of other columns are counted as well. (Not as a range: LLVM would have to prove how long it is.)
    fn row<'b, 'a: 'b>(
        opened: &'b mut Self::Rows<'a>,
        row: usize,
        first: usize,
        elems: usize,
    ) -> Self::Access<'b>;

    /// The slot's elements of the segment.
    fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> Self::Access<'a>;

    /// The accesses of elements `r`, counted from the beginning of the access: one bounds check for
    /// many elements.
    fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Access<'b>;

    /// Whether the elements' neighbourhoods are those of neighbouring elements. A loop that is compiled for this case alone
    /// can read vectors.
    #[inline(always)]
    fn lie_together(access: &Self::Access<'_>) -> bool {
        let _ = access;
        true
    }

    /// The argument of element `i`, counted from the beginning of the access.
    fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, i: usize) -> Self::Arg<'b>;

    /// The argument of element `i` (absolute), for the interpreter; a view is the one of this number.
    fn value(slot: &Slot<'_>, i: usize, number: usize) -> Value;

    /// What the interpreter reads through a view, for the first element of the segment.
    fn view<'s>(slot: &'s Slot<'_>, segment: &Segment) -> Option<Box<dyn eval::View + 's>> {
        let _ = (slot, segment);
        None
    }
}

/// Where what is opened for one row serves others as well.
macro_rules! opened_as_one {
    () => {
        type Rows<'a> = Self::Access<'a>;

        #[inline(always)]
        fn open_rows<'a>(
            slot: &'a mut crate::frame::Slot<'_>,
            segment: &crate::space::Segment,
            rows: usize,
        ) -> Self::Rows<'a> {
            Self::open(slot, &segment.spanning(rows))
        }

        #[inline(always)]
        fn row<'b, 'a: 'b>(
            opened: &'b mut Self::Rows<'a>,
            _: usize,
            first: usize,
            elems: usize,
        ) -> Self::Access<'b> {
            Self::sub(opened, first..first + elems)
        }
    };
}
pub(super) use opened_as_one;
