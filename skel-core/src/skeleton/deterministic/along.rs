//! Folds of rows and columns: hosts combine one element after the other, as devices do in any case.

use super::Deterministic;
use crate::{
    Element, Result,
    bind::{BindAll, Destination, Dim1, Fill, IntoShape, Rectangular},
    call::Executor,
    container::Vector,
    param::{Each, Outputs, ParamList},
    skeleton::{
        IdentityOf, MapReduceAlong, Operator, Operators, ReduceAlong,
        map_reduce_along::{along, along_shape},
    },
    user_function::UserFunction,
};

impl<R, E: Executor, I> Deterministic<ReduceAlong<R, E, I>> {
    /// See [`ReduceAlong::run`].
    ///
    /// # Errors
    /// As there.
    pub fn run<T, A, D>(&self, args: A) -> Result<Vector<T>>
    where
        T: Element,
        R: Operator<T>,
        I: IdentityOf<T>,
        A: BindAll<(Each<T>,), Domain = D>,
        D: Rectangular,
    {
        self.0.fill::<T, A, true>(args)
    }

    /// See [`ReduceAlong::run_into`].
    ///
    /// # Errors
    /// As there.
    pub fn run_into<T, A, D, O>(&self, args: A, out: O) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        I: IdentityOf<T>,
        A: BindAll<(Each<T>,), Domain = D>,
        D: Rectangular,
        O: Destination<T>,
    {
        self.0.fill_into::<T, A, O, true>(args, out)
    }
}

impl<F, R, E: Executor, I> Deterministic<MapReduceAlong<F, R, E, I>> {
    /// See [`MapReduceAlong::run`].
    ///
    /// # Errors
    /// As there.
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
        let along = along(&self.0.instance, &args, self.0.axis)?;
        self.0.fill::<P, A, C, true>(along, args)
    }

    /// See [`MapReduceAlong::run_shaped`].
    ///
    /// # Errors
    /// As there.
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
        let along = along_shape(&self.0.instance, shape, &args, self.0.axis)?;
        self.0.fill::<P, A, C, true>(along, args)
    }

    /// See [`MapReduceAlong::run_into`].
    ///
    /// # Errors
    /// As there.
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
        self.0.fill_into::<P, A, O, true>(args, out)
    }
}
