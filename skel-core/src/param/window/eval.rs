//! What the interpreter reads of a neighbourhood.

use crate::{
    Element,
    frame::NeighbourhoodView,
    ir::{Value, ViewKind, eval},
    space::MAX_RANK,
};
use std::marker::PhantomData;

/// The neighbourhood of one element.
pub(super) struct EvalNeighbourhood<'a, T> {
    near: &'a NeighbourhoodView<'a>,
    kind: ViewKind,
    at: usize,
    _elements: PhantomData<fn() -> T>,
}

impl<'a, T> EvalNeighbourhood<'a, T> {
    pub(super) fn new(near: &'a NeighbourhoodView<'_>, kind: ViewKind, at: usize) -> Self {
        EvalNeighbourhood {
            near,
            kind,
            at,
            _elements: PhantomData,
        }
    }
}

impl<T: Element> eval::View for EvalNeighbourhood<'_, T> {
    fn extent(&self, _: usize) -> usize {
        unreachable!("a neighbourhood has no extent")
    }

    fn get(&self, indices: &[isize]) -> Value {
        let rank = self.kind.rank();
        let mut offsets = [0; MAX_RANK];
        for (offset, index) in offsets[MAX_RANK - rank..].iter_mut().zip(indices) {
            *offset = *index;
        }
        let NeighbourhoodView {
            view, near, pad, ..
        } = self.near;
        let value = match near.element(self.at, offsets) {
            Some(element) => view.slice::<T>(element..element + 1)[0],
            None => pad.map_or_else(
                || unreachable!("a padded edge has a value"),
                |pad| pad.slice::<T>(pad.window())[0],
            ),
        };
        value.to_value()
    }
}
