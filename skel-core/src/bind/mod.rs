//! What may be passed for a parameter, checked at compile time.
//!
//! `instance.run((&x, &y, 3.0))` needs `(&Vector<f32>, &Vector<f32>, f32): BindAll<P>` with the `P`
//! of the user function. Errors carry the caret on the argument, which takes two things: nothing of
//! the arguments is projected in `run`'s return type, and every `Bind` implementation is marked
//! `do_not_recommend`, but not those of `BindAll`.

mod argument;
mod domain;
mod fill;
mod into;
mod lines;
mod neighbourhood;
mod part;
mod ranges;
mod sweep;

pub use domain::{Dim1, Dim2, Dim3, Dim4, Domain, IntoShape, NoDomain, Pairs, Rectangular};
pub use fill::Fill;
pub use into::Destination;

use crate::{
    call::{ArgumentShapes, Fit, Operand, Operands},
    param::for_each_arity,
    space::Shape,
};

/// `Self` can be passed for a parameter of kind `P`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed for a parameter of kind `{P}`",
    label = "the user function wants `{P}` here",
    note = "`x: T` (`Each<T>`) takes a container of exactly `T` by reference: `&Vector<T>`, `&Matrix<T>`, `&Tensor3<T>`, `&Tensor4<T>`, `&Vec<T>`, `&[T]`, `&[T; N]`, or a part of one (`v.part(2..5)`, `m.transposed()`, `down(&v)`); `x: &mut T` (`EachMut<T>`) takes it by `&mut`; `#[uniform] k: T` (`Uniform<T>`) takes a plain value, such as `2.0` for `f32`",
    note = "one value for all elements: write `#[uniform]` before the parameter of the user function, as in `#[uniform] k: f32`",
    note = "`xs: &[T]` (`Whole<T>`) takes `&Vector<T>`, `&Vec<T>`, `&[T]`, `&[T; N]`, or a part without gaps, of any length; `MatrixView<T>` (`WholeMatrix<T>`), `Row<T>` (`EachRow<T>`) and `Col<T>` (`EachCol<T>`) take `&Matrix<T>`, `Tensor3View<T>` (`WholeTensor3<T>`) takes `&Tensor3<T>`, `Tensor4View<T>` (`WholeTensor4<T>`) takes `&Tensor4<T>`",
    note = "`Window1<T, R>` (`EachWindow1<T, R>`) and `Pool1<T, N>` take a container of exactly `T`, or a part of one without gaps, of any number of dimensions, `Window2` and `Pool2` one of at least two, and so on",
    note = "`l: &Line<T>` (`EachLine<T>`) takes a container of exactly `T` by reference, and `l: &mut Line<T>` (`EachLineMut<T>`) takes it by `&mut`; or a part of one without gaps",
    note = "`w: Sweep1<T, R>` (`EachSweep1<T, R>`) takes `&mut Vector<T>` of exactly `T`, `Sweep2` takes `&mut Matrix<T>`, `Sweep3` takes `&mut Tensor3<T>`; or a part of one without gaps"
)]
pub trait Bind<P> {
    /// Which family of containers it belongs to.
    type Domain: Domain;

    /// The operand.
    fn operand(&mut self) -> Operand<'_>;

    /// Its shape, if that matters to the call, and how.
    fn shape_and_fit(&self) -> Option<(Shape, Fit)>;
}

/// `Self` is the argument tuple for the parameters `P`.
#[diagnostic::on_unimplemented(
    message = "these arguments do not fit the user function: it takes `{P}`",
    label = "passed `{Self}`",
    note = "pass one argument per parameter, in one tuple, without the index: `run((&x, &y, 2.0))`; a single one is `run((&x,))`"
)]
pub trait BindAll<P> {
    /// The family of the first argument that is a container.
    type Domain: Domain;

    /// Appends the operands.
    fn operands<'s>(&'s mut self, to: &mut Operands<'s>);

    /// The shapes of the arguments, as far as they matter, in order.
    fn shapes(&self, to: &mut ArgumentShapes);
}

macro_rules! domain_of {
    () => { NoDomain };
    ($a:ident $p:ident $(, $b:ident $q:ident)*) => {
        <<$a as Bind<$p>>::Domain as Domain>::Or<domain_of!($($b $q),*)>
    };
}

macro_rules! bind_all_impl {
    ($($p:ident $a:ident $i:tt),*) => {
        impl<$($p, $a: Bind<$p>),*> BindAll<($($p,)*)> for ($($a,)*) {
            type Domain = domain_of!($($a $p),*);

            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn operands<'s>(&'s mut self, to: &mut Operands<'s>) {
                $(to.push(self.$i.operand());)*
            }

            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn shapes(&self, to: &mut ArgumentShapes) {
                $(to.extend(self.$i.shape_and_fit().map(|(shape, fit)| ($i + 1, shape, fit)));)*
            }
        }
    };
}

/// Pairs each parameter letter with the letter of its argument.
macro_rules! bind_all {
    () => { bind_all_impl!(); };
    ($($p:ident $i:tt),+) => { bind_all!(@ [] $($p $i,)+); };
    (@ [$($done:tt)*] A $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* A Xa $i,] $($rest)*); };
    (@ [$($done:tt)*] B $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* B Xb $i,] $($rest)*); };
    (@ [$($done:tt)*] C $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* C Xc $i,] $($rest)*); };
    (@ [$($done:tt)*] D $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* D Xd $i,] $($rest)*); };
    (@ [$($done:tt)*] E $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* E Xe $i,] $($rest)*); };
    (@ [$($done:tt)*] F $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* F Xf $i,] $($rest)*); };
    (@ [$($done:tt)*] G $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* G Xg $i,] $($rest)*); };
    (@ [$($done:tt)*] H $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* H Xh $i,] $($rest)*); };
    (@ [$($done:tt)*] I $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* I Xi $i,] $($rest)*); };
    (@ [$($done:tt)*] J $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* J Xj $i,] $($rest)*); };
    (@ [$($done:tt)*] K $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* K Xk $i,] $($rest)*); };
    (@ [$($done:tt)*] L $i:tt, $($rest:tt)*) => { bind_all!(@ [$($done)* L Xl $i,] $($rest)*); };
    (@ [$($p:ident $a:ident $i:tt,)*]) => { bind_all_impl!($($p $a $i),*); };
}
for_each_arity!(bind_all);
