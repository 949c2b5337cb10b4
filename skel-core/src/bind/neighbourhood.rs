//! Which arguments fit neighbourhoods: containers that have at least as many dimensions.

use super::{Bind, Dim1, Dim2, Dim3, Dim4};
use crate::{
    Element,
    call::{Fit, Operand, Window},
    container::{
        HostRef, Matrix, MatrixPart, Tensor3, Tensor3Part, Tensor4, Tensor4Part, Vector, VectorPart,
    },
    frame::View,
    param::{
        EachPool1, EachPool2, EachPool3, EachPool4, EachWindow1, EachWindow2, EachWindow3,
        EachWindow4, NeighbourhoodKind,
    },
    space::Shape,
};

macro_rules! bind {
    ($kind:ident [$($n:ident)*] [$($more:tt)*] $arg:ty, $domain:ident, |$this:ident| $shape:expr, $memory:expr) => {
        #[diagnostic::do_not_recommend]
        impl<T: Element, $(const $n: usize,)* $($more)*> Bind<$kind<T, $($n),*>> for $arg {
            type Domain = $domain;

            fn operand(&mut self) -> Operand<'_> {
                let $this = self;
                let window = Window::of($shape, <$kind<T, $($n),*> as NeighbourhoodKind>::REACH);
                Operand::window($memory, window)
            }

            fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
                let $this = self;
                Some(($shape, Fit::Neighbourhood))
            }
        }
    };
}

macro_rules! containers {
    ($kind:ident $n:tt) => {};
    ($kind:ident [$($n:ident)*] $container:ident $domain:ident $($rest:ident)*) => {
        bind!($kind [$($n)*] [] &$container<T>, $domain, |c| c.shape(), c.buffer());
        containers!($kind [$($n)*] $($rest)*);
    };
}

macro_rules! parts {
    ($kind:ident $n:tt) => {};
    ($kind:ident [$($n:ident)*] $part:ident $domain:ident $($rest:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<T: Element, $(const $n: usize),*> Bind<$kind<T, $($n),*>> for $part<'_, T> {
            type Domain = $domain;

            fn operand(&mut self) -> Operand<'_> {
                let reach = <$kind<T, $($n),*> as NeighbourhoodKind>::REACH;
                self.operand_seen_near(Window::of(self.shape(), reach))
            }

            fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
                Some((self.shape(), self.fit_as_whole(Fit::Neighbourhood)))
            }
        }
        parts!($kind [$($n)*] $($rest)*);
    };
}

macro_rules! slices {
    ($kind:ident [$($n:ident)*]) => {
        bind!($kind [$($n)*] [] &[T], Dim1, |s| Shape::D1(s.len()), View::of(s));
        bind!($kind [$($n)*] [] &Vec<T>, Dim1, |s| Shape::D1(s.len()), View::of(s));
        bind!($kind [$($n)*] [] &HostRef<'_, T>, Dim1, |s| Shape::D1(s.len()), View::of(s));
        bind!($kind [$($n)*] [const LEN: usize] &[T; LEN], Dim1, |s| Shape::D1(s.len()), View::of(*s));
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

parts!(EachWindow1 [R] VectorPart Dim1 MatrixPart Dim2 Tensor3Part Dim3 Tensor4Part Dim4);
parts!(EachPool1 [N] VectorPart Dim1 MatrixPart Dim2 Tensor3Part Dim3 Tensor4Part Dim4);
parts!(EachWindow2 [RY RX] MatrixPart Dim2 Tensor3Part Dim3 Tensor4Part Dim4);
parts!(EachPool2 [H W] MatrixPart Dim2 Tensor3Part Dim3 Tensor4Part Dim4);
parts!(EachWindow3 [RZ RY RX] Tensor3Part Dim3 Tensor4Part Dim4);
parts!(EachPool3 [D H W] Tensor3Part Dim3 Tensor4Part Dim4);
parts!(EachWindow4 [RW RZ RY RX] Tensor4Part Dim4);
parts!(EachPool4 [V D H W] Tensor4Part Dim4);
