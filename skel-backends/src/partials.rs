//! Partials of pieces, combined in order by whichever component has them.

use skel_core::{
    Error, Result,
    caught::catch,
    frame::{Partial, Spine},
    plan::Phases,
};

/// Combines two partials, the left one first.
pub(crate) fn combine(phases: &dyn Phases, left: Partial, right: Partial) -> Result<Partial> {
    if left.is_none() || right.is_none() {
        return Ok(if left.is_none() { right } else { left });
    }
    let (left, right) = (&left, &right);
    catch(|| phases.combine(left, right)).map_err(|caught| phases.combine_trap(left, right, caught))
}

/// The spine of neighbours, the left one first.
pub(crate) fn join(phases: &dyn Phases, left: Spine, right: Spine) -> Result<Spine> {
    left.join(right, &mut |left, right| combine(phases, left, right))
}

/// All that a spine is of, combined.
pub(crate) fn value(phases: &dyn Phases, spine: Spine) -> Result<Partial> {
    spine.value(&mut |left, right| combine(phases, left, right))
}

/// What consecutive pieces come to so far.
///
/// The first error counts. But an element that trapped counts more than an operator, wherever that was: which pieces there
/// are says where an operator is called.
pub(crate) struct Total {
    phases: &'static dyn Phases,
    so_far: Spine,
    failed: Option<Error>,
}

impl Total {
    /// Of no pieces yet, which this precedes.
    pub(crate) fn new(phases: &'static dyn Phases, before: Spine) -> Self {
        Total {
            phases,
            so_far: before,
            failed: None,
        }
    }

    /// Adds what came of the next piece.
    pub(crate) fn add(&mut self, partial: Result<Spine>) {
        let error = match partial {
            Ok(_) if self.failed.is_some() => return,
            Ok(partial) => match join(self.phases, self.take(), partial) {
                Ok(total) => return self.so_far = total,
                Err(error) => error,
            },
            Err(error) => error,
        };
        if self.yields_to(&error) {
            self.failed = Some(error);
        }
    }

    /// Whether this error of a later piece would be the result.
    pub(crate) fn yields_to(&self, error: &Error) -> bool {
        let is_of_element = matches!(error, Error::Trap { index: Some(_), .. });
        let counts_more = |first: &Error| is_of_operator(first) && is_of_element;
        self.failed.as_ref().is_none_or(counts_more)
    }

    /// Whether a piece has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Whether later pieces count.
    ///
    /// # Errors
    /// The result, if no later piece can change it.
    pub(crate) fn check(&mut self) -> Result<()> {
        let failed = self.failed.take_if(|error| !is_of_operator(error));
        failed.map_or(Ok(()), Err)
    }

    /// What the pieces come to, which is put back when it is known what follows.
    pub(crate) fn take(&mut self) -> Spine {
        std::mem::replace(&mut self.so_far, Spine::EMPTY)
    }

    /// The pieces come to this.
    pub(crate) fn set(&mut self, total: Spine) {
        self.so_far = total;
    }

    /// The result, when all pieces are in it.
    pub(crate) fn finish(self) -> Result<Spine> {
        self.failed.map_or(Ok(self.so_far), Err)
    }
}

/// Whether it was an operator that trapped.
pub(crate) fn is_of_operator(error: &Error) -> bool {
    matches!(error, Error::Trap { index: None, .. })
}
