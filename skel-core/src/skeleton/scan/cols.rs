//! Scans of columns: of the rows of the transposed matrix.

use super::{Cols, Mode, Rows, Scan};
use crate::{
    Element, Result,
    call::{Executor, Operand, Operands},
    container::{Container, Matrix, Shape},
    ir::{
        Mode as Passing, Ty, ViewKind,
        build::{Cx, Source},
    },
    param::{Index2, MatrixView, WholeMatrix},
    skeleton::{elementwise::Elementwise, fold::Operator},
    user_function::{Imp, UserFunction},
};
use std::marker::PhantomData;

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
        let scan: Scan<R, Rows, E, M> = self.clone().rows();
        // What is not needed any more is dropped as soon as may be: it is as large as the result.
        let scanned = scan.run((&self.transpose(m)?,))?;
        self.transpose(&scanned)
    }

    fn transpose<T: Element>(&self, m: &Matrix<T>) -> Result<Matrix<T>> {
        let shape = Shape::D2(m.cols(), m.rows());
        let mut out = Container::unwritten(shape)?;
        let mut operands = Operands::new();
        operands.push(Operand::View(m.buffer(), m.shape()));
        operands.push(Operand::Write(Container::target(&mut out)));
        let plan = Elementwise::<Transposed<T>, (WholeMatrix<T>,)>::PLAN;
        self.instance.execute(plan, shape, operands)?;
        Ok(out)
    }
}

/// `fn(at: Index2, m: MatrixView<T>) -> T { m[(at.col, at.row)] }`.
struct Transposed<T>(PhantomData<fn() -> T>);

impl<T: Element> UserFunction<(WholeMatrix<T>,)> for Transposed<T> {
    type At = Index2;
    type Output = T;
    const NAME: &'static str = "transposed";

    #[inline(always)]
    fn call(at: Index2, (m,): (MatrixView<'_, T>,)) -> T {
        m[(at.col, at.row)]
    }

    fn ir(cx: &mut Cx) -> Imp {
        cx.define::<Self>("transposed", |_| Source {
            file: file!(),
            params: vec![
                (Index2::ty(), Passing::In),
                (Ty::view(T::ty(), ViewKind::Matrix), Passing::In),
            ],
            ret: T::ty(),
            fast_math: false,
            text: "(fn (at m) (ix (v 1) (tup - (f col (v 0)) (f row (v 0)))))",
            types: Vec::new(),
            constants: Vec::new(),
            imps: Vec::new(),
            messages: Vec::new(),
        })
    }
}
