//! Map.

use super::{
    elementwise::Elementwise,
    instance::{Instance, instance_methods, instance_traits},
};
use crate::{
    Result,
    bind::{BindAll, Destination, Fill, IntoShape},
    call::{ArgumentShapes, Executor, Operands},
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

impl<F, E: Executor + Default> Map<F, E> {
    /// An instance named after the type, run by the default executor: what `map!` makes, in long.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "an instance is no default of anything"
    )]
    pub fn new() -> Self {
        let function = std::any::type_name::<F>();
        Self::with_executor("", E::default()).named(format!("Map<{function}>"))
    }
}

instance_traits!(Map<F;> { _function });

/// What `map!` has not: it is there so that who asks for it reads where it is.
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
    /// An instance of this name, run by `executor`.
    pub const fn with_executor(name: &'static str, executor: E) -> Self {
        Map {
            instance: Instance::new(name, executor),
            _function: PhantomData,
        }
    }

    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> Map<F, X> {
        let instance = self.instance.within(executor);
        Map {
            instance,
            _function: PhantomData,
        }
    }

    instance_methods!();

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
        let mut shapes = ArgumentShapes::new();
        args.shapes(&mut shapes);
        let shape = self.instance.shape(&shapes)?;
        self.fill::<P, A, D, C>(shape, &mut args)
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
        let (shape, mut shapes) = (
            self.instance.countable(shape.into())?,
            ArgumentShapes::new(),
        );
        args.shapes(&mut shapes);
        self.instance
            .check(&shapes, shape, "the shape given says")?;
        self.fill::<P, A, S::Domain, C>(shape, &mut args)
    }

    fn fill<P, A, D, C>(&self, shape: crate::space::Shape, args: &mut A) -> Result<C>
    where
        P: ParamList,
        F: UserFunction<P>,
        A: BindAll<P>,
        D: crate::bind::Domain,
        F::Output: Fill<D, Containers = C>,
    {
        let mut containers = <F::Output as Fill<D>>::unwritten(shape)?;
        let mut operands = Operands::new();
        args.operands(&mut operands);
        <F::Output as Fill<D>>::operands(&mut containers, &mut operands);
        self.instance
            .execute(Elementwise::<F, P>::PLAN, shape, operands)?;
        Ok(containers)
    }

    /// Runs the call, and writes the result to `out`, a container or a slice, of the arguments'
    /// shape; a tuple of those for a function that returns a tuple.
    ///
    /// # Errors
    /// As [`Map::run`]. After an error, `out` has no valid elements (a slice: unspecified ones).
    pub fn run_into<P, A, O>(&self, mut args: A, mut out: O) -> Result<()>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        A: BindAll<P>,
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
