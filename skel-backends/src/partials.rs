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

/// Whether it was an operator that trapped: of two errors of a fold, one of an element counts more.
pub(crate) fn is_of_operator(error: &Error) -> bool {
    matches!(error, Error::Trap { index: None, .. })
}
