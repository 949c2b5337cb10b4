//! What is done at the end of a scope, also after a panic.

/// Calls the closure when it is dropped.
pub(crate) struct Finally<F: FnMut()>(pub(crate) F);

impl<F: FnMut()> Drop for Finally<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
