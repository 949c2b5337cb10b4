//! MapPairs.

use super::{
    elementwise::Elementwise,
    instance::{Instance, instance_methods, instance_traits},
};
use crate::{
    Result,
    bind::{BindAll, Destination, Dim2, Fill, Pairs},
    call::{ArgumentShapes, Executor, Operands},
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

impl<F, E: Executor + Default> MapPairs<F, E> {
    /// An instance named after the type, run by the default executor: what `map_pairs!` makes, in long.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "an instance is no default of anything"
    )]
    pub fn new() -> Self {
        let function = std::any::type_name::<F>();
        Self::with_executor("", E::default()).named(format!("MapPairs<{function}>"))
    }
}

instance_traits!(MapPairs<F;> { _function });

impl<F, E: Executor> MapPairs<F, E> {
    /// An instance of this name, run by `executor`.
    pub const fn with_executor(name: &'static str, executor: E) -> Self {
        MapPairs {
            instance: Instance::new(name, executor),
            _function: PhantomData,
        }
    }

    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> MapPairs<F, X> {
        let instance = self.instance.within(executor);
        MapPairs {
            instance,
            _function: PhantomData,
        }
    }

    instance_methods!();

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
        let mut shapes = ArgumentShapes::new();
        args.shapes(&mut shapes);
        let shape = self.instance.shape(&shapes)?;
        let mut containers = <F::Output as Fill<Dim2>>::unwritten(shape)?;
        let mut operands = Operands::new();
        args.operands(&mut operands);
        <F::Output as Fill<Dim2>>::operands(&mut containers, &mut operands);
        self.instance
            .execute(Elementwise::<F, P>::PLAN, shape, operands)?;
        Ok(containers)
    }

    /// Runs the call, and writes the result to `out`, a matrix; a tuple of matrices for a function that
    /// returns a tuple.
    ///
    /// # Errors
    /// As [`MapPairs::run`]. After an error, `out` has no valid elements.
    pub fn run_into<P, A, D, O>(&self, mut args: A, mut out: O) -> Result<()>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        A: BindAll<P, Domain = D>,
        D: Pairs,
        O: Destination<F::Output>,
    {
        let (shape, mut shapes) = (out.call_shape(), ArgumentShapes::new());
        args.shapes(&mut shapes);
        out.shapes(P::LEN + 1, &mut shapes);
        self.instance.check_output(&shapes, P::LEN + 1, shape)?;
        let mut operands = Operands::new();
        args.operands(&mut operands);
        out.operands(&mut operands);
        self.instance
            .execute(Elementwise::<F, P>::PLAN, shape, operands)?;
        Ok(())
    }
}
