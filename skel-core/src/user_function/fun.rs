//! User functions as values, so that the skeleton macros can pass them on.

use std::marker::PhantomData;

/// A user function as a value: what a skeleton macro makes of each of its arguments.
pub struct Fun<F>(PhantomData<fn() -> F>);

impl<F> Fun<F> {
    pub(super) const fn new() -> Fun<F> {
        Fun(PhantomData)
    }
}

impl<F> Clone for Fun<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Fun<F> {}

/// A type that `#[user_function]` wrote beside a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a user function",
    label = "not a user function",
    note = "put #[user_function] on it"
)]
pub trait Marker {}

/// A user function whose marker says nothing of lanes to call has none: what a marker itself says goes before this.
pub trait NoLanes {
    /// Whether a call can be one of all lanes at once.
    const __LANES: bool = false;
    /// See [`loops`](crate::lanes::loops).
    const __LOOPS_0: usize = 0;
    /// The same, with those of callees.
    const __LOOPS_1: usize = 0;
    /// The same, with those of their callees.
    const __LOOPS_2: usize = 0;

    /// Never called: it stands behind `__LANES`, where rustc checks its types.
    #[inline(always)]
    fn __lanes<A, T>(_: A, _: T) {}
}

impl<F: Marker> NoLanes for F {}

/// The function that `F` marks.
#[must_use]
pub const fn fun<F: Marker>() -> Fun<F> {
    Fun::new()
}
