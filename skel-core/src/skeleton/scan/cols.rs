//! Scans of columns: of the rows of the transposed matrix.
//!
//! On the host, these are read and written where they lie. Devices, whose threads would read and write each element apart from
//! its neighbours, are given copies that are transposed.

use super::{Cols, Mode, Rows, Scan, run::ScanSetup};
use crate::{
    Element, Result,
    bind::Destination,
    call::{ArgumentShapes, Call, Executor, Fit, Operand, Operands},
    container::{Container, Matrix},
    frame::assert_fits,
    param::Each,
    skeleton::{elementwise::Elementwise, fold::Operator, prefix::Flagged, reduce::itself},
    space::{Layout, Shape},
};

impl<R, E: Executor + Clone, M: Clone> Scan<R, Cols, E, M> {
    /// Scans each column of the one argument, `run((&m,))`, and gives a new matrix.
    ///
    /// # Errors
    /// [`Trap`](crate::Error::Trap), without an index; whatever the chosen unit reports.
    pub fn run<T>(&self, (m,): (&Matrix<T>,)) -> Result<Matrix<T>>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
    {
        let mut out: Matrix<T> = Container::unwritten(m.shape())?;
        self.run_into((m,), &mut out)?;
        Ok(out)
    }

    /// Scans each column, and writes the result to `out`, a matrix, or part of one, of the same shape.
    ///
    /// # Errors
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch), and as [`Scan::run`]. After an error, `out` has no
    /// valid elements, unless the columns could not be scanned at all.
    pub fn run_into<T, O>(&self, (m,): (&Matrix<T>,), mut out: O) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
        O: Destination<T>,
    {
        let (shape, mut shapes) = (out.call_shape(), ArgumentShapes::new());
        shapes.push((1, m.shape(), Fit::Same));
        out.shapes(2, &mut shapes);
        self.instance.check_output(&shapes, 2, shape)?;
        let given = self.setup::<T>();
        if let Some(done) = self.scan_where_it_lies(&given, m, |operands| out.operands(operands)) {
            return done;
        }
        let scanned = self.scanned(m)?;
        self.transpose(&scanned, shape, |operands| out.operands(operands))
    }

    /// Scans each column of `m`, which the result takes the place of: see [`Scan::run_in_place`].
    ///
    /// # Errors
    /// As [`Scan::run`]; `m` keeps its elements then, unless the error shows when they are read.
    pub fn run_in_place<T>(&self, m: &mut Matrix<T>) -> Result<()>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
    {
        if self.instance.stays_on_host() {
            *m = self.run((&*m,))?;
            return Ok(());
        }
        let scanned = self.scanned(m)?;
        self.transpose(&scanned, m.shape(), |operands| {
            operands.push(Operand::write(Container::target(m)));
        })
    }

    fn setup<T>(&self) -> ScanSetup<T>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
    {
        const { assert_fits::<Flagged<T>>() };
        ScanSetup::several(&self.mode, M::rows::<R>())
    }

    /// Scans the columns, and writes them, as one call, if it stays on the host.
    fn scan_where_it_lies<'m, T>(
        &'m self,
        given: &'m ScanSetup<T>,
        m: &'m Matrix<T>,
        written: impl FnOnce(&mut Operands<'m>),
    ) -> Option<Result<()>>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
    {
        if !self.instance.stays_on_host() {
            return None;
        }
        let shape = Shape::D2(m.cols(), m.rows());
        let mut call = self.instance.open(given.plan, shape);
        call.initial = given.before.clone();
        call.operands.push(Operand::strided(m.buffer(), turned(m)));
        call.operands.extend(given.initial().map(Operand::uniform));
        let inputs = call.operands.len();
        written(&mut call.operands);
        let mut outputs = call.operands.iter_mut().skip(inputs);
        let can_be = outputs.all(|output| output.transpose(m.shape()));
        can_be.then(|| self.instance.execute(&mut call).map(|_| ()))
    }

    /// The columns as rows, scanned.
    fn scanned<T>(&self, m: &Matrix<T>) -> Result<Matrix<T>>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
    {
        let mut turned: Matrix<T> = Container::unwritten(Shape::D2(m.cols(), m.rows()))?;
        let shape = turned.shape();
        self.transpose(m, shape, |operands| {
            operands.push(Operand::write(turned.target()));
        })?;
        let scan: Scan<R, Rows, E, M> = self.clone().rows();
        // What is not needed any more is dropped as soon as may be: it is as large as the result.
        scan.run((&turned,))
    }

    /// Writes `m`, transposed, to a matrix of this shape.
    fn transpose<'m, T: Element>(
        &'m self,
        m: &'m Matrix<T>,
        shape: Shape,
        written: impl FnOnce(&mut Operands<'m>),
    ) -> Result<()> {
        let plan = Elementwise::<itself, (Each<T>,)>::PLAN;
        let mut call: Call<'m> = self.instance.open(plan, shape);
        call.operands.push(Operand::strided(m.buffer(), turned(m)));
        written(&mut call.operands);
        self.instance.execute(&mut call).map(|_| ())
    }
}

/// Where the elements of its transposed are.
fn turned<T: Element>(m: &Matrix<T>) -> Layout {
    Layout {
        offset: 0,
        strides: [0, 0, 1, m.cols() as isize],
    }
}
