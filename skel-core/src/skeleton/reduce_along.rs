//! Reduce of each row or column, and of what those give.

use super::{
    axis::{AlongAxis, Cols, Rows},
    fold::Operator,
    initial_value::{IdentityOf, NoIdentity},
    instance::{Instance, instance_methods, instance_traits},
    map_reduce_along::{along, fill, fill_into},
    reduce::{Reduce, itself},
};
use crate::{
    Element, Result,
    bind::{BindAll, Destination, Rectangular},
    call::Executor,
    container::Vector,
    param::Each,
};
use std::marker::PhantomData;

/// `out[i] = op(x[i, 0], op(x[i, 1], …))`: the reduction of each row, or of each column, of a matrix.
///
/// Made by `.rows()` or `.cols()` of a [`Reduce`]; its operator is as there.
///
/// ```
/// use skel::prelude::*;
///
/// let m = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as i32);
/// let sum = reduce!(|a: i32, b: i32| a + b);
/// assert_eq!(sum.clone().rows().run((&m,))?.host()?[..], [3, 33]);
/// assert_eq!(sum.clone().cols().run((&m,))?.host()?[..], [10, 12, 14]);
/// assert_eq!(sum.clone().initial(100).rows().run((&m,))?.host()?[..], [103, 133]);
/// // Rows by one operator, and what they give by another.
/// let largest = reduce!(|a: i32, b: i32| a.max(b));
/// assert_eq!(sum.rows().then(largest).run((&m,))?, 33);
/// # skel::Result::Ok(())
/// ```
///
/// # Determinism
/// As [`MapReduceAlong`](super::MapReduceAlong).
pub struct ReduceAlong<R, L, E, I = NoIdentity> {
    instance: Instance<E>,
    identity: I,
    _types: PhantomData<fn() -> (R, L)>,
}

instance_traits!(ReduceAlong<R, L; I> { _types, identity });

impl<R, L: AlongAxis, E: Executor, I> ReduceAlong<R, L, E, I> {
    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> ReduceAlong<R, L, X, I> {
        ReduceAlong {
            instance: self.instance.within(executor),
            identity: self.identity,
            _types: PhantomData,
        }
    }

    instance_methods!();

    /// Runs the call over the one matrix, `run((&m,))`, and gives a new vector.
    ///
    /// # Errors
    /// [`EmptyReduce`](crate::Error::EmptyReduce) where there are rows without elements, and neither an
    /// identity nor an initial value; [`Trap`](crate::Error::Trap), with the row (or column) as the index;
    /// whatever the chosen unit reports.
    pub fn run<T, A, D>(&self, args: A) -> Result<Vector<T>>
    where
        T: Element,
        R: Operator<T>,
        I: IdentityOf<T>,
        A: BindAll<(Each<T>,), Domain = D>,
        D: Rectangular,
    {
        let along = along::<(Each<T>,), L, _, _>(&self.instance, &args)?;
        let (instance, identity) = (&self.instance, &self.identity);
        fill::<itself, R, (Each<T>,), L, A, I>(instance, identity, along, args)
    }

    /// Runs the call, and writes the values to `out`, a vector or slice with an element per row (or
    /// column).
    ///
    /// # Errors
    /// As [`ReduceAlong::run`]. After an error, `out` has no valid elements (a slice: unspecified ones).
    pub fn run_into<T, A, D, O>(&self, args: A, out: O) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        I: IdentityOf<T>,
        A: BindAll<(Each<T>,), Domain = D>,
        D: Rectangular,
        O: Destination<T>,
    {
        let (instance, identity) = (&self.instance, &self.identity);
        fill_into::<itself, R, (Each<T>,), L, A, I>(instance, identity, args, out)
    }

    /// The reduction, by another operator, of what this one gives. What is in between stays where it was
    /// computed.
    #[must_use]
    pub fn then<S, X: Executor, J>(
        self,
        across: Reduce<S, X, J>,
    ) -> TwoReductions<R, L, E, I, S, X, J> {
        TwoReductions { each: self, across }
    }
}

/// A reduction of each row (or column), and one of what they give: see [`ReduceAlong::then`].
pub struct TwoReductions<R, L, E, I, S, X, J> {
    each: ReduceAlong<R, L, E, I>,
    across: Reduce<S, X, J>,
}

impl<R, L, E, I, S, X, J> Clone for TwoReductions<R, L, E, I, S, X, J>
where
    E: Clone,
    I: Clone,
    X: Clone,
    J: Clone,
{
    fn clone(&self) -> Self {
        TwoReductions {
            each: self.each.clone(),
            across: self.across.clone(),
        }
    }
}

impl<R, L, E, I, S, X, J> std::fmt::Debug for TwoReductions<R, L, E, I, S, X, J> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}, then {:?}", self.each, self.across)
    }
}

impl<R, L: AlongAxis, E: Executor, I, S, X: Executor, J> TwoReductions<R, L, E, I, S, X, J> {
    /// Where both run.
    #[must_use]
    pub fn on(self, target: impl Into<crate::schedule::Target>) -> Self {
        let target = target.into();
        TwoReductions {
            each: self.each.on(&target),
            across: self.across.on(&target),
        }
    }

    /// The same reductions, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<Y: Executor + Clone>(self, executor: Y) -> TwoReductions<R, L, Y, I, S, Y, J> {
        TwoReductions {
            each: self.each.within(executor.clone()),
            across: self.across.within(executor),
        }
    }

    /// Runs both over the one matrix, `run((&m,))`, and waits for the value.
    ///
    /// # Errors
    /// As [`ReduceAlong::run`] and [`Reduce::run`].
    pub fn run<T, A, D>(&self, args: A) -> Result<T>
    where
        T: Element,
        R: Operator<T>,
        S: Operator<T>,
        I: IdentityOf<T>,
        J: IdentityOf<T>,
        A: BindAll<(Each<T>,), Domain = D>,
        D: Rectangular,
    {
        let values = self.each.run(args)?;
        self.across.run((&values,))
    }
}

impl<R, E: Executor, I> Reduce<R, E, I> {
    /// The reduction of each row of a matrix: see [`ReduceAlong`].
    #[must_use]
    pub fn rows(self) -> ReduceAlong<R, Rows, E, I> {
        self.along()
    }

    /// The reduction of each column of a matrix: see [`ReduceAlong`].
    #[must_use]
    pub fn cols(self) -> ReduceAlong<R, Cols, E, I> {
        self.along()
    }

    fn along<L>(self) -> ReduceAlong<R, L, E, I> {
        let (instance, identity) = self.into_parts();
        ReduceAlong {
            instance,
            identity,
            _types: PhantomData,
        }
    }
}
