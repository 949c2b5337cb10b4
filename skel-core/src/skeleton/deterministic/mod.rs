//! Folds and scans whose floats have the same bits on every unit, in every split.
//!
//! Elements are combined in tiles of [`TILE`], one after the other; the totals of the tiles likewise, and
//! so on: one tree, which depends on the number of elements alone. Each level is a call of the elementwise
//! pattern over strided elements, so that units know nothing of it.

mod along;
mod scan;
mod tiles;

use super::{
    MapReduceAlong, Reduce, ReduceAlong, Scan,
    components::{Operators, Packing},
    fold::Operator,
    initial_value::{IdentityOf, value},
    map_reduce::MapReduce,
    reduce::itself,
    scan::{All, Mode},
};
use crate::{
    Element, Result,
    bind::{BindAll, Destination, Domain, Fill, IntoShape},
    call::{ArgumentShapes, Executor, Operands},
    frame::assert_fits,
    param::{Each, ParamList},
    plan::Phases,
    schedule::Target,
    skeleton::fold::Fold,
    space::Shape,
    user_function::UserFunction,
};

/// Elements of a tile. So few that a strided read of them stays within few lines of a cache.
const TILE: usize = 16;

/// A [`Reduce`], [`MapReduce`] or [`Scan`], or a reduction of rows or columns, whose floats have the same bits on every unit, for every ratio
/// and on any number of threads, as long as its functions call no transcendentals.
///
/// Made by `.deterministic()`, after everything else that an instance is told. It takes a pass over memory
/// more, and waits between its steps; but for reductions of rows and columns, which combine each one element
/// after the other.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn add(a: f32, b: f32) -> f32 {
///     a + b
/// }
///
/// let x = Vector::from_fn(10_000, |i| 1.0 / (i + 1) as f32);
/// let sum = reduce!(add).deterministic();
/// let here = sum.run((&x,))?;
/// assert_eq!(here.to_bits(), sum.clone().on(Sequential).run((&x,))?.to_bits());
/// assert_eq!(here.to_bits(), sum.on(Hybrid::ratio(0.3)).run((&x,))?.to_bits());
///
/// let sums = scan!(add).deterministic().run((&x,))?;
/// assert!((sums.host()?[9_999] - here).abs() < 1e-4);
/// # skel::Result::Ok(())
/// ```
#[derive(Clone, Debug)]
pub struct Deterministic<S>(S);

macro_rules! deterministic {
    ($skeleton:ty, [$($generics:ident),*]) => {
        impl<$($generics,)* E: Executor> $skeleton {
            /// The same with the same bits on every unit: see [`Deterministic`].
            #[must_use]
            pub fn deterministic(self) -> Deterministic<Self> {
                Deterministic(self)
            }
        }

        impl<$($generics,)* E: Executor> Deterministic<$skeleton> {
            /// Where this instance runs.
            #[must_use]
            pub fn on(self, target: impl Into<Target>) -> Self {
                Deterministic(self.0.on(target))
            }

            /// The name.
            #[must_use]
            pub fn name(&self) -> &str {
                self.0.name()
            }
        }
    };
}
deterministic!(Reduce<R, E, I>, [R, I]);
deterministic!(MapReduce<F, R, E, I>, [F, R, I]);
deterministic!(Scan<R, All, E, M>, [R, M]);
deterministic!(ReduceAlong<R, E, I>, [R, I]);
deterministic!(MapReduceAlong<F, R, E, I>, [F, R, I]);

impl<R, E: Executor, I> Deterministic<Reduce<R, E, I>> {
    /// See [`Reduce::run`].
    ///
    /// # Errors
    /// As there.
    pub fn run<T, A>(&self, mut args: A) -> Result<T>
    where
        T: Element,
        R: Operator<T>,
        I: IdentityOf<T>,
        A: BindAll<(Each<T>,)>,
    {
        const { assert_fits::<T>() };
        let Reduce {
            instance, identity, ..
        } = &self.0;
        let mut shapes = ArgumentShapes::new();
        args.shapes(&mut shapes);
        let shape = instance.shape(&shapes)?;
        let mut operands = Operands::new();
        args.operands(&mut operands);
        let plan = Fold::<itself, R, (Each<T>,)>::PLAN;
        let total = tiles::total::<itself, R, (Each<T>,)>(instance, shape, operands)?;
        value::<T, R>(total, identity, || plan.kernel(), self.name())
    }
}

impl<F, R, E: Executor, I> Deterministic<MapReduce<F, R, E, I>> {
    /// See [`MapReduce::run`].
    ///
    /// # Errors
    /// As there.
    pub fn run<P, A>(&self, mut args: A) -> Result<F::Output>
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
    {
        const { assert_fits::<R::Value>() };
        let mut shapes = ArgumentShapes::new();
        args.shapes(&mut shapes);
        let shape = self.0.instance.shape(&shapes)?;
        self.fold::<P, A>(shape, &mut args)
    }

    /// See [`MapReduce::run_shaped`].
    ///
    /// # Errors
    /// As there.
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
        let shape = self.0.instance.countable(shape.into())?;
        let mut shapes = ArgumentShapes::new();
        args.shapes(&mut shapes);
        self.0
            .instance
            .check(&shapes, shape, "the shape given says")?;
        self.fold::<P, A>(shape, &mut args)
    }

    fn fold<P, A>(&self, shape: Shape, args: &mut A) -> Result<F::Output>
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
    {
        let MapReduce {
            instance, identity, ..
        } = &self.0;
        let mut operands = Operands::new();
        args.operands(&mut operands);
        let plan: &dyn Phases = Fold::<Packing<F, R>, R::Operator, P>::PLAN;
        let total = tiles::total::<Packing<F, R>, R::Operator, P>(instance, shape, operands)?;
        value::<F::Output, R>(total, identity, || plan.kernel(), self.name())
    }
}

impl<R, E: Executor, M> Deterministic<Scan<R, All, E, M>> {
    /// See [`Scan::run`].
    ///
    /// # Errors
    /// As there.
    pub fn run<T, A, D, C>(&self, mut args: A) -> Result<C>
    where
        T: Element + Fill<D, Containers = C>,
        R: Operator<T>,
        M: Mode<T>,
        A: BindAll<(Each<T>,), Domain = D>,
        D: Domain,
    {
        let mut shapes = ArgumentShapes::new();
        args.shapes(&mut shapes);
        let shape = self.0.instance.shape(&shapes)?;
        let mut containers = <T as Fill<D>>::unwritten(shape)?;
        let (mut inputs, mut outputs) = (Operands::new(), Operands::new());
        args.operands(&mut inputs);
        <T as Fill<D>>::operands(&mut containers, &mut outputs);
        scan::run::<R, T, M>(&self.0.instance, &self.0.mode, shape, inputs, outputs)?;
        Ok(containers)
    }

    /// See [`Scan::run_into`].
    ///
    /// # Errors
    /// As there.
    pub fn run_into<T, A, O>(&self, mut args: A, mut out: O) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
        A: BindAll<(Each<T>,)>,
        O: Destination<T>,
    {
        let (shape, mut shapes) = (out.call_shape(), ArgumentShapes::new());
        args.shapes(&mut shapes);
        out.shapes(2, &mut shapes);
        self.0.instance.check_output(&shapes, 2, shape)?;
        let (mut inputs, mut outputs) = (Operands::new(), Operands::new());
        args.operands(&mut inputs);
        out.operands(&mut outputs);
        scan::run::<R, T, M>(&self.0.instance, &self.0.mode, shape, inputs, outputs)
    }
}
