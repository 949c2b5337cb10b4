//! Which arguments fit which kinds.

use super::{Bind, Dim1, Dim2, NoDomain};
use crate::{
    Element,
    call::{Operand, SliceMut},
    container::{Container, Matrix, Shape, Vector},
    frame::View,
    param::{Each, EachMut, Uniform},
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
            fn call_shape(&self) -> Option<Shape> {
                let $this = self;
                $shape
            }
        }
    };
}

bind!([] Each<T>, &Vector<T>, Dim1, |v| Some(v.shape()), |v| Operand::Read(v.buffer()));
bind!([] Each<T>, &Matrix<T>, Dim2, |m| Some(m.shape()), |m| Operand::Read(m.buffer()));
bind!([] Each<T>, &[T], Dim1, |s| Some(Shape::D1(s.len())), |s| Operand::ReadSlice(View::of(s)));
bind!([] Each<T>, &Vec<T>, Dim1, |s| Some(Shape::D1(s.len())), |s| Operand::ReadSlice(View::of(s)));
bind!([const N: usize] Each<T>, &[T; N], Dim1, |_s| Some(Shape::D1(N)), |s| Operand::ReadSlice(View::of(*s)));

bind!([] EachMut<T>, &mut Vector<T>, Dim1, |v| Some(v.shape()), |v| Operand::Update(v.target()));
bind!([] EachMut<T>, &mut Matrix<T>, Dim2, |m| Some(m.shape()), |m| Operand::Update(m.target()));
bind!([] EachMut<T>, &mut [T], Dim1, |s| Some(Shape::D1(s.len())), |s| Operand::UpdateSlice(SliceMut::of(s)));
bind!([] EachMut<T>, &mut Vec<T>, Dim1, |s| Some(Shape::D1(s.len())), |s| Operand::UpdateSlice(SliceMut::of(s)));
bind!([const N: usize] EachMut<T>, &mut [T; N], Dim1, |_s| Some(Shape::D1(N)), |s| Operand::UpdateSlice(SliceMut::of(*s)));

bind!([] Uniform<T>, T, NoDomain, |_k| None, |k| Operand::Uniform(View::of(std::slice::from_ref(k))));
