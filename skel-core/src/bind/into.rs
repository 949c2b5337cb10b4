//! What `run_into` fills.

use crate::{
    Element,
    call::{ArgumentShapes, Fit, Operand, Operands},
    container::{
        Container, Matrix, MatrixPartMut, SliceMut, Tensor3, Tensor3PartMut, Tensor4,
        Tensor4PartMut, Vector, VectorPartMut,
    },
    space::Shape,
};

/// `Self` can take the output `O` of a user function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot take the output `{O}`",
    label = "wanted: `&mut Vector<{O}>`, `&mut Matrix<{O}>`, `&mut Tensor3<{O}>`, `&mut Tensor4<{O}>`, `&mut Vec<{O}>` or `&mut [{O}]`; for a tuple of outputs, a tuple of those"
)]
pub trait Destination<O> {
    /// Appends the operand.
    fn operands<'s>(&'s mut self, to: &mut Operands<'s>);

    /// The shape of the call.
    fn call_shape(&self) -> Shape;

    /// The shapes of all outputs but the first, where there are several, and of those that cannot be written
    /// as they lie; arguments and outputs are counted from 1, and `first` is the number of the first
    /// output.
    fn shapes(&self, first: usize, to: &mut ArgumentShapes) {
        let _ = (first, to);
    }
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

destination!([] &mut Vector<T>, |v| v.shape(), |v| Operand::write(v.target()));
destination!([] &mut Matrix<T>, |m| m.shape(), |m| Operand::write(m.target()));
destination!([] &mut Tensor3<T>, |t| t.shape(), |t| Operand::write(t.target()));
destination!([] &mut Tensor4<T>, |t| t.shape(), |t| Operand::write(t.target()));
destination!([] VectorPartMut<'_, T>, |v| v.shape(), |v| v.operand_to_write(false));
destination!([] MatrixPartMut<'_, T>, |m| m.shape(), |m| m.operand_to_write(false));
destination!([] Tensor3PartMut<'_, T>, |t| t.shape(), |t| t.operand_to_write(false));
destination!([] Tensor4PartMut<'_, T>, |t| t.shape(), |t| t.operand_to_write(false));
destination!([] &mut [T], |s| Shape::D1(s.len()), |s| Operand::write(SliceMut::of(s)));
destination!([] &mut Vec<T>, |s| Shape::D1(s.len()), |s| Operand::write(SliceMut::of(s)));
destination!([const N: usize] &mut [T; N], |_s| Shape::D1(N), |s| Operand::write(SliceMut::of(*s)));

macro_rules! tuple {
    ($a:ident $x:ident $i:tt $(, $b:ident $y:ident $j:tt)*) => {
        impl<$a, $($b,)* $x: Destination<$a>, $($y: Destination<$b>),*> Destination<($a, $($b,)*)>
            for ($x, $($y,)*)
        {
            fn operands<'s>(&'s mut self, to: &mut Operands<'s>) {
                self.$i.operands(to);
                $(self.$j.operands(to);)*
            }

            fn call_shape(&self) -> Shape {
                self.$i.call_shape()
            }

            fn shapes(&self, first: usize, to: &mut ArgumentShapes) {
                self.$i.shapes(first + $i, to);
                $(
                    to.push((first + $j, self.$j.call_shape(), Fit::Same));
                    self.$j.shapes(first + $j, to);
                )*
            }
        }
    };
}
tuple!(A X0 0, B X1 1);
tuple!(A X0 0, B X1 1, C X2 2);
tuple!(A X0 0, B X1 1, C X2 2, D X3 3);
