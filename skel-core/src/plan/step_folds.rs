//! Folds of rows and columns, step by step: how few of them are shared by many threads.

use crate::frame::Frame;
use std::{any::Any, ops::Range};

/// What some steps of the folds of a piece come to: a value for each of them.
pub type StepTotals = Box<dyn Any + Send>;

/// Some steps of all folds of a piece at once, and what all steps come to. That is what
/// [`Phases::local`](super::Phases::local) computes, with the same bits.
///
/// # Safety
/// A `put` that returns has written every element of the piece in every output slot.
pub unsafe trait StepFolds: Sync {
    /// Steps may be cut at multiples of this. `usize::MAX` where they may not be.
    fn grain(&self, piece: &Frame<'_>) -> usize;

    /// Folds steps `steps`, and writes nothing.
    ///
    /// # Panics
    /// If there are no such steps, or they are not cut so; also see [`Phases`](super::Phases).
    fn fold(&self, piece: &mut Frame<'_>, steps: Range<usize>) -> StepTotals;

    /// Combines what all steps came to, and writes it. They were cut in equal parts, but for the last one, which may be
    /// shorter; each as long as a power of two times [`StepFolds::grain`].
    ///
    /// # Panics
    /// If `totals` are those of another piece; also see [`Phases`](super::Phases).
    fn put(&self, piece: &mut Frame<'_>, totals: Vec<StepTotals>);
}
