//! Errors that wrap another one.

use super::Error;
use std::{fmt, ops::Deref, sync::Arc};

/// The error that another one wraps: an [`Error`], shared.
///
/// It is no `std::error::Error` itself: [`source`](std::error::Error::source) gives the [`Error`] that it
/// refers to, so that `downcast_ref::<Error>()` finds it.
#[derive(Clone)]
pub struct Cause(Arc<Error>);

impl Deref for Cause {
    type Target = Error;

    fn deref(&self) -> &Error {
        &self.0
    }
}

impl From<Error> for Cause {
    fn from(error: Error) -> Cause {
        Cause(Arc::new(error))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl Error {
    /// The error that this one wraps, if it wraps one.
    #[must_use]
    pub fn cause(&self) -> Option<&Error> {
        let source = std::error::Error::source(self)?;
        source.downcast_ref()
    }

    /// The error at the end of the chain of causes: this one, if it wraps none.
    #[must_use]
    pub fn root_cause(&self) -> &Error {
        let mut root = self;
        while let Some(cause) = root.cause() {
            root = cause;
        }
        root
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use std::error::Error as _;

    fn gone() -> Error {
        Error::DeviceLost {
            device: "gpu".into(),
            reason: "unplugged".into(),
        }
    }

    /// One of each variant that has a cause.
    fn wrappers(cause: &Error) -> [Error; 5] {
        let cause = || Cause::from(cause.clone());
        [
            Error::Forced {
                target: "cuda".into(),
                cause: cause(),
            },
            Error::Poisoned { cause: cause() },
            Error::Late {
                call: "blur".into(),
                elements: 0..1,
                cause: cause(),
            },
            Error::Lost {
                instance: "bump".into(),
                argument: 1,
                elements: Vec::new(),
                cause: cause(),
            },
            Error::Item {
                step: 0,
                item: 3,
                others: 0,
                cause: cause(),
            },
        ]
    }

    #[test]
    fn wrappers_give_their_cause_as_the_source_and_do_not_repeat_it() {
        for wrapper in wrappers(&gone()) {
            let source = wrapper.source().expect("a wrapper has a source");
            let inner = source.downcast_ref::<Error>().expect("it is an `Error`");
            assert!(matches!(inner, Error::DeviceLost { .. }), "{wrapper}");
            assert!(!wrapper.to_string().contains("unplugged"), "{wrapper}");
            let whole = format!("{wrapper}: gpu is lost: unplugged");
            assert_eq!(format!("{wrapper:?}"), whole);
        }
        assert!(gone().source().is_none());
    }

    #[test]
    fn the_root_cause_is_the_last_one() {
        for outer in wrappers(&wrappers(&gone())[0]) {
            assert!(matches!(outer.cause(), Some(Error::Forced { .. })));
            assert!(matches!(outer.root_cause(), Error::DeviceLost { .. }));
        }
        assert!(matches!(gone().root_cause(), Error::DeviceLost { .. }));
    }
}
