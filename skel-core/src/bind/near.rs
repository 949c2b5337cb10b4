//! Which arguments fit neighbourhoods: containers that have at least as many dimensions.

use super::{Bind, Dim1, Dim2, Dim3, Dim4};
use crate::{
    Element,
    call::{Fit, Operand, Window},
    container::{Matrix, Shape, Tensor3, Tensor4, Vector},
    frame::View,
    param::{
        EachPool1, EachPool2, EachPool3, EachPool4, EachWindow1, EachWindow2, EachWindow3,
        EachWindow4, NearKind,
    },
};

macro_rules! bind {
    ($kind:ident [$($n:ident)*] [$($more:tt)*] $arg:ty, $domain:ident, |$this:ident| $shape:expr, $operand:ident $memory:expr) => {
        #[diagnostic::do_not_recommend]
        impl<T: Element, $(const $n: usize,)* $($more)*> Bind<$kind<T, $($n),*>> for $arg {
            type Domain = $domain;

            fn operand(&mut self) -> Operand<'_> {
                let $this = self;
                let window = Window::of($shape, <$kind<T, $($n),*> as NearKind>::REACH);
                Operand::$operand($memory, Box::new(window))
            }

            fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
                let $this = self;
                Some(($shape, Fit::Near))
            }
        }
    };
}

macro_rules! containers {
    ($kind:ident $n:tt) => {};
    ($kind:ident [$($n:ident)*] $container:ident $domain:ident $($rest:ident)*) => {
        bind!($kind [$($n)*] [] &$container<T>, $domain, |c| c.shape(), Window c.buffer());
        containers!($kind [$($n)*] $($rest)*);
    };
}

macro_rules! slices {
    ($kind:ident [$($n:ident)*]) => {
        bind!($kind [$($n)*] [] &[T], Dim1, |s| Shape::D1(s.len()), WindowSlice View::of(s));
        bind!($kind [$($n)*] [] &Vec<T>, Dim1, |s| Shape::D1(s.len()), WindowSlice View::of(s));
        bind!($kind [$($n)*] [const LEN: usize] &[T; LEN], Dim1, |s| Shape::D1(s.len()), WindowSlice View::of(*s));
    };
}

slices!(EachWindow1[R]);
slices!(EachPool1[N]);
containers!(EachWindow1 [R] Vector Dim1 Matrix Dim2 Tensor3 Dim3 Tensor4 Dim4);
containers!(EachPool1 [N] Vector Dim1 Matrix Dim2 Tensor3 Dim3 Tensor4 Dim4);
containers!(EachWindow2 [RY RX] Matrix Dim2 Tensor3 Dim3 Tensor4 Dim4);
containers!(EachPool2 [H W] Matrix Dim2 Tensor3 Dim3 Tensor4 Dim4);
containers!(EachWindow3 [RZ RY RX] Tensor3 Dim3 Tensor4 Dim4);
containers!(EachPool3 [D H W] Tensor3 Dim3 Tensor4 Dim4);
containers!(EachWindow4 [RW RZ RY RX] Tensor4 Dim4);
containers!(EachPool4 [V D H W] Tensor4 Dim4);
