//! What a chunk of a call writes fits wherever the container would.

use super::{Bind, Destination};
use crate::{
    call::{ArgumentShapes, Fit, Operand, Operands},
    container::RangeMut,
    space::Shape,
};

#[diagnostic::do_not_recommend]
impl<'t, P, C> Bind<P> for RangeMut<'t, C>
where
    &'t mut C: Bind<P>,
{
    type Domain = <&'t mut C as Bind<P>>::Domain;

    fn operand(&mut self) -> Operand<'_> {
        self.0.operand()
    }

    fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
        self.0.shape_and_fit()
    }
}

impl<'t, O, C> Destination<O> for RangeMut<'t, C>
where
    &'t mut C: Destination<O>,
{
    fn operands<'s>(&'s mut self, to: &mut Operands<'s>) {
        self.0.operands(to);
    }

    fn call_shape(&self) -> Shape {
        self.0.call_shape()
    }

    fn shapes(&self, first: usize, to: &mut ArgumentShapes) {
        self.0.shapes(first, to);
    }
}
