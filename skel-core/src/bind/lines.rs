//! Which arguments fit lines: containers, and parts of them without gaps. They belong to the family of a container
//! that has an element for each line.

use super::{Bind, Dim1, Dim2, Dim3};
use crate::{
    Element,
    call::{Fit, Operand},
    container::{
        Container, HostRef, Matrix, MatrixPart, MatrixPartMut, SliceMut, Tensor3, Tensor3Part,
        Tensor3PartMut, Tensor4, Tensor4Part, Tensor4PartMut, Vector, VectorPart, VectorPartMut,
    },
    frame::View,
    param::{EachLine, EachLineMut},
    space::{Lines, Shape},
};

/// The lines along the innermost dimension, until the skeleton says another one.
fn innermost(shape: Shape) -> Lines {
    Lines::along(shape, shape.rank() - 1)
}

macro_rules! bind {
    ([$($generics:tt)*] $kind:ident, $operand:ident, $arg:ty, $domain:ident, |$this:ident| $shape:expr, $fit:expr, $memory:expr) => {
        #[diagnostic::do_not_recommend]
        impl<T: Element, $($generics)*> Bind<$kind<T>> for $arg {
            type Domain = $domain;

            #[inline]
            fn operand(&mut self) -> Operand<'_> {
                let $this = self;
                let lines = innermost($shape);
                Operand::$operand($memory, lines)
            }

            #[inline]
            fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
                let $this = self;
                Some(($shape, $fit))
            }
        }
    };
}

macro_rules! containers {
    ($($container:ident $part:ident $part_mut:ident $domain:ident;)*) => { $(
        bind!([] EachLine, lines, &$container<T>, $domain, |c| c.shape(), Fit::Lines, c.buffer());
        bind!([] EachLineMut, lines_mut, &mut $container<T>, $domain, |c| c.shape(), Fit::Lines, c.target());
        bind!([] EachLine, lines, $part<'_, T>, $domain, |c| c.shape(), c.fit_as_whole(Fit::Lines),
            c.source().part(c.grid().contiguous().unwrap_or(0..0)));
        bind!([] EachLine, lines, &$part<'_, T>, $domain, |c| c.shape(), c.fit_as_whole(Fit::Lines),
            c.source().part(c.grid().contiguous().unwrap_or(0..0)));
        bind!([] EachLineMut, lines_mut, $part_mut<'_, T>, $domain, |c| c.shape(),
            if c.grid().contiguous().is_some() { Fit::Lines } else { Fit::Scattered }, c.target());
    )* };
}
containers! {
    Vector VectorPart VectorPartMut Dim1;
    Matrix MatrixPart MatrixPartMut Dim1;
    Tensor3 Tensor3Part Tensor3PartMut Dim2;
    Tensor4 Tensor4Part Tensor4PartMut Dim3;
}

bind!([] EachLine, lines, &[T], Dim1, |s| Shape::D1(s.len()), Fit::Lines, View::of(s));
bind!([] EachLine, lines, &Vec<T>, Dim1, |s| Shape::D1(s.len()), Fit::Lines, View::of(s));
bind!([] EachLine, lines, &HostRef<'_, T>, Dim1, |s| Shape::D1(s.len()), Fit::Lines, View::of(s));
bind!([const N: usize] EachLine, lines, &[T; N], Dim1, |s| Shape::D1(s.len()), Fit::Lines, View::of(*s));
bind!([] EachLineMut, lines_mut, &mut [T], Dim1, |s| Shape::D1(s.len()), Fit::Lines, SliceMut::of(s));
bind!([] EachLineMut, lines_mut, &mut Vec<T>, Dim1, |s| Shape::D1(s.len()), Fit::Lines, SliceMut::of(s));
bind!([const N: usize] EachLineMut, lines_mut, &mut [T; N], Dim1, |s| Shape::D1(s.len()), Fit::Lines, SliceMut::of(*s));
