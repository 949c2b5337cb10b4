//! Values that are waited for when they are asked for.

use crate::Result;

/// What a reduction gives: at once, or when it is asked for.
pub enum Later<T> {
    /// It is known.
    Known(T),
    /// A device has not said it yet. Asking waits; the value need not be asked for.
    Pending(Box<dyn FnOnce() -> Result<T> + Send>),
}

impl<T: Send + 'static> Later<T> {
    /// Waits for it.
    ///
    /// # Errors
    /// Those of the call, as far as they had not shown before.
    pub fn wait(self) -> Result<T> {
        match self {
            Later::Known(value) => Ok(value),
            Later::Pending(ask) => ask(),
        }
    }

    /// What `f` makes of it: at once, if it is known.
    ///
    /// # Errors
    /// Those of `f`, at once or later.
    pub fn and_then<U>(self, f: impl FnOnce(T) -> Result<U> + Send + 'static) -> Result<Later<U>> {
        match self {
            Later::Known(value) => f(value).map(Later::Known),
            Later::Pending(ask) => Ok(Later::Pending(Box::new(move || ask().and_then(f)))),
        }
    }
}
