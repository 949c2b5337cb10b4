//! Call.

use super::{
    elementwise::Elementwise,
    instance::{Instance, instance_methods, instance_traits},
};
use crate::{
    Result,
    bind::{BindAll, Dim1, Fill},
    call::{ArgumentShapes, Executor, Operands},
    param::ParamList,
    space::Shape,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// Calls a user function once, on one unit, with whole containers (`&[T]`, `MatrixView<T>`) and values:
/// `y = f(xs, k, …)`.
///
/// For what is no loop over elements: a decision, a search, a small solver between two skeletons, made
/// where the data lies, so that only the result moves. With bodies of one's own
/// (`#[user_function(unsafe(wgsl = "…", cuda = "…"))]`) it is the way to run hand-written code; those are
/// possible in every other skeleton, too.
///
/// ```
/// use skel::prelude::*;
///
/// /// Where a sorted vector reaches `limit`.
/// #[user_function]
/// fn first_from(xs: &[f32], #[uniform] limit: f32) -> u32 {
///     let (mut low, mut high) = (0, xs.len());
///     while low < high {
///         let middle = low + (high - low) / 2;
///         if xs[middle] < limit {
///             low = middle + 1;
///         } else {
///             high = middle;
///         }
///     }
///     low as u32
/// }
///
/// let sorted = Vector::from_fn(1000, |i| i as f32);
/// assert_eq!(call!(first_from).run((&sorted, 12.5))?, 13);
/// # skel::Result::Ok(())
/// ```
///
/// A function that returns a tuple gives a tuple. One that takes elements (`x: T`) takes them from
/// containers of one element.
pub struct Call<F, E> {
    instance: Instance<E>,
    _function: PhantomData<fn() -> F>,
}

impl<F, E: Executor + Default> Call<F, E> {
    /// An instance named after the type, run by the default executor: what `call!` makes, in long.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "an instance is no default of anything"
    )]
    pub fn new() -> Self {
        let function = std::any::type_name::<F>();
        Self::with_executor("", E::default()).named(format!("Call<{function}>"))
    }
}

instance_traits!(Call<F;> { _function });

impl<F, E: Executor> Call<F, E> {
    /// An instance of this name, run by `executor`.
    pub const fn with_executor(name: &'static str, executor: E) -> Self {
        Call {
            instance: Instance::new(name, executor),
            _function: PhantomData,
        }
    }

    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> Call<F, X> {
        let instance = self.instance.within(executor);
        Call {
            instance,
            _function: PhantomData,
        }
    }

    instance_methods!();

    /// Calls the function, and waits for its result.
    ///
    /// # Errors
    /// [`Trap`](crate::Error::Trap), with index 0; whatever the chosen unit reports.
    pub fn run<P, A>(&self, mut args: A) -> Result<F::Output>
    where
        P: ParamList,
        F: UserFunction<P, Output: Fill<Dim1>>,
        A: BindAll<P>,
    {
        let (shape, mut shapes) = (Shape::D1(1), ArgumentShapes::new());
        args.shapes(&mut shapes);
        self.instance.check(&shapes, shape, "one call needs")?;
        let mut results = <F::Output as Fill<Dim1>>::unwritten(shape)?;
        let mut operands = Operands::new();
        args.operands(&mut operands);
        <F::Output as Fill<Dim1>>::operands(&mut results, &mut operands);
        self.instance
            .execute(Elementwise::<F, P>::PLAN, shape, operands)?;
        <F::Output as Fill<Dim1>>::first(&mut results)
    }
}
