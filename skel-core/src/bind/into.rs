//! What `run_into` fills.

use crate::{
    Element,
    call::{Operand, Operands, SliceMut},
    container::{Container, Matrix, Shape, Vector},
};

/// `Self` can take the output `O` of a user function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot take the output `{O}`",
    label = "wanted: `&mut Vector<{O}>`, `&mut Matrix<{O}>`, `&mut Vec<{O}>` or `&mut [{O}]`"
)]
pub trait Destination<O> {
    /// Appends the operand.
    fn operands<'s>(&'s mut self, to: &mut Operands<'s>);

    /// The shape of the call.
    fn call_shape(&self) -> Shape;
}

macro_rules! destination {
    ([$($generics:tt)*] $dest:ty, |$this:ident| $shape:expr, |$target:ident| $operand:expr) => {
        impl<T: Element, $($generics)*> Destination<T> for $dest {
            fn operands<'s>(&'s mut self, to: &mut Operands<'s>) {
                let $target = self;
                to.push($operand);
            }

            fn call_shape(&self) -> Shape {
                let $this = self;
                $shape
            }
        }
    };
}

destination!([] &mut Vector<T>, |v| v.shape(), |v| Operand::Write(v.target()));
destination!([] &mut Matrix<T>, |m| m.shape(), |m| Operand::Write(m.target()));
destination!([] &mut [T], |s| Shape::D1(s.len()), |s| Operand::WriteSlice(SliceMut::of(s)));
destination!([] &mut Vec<T>, |s| Shape::D1(s.len()), |s| Operand::WriteSlice(SliceMut::of(s)));
destination!([const N: usize] &mut [T; N], |_s| Shape::D1(N), |s| Operand::WriteSlice(SliceMut::of(*s)));
