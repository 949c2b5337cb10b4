//! Call.

use super::{
    elementwise::Elementwise,
    instance::{Instance, of_one_function},
};
use crate::{
    Result,
    bind::{BindAll, Dim1, Fill},
    call::Executor,
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

of_one_function!(Call, "call!");

impl<F, E: Executor> Call<F, E> {
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
        let one = Shape::D1(1);
        let bound = self
            .instance
            .bind_shaped(&mut args, one, "one call needs")?;
        let mut results = bound.run::<F::Output, Dim1>(Elementwise::<F, P>::PLAN)?;
        <F::Output as Fill<Dim1>>::first(&mut results)
    }
}
