//! What user functions panic with, caught; and how the loops of a plan say that memory is short.
//!
//! Phases give no `Result`: their loops would pay for it. So what goes wrong in them unwinds, and the unit
//! that runs them catches it here. A payload is dropped where nothing can come of it: one whose own
//! destructor panics would otherwise abort a worker of the pool.

use crate::Error;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// Why a loop did not come to its end.
#[derive(Clone, Debug)]
pub enum Caught {
    /// The user function panicked, with this message.
    Panic(String),
    /// The host has no room for what the loop needs: [`Error::OutOfMemory`].
    OutOfMemory(Error),
}

/// Runs `body`; nothing unwinds out of this, also not out of what drops the panic's payload.
///
/// ```
/// use skel_core::caught::{Caught, catch};
///
/// let caught = catch(|| if true { std::panic::panic_any("no") });
/// assert!(matches!(caught, Err(Caught::Panic(message)) if message == "no"));
/// ```
///
/// # Errors
/// What it panicked with, or that memory was short.
pub fn catch<R>(body: impl FnOnce() -> R) -> Result<R, Caught> {
    catch_unwind(AssertUnwindSafe(body)).map_err(Caught::of)
}

/// The room that a loop of a phase asked for. If there is none, the loop is left: nothing is printed,
/// and [`catch`] gives the error.
pub(crate) fn or_unwind<R>(room: crate::Result<R>) -> R {
    room.unwrap_or_else(|error| resume_unwind(Box::new(OutOfMemory(error))))
}

/// What [`or_unwind`] unwinds with.
struct OutOfMemory(Error);

impl Caught {
    /// What a payload says. It is dropped.
    #[must_use]
    pub fn of(payload: Box<dyn Any + Send>) -> Caught {
        let payload = match payload.downcast::<OutOfMemory>() {
            Ok(short) => return Caught::OutOfMemory(short.0),
            Err(payload) => payload,
        };
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        let message = text.unwrap_or("a panic without a message").into();
        discard(payload);
        Caught::Panic(message)
    }

    /// What it says.
    #[must_use]
    pub fn message(self) -> String {
        match self {
            Caught::Panic(message) => message,
            Caught::OutOfMemory(error) => error.to_string(),
        }
    }
}

/// Drops a payload. What its destructor panics with is leaked: that could panic again, without end.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use std::panic::panic_any;

    struct Twice;

    impl Drop for Twice {
        fn drop(&mut self) {
            panic_any(Twice);
        }
    }

    #[test]
    fn a_payload_whose_destructor_panics_is_dropped_all_the_same() {
        let caught = catch(|| panic_any(Twice)).unwrap_err();
        assert_eq!(caught.message(), "a panic without a message");
    }

    #[test]
    fn short_memory_is_no_panic() {
        let error = Error::OutOfMemory {
            device: "the host".into(),
            needed_bytes: 5,
            available_bytes: 0,
        };
        assert!(matches!(
            catch(|| or_unwind::<()>(Err(error))),
            Err(Caught::OutOfMemory(_))
        ));
    }
}
