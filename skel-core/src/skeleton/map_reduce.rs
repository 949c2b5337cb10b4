//! MapReduce.

use super::{
    MapReduceAlong,
    bound::{Bound, GIVEN},
    components::{Operators, Packing},
    fold::Fold,
    initial_value::{Identity, IdentityOf, Initial, InitialValue, NoIdentity, value},
    instance::{Instance, instance_methods, instance_traits},
};
use crate::{
    Element, Result,
    bind::{BindAll, IntoShape},
    call::Executor,
    container::Scalar,
    frame::assert_fits,
    later::Later,
    param::ParamList,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// `op(f(x[0], y[0], …), op(f(x[1], y[1], …), …))`: Map and Reduce in one pass.
///
/// Arguments as for [`Map`](super::Map); `op` as for [`Reduce`](super::Reduce). A function that returns a
/// tuple of up to four elements takes an operator for each of them, `map_reduce!(f, op, op)`, and so does the
/// value have as many components.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn mult(a: f32, b: f32) -> f32 {
///     a * b
/// }
///
/// #[user_function]
/// fn add<T: Number>(a: T, b: T) -> T {
///     a + b
/// }
///
/// let dot = map_reduce!(mult, add);
/// assert_eq!(dot.run((&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]))?, 32.0);
/// # skel::Result::Ok(())
/// ```
///
/// What is reduced has at most 128 bytes, the results of a tuple all together; a larger one is an error when
/// the program is built. Reductions of rows and columns have no such limit.
///
/// # Determinism
/// As [`Reduce`](super::Reduce).
pub struct MapReduce<F, R, E, I = NoIdentity> {
    pub(super) instance: Instance<E>,
    pub(super) identity: I,
    _functions: PhantomData<fn() -> (F, R)>,
}

impl<F, R, E: Executor + Default> MapReduce<F, R, E> {
    /// An instance named after the type, run by the default executor: what `map_reduce!` makes, in long.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "an instance is no default of anything"
    )]
    pub fn new() -> Self {
        let (f, op) = (std::any::type_name::<F>(), std::any::type_name::<R>());
        Self::with_executor("", E::default()).named(format!("MapReduce<{f}, {op}>"))
    }
}

instance_traits!(MapReduce<F, R; I> { _functions, identity });

impl<F, R, E: Executor> MapReduce<F, R, E> {
    /// An instance of this name, run by `executor`.
    pub const fn with_executor(name: &'static str, executor: E) -> Self {
        let instance = Instance::new(name, executor);
        MapReduce {
            instance,
            identity: NoIdentity,
            _functions: PhantomData,
        }
    }

    /// Says what the reduction of no elements is.
    #[must_use]
    pub fn identity<T: Copy + 'static>(self, value: T) -> MapReduce<F, R, E, Identity<T>> {
        MapReduce {
            instance: self.instance,
            identity: Identity(value),
            _functions: PhantomData,
        }
    }

    /// Says what every reduction begins with: `op(value, op(f(x[0], …), …))`. Without elements, it is
    /// this.
    #[must_use]
    pub fn initial<T: Copy + 'static>(self, value: T) -> MapReduce<F, R, E, Initial<T>> {
        MapReduce {
            instance: self.instance,
            identity: Initial(value),
            _functions: PhantomData,
        }
    }
}

impl<F, R, E: Executor, I> MapReduce<F, R, E, I> {
    pub(super) fn along<L>(self) -> MapReduceAlong<F, R, L, E, I> {
        MapReduceAlong {
            instance: self.instance,
            identity: self.identity,
            _types: PhantomData,
        }
    }

    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> MapReduce<F, R, X, I> {
        let instance = self.instance.within(executor);
        MapReduce {
            instance,
            identity: self.identity,
            _functions: PhantomData,
        }
    }

    instance_methods!();

    /// Runs the call, and waits for the value.
    ///
    /// # Errors
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch), [`NoShape`](crate::Error::NoShape);
    /// [`EmptyReduce`](crate::Error::EmptyReduce) where there are no elements and no identity;
    /// [`Trap`](crate::Error::Trap); whatever the chosen unit reports.
    pub fn run<P, A>(&self, mut args: A) -> Result<F::Output>
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
    {
        const { assert_fits::<R::Value>() };
        self.total(self.instance.bind(&mut args)?)
    }

    /// Runs the call over `shape`, which is `n` or `(rows, cols)`: for functions of the index and
    /// uniforms alone.
    ///
    /// # Errors
    /// As [`MapReduce::run`]; containers among the arguments must have this shape.
    pub fn run_shaped<P, A, S>(&self, shape: S, mut args: A) -> Result<F::Output>
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
        S: IntoShape,
    {
        const { assert_fits::<R::Value>() };
        let shape = shape.into();
        self.total(self.instance.bind_shaped(&mut args, shape, GIVEN)?)
    }

    /// Runs the call, and writes the value to `out`. Where a device reduces what lies there already, this may
    /// return before it is done; what goes wrong there surfaces when `out` is read.
    ///
    /// # Errors
    /// As [`MapReduce::run`]; `out` has no value then, and reading it gives the error, unless the call was
    /// refused before it began.
    pub fn run_into<P, A>(&self, mut args: A, out: &mut Scalar<F::Output>) -> Result<()>
    where
        P: ParamList,
        F: UserFunction<P, Output: Element>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
    {
        const { assert_fits::<R::Value>() };
        out.settle(self.start::<P, A>(&mut args))
    }

    fn start<P, A>(&self, args: &mut A) -> Result<Later<F::Output>>
    where
        P: ParamList,
        F: UserFunction<P, Output: Element>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
    {
        let plan = Fold::<Packing<F, R>, R::Operator, P>::PLAN;
        let bound = self.instance.bind(args)?;
        bound.fold_later::<R, F::Output>(plan, InitialValue::of(&self.identity))
    }

    fn total<P, A>(&self, bound: Bound<'_, E, P, A>) -> Result<F::Output>
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
    {
        let plan = Fold::<Packing<F, R>, R::Operator, P>::PLAN;
        let total = bound.fold(plan)?;
        value::<F::Output, R>(total, &self.identity, || plan.kernel(), self.name())
    }
}
