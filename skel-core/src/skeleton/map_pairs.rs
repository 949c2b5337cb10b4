//! MapPairs.

use super::{
    elementwise::Elementwise,
    instance::{Instance, of_one_function},
};
use crate::{
    Result,
    bind::{BindAll, Destination, Dim2, Fill, Pairs},
    call::Executor,
    param::{Outputs, ParamList},
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// `out[i, j] = f(v[i], …, h[j], …, uniforms)`, for all pairs `(i, j)`: a matrix of all pairs of elements of
/// column vectors `v` and row vectors `h`.
///
/// [`down`](crate::container::down) says that a vector is one of the former, with an element per row,
/// [`across`](crate::container::across) that it is one of the latter, with an element per column. There is
/// at least one of each, and any number of both. Matrices of their rows and columns may be among the
/// arguments; whatever else [`Map`](super::Map) takes, as well. A function that returns a tuple fills several
/// matrices.
///
/// ```
/// use skel::prelude::*;
///
/// let distances = map_pairs!(|a: f32, b: f32| (a - b).abs());
/// let (here, there) = (Vector::from([0.0_f32, 1.0]), [5.0_f32, 3.0, 1.0]);
/// let m = distances.run((down(&here), across(&there)))?;
/// assert_eq!(m.host()?.row(0), [5.0, 3.0, 1.0]);
/// assert_eq!(m.host()?.row(1), [4.0, 2.0, 0.0]);
/// # skel::Result::Ok(())
/// ```
///
/// # Determinism
/// As [`Map`](super::Map).
pub struct MapPairs<F, E> {
    instance: Instance<E>,
    _function: PhantomData<fn() -> F>,
}

of_one_function!(MapPairs, "map_pairs!");

impl<F, E: Executor> MapPairs<F, E> {
    /// Runs the call, and gives a new matrix; for a function that returns a tuple, a tuple of matrices.
    ///
    /// # Errors
    /// As [`Map::run`](super::Map::run); [`NoShape`](crate::Error::NoShape) unless there is a vector down and
    /// one across.
    pub fn run<P, A, D, C>(&self, mut args: A) -> Result<C>
    where
        P: ParamList,
        F: UserFunction<P>,
        A: BindAll<P, Domain = D>,
        D: Pairs,
        F::Output: Fill<Dim2, Containers = C>,
    {
        let bound = self.instance.bind(&mut args)?;
        bound.run::<F::Output, Dim2>(Elementwise::<F, P>::PLAN)
    }

    /// Runs the call, and writes the result to `out`, a matrix; a tuple of matrices for a function that
    /// returns a tuple.
    ///
    /// # Errors
    /// As [`MapPairs::run`]. After an error, `out` has no valid elements.
    pub fn run_into<P, A, D, O>(&self, mut args: A, out: O) -> Result<()>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        A: BindAll<P, Domain = D>,
        D: Pairs,
        O: Destination<F::Output>,
    {
        let bound = self.instance.bind_into(&mut args, &out)?;
        bound.run_into(Elementwise::<F, P>::PLAN, out)
    }
}
