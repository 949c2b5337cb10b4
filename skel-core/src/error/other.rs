//! Errors of the program's own.

use super::Error;

impl Error {
    /// An error of the program's own, for closures of tasks and of items. There is no `From`: with a second one, `?` in
    /// closures would need type annotations.
    ///
    /// ```
    /// use skel_core::Error;
    ///
    /// #[derive(Debug, PartialEq, thiserror::Error)]
    /// #[error("item {0} has no mass")]
    /// struct NoMass(usize);
    ///
    /// let closure = || -> skel_core::Result<()> { Err(NoMass(3)).map_err(Error::other)? };
    /// let error = closure().unwrap_err();
    /// assert_eq!(error.to_string(), "item 3 has no mass");
    /// match error.root_cause() {
    ///     Error::Other(own) => assert_eq!(own.downcast_ref(), Some(&NoMass(3))),
    ///     other => panic!("{other}"),
    /// }
    /// assert_eq!(Error::other("text will do").to_string(), "text will do");
    /// ```
    #[must_use]
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::Other(error.into().into())
    }
}
