//! The slot of a container of which each element sees a neighbourhood.

use super::{Scratch, SparseView, View};
use crate::space::{MAX_RANK, Neighbourhood};
use std::any::TypeId;

/// What the elements of a piece see of a container.
#[derive(Debug)]
pub struct NeighbourhoodView<'m> {
    /// The elements that they see.
    pub view: SparseView<'m>,
    /// Where their neighbourhoods lie.
    pub near: Neighbourhood,
    /// The one value beyond edges that are padded.
    pub pad: Option<View<'m>>,
    /// For neighbourhoods that are not in the container as they are view.
    pub(crate) scratch: Scratch,
    /// Where the elements end that are computed: for others, nothing is copied ahead.
    pub(crate) end: usize,
    /// Which whole rows lie there, if some do.
    pub(crate) rows: Option<RowsHeld>,
}

/// Whole rows in a slot's scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowsHeld {
    /// Of which kind of neighbourhoods the rows are, and how many elements each has: all that is not said of
    /// the slot, but each time it is opened.
    pub(crate) kind: TypeId,
    pub(crate) row_len: usize,
    /// The element at place 0 of all dimensions, and the place of the first row's neighbourhoods, across them.
    pub(crate) base: usize,
    pub(crate) at: [usize; MAX_RANK],
    /// Of how many rows the neighbourhoods are there, of each of so many planes.
    pub(crate) rows: usize,
    pub(crate) planes: usize,
    /// Elements from one plane of rows to the next, and planes from one volume to the next.
    pub(crate) plane: usize,
    pub(crate) planes_seen: usize,
}

impl<'m> NeighbourhoodView<'m> {
    /// The neighbourhoods `near` in these elements of a container.
    #[must_use]
    pub fn new(view: SparseView<'m>, near: Neighbourhood, pad: Option<View<'m>>) -> Self {
        NeighbourhoodView {
            view,
            near,
            pad,
            scratch: Scratch::default(),
            end: usize::MAX,
            rows: None,
        }
    }
}

impl Clone for NeighbourhoodView<'_> {
    /// The clone has scratch memory of its own.
    fn clone(&self) -> Self {
        NeighbourhoodView::new(self.view.clone(), self.near, self.pad)
    }
}
