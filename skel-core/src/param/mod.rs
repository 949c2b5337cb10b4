//! Parameter kinds: what a parameter of a user function is for.
//!
//! The macro chooses the kind by the spelling of the parameter's type, and rustc checks the choice
//! through [`Params::Args`]:
//!
//! | the user writes | kind | the skeleton passes |
//! |---|---|---|
//! | `x: T` | [`Each<T>`] | the element of a container |
//! | `y: &mut T` | [`EachMut<T>`] | the element of a container, to change in place |
//! | `#[uniform] k: T` | [`Uniform<T>`] | one value for all elements |
//! | `xs: &[T]` | [`Whole<T>`] | a whole vector, read at random |
//! | `m: MatrixView<T>` | [`WholeMatrix<T>`] | a whole matrix, read at random |
//! | `t: Tensor3View<T>` | [`WholeTensor3<T>`] | a whole tensor, read at random |
//! | `w: Window1<T, R>` …, `p: Pool1<T, N>` … | [`EachWindow1<T, R>`] …, [`EachPool1<T, N>`] … | the element's neighbourhood in a container |
//! | `w: Sweep1<T, R>` … `w: Sweep3<…>` | [`EachSweep1<T, R>`] … | what a sweep has made of the elements before, and what was there behind |
//! | `r: Row<T>`, `c: Col<T>` | [`EachRow<T>`], [`EachCol<T>`] | the element's row or column of a matrix |
//! | `l: &Line<T>`, `l: &mut Line<T>` | [`EachLine<T>`], [`EachLineMut<T>`] | a line of a container, which belongs to the element |
//! | `at: Index1` … `at: Index4` | none: not passed | where the element is ([`Position`]) |
//! | `rng: &mut Random` | none: not passed | the element's random numbers ([`WithRandom`]) |
//!
//! # Where each kind is decided
//!
//! To add one is to add a row in each of these places, and nothing elsewhere:
//!
//! | what | where | a whole container is there | a neighbourhood is there |
//! |---|---|---|---|
//! | spelling | `skel-macros`, `ast/kind.rs` | a row of `VIEWS` | the same; its reach in `ast/reach.rs` |
//! | host access | `access.rs` | an `impl Param` in `whole.rs`, `tensor_view.rs` | in `window/neighbourhood.rs` |
//! | host type | `position.rs`, `random/` | a `Copy` struct that is indexed: `view.rs`, `tensor_view.rs` | `window.rs` |
//! | what may be passed for it | [`crate::bind`] | a line `bind!` in `argument.rs` | `neighbourhood.rs` |
//! | how its shape must fit the call's | [`crate::call::Fit`] | nothing, if any shape will do | `Near` |
//! | operand, memory, and what a piece needs of it | [`crate::call::Access`], [`crate::frame::Slot`] | `Whole` | `Window` |
//! | role on devices | [`crate::plan::Role`] | `View` | `Window` |
//! | type in the IR | [`crate::ir::ViewKind`]; its Rust type in `user_function/typed.rs` | a variant | `Window`, `Pool` |
//! | indexing in the IR | `ir/build/index.rs` | nothing: [`crate::ir::ViewKind::rank`] says it | `index_ty` and `reach` of the `ViewKind` |
//! | `len`, `rows` and their like | `skel-macros`, `lower/view.rs`; `ir/build/view.rs` | their names | none |
//! | literal indices | `skel-macros`, `lower/window.rs` | | compared with the reach |
//! | reading, in WGSL | `codegen/wgsl` | `bind_view` | `window.rs` |
//! | stores, of lines alone | `ir/eval/place.rs`; `codegen/wgsl/line.rs`, `codegen/cuda/stmt.rs` | | |
//! | what a sweep reads and writes | `sweep.rs`, [`crate::frame::SweepMut`]; `sweep.rs` of either dialect | | |
//! | reading, in CUDA C++ | `codegen/cuda` | `bind_view` and `view`, `helpers/array.cu` | `window.rs`, `helpers/window.cu` |

mod access;
mod lines;
mod output;
mod position;
mod random;
mod source;
mod sweep;
mod tensor_view;
mod view;
mod whole;
mod window;

pub use crate::frame::Line;
pub use access::{Param, ParamList};
pub use lines::{EachLine, EachLineMut};
pub use output::Outputs;
pub use position::{Index1, Index2, Index3, Index4, Position, WithRandom};
pub use random::{Random, method as random_method};
pub use source::Source;
pub use sweep::{
    EachSweep1, EachSweep2, EachSweep3, Sweep1, Sweep2, Sweep3, SweepKind, SweepParams, Swept,
};
pub use tensor_view::{Tensor3View, WholeTensor3};
pub use view::{Col, MatrixView, Row};
pub use whole::{EachCol, EachRow, Whole, WholeMatrix};
pub use window::{
    EachPool1, EachPool2, EachPool3, EachPool4, EachWindow1, EachWindow2, EachWindow3, EachWindow4,
    Form, NeighbourhoodKind, Opened, Pool1, Pool2, Pool3, Pool4, Window1, Window2, Window3,
    Window4,
};

use std::marker::PhantomData;

/// Keeps traits that vouch for something to this crate.
mod sealed {
    /// Positions: their segments cover what they are asked for.
    pub trait Position {}
    impl Position for () {}
    impl Position for super::Index1 {}
    impl Position for super::Index2 {}
    impl Position for super::Index3 {}
    impl Position for super::Index4 {}
    impl<P: Position> Position for super::WithRandom<P> {}

    /// Outputs: what is put is written.
    pub trait Outputs {}
    impl Outputs for () {}
    impl<T: crate::Element> Outputs for T {}
    macro_rules! tuples {
        ($($(($t:ident))*;)*) => { $(impl<$($t: crate::Element),*> Outputs for ($($t,)*) {})* };
    }
    tuples! {
        (A)(B);
        (A)(B)(C);
        (A)(B)(C)(D);
    }
}

/// An element of a container, by value.
pub struct Each<T>(PhantomData<fn() -> T>);
/// An element of a container, by `&mut`: changed in place.
pub struct EachMut<T>(PhantomData<fn() -> T>);
/// One value for all elements.
pub struct Uniform<T>(PhantomData<fn() -> T>);

/// A parameter kind. That its type is an [`crate::Element`] is asked by [`Param`], so that a type
/// that is none is reported once.
pub trait Kind: 'static {
    /// What the user function gets.
    type Arg<'a>;
}
impl<T: 'static> Kind for Each<T> {
    type Arg<'a> = T;
}
impl<T: 'static> Kind for EachMut<T> {
    type Arg<'a> = &'a mut T;
}
impl<T: 'static> Kind for Uniform<T> {
    type Arg<'a> = T;
}

/// A tuple of kinds: the parameters that are passed, in order.
pub trait Params: 'static {
    /// What the user function gets.
    type Args<'a>;
}

/// Calls `$m!` with `(letter index)` pairs for every number of parameters.
macro_rules! for_each_arity {
    ($m:ident) => {
        $m!();
        $m!(A 0);
        $m!(A 0, B 1);
        $m!(A 0, B 1, C 2);
        $m!(A 0, B 1, C 2, D 3);
        $m!(A 0, B 1, C 2, D 3, E 4);
        $m!(A 0, B 1, C 2, D 3, E 4, F 5);
        $m!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
        $m!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
        $m!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
        $m!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
        $m!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
        $m!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
    };
}
pub(crate) use for_each_arity;

macro_rules! params {
    ($($k:ident $i:tt),*) => {
        impl<$($k: Kind),*> Params for ($($k,)*) {
            type Args<'a> = ($($k::Arg<'a>,)*);
        }
    };
}
for_each_arity!(params);
