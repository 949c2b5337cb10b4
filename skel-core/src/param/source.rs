//! What a block of elements is computed from.

use super::Params;

/// The arguments of a block of elements, by lane. They may be asked for more than once.
pub trait Source<P: Params> {
    /// What the function is given without its being passed.
    type At;

    /// The same for the element of lane `l`.
    fn at(&self, l: usize) -> Self::At;

    /// The arguments of the element of lane `l`.
    fn args(&mut self, l: usize) -> P::Args<'_>;
}
