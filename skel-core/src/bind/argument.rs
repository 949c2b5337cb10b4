//! Which arguments fit which kinds.

use super::{Bind, Dim1, Dim2, Dim3, Dim4, NoDomain};
use crate::{
    Element,
    call::{Fit, Operand},
    container::{
        Across, Container, Down, HostRef, Matrix, MatrixPart, MatrixPartMut, Scalar, SliceMut,
        Tensor3, Tensor3Part, Tensor3PartMut, Tensor4, Tensor4Part, Tensor4PartMut, Vector,
        VectorPart, VectorPartMut,
    },
    frame::View,
    param::{
        Each, EachCol, EachMut, EachRow, Uniform, Whole, WholeMatrix, WholeTensor3, WholeTensor4,
    },
    space::Shape,
};

macro_rules! bind {
    ([$($generics:tt)*] $kind:ty, $arg:ty, $domain:ident, |$this:ident| $shape:expr, |$target:ident| $operand:expr) => {
        #[diagnostic::do_not_recommend]
        impl<T: Element, $($generics)*> Bind<$kind> for $arg {
            type Domain = $domain;

            #[inline]
            fn operand(&mut self) -> Operand<'_> {
                let $target = self;
                $operand
            }

            #[inline]
            fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
                let $this = self;
                $shape
            }
        }
    };
}

bind!([] Each<T>, &Vector<T>, Dim1, |v| Some((v.shape(), Fit::Same)), |v| Operand::read(v.buffer()));
bind!([] Each<T>, &Matrix<T>, Dim2, |m| Some((m.shape(), Fit::Same)), |m| Operand::read(m.buffer()));
bind!([] Each<T>, &Tensor3<T>, Dim3, |t| Some((t.shape(), Fit::Same)), |t| Operand::read(t.buffer()));
bind!([] Each<T>, &Tensor4<T>, Dim4, |t| Some((t.shape(), Fit::Same)), |t| Operand::read(t.buffer()));
bind!([] Each<T>, &[T], Dim1, |s| Some((Shape::D1(s.len()), Fit::Same)), |s| Operand::read(View::of(s)));
bind!([] Each<T>, &Vec<T>, Dim1, |s| Some((Shape::D1(s.len()), Fit::Same)), |s| Operand::read(View::of(s)));
bind!([] Each<T>, &HostRef<'_, T>, Dim1, |s| Some((Shape::D1(s.len()), Fit::Same)), |s| Operand::read(View::of(s)));
bind!([const N: usize] Each<T>, &[T; N], Dim1, |_s| Some((Shape::D1(N), Fit::Same)), |s| Operand::read(View::of(*s)));

bind!([] Each<T>, VectorPart<'_, T>, Dim1, |v| Some((v.shape(), Fit::Same)), |v| v.operand_to_read());
bind!([] Each<T>, &VectorPart<'_, T>, Dim1, |v| Some((v.shape(), Fit::Same)), |v| v.operand_to_read());
bind!([] Each<T>, MatrixPart<'_, T>, Dim2, |m| Some((m.shape(), Fit::Same)), |m| m.operand_to_read());
bind!([] Each<T>, &MatrixPart<'_, T>, Dim2, |m| Some((m.shape(), Fit::Same)), |m| m.operand_to_read());
bind!([] Each<T>, Tensor3Part<'_, T>, Dim3, |t| Some((t.shape(), Fit::Same)), |t| t.operand_to_read());
bind!([] Each<T>, &Tensor3Part<'_, T>, Dim3, |t| Some((t.shape(), Fit::Same)), |t| t.operand_to_read());
bind!([] Each<T>, Tensor4Part<'_, T>, Dim4, |t| Some((t.shape(), Fit::Same)), |t| t.operand_to_read());
bind!([] Each<T>, &Tensor4Part<'_, T>, Dim4, |t| Some((t.shape(), Fit::Same)), |t| t.operand_to_read());
bind!([] Each<T>, Down<'_, T>, Dim2, |v| Some((v.shape(), Fit::Down)), |v| v.operand_to_read());
bind!([] Each<T>, &Down<'_, T>, Dim2, |v| Some((v.shape(), Fit::Down)), |v| v.operand_to_read());
bind!([] Each<T>, Across<'_, T>, Dim2, |v| Some((v.shape(), Fit::Across)), |v| v.operand_to_read());
bind!([] Each<T>, &Across<'_, T>, Dim2, |v| Some((v.shape(), Fit::Across)), |v| v.operand_to_read());

bind!([] EachMut<T>, &mut Vector<T>, Dim1, |v| Some((v.shape(), Fit::Same)), |v| Operand::update(v.target()));
bind!([] EachMut<T>, &mut Matrix<T>, Dim2, |m| Some((m.shape(), Fit::Same)), |m| Operand::update(m.target()));
bind!([] EachMut<T>, &mut Tensor3<T>, Dim3, |t| Some((t.shape(), Fit::Same)), |t| Operand::update(t.target()));
bind!([] EachMut<T>, &mut Tensor4<T>, Dim4, |t| Some((t.shape(), Fit::Same)), |t| Operand::update(t.target()));
bind!([] EachMut<T>, VectorPartMut<'_, T>, Dim1, |v| Some((v.shape(), Fit::Same)), |v| v.operand_to_write(true));
bind!([] EachMut<T>, MatrixPartMut<'_, T>, Dim2, |m| Some((m.shape(), Fit::Same)), |m| m.operand_to_write(true));
bind!([] EachMut<T>, Tensor3PartMut<'_, T>, Dim3, |t| Some((t.shape(), Fit::Same)), |t| t.operand_to_write(true));
bind!([] EachMut<T>, Tensor4PartMut<'_, T>, Dim4, |t| Some((t.shape(), Fit::Same)), |t| t.operand_to_write(true));
bind!([] EachMut<T>, &mut [T], Dim1, |s| Some((Shape::D1(s.len()), Fit::Same)), |s| Operand::update(SliceMut::of(s)));
bind!([] EachMut<T>, &mut Vec<T>, Dim1, |s| Some((Shape::D1(s.len()), Fit::Same)), |s| Operand::update(SliceMut::of(s)));
bind!([const N: usize] EachMut<T>, &mut [T; N], Dim1, |_s| Some((Shape::D1(N), Fit::Same)), |s| Operand::update(SliceMut::of(*s)));

bind!([] Uniform<T>, T, NoDomain, |_k| None, |k| Operand::uniform(View::of(std::slice::from_ref(k))));
bind!([] Uniform<T>, &Scalar<T>, NoDomain, |_k| None, |k| Operand::uniform(k.buffer()));

bind!([] Whole<T>, &Vector<T>, NoDomain, |_v| None, |v| Operand::whole(v.buffer(), v.shape()));
bind!([] Whole<T>, &[T], NoDomain, |_s| None, |s| Operand::whole_slice(s));
bind!([] Whole<T>, &Vec<T>, NoDomain, |_s| None, |s| Operand::whole_slice(s));
bind!([] Whole<T>, &HostRef<'_, T>, NoDomain, |_s| None, |s| Operand::whole_slice(s));
bind!([const N: usize] Whole<T>, &[T; N], NoDomain, |_s| None, |s| Operand::whole_slice(*s));

bind!([] Whole<T>, VectorPart<'_, T>, NoDomain, |v| v.gaps(), |v| v.operand_as_whole());
bind!([] WholeMatrix<T>, MatrixPart<'_, T>, NoDomain, |m| m.gaps(), |m| m.operand_as_whole());
bind!([] WholeTensor3<T>, Tensor3Part<'_, T>, NoDomain, |t| t.gaps(), |t| t.operand_as_whole());
bind!([] WholeTensor4<T>, Tensor4Part<'_, T>, NoDomain, |t| t.gaps(), |t| t.operand_as_whole());
bind!([] EachRow<T>, MatrixPart<'_, T>, NoDomain, |m| Some((m.shape(), m.fit_as_whole(Fit::Rows))), |m| m.operand_as_whole());
bind!([] EachCol<T>, MatrixPart<'_, T>, NoDomain, |m| Some((m.shape(), m.fit_as_whole(Fit::Cols))), |m| m.operand_as_whole());

bind!([] WholeMatrix<T>, &Matrix<T>, NoDomain, |_m| None, |m| Operand::whole(m.buffer(), m.shape()));
bind!([] WholeTensor3<T>, &Tensor3<T>, NoDomain, |_t| None, |t| Operand::whole(t.buffer(), t.shape()));
bind!([] WholeTensor4<T>, &Tensor4<T>, NoDomain, |_t| None, |t| Operand::whole(t.buffer(), t.shape()));
bind!([] EachRow<T>, &Matrix<T>, NoDomain, |m| Some((m.shape(), Fit::Rows)), |m| Operand::whole(m.buffer(), m.shape()));
bind!([] EachCol<T>, &Matrix<T>, NoDomain, |m| Some((m.shape(), Fit::Cols)), |m| Operand::whole(m.buffer(), m.shape()));
