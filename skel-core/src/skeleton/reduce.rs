//! Reduce.

use super::{
    fold::{Fold, Operator},
    initial_value::{Identity, IdentityOf, Initial, InitialValue, NoIdentity},
    instance::{Instance, instance_methods, instance_traits},
};
use crate::{
    Element, Result, bind::BindAll, call::Executor, container::Scalar, frame::assert_fits,
    later::Later, param::Each,
};
use skel_macros::user_function;
use std::marker::PhantomData;

/// `op(x[0], op(x[1], …))`.
///
/// The operator must be associative; it need not commute, nor have an identity: operands keep their
/// order on every unit and in every split.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn largest(a: i32, b: i32) -> i32 {
///     a.max(b)
/// }
///
/// let max = reduce!(largest);
/// assert_eq!(max.run((&[3, 7, 5],))?, 7);
/// assert!(max.run((&[0; 0],)).is_err());
/// assert_eq!(max.clone().identity(i32::MIN).run((&[0; 0],))?, i32::MIN);
/// assert_eq!(max.initial(6).run((&[3, 4],))?, 6);
/// # skel::Result::Ok(())
/// ```
///
/// Elements have at most 128 bytes; a larger one is an error when the program is built. Reductions of rows
/// and columns have no such limit.
///
/// # Determinism
/// Always the same value: how floats are grouped depends on the number of elements alone, whatever units compute.
pub struct Reduce<R, E, I = NoIdentity> {
    pub(super) instance: Instance<E>,
    pub(super) identity: I,
    _operator: PhantomData<fn() -> R>,
}

impl<R, E: Executor + Default> Reduce<R, E> {
    /// An instance named after the type, run by the default executor: what `reduce!` makes, in long.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "an instance is no default of anything"
    )]
    pub fn new() -> Self {
        let function = std::any::type_name::<R>();
        Self::with_executor("", E::default()).named(format!("Reduce<{function}>"))
    }
}

instance_traits!(Reduce<R; I> { _operator, identity });

impl<R, E: Executor> Reduce<R, E> {
    /// An instance of this name, run by `executor`.
    pub const fn with_executor(name: &'static str, executor: E) -> Self {
        let instance = Instance::new(name, executor);
        Reduce {
            instance,
            identity: NoIdentity,
            _operator: PhantomData,
        }
    }

    /// Says what the reduction of no elements is.
    #[must_use]
    pub fn identity<T: Element>(self, value: T) -> Reduce<R, E, Identity<T>> {
        Reduce {
            instance: self.instance,
            identity: Identity(value),
            _operator: PhantomData,
        }
    }

    /// Says what every reduction begins with: `op(value, op(x[0], …))`. Without elements, it is this.
    #[must_use]
    pub fn initial<T: Element>(self, value: T) -> Reduce<R, E, Initial<T>> {
        Reduce {
            instance: self.instance,
            identity: Initial(value),
            _operator: PhantomData,
        }
    }
}

impl<R, E: Executor, I> Reduce<R, E, I> {
    pub(super) fn into_parts(self) -> (Instance<E>, I) {
        (self.instance, self.identity)
    }

    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> Reduce<R, X, I> {
        let instance = self.instance.within(executor);
        Reduce {
            instance,
            identity: self.identity,
            _operator: PhantomData,
        }
    }

    instance_methods!();

    /// Runs the call over the one argument, `run((&x,))`, and waits for the value.
    ///
    /// # Errors
    /// [`EmptyReduce`](crate::Error::EmptyReduce) where there are no elements and no identity;
    /// [`Trap`](crate::Error::Trap), without an index; whatever the chosen unit reports.
    pub fn run<T, A>(&self, mut args: A) -> Result<T>
    where
        T: Element,
        R: Operator<T>,
        I: IdentityOf<T>,
        A: BindAll<(Each<T>,)>,
    {
        const { assert_fits::<T>() };
        self.start(&mut args)?.wait()
    }

    /// Runs the call, and writes the value to `out`. Where a device reduces what lies there already, this may
    /// return before it is done; what goes wrong there surfaces when `out` is read.
    ///
    /// # Errors
    /// As [`Reduce::run`]; `out` has no value then, and reading it gives the error, unless the call was refused
    /// before it began.
    pub fn run_into<T, A>(&self, mut args: A, out: &mut Scalar<T>) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        I: IdentityOf<T>,
        A: BindAll<(Each<T>,)>,
    {
        const { assert_fits::<T>() };
        out.settle(self.start(&mut args))
    }

    fn start<T, A>(&self, args: &mut A) -> Result<Later<T>>
    where
        T: Element,
        R: Operator<T>,
        I: IdentityOf<T>,
        A: BindAll<(Each<T>,)>,
    {
        let plan = Fold::<itself, R, (Each<T>,)>::PLAN;
        let bound = self.instance.bind(args)?;
        bound.fold_later::<R, T>(plan, InitialValue::of(&self.identity))
    }
}

/// What Reduce maps with.
#[user_function]
#[inline(always)]
pub(super) fn itself<T: Element>(x: T) -> T {
    x
}
