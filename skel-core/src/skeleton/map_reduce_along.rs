//! MapReduce of each row or column, and MapPairsReduce.

use super::{
    along::{Constant, FoldAlong},
    axis::{AlongAxis, Cols, Rows},
    bound::{GIVEN, shapes_of},
    components::Operators,
    elementwise::Elementwise,
    initial_value::{IdentityOf, NoIdentity, empty},
    instance::{Instance, instance_methods, instance_traits},
    map_reduce::MapReduce,
};
use crate::{
    Result,
    bind::{BindAll, Destination, Dim1, Fill, IntoShape, Rectangular},
    call::{ArgumentShapes, Call, Executor, Fit, Operand, Operands},
    frame::View,
    param::{Outputs, ParamList, Uniform},
    space::{Along, Shape},
    user_function::UserFunction,
};
use std::marker::PhantomData;

type Types<F, R, L> = PhantomData<fn() -> (F, R, L)>;

/// `out[i] = op(f(x[i, 0], …), op(f(x[i, 1], …), …))`: the reduction of each row, or of each column.
///
/// Made by `.rows()` or `.cols()` of a [`MapReduce`]; or, as MapPairsReduce, by `map_pairs_reduce!`, whose
/// arguments are [`down`](crate::container::down) and [`across`](crate::container::across), so that all pairs
/// of their elements are reduced without a matrix of them.
///
/// Arguments as for [`Map`](super::Map), of a matrix shape; operators as for [`MapReduce`]. The outputs are
/// vectors.
///
/// ```
/// use skel::prelude::*;
///
/// let m = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as i32);
/// let squares = map_reduce!(|x: i32| x * x, |a: i32, b: i32| a + b);
/// assert_eq!(squares.clone().rows().run((&m,))?.host()?[..], [5, 365]);
/// assert_eq!(squares.cols().run((&m,))?.host()?[..], [100, 122, 148]);
///
/// // How far the nearest of some places is.
/// let nearest = map_pairs_reduce!(|a: i32, b: i32| (a - b).abs(), |a: i32, b: i32| a.min(b));
/// let distance = nearest.run((down(&[0, 7, 12]), across(&[5, 10])))?;
/// assert_eq!(distance.host()?[..], [5, 2, 2]);
/// # skel::Result::Ok(())
/// ```
///
/// # Determinism
/// Always the same values, of floats too, on every unit: how elements are grouped depends on the number of elements of a
/// row or column alone ([`grouping`](crate::plan::grouping)). An initial value precedes what the others come to.
pub struct MapReduceAlong<F, R, L, E, I = NoIdentity> {
    pub(super) instance: Instance<E>,
    pub(super) identity: I,
    pub(super) _types: Types<F, R, L>,
}

instance_traits!(MapReduceAlong<F, R, L; I> { _types, identity });

impl<F, R, L: AlongAxis, E: Executor, I> MapReduceAlong<F, R, L, E, I> {
    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> MapReduceAlong<F, R, L, X, I> {
        MapReduceAlong {
            instance: self.instance.within(executor),
            identity: self.identity,
            _types: PhantomData,
        }
    }

    /// One value per row.
    #[must_use]
    pub fn rows(self) -> MapReduceAlong<F, R, Rows, E, I> {
        self.along()
    }

    /// One value per column.
    #[must_use]
    pub fn cols(self) -> MapReduceAlong<F, R, Cols, E, I> {
        self.along()
    }

    fn along<M>(self) -> MapReduceAlong<F, R, M, E, I> {
        MapReduceAlong {
            instance: self.instance,
            identity: self.identity,
            _types: PhantomData,
        }
    }

    instance_methods!();

    /// Runs the call, and gives a new vector; for functions with tuples as results, a tuple of vectors.
    ///
    /// # Errors
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch), [`NoShape`](crate::Error::NoShape);
    /// [`EmptyReduce`](crate::Error::EmptyReduce) where there are rows without elements, and neither an
    /// identity nor an initial value; [`Trap`](crate::Error::Trap), with the row as the index; whatever the
    /// chosen unit reports.
    pub fn run<P, A, D, C>(&self, args: A) -> Result<C>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P, Domain = D>,
        D: Rectangular,
        F::Output: Fill<Dim1, Containers = C>,
    {
        let along = along::<P, L, _, _>(&self.instance, &args)?;
        self.fill::<P, A, C>(along, args)
    }

    /// Runs the call over `shape`, which is `(rows, cols)`: for functions of the index, of uniforms and of
    /// whole containers, where nothing that is passed says how many elements there are.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// // The product of a matrix and a vector.
    /// let product = map_reduce!(
    ///     |at: Index2, m: MatrixView<i32>, x: &[i32]| m[(at.row, at.col)] * x[at.col],
    ///     |a: i32, b: i32| a + b
    /// );
    /// let m = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as i32);
    /// let y = product.rows().run_shaped((2, 3), (&m, &[1, 1, 2]))?;
    /// assert_eq!(y.host()?, [5, 45]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// As [`MapReduceAlong::run`]; containers among the arguments must have this shape.
    pub fn run_shaped<P, A, S, C>(&self, shape: S, args: A) -> Result<C>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
        S: IntoShape<Domain: Rectangular>,
        F::Output: Fill<Dim1, Containers = C>,
    {
        let along = along_shape::<P, L, _, _>(&self.instance, shape, &args)?;
        self.fill::<P, A, C>(along, args)
    }

    fn fill<P, A, C>(&self, along: Along, args: A) -> Result<C>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P>,
        F::Output: Fill<Dim1, Containers = C>,
    {
        let (instance, identity) = (&self.instance, &self.identity);
        fill::<F, R, P, L, A, I>(instance, identity, along, args)
    }

    /// Runs the call, and writes the values to `out`, a vector or slice with an element per row (or
    /// column); a tuple of those for functions with tuples as results.
    ///
    /// # Errors
    /// As [`MapReduceAlong::run`]. After an error, `out` has no valid elements (a slice: unspecified ones).
    pub fn run_into<P, A, D, O>(&self, args: A, out: O) -> Result<()>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        R: Operators<F::Output>,
        I: IdentityOf<F::Output>,
        A: BindAll<P, Domain = D>,
        D: Rectangular,
        O: Destination<F::Output>,
    {
        let (instance, identity) = (&self.instance, &self.identity);
        fill_into::<F, R, P, L, A, I>(instance, identity, args, out)
    }
}

/// What the arguments say is folded.
pub(super) fn along<P, L, A, E>(instance: &Instance<E>, args: &A) -> Result<Along>
where
    L: AlongAxis,
    A: BindAll<P>,
    E: Executor,
{
    let [_, _, rows, cols] = instance.shape(&shapes_of(args))?.extents();
    let axis = L::AXIS;
    Ok(Along { rows, cols, axis })
}

/// What the shape given says is folded; the arguments must fit it.
pub(super) fn along_shape<P, L, A, E>(
    instance: &Instance<E>,
    shape: impl IntoShape,
    args: &A,
) -> Result<Along>
where
    L: AlongAxis,
    A: BindAll<P>,
    E: Executor,
{
    let shape = instance.countable(shape.into())?;
    instance.check(&shapes_of(args), shape, GIVEN)?;
    let [_, _, rows, cols] = shape.extents();
    let axis = L::AXIS;
    Ok(Along { rows, cols, axis })
}

/// Reduces along an axis into new containers.
pub(super) fn fill<F, R, P, L, A, I>(
    instance: &Instance<impl Executor>,
    identity: &I,
    along: Along,
    mut args: A,
) -> Result<<F::Output as Fill<Dim1>>::Containers>
where
    P: ParamList,
    L: AlongAxis,
    F: UserFunction<P, Output: Fill<Dim1>>,
    R: Operators<F::Output>,
    I: IdentityOf<F::Output>,
    A: BindAll<P>,
{
    let first = first::<F::Output, R>(instance, identity, along)?;
    let mut containers = <F::Output as Fill<Dim1>>::unwritten(Shape::D1(along.values()))?;
    let outputs = &mut containers;
    fold::<F, R, P, L, A>(instance, along, &mut args, &first, move |operands| {
        <F::Output as Fill<Dim1>>::operands(outputs, operands);
    })?;
    Ok(containers)
}

/// The same, into what there is.
pub(super) fn fill_into<F, R, P, L, A, I>(
    instance: &Instance<impl Executor>,
    identity: &I,
    mut args: A,
    mut out: impl Destination<F::Output>,
) -> Result<()>
where
    P: ParamList,
    L: AlongAxis,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
    I: IdentityOf<F::Output>,
    A: BindAll<P>,
{
    let along = along::<P, L, _, _>(instance, &args)?;
    let mut shapes = ArgumentShapes::new();
    shapes.push((P::LEN + 1, out.call_shape(), Fit::Same));
    out.shapes(P::LEN + 1, &mut shapes);
    let values = Shape::D1(along.values());
    instance.check(&shapes, values, "what is reduced gives")?;
    let (first, out) = (first::<F::Output, R>(instance, identity, along)?, &mut out);
    fold::<F, R, P, L, A>(instance, along, &mut args, &first, move |operands| {
        out.operands(operands);
    })
}

/// What every fold begins with, or, where there is nothing to fold, gives.
fn first<O, R: Operators<O>>(
    instance: &Instance<impl Executor>,
    identity: &impl IdentityOf<O>,
    along: Along,
) -> Result<Option<R::Value>> {
    if along.depth() > 0 {
        return Ok(identity.initial().map(R::pack));
    }
    match identity.get() {
        None if along.values() > 0 => Err(empty(&instance.name)),
        value => Ok(value.map(R::pack)),
    }
}

/// Runs the folds, from [`first`].
fn fold<'s, F, R, P, L, A>(
    instance: &'s Instance<impl Executor>,
    along: Along,
    args: &'s mut A,
    first: &'s Option<R::Value>,
    outputs: impl FnOnce(&mut Operands<'s>),
) -> Result<()>
where
    P: ParamList,
    L: AlongAxis,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
    A: BindAll<P>,
{
    let mut call: Call<'s> = match (along.depth(), first) {
        (0, None) => return Ok(()),
        (0, Some(_)) => {
            let plan = Elementwise::<Constant<F::Output, R::Value>, (Uniform<R::Value>,)>::PLAN;
            instance.open(plan, Shape::D1(along.values()))
        }
        (_, None) => instance.open_along(FoldAlong::<F, R, P, L, false>::PLAN, along),
        (_, Some(_)) => instance.open_along(FoldAlong::<F, R, P, L, true>::PLAN, along),
    };
    let operands = &mut call.operands;
    if along.depth() > 0 {
        args.operands(operands);
    }
    let value = first.as_ref().map(std::slice::from_ref);
    operands.extend(value.map(|value| Operand::uniform(View::of(value))));
    outputs(operands);
    instance.execute(&mut call).map(|_| ())
}

impl<F, R, E: Executor, I> MapReduce<F, R, E, I> {
    /// The reduction of each row: see [`MapReduceAlong`].
    #[must_use]
    pub fn rows(self) -> MapReduceAlong<F, R, Rows, E, I> {
        self.along()
    }

    /// The reduction of each column: see [`MapReduceAlong`].
    #[must_use]
    pub fn cols(self) -> MapReduceAlong<F, R, Cols, E, I> {
        self.along()
    }
}
