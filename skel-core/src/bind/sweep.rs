//! What can be swept: containers, and parts of them without gaps, of as many dimensions as the sweep has.

use super::{Bind, Dim1, Dim2, Dim3};
use crate::{
    Element,
    call::{Fit, Operand},
    container::{
        Container, Matrix, MatrixPartMut, SliceMut, Tensor3, Tensor3PartMut, Vector, VectorPartMut,
    },
    param::{EachSweep1, EachSweep2, EachSweep3, SweepKind},
    space::{Shape, SweepOrder},
};

macro_rules! bind {
    ($kind:ident [$($n:ident)*] [$($more:tt)*] $arg:ty, $domain:ident, |$this:ident| $shape:expr, $fit:expr, $memory:expr) => {
        #[diagnostic::do_not_recommend]
        impl<T: Element, $(const $n: usize,)* $($more)*> Bind<$kind<T, $($n),*>> for $arg {
            type Domain = $domain;

            fn operand(&mut self) -> Operand<'_> {
                let $this = self;
                let order = SweepOrder::over($shape, <$kind<T, $($n),*> as SweepKind>::RADIUS);
                Operand::swept($memory, order)
            }

            fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
                let $this = self;
                Some(($shape, $fit))
            }
        }
    };
}

macro_rules! containers {
    ($kind:ident $n:tt $container:ident $part:ident $domain:ident) => {
        bind!($kind $n [] &mut $container<T>, $domain, |c| c.shape(), Fit::Same, c.target());
        bind!($kind $n [] $part<'_, T>, $domain, |c| c.shape(),
            if c.grid().contiguous().is_some() { Fit::Same } else { Fit::Scattered }, c.target());
    };
}
containers!(EachSweep1 [X] Vector VectorPartMut Dim1);
containers!(EachSweep2 [Y X] Matrix MatrixPartMut Dim2);
containers!(EachSweep3 [Z Y X] Tensor3 Tensor3PartMut Dim3);

bind!(EachSweep1 [X] [] &mut [T], Dim1, |s| Shape::D1(s.len()), Fit::Same, SliceMut::of(s));
bind!(EachSweep1 [X] [] &mut Vec<T>, Dim1, |s| Shape::D1(s.len()), Fit::Same, SliceMut::of(s));
bind!(EachSweep1 [X] [const N: usize] &mut [T; N], Dim1, |s| Shape::D1(s.len()), Fit::Same, SliceMut::of(*s));
