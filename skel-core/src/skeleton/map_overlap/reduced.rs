//! MapOverlapReduce.

use super::{MapOverlap, NoPad, PadValue, Padded, Settings};
use crate::{
    Element, Result,
    bind::BindAll,
    call::Executor,
    container::Scalar,
    frame::assert_fits,
    later::Later,
    param::ParamList,
    plan::Phases,
    skeleton::{
        components::{Operators, Packing},
        fold::Fold,
        initial_value::{Identity, IdentityOf, Initial, InitialValue, NoIdentity, value},
        instance::Instance,
        neighbourhood::Layout,
    },
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// The elements are combined by `R`, and not written: the last parameter of a [`MapOverlap`] that
/// `map_overlap_reduce!` makes.
///
/// `op(f(x[0 - r ..= 0 + r], …), op(f(x[1 - r ..= 1 + r], …), …))`: MapOverlap and Reduce in one pass, which reads each
/// container once and writes none. Windows, edges and shapes are those of [`MapOverlap`]; `op` is as for
/// [`Reduce`](crate::skeleton::Reduce). A function that returns a tuple of up to four elements takes an operator for each
/// of them, `map_overlap_reduce!(f, op, op)`, and so does the value have as many components.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn residual(u: Window2<f64, 1, 1>, f: f64) -> (f64, f64) {
///     let r = f + u[(-1, 0)] + u[(1, 0)] + u[(0, -1)] + u[(0, 1)] - 4.0 * u[(0, 0)];
///     (r * r, r.abs())
/// }
///
/// #[user_function]
/// fn add<T: Number>(a: T, b: T) -> T {
///     a + b
/// }
///
/// let norms = map_overlap_reduce!(residual, add, |a: f64, b: f64| a.max(b)).pad(0.0);
/// let u = Matrix::filled(3, 3, 1.0);
/// let (squares, most) = norms.run((&u, &Matrix::filled(3, 3, 0.0)))?;
/// // Corners lack two neighbours, the elements between them one.
/// assert_eq!((squares, most), (4.0 * 4.0 + 4.0 * 1.0, 2.0));
/// # skel::Result::Ok(())
/// ```
///
/// What is reduced has at most 128 bytes, the results of a tuple all together; a larger one is an error when the program
/// is built.
///
/// # Determinism
/// As [`Reduce`](crate::skeleton::Reduce): the same bits on every unit and in every split.
pub struct Reduced<R, I = NoIdentity> {
    identity: I,
    _operator: PhantomData<fn() -> R>,
}

impl<R, I: Clone> Clone for Reduced<R, I> {
    fn clone(&self) -> Self {
        Reduced {
            identity: self.identity.clone(),
            _operator: PhantomData,
        }
    }
}

impl<F, R, E: Executor> MapOverlap<F, E, NoPad, Reduced<R>> {
    /// An instance of this name, run by `executor`: what `map_overlap_reduce!` makes, in long.
    pub const fn reducing(name: &'static str, executor: E) -> Self {
        MapOverlap {
            instance: Instance::new(name, executor),
            settings: Settings {
                layout: Layout::WINDOWS,
                pad: NoPad,
                update: Reduced {
                    identity: NoIdentity,
                    _operator: PhantomData,
                },
            },
            _function: PhantomData,
        }
    }
}

impl<F, R, E: Executor, V> MapOverlap<F, E, V, Reduced<R>> {
    /// Says what the reduction of no elements is.
    #[must_use]
    pub fn identity<T: Copy + 'static>(
        self,
        value: T,
    ) -> MapOverlap<F, E, V, Reduced<R, Identity<T>>> {
        self.beginning(Identity(value))
    }

    /// Says what every reduction begins with: `op(value, op(f(x[0 - r ..= 0 + r], …), …))`. Without elements, it is
    /// this.
    #[must_use]
    pub fn initial<T: Copy + 'static>(
        self,
        value: T,
    ) -> MapOverlap<F, E, V, Reduced<R, Initial<T>>> {
        self.beginning(Initial(value))
    }

    fn beginning<I>(self, identity: I) -> MapOverlap<F, E, V, Reduced<R, I>> {
        let Settings { layout, pad, .. } = self.settings;
        MapOverlap {
            instance: self.instance,
            settings: Settings {
                layout,
                pad,
                update: Reduced {
                    identity,
                    _operator: PhantomData,
                },
            },
            _function: PhantomData,
        }
    }
}

impl<F, R, E: Executor, V: PadValue, I> MapOverlap<F, E, V, Reduced<R, I>> {
    /// Runs the call, and waits for the value.
    ///
    /// # Errors
    /// As [`MapOverlap::run`]; [`EmptyReduce`](crate::Error::EmptyReduce) where there are no elements and no identity.
    pub fn run<P, A>(&self, mut args: A) -> Result<F::Output>
    where
        P: ParamList + Padded<V>,
        F: UserFunction<P>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
    {
        const { assert_fits::<R::Value>() };
        let plan: &dyn Phases = Fold::<Packing<F, R>, R::Operator, P>::WINDOWS;
        let placed = self.place(Fold::<Packing<F, R>, R::Operator, P>::NEAR, &args, None)?;
        let bound = self.instance.bind_near(&mut args, &placed, self.beyond()?);
        let identity = &self.settings.update.identity;
        value::<F::Output, R>(bound.fold(plan)?, identity, || plan.kernel(), self.name())
    }

    /// Runs the call, and writes the value to `out`. Where a device reduces what lies there already, this may
    /// return before it is done; what goes wrong there surfaces when `out` is read.
    ///
    /// # Errors
    /// As for `run`; `out` has no value then, and reading it gives the error, unless the call was
    /// refused before it began.
    pub fn run_into<P, A>(&self, mut args: A, out: &mut Scalar<F::Output>) -> Result<()>
    where
        P: ParamList + Padded<V>,
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
        P: ParamList + Padded<V>,
        F: UserFunction<P, Output: Element>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
    {
        let placed = self.place(Fold::<Packing<F, R>, R::Operator, P>::NEAR, args, None)?;
        let bound = self.instance.bind_near(args, &placed, self.beyond()?);
        let plan = Fold::<Packing<F, R>, R::Operator, P>::WINDOWS;
        bound.fold_later::<R, F::Output>(plan, InitialValue::of(&self.settings.update.identity))
    }
}
