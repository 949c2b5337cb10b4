//! What a unit refuses: a device that binds few bytes at once cannot run calls that read large containers at random,
//! or elements that lie far apart. A case goes on with its other inputs then.
//!
//! A case of which most was refused has shown nothing: refusals are counted, and it comes to
//! [`Failure::Unsupported`].

use super::{Failure, Outcome};
use crate::Error;
use std::cell::RefCell;

/// The calls of a case, or the sizes of its inputs.
#[derive(Default)]
struct Tally {
    ran: usize,
    refused: usize,
    /// The last refusal.
    why: Option<Error>,
}

impl Tally {
    /// Whether a unit refuses more than it runs.
    fn is_too_much(&self) -> bool {
        self.refused > self.ran
    }
}

thread_local! {
    /// Of the case that runs on this thread.
    static TALLY: RefCell<Tally> = RefCell::default();
}

fn is_refusal(error: &Error) -> bool {
    match error {
        Error::Unsupported { reason, .. } => {
            reason.contains("read at random") || reason.contains("read at once")
        }
        _ => false,
    }
}

fn refused(error: Error) {
    TALLY.with_borrow_mut(|tally| {
        tally.refused += 1;
        tally.why = Some(error);
    });
}

fn ran() {
    TALLY.with_borrow_mut(|tally| tally.ran += 1);
}

/// What a call gives, unless the unit refuses it.
pub(super) fn bound<T>(found: crate::Result<T>) -> Result<Option<T>, Failure> {
    match found {
        Err(error) if is_refusal(&error) => {
            refused(error);
            Ok(None)
        }
        found => {
            let found = found?;
            ran();
            Ok(Some(found))
        }
    }
}

/// Success where the unit refuses the calls of a part of a case.
pub(super) fn if_bound(outcome: Outcome) -> Outcome {
    match outcome {
        Err(Failure::Unsupported(error)) if is_refusal(&error) => refused(error),
        outcome => {
            outcome?;
            ran();
        }
    }
    Ok(())
}

/// Runs a case. It is unsupported if more of it was refused than ran.
pub(super) fn counted(case: impl FnOnce() -> Outcome) -> Outcome {
    TALLY.take();
    case()?;
    let tally = TALLY.take();
    match (tally.is_too_much(), tally.why) {
        (true, Some(why)) => Err(Failure::Unsupported(why)),
        _ => Ok(()),
    }
}
