//! The slot of a container of which each element sees a neighbourhood.

use super::{Parts, Scratch, View};
use crate::call::Neighbourhood;

/// What the elements of a piece see of a container.
#[derive(Debug)]
pub struct Near<'m> {
    /// The elements that they see.
    pub parts: Parts<'m>,
    /// Where their neighbourhoods lie.
    pub near: Neighbourhood,
    /// The one value beyond edges that are padded.
    pub pad: Option<View<'m>>,
    /// For neighbourhoods that are not in the container as they are seen.
    pub(crate) scratch: Scratch,
}

impl<'m> Near<'m> {
    /// The neighbourhoods `near` in these parts of a container.
    #[must_use]
    pub fn new(parts: Parts<'m>, near: Neighbourhood, pad: Option<View<'m>>) -> Self {
        Near {
            parts,
            near,
            pad,
            scratch: Scratch::default(),
        }
    }
}

impl Clone for Near<'_> {
    /// The clone has scratch memory of its own.
    fn clone(&self) -> Self {
        Near::new(self.parts.clone(), self.near, self.pad)
    }
}
