//! Scans of columns: of the rows of the transposed matrix. The host reads these where they lie, in bands; for devices, whose
//! threads would read each element apart from its neighbours, they are copied before.

use super::{Cols, Mode, Rows, Scan};
use crate::{
    Element, Result,
    bind::Destination,
    call::{ArgumentShapes, Call, Executor, Fit, Operand, Operands},
    container::{Container, Matrix},
    frame,
    param::Each,
    skeleton::{elementwise::Elementwise, fold::Operator, reduce::itself},
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
        let scanned = self.scanned(m)?;
        self.transpose(&scanned, m.shape(), |operands| {
            operands.push(Operand::write(Container::target(m)));
        })
    }

    /// The columns as rows, scanned.
    fn scanned<T>(&self, m: &Matrix<T>) -> Result<Matrix<T>>
    where
        T: Element,
        R: Operator<T>,
        M: Mode<T>,
    {
        let scan: Scan<R, Rows, E, M> = self.clone().rows();
        let shape = Shape::D2(m.cols(), m.rows());
        if fills_bands::<T>(shape) && self.instance.stays_on_host(shape) {
            return scan.run((m.transposed(),));
        }
        let mut turned: Matrix<T> = Container::unwritten(shape)?;
        self.transpose(m, shape, |operands| {
            operands.push(Operand::write(turned.target()));
        })?;
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
        let turned = Layout {
            offset: 0,
            strides: [0, 0, 1, m.cols() as isize],
        };
        call.operands.push(Operand::strided(m.buffer(), turned));
        written(&mut call.operands);
        self.instance.execute(&mut call).map(|_| ())
    }
}

/// Shorter rows are transposed about as fast beforehand.
const LEAST_ELEMS: usize = 16;

/// Whether rows of a transposed matrix are short enough, and as many as several threads need, for cache lines to be used as a
/// whole.
fn fills_bands<T: Element>(shape: Shape) -> bool {
    let (cols, rows) = (shape.row_elems(), shape.rows());
    let line = frame::band_of_lines(size_of::<T>(), cols);
    cols >= LEAST_ELEMS && line.is_some_and(|few| rows >= 4 * few)
}
