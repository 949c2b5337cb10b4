//! Which Rust types have a type in the IR.

use crate::{
    Element,
    ir::{Ty, ViewKind},
    param::{
        Col, Index1, Index2, Index3, Index4, Line, MatrixView, Pool1, Pool2, Pool3, Pool4, Random,
        Row, Sweep1, Sweep2, Sweep3, Tensor3View, Tensor4View, Window1, Window2, Window3, Window4,
    },
};

/// A type that an expression of a user function may have: an element, a tuple, an index, or `()`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot live in a user function: no device has a value of this type",
    label = "no device has a `{Self}`",
    note = "user functions compute with the numbers of up to 64 bits, `bool`, tuples, arrays, and types with #[derive(Element)]"
)]
pub trait Typed: 'static {
    /// Whether it is one number or `bool`.
    const IS_SCALAR: bool;

    /// The type in the IR.
    fn ty() -> Ty;
}

#[diagnostic::do_not_recommend]
impl<T: Element> Typed for T {
    const IS_SCALAR: bool = T::IS_SCALAR;

    fn ty() -> Ty {
        T::ty()
    }
}

impl Typed for () {
    const IS_SCALAR: bool = false;

    fn ty() -> Ty {
        Ty::Unit
    }
}

macro_rules! tuples {
    ($(($($part:ident)*))*) => { $(
        impl<$($part: Typed),*> Typed for ($($part,)*) {
            const IS_SCALAR: bool = false;

            fn ty() -> Ty {
                Ty::tuple([$($part::ty()),*])
            }
        }
    )* };
}
tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
    (A B C D E F G H I) (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}

macro_rules! indices {
    ($($t:ident)*) => { $(
        impl Typed for $t {
            const IS_SCALAR: bool = false;

            fn ty() -> Ty {
                $t::ty()
            }
        }
    )* };
}
indices!(Index1 Index2 Index3 Index4);

macro_rules! views {
    ($($t:ty: $kind:expr;)*) => { $(
        impl<T: Element> Typed for $t {
            const IS_SCALAR: bool = false;

            fn ty() -> Ty {
                Ty::view(T::ty(), $kind)
            }
        }
    )* };
}
views! {
    &'static [T]: ViewKind::Whole { rank: 1 };
    MatrixView<'static, T>: ViewKind::Whole { rank: 2 };
    Tensor3View<'static, T>: ViewKind::Whole { rank: 3 };
    Tensor4View<'static, T>: ViewKind::Whole { rank: 4 };
    Row<'static, T>: ViewKind::Row;
    Col<'static, T>: ViewKind::Col;
    Line<'static, T>: ViewKind::Line;
}

macro_rules! neighbourhoods {
    ($($t:ident: $kind:ident { $rank:literal, $far:ident: [$($size:tt)*] } ($($n:ident)*);)*) => { $(
        impl<T: Element, $(const $n: usize),*> Typed for $t<'static, T, $($n),*> {
            const IS_SCALAR: bool = false;

            fn ty() -> Ty {
                let kind = ViewKind::$kind { rank: $rank, $far: const { [$(reach($size)),*] } };
                Ty::view(T::ty(), kind)
            }
        }
    )* };
}
neighbourhoods! {
    Window1: Window { 1, radius: [0 0 0 X] } (X);
    Window2: Window { 2, radius: [0 0 Y X] } (Y X);
    Window3: Window { 3, radius: [0 Z Y X] } (Z Y X);
    Window4: Window { 4, radius: [W Z Y X] } (W Z Y X);
    Sweep1: Sweep { 1, radius: [0 0 0 X] } (X);
    Sweep2: Sweep { 2, radius: [0 0 Y X] } (Y X);
    Sweep3: Sweep { 3, radius: [0 Z Y X] } (Z Y X);
    Pool1: Pool { 1, size: [1 1 1 X] } (X);
    Pool2: Pool { 2, size: [1 1 Y X] } (Y X);
    Pool3: Pool { 3, size: [1 Z Y X] } (Z Y X);
    Pool4: Pool { 4, size: [W Z Y X] } (W Z Y X);
}

/// How far a neighbourhood reaches, as the IR says it. No container has room for more.
const fn reach(far: usize) -> u32 {
    assert!(
        far < 1 << 31,
        "a neighbourhood reaches less than 2^31 elements far"
    );
    far as u32
}

impl Typed for Random {
    const IS_SCALAR: bool = false;

    fn ty() -> Ty {
        Random::ty()
    }
}

/// The type of `T` in the IR, for the macros.
#[must_use]
pub fn ty<T: Typed>() -> Ty {
    T::ty()
}
