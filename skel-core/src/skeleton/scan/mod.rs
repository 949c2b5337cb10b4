//! Scan.

mod cols;
mod mode;
mod run;

pub use super::axis::{Cols, Rows};
pub use mode::{AnyMode, Exclusive, Inclusive, InclusiveFrom, Mode};

use super::instance::{Instance, instance_methods, instance_traits};
use crate::{Element, call::Executor};
use std::marker::PhantomData;

/// Every prefix: `out[i] = x[0] ⊕ x[1] ⊕ … ⊕ x[i]`.
///
/// The operator must be associative; it need not commute, nor have an identity: operands keep their
/// order on every unit and in every split. What else there is:
///
/// | | `out[i]` |
/// |---|---|
/// | `scan!(op)` | `x[0] ⊕ … ⊕ x[i]` |
/// | `.initial(v)` | `v ⊕ x[0] ⊕ … ⊕ x[i]` |
/// | `.exclusive(v)` | `v ⊕ x[0] ⊕ … ⊕ x[i - 1]`; `out[0] = v` |
/// | `.rows()`, `.cols()` | the same in each row or column of a matrix; each begins with `v` |
/// | `run_segmented((&x, &flags))` | the same in each segment; `true` begins one |
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn add(a: u32, b: u32) -> u32 {
///     a + b
/// }
///
/// let sums = scan!(add);
/// let x = Vector::from(vec![3, 1, 4, 1, 5]);
/// assert_eq!(sums.run((&x,))?.host()?[..], [3, 4, 8, 9, 14]);
/// assert_eq!(sums.clone().initial(10).run((&x,))?.host()?[..], [13, 14, 18, 19, 24]);
/// assert_eq!(sums.clone().exclusive(0).run((&x,))?.host()?[..], [0, 3, 4, 8, 9]);
///
/// let begins = [false, false, true, false, false];
/// assert_eq!(sums.run_segmented((&x, &begins))?.host()?[..], [3, 4, 4, 5, 10]);
///
/// let m = Matrix::from_fn(2, 3, |_, j| j as u32 + 1);
/// assert_eq!(sums.clone().rows().run((&m,))?.host()?[..], [1, 3, 6, 1, 3, 6]);
/// assert_eq!(sums.cols().run((&m,))?.host()?[..], [1, 2, 3, 2, 4, 6]);
/// # skel::Result::Ok(())
/// ```
///
/// Elements have at most 128 bytes; a larger one is an error when the program is built.
///
/// # Determinism
/// Always the same values, of floats too, on every unit: how elements are grouped depends on their number alone.
pub struct Scan<R, A, E, M = Inclusive> {
    pub(super) instance: Instance<E>,
    pub(super) mode: M,
    _types: PhantomData<fn() -> (R, A)>,
}

/// All elements are one sequence; those of a matrix in row-major order.
#[derive(Clone, Copy, Debug)]
pub struct All;

impl<R, E: Executor + Default> Scan<R, All, E> {
    /// An instance named after the type, run by the default executor: what `scan!` makes, in long.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "an instance is no default of anything"
    )]
    pub fn new() -> Self {
        let function = std::any::type_name::<R>();
        Self::with_executor("", E::default()).named(format!("Scan<{function}>"))
    }
}

instance_traits!(Scan<R, A; M> { _types, mode });

impl<R, E: Executor> Scan<R, All, E> {
    /// An instance of this name, run by `executor`.
    pub const fn with_executor(name: &'static str, executor: E) -> Self {
        Scan {
            instance: Instance::new(name, executor),
            mode: Inclusive,
            _types: PhantomData,
        }
    }
}

impl<R, A, E: Executor, M> Scan<R, A, E, M> {
    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> Scan<R, A, X, M> {
        Scan {
            instance: self.instance.within(executor),
            mode: self.mode,
            _types: PhantomData,
        }
    }

    instance_methods!();

    fn changed<B, N>(self, mode: impl FnOnce(M) -> N) -> Scan<R, B, E, N> {
        Scan {
            instance: self.instance,
            mode: mode(self.mode),
            _types: PhantomData,
        }
    }

    /// Says what precedes the elements, whether they count themselves or not.
    #[must_use]
    pub fn initial<T: Element>(self, value: T) -> Scan<R, A, E, M::With<T>>
    where
        M: AnyMode,
    {
        self.changed(|mode| mode.with(value))
    }

    /// An element is combined with those after it, and not with itself; `value` precedes them all.
    #[must_use]
    pub fn exclusive<T: Element>(self, value: T) -> Scan<R, A, E, Exclusive<T>> {
        self.changed(|_| Exclusive(value))
    }

    /// Each row on its own.
    #[must_use]
    pub fn rows(self) -> Scan<R, Rows, E, M> {
        self.changed(|mode| mode)
    }

    /// Each column on its own. Takes three passes over the elements, of which two transpose.
    #[must_use]
    pub fn cols(self) -> Scan<R, Cols, E, M> {
        self.changed(|mode| mode)
    }
}
