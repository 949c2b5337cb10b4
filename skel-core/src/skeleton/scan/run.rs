//! Scans of all elements, of rows, of segments.

use super::{All, Mode, Rows, Scan};
use crate::{
    Element, Result,
    bind::{BindAll, Destination, Domain, Fill},
    call::{Executor, Operand},
    container::Container,
    frame::{Partial, View, assert_fits},
    param::{Each, ParamList},
    plan::Phases,
    skeleton::{fold::Operator, prefix::Flagged},
};

/// What a plan is given beside the arguments.
struct ScanSetup<T> {
    plan: &'static dyn Phases,
    /// What precedes all elements.
    before: Partial,
    /// The value that precedes each sequence, if the plan asks for it.
    initial: Option<T>,
}

impl<T: Element> ScanSetup<T> {
    fn all<R: Operator<T>, M: Mode<T>>(mode: &M) -> ScanSetup<T> {
        ScanSetup {
            plan: M::all::<R>(),
            before: mode.initial().map_or(Partial::NONE, Partial::of),
            initial: None,
        }
    }

    fn several<M: Mode<T>>(mode: &M, plan: &'static dyn Phases) -> ScanSetup<T> {
        let initial = mode.initial();
        let before = |v: T| Partial::of(Flagged::before(v));
        ScanSetup {
            plan,
            before: initial.map_or(Partial::NONE, before),
            initial,
        }
    }
}

impl<R, X, E: Executor, M> Scan<R, X, E, M> {
    fn fill<T, P, A, D, C>(&self, mut args: A, given: &ScanSetup<T>) -> Result<C>
    where
        T: Element + Fill<D, Containers = C>,
        P: ParamList,
        A: BindAll<P>,
        D: Domain,
    {
        let bound = self.instance.bind(&mut args)?;
        let bound = bound.from(&given.before, given.initial());
        bound.run::<T, D>(given.plan)
    }

    fn fill_into<T, P, A, O>(&self, mut args: A, out: O, given: &ScanSetup<T>) -> Result<()>
    where
        T: Element,
        P: ParamList,
        A: BindAll<P>,
        O: Destination<T>,
    {
        let bound = self.instance.bind_into(&mut args, &out)?;
        let bound = bound.from(&given.before, given.initial());
        bound.run_into(given.plan, out)
    }

    fn replace<T, C>(&self, x: &mut C, given: &ScanSetup<T>) -> Result<()>
    where
        T: Element,
        C: Container<T>,
    {
        let shape = x.shape();
        let mut scanned = C::unwritten(shape)?;
        let mut call = self.instance.open(given.plan, shape);
        call.initial = given.before.clone();
        call.operands.push(Operand::read(x.elements()));
        call.operands.extend(given.initial().map(Operand::uniform));
        call.operands.push(Operand::write(scanned.target()));
        self.instance.execute(&mut call)?;
        drop(call);
        *x = scanned;
        Ok(())
    }
}

impl<T: Element> ScanSetup<T> {
    fn initial(&self) -> Option<View<'_>> {
        let value = self.initial.as_ref().map(std::slice::from_ref);
        value.map(View::of)
    }
}

impl<R, E: Executor, M> Scan<R, All, E, M> {
    /// Scans the one argument, `run((&x,))`, and gives a new container of its shape; [`Scan::run_into`]
    /// fills slices and `Vec`s. No elements in, no elements out.
    ///
    /// Where devices take part, this may return before they are done; what goes wrong there surfaces
    /// when the result is read, or at the next reduction.
    ///
    /// # Errors
    /// [`Trap`](crate::Error::Trap), without an index; whatever the chosen unit reports.
    pub fn run<T, A, D, C>(&self, args: A) -> Result<C>
    where
        T: Element + Fill<D, Containers = C>,
        R: Operator<T>,
        M: Mode<T>,
        A: BindAll<(Each<T>,), Domain = D>,
        D: Domain,
    {
        const { assert_fits::<T>() };
        self.fill(args, &ScanSetup::all::<R, M>(&self.mode))
    }

    /// Scans the argument, and writes the result to `out`, a container or a slice of the same shape.
    ///
    /// # Errors
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch), and as [`Scan::run`]. After an error, `out` has no
    /// valid elements (a slice: unspecified ones).
    pub fn run_into<T, A, O>(&self, args: A, out: O) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
        A: BindAll<(Each<T>,)>,
        O: Destination<T>,
    {
        const { assert_fits::<T>() };
        self.fill_into(args, out, &ScanSetup::all::<R, M>(&self.mode))
    }

    /// Scans segments, each on its own: `run_segmented((&x, &flags))`, where `flags` has a `bool` for each
    /// element, and `true` begins a segment. The first element begins one in any case.
    ///
    /// # Errors
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch), and as [`Scan::run`].
    pub fn run_segmented<T, A, D, C>(&self, args: A) -> Result<C>
    where
        T: Element + Fill<D, Containers = C>,
        R: Operator<T>,
        M: Mode<T>,
        A: BindAll<(Each<T>, Each<bool>), Domain = D>,
        D: Domain,
    {
        const { assert_fits::<Flagged<T>>() };
        let plan = M::segments::<R>();
        self.fill(args, &ScanSetup::several(&self.mode, plan))
    }

    /// As [`Scan::run_segmented`], into `out`.
    ///
    /// # Errors
    /// As [`Scan::run_into`].
    pub fn run_segmented_into<T, A, O>(&self, args: A, out: O) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
        A: BindAll<(Each<T>, Each<bool>)>,
        O: Destination<T>,
    {
        const { assert_fits::<Flagged<T>>() };
        let plan = M::segments::<R>();
        self.fill_into(args, out, &ScanSetup::several(&self.mode, plan))
    }

    /// Scans all elements of `x`, a container, whose elements the result takes the place of. The elements that were
    /// there go when the call is over, so there is memory for both until then.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let mut x = Vector::from([3, 1, 4, 1, 5]);
    /// scan!(|a: u32, b: u32| a + b).run_in_place(&mut x)?;
    /// assert_eq!(x.host()?[..], [3, 4, 8, 9, 14]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// As [`Scan::run`]; `x` keeps its elements then, unless the error shows when they are read.
    pub fn run_in_place<T, C>(&self, x: &mut C) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
        C: Container<T>,
    {
        const { assert_fits::<T>() };
        self.replace(x, &ScanSetup::all::<R, M>(&self.mode))
    }
}

impl<R, E: Executor, M> Scan<R, Rows, E, M> {
    /// Scans each row of the one argument, `run((&m,))`, and gives a new container of its shape. A vector
    /// is one row.
    ///
    /// # Errors
    /// [`Trap`](crate::Error::Trap), without an index; whatever the chosen unit reports.
    pub fn run<T, A, D, C>(&self, args: A) -> Result<C>
    where
        T: Element + Fill<D, Containers = C>,
        R: Operator<T>,
        M: Mode<T>,
        A: BindAll<(Each<T>,), Domain = D>,
        D: Domain,
    {
        const { assert_fits::<Flagged<T>>() };
        let plan = M::rows::<R>();
        self.fill(args, &ScanSetup::several(&self.mode, plan))
    }

    /// Scans each row, and writes the result to `out`, a container of the same shape.
    ///
    /// # Errors
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch); [`Trap`](crate::Error::Trap); whatever the chosen
    /// unit reports. After an error, `out` has no valid elements.
    pub fn run_into<T, A, O>(&self, args: A, out: O) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
        A: BindAll<(Each<T>,)>,
        O: Destination<T>,
    {
        const { assert_fits::<Flagged<T>>() };
        let plan = M::rows::<R>();
        self.fill_into(args, out, &ScanSetup::several(&self.mode, plan))
    }

    /// Scans each row of `x`, a container, whose elements the result takes the place of. The elements that were
    /// there go when the call is over, so there is memory for both until then.
    ///
    /// # Errors
    /// As [`Scan::run`]; `x` keeps its elements then, unless the error shows when they are read.
    pub fn run_in_place<T, C>(&self, x: &mut C) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
        C: Container<T>,
    {
        const { assert_fits::<Flagged<T>>() };
        self.replace(x, &ScanSetup::several(&self.mode, M::rows::<R>()))
    }
}
