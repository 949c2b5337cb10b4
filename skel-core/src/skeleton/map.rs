//! Map.

use super::{
    bound::GIVEN,
    elementwise::Elementwise,
    instance::{Instance, of_one_function},
};
use crate::{
    Result,
    bind::{BindAll, Destination, Fill, IntoShape},
    call::Executor,
    param::{Outputs, ParamList},
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// `out[i] = f(x[i], y[i], …, uniforms)`, for all `i`.
///
/// Arguments come in one tuple, one per parameter of the user function, without the index parameter;
/// 0 to 12 of them. All containers of a call that are read element by element must have the same
/// shape, which the outputs get, too; what is read at random (`&[T]`, `MatrixView<T>`) may have any.
/// A function that returns `()` and takes `&mut T` parameters works in place. One that returns a
/// tuple fills several containers, which `run` gives as a tuple.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn saxpy(x: f32, y: f32, #[uniform] a: f32) -> f32 {
///     a * x + y
/// }
///
/// let f = map!(saxpy);
/// let (x, y) = (Vector::from(vec![1.0, 2.0]), vec![10.0_f32, 20.0]);
/// assert_eq!(f.run((&x, &y, 3.0))?.host()?[..], [13.0, 26.0]);
///
/// let mut out = [0.0; 2];
/// f.on(Cpu).run_into((&x, &y, 2.0), &mut out)?;
/// assert_eq!(out, [12.0, 24.0]);
///
/// #[user_function]
/// fn polar(x: f32, y: f32) -> (f32, bool) {
///     ((x * x + y * y).sqrt(), x < 0.0)
/// }
/// let (radius, left) = map!(polar).run((&[3.0, -4.0], &[4.0, 3.0]))?;
/// assert_eq!(radius.host()?[..], [5.0, 5.0]);
/// assert_eq!(left.host()?[..], [false, true]);
/// # skel::Result::Ok(())
/// ```
///
/// # Determinism
/// Every unit gives the same bits, within the numeric contract; the split does not matter.
pub struct Map<F, E> {
    instance: Instance<E>,
    _function: PhantomData<fn() -> F>,
}

of_one_function!(Map, "map!");

/// What `map!` has not: it is there so that a program that calls it is told where it is.
#[diagnostic::on_unimplemented(
    message = "`map!` has no edges: its elements see nothing of their neighbourhood",
    label = "this is a setting of `map_overlap!`",
    note = "write `map_overlap!(f)`, where a parameter of `f` is a window: `w: Window1<f32, 1>` sees `w[-1]`, `w[0]` and `w[1]`"
)]
pub trait HasEdges {}

/// Settings of MapOverlap, which no Map has.
impl<F, E> Map<F, E> {
    #[doc(hidden)]
    #[must_use]
    pub fn edge(self, _: super::Edge) -> Self
    where
        Self: HasEdges,
    {
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub fn pad<T>(self, _: T) -> Self
    where
        Self: HasEdges,
    {
        self
    }
}

impl<F, E: Executor> Map<F, E> {
    /// Runs the call, and gives new containers, of the shape of the arguments: a [`Matrix`] if the
    /// first container passed is one, else a [`Vector`] (also for slices and `Vec`s; [`Map::run_into`]
    /// fills those). No elements in, no elements out.
    ///
    /// Where devices take part, this may return before they are done; what goes wrong there surfaces
    /// when the result is read, or at the next reduction. In-place arguments of a failed call are
    /// lost, unless it failed before it began.
    ///
    /// [`Matrix`]: crate::container::Matrix
    /// [`Vector`]: crate::container::Vector
    ///
    /// # Errors
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch), [`NoShape`](crate::Error::NoShape);
    /// [`Trap`](crate::Error::Trap); whatever the chosen unit reports.
    pub fn run<P, A, D, C>(&self, mut args: A) -> Result<C>
    where
        P: ParamList,
        F: UserFunction<P>,
        A: BindAll<P, Domain = D>,
        D: crate::bind::Domain,
        F::Output: Fill<D, Containers = C>,
    {
        let bound = self.instance.bind(&mut args)?;
        bound.run::<F::Output, D>(Elementwise::<F, P>::PLAN)
    }

    /// Runs the call over `shape`, which is `n` or `(rows, cols)`: for functions of the index and
    /// uniforms alone, where no container says how many elements there are.
    ///
    /// # Errors
    /// As [`Map::run`]; containers among the arguments must have this shape.
    pub fn run_shaped<P, A, S, C>(&self, shape: S, mut args: A) -> Result<C>
    where
        P: ParamList,
        F: UserFunction<P>,
        A: BindAll<P>,
        S: IntoShape,
        F::Output: Fill<S::Domain, Containers = C>,
    {
        let shape = shape.into();
        let bound = self.instance.bind_shaped(&mut args, shape, GIVEN)?;
        bound.run::<F::Output, S::Domain>(Elementwise::<F, P>::PLAN)
    }

    /// Runs the call, and writes the result to `out`, a container or a slice, of the arguments'
    /// shape; a tuple of those for a function that returns a tuple.
    ///
    /// # Errors
    /// As [`Map::run`]. After an error, `out` has no valid elements (a slice: unspecified ones).
    pub fn run_into<P, A, O>(&self, mut args: A, out: O) -> Result<()>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        A: BindAll<P>,
        O: Destination<F::Output>,
    {
        let bound = self.instance.bind_into(&mut args, &out)?;
        bound.run_into(Elementwise::<F, P>::PLAN, out)
    }
}
