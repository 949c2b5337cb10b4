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
//! | `t: Tensor3View<T>`, `t: Tensor4View<T>` | [`WholeTensor3<T>`], [`WholeTensor4<T>`] | a whole tensor, read at random |
//! | `w: Window1<T, R>` …, `p: Pool1<T, N>` … | [`EachWindow1<T, R>`] …, [`EachPool1<T, N>`] … | the element's neighbourhood in a container |
//! | `w: Sweep1<T, R>` … `w: Sweep3<…>` | [`EachSweep1<T, R>`] … | what a sweep has made of the elements before, and what was there behind |
//! | `r: Row<T>`, `c: Col<T>` | [`EachRow<T>`], [`EachCol<T>`] | the element's row or column of a matrix |
//! | `l: &Line<T>`, `l: &mut Line<T>` | [`EachLine<T>`], [`EachLineMut<T>`] | a line of a container, which belongs to the element |
//! | `at: Index1` … `at: Index4` | none: not passed | where the element is ([`Position`]) |
//! | `rng: &mut Random` | none: not passed | the element's random numbers ([`WithRandom`]) |
//!
//! # Where each kind is decided
//!
//! Whole containers differ in their rank alone, neighbourhoods in their rank and in how far they reach: one more of
//! either is a row, or a name, in each of these places, and nothing elsewhere.
//!
//! | what | where | a whole container | a neighbourhood |
//! |---|---|---|---|
//! | spelling | `skel-macros`, `ast/kind.rs` | a row of `VIEWS`, one of `CONTAINERS` | a row of `VIEWS`; its reach in `ast/reach.rs` |
//! | what the function sees | a file beside this one | `tensor_view.rs`: its extents | `window/neighbourhood.rs` |
//! | the kind | the same | a line of `whole!` in `whole.rs` | `window.rs` |
//! | methods | `skel-macros`, `lower/view.rs` | the name of an extent that no other has | |
//! | names | `pub use` below, `private.rs`, the facade's `lib.rs` (its prelude, too) | the type and the kind | the same |
//! | what may be passed for it | [`crate::bind`] | two lines `bind!` in `argument.rs`: the container, a part | `neighbourhood.rs` |
//! | what lies beyond edges | `skeleton/map_overlap/padding.rs` | a name in `any!` | a name in `windows!` |
//! | its type in the IR, by its Rust type | `user_function/typed.rs` | a line of `views!` | a line of `neighbourhoods!` |
//! | its name, those of its extents | `ir/ty.rs` | an entry of `WHOLE`, of `DIMENSIONS` | |
//! | a struct whose members bodies by hand may name | `skel-backends`, `codegen/cuda/helpers/array.cu` | its name in `WHOLE` of `cuda/types.rs` | |
//! | tests, pages | the conformance suite; `docs/language.md`, `docs/library.md`, a note of `bind/mod.rs`; `tests/corpus`, by way of `tests/verify` | a row of `whole!` in `run.rs`, its shape in `tables.rs`, a function that reads it | a row in `near.rs`, a function |
//!
//! What is indexed in another way than all of these is another [`crate::ir::ViewKind`]. The compiler then asks for its
//! `indexing`, operand and memory ([`crate::call::Access`], [`crate::frame::Slot`]), its role on devices
//! ([`crate::plan::Role`]), the extents that a launch passes (`Launch::extent` in `skel-backends`), and how it is read in
//! WGSL (`bind_view` in `wgsl/builder.rs`) and CUDA C++ (`view` in `cuda/types.rs` and in `cuda/apply.rs`). It does not ask
//! where choices are made by `matches!` or `_`, and tests and examples miss it there:
//!
//! | what | where |
//! |---|---|
//! | how its shape must fit the call's | [`crate::call::Fit`] |
//! | what indices mean | `has_offsets` and `index_ty` in `ir/ty.rs`; `ExprKind::At` in `ir/eval/mod.rs` |
//! | methods, literal indices | `skel-macros`, `lower/view.rs`, `lower/window.rs` |
//! | `for` over it | `ir/build/for_loop.rs` |
//! | whether other elements see another part of it | `turns` in `codegen/cuda/apply.rs`; `of_current` in `codegen/wgsl/apply.rs` and `webgpu/limits.rs`; `Member::PerRow` in `cuda/params.rs` |
//! | stores, of lines alone | `ir/eval/place.rs`; `codegen/wgsl/line.rs`, `codegen/cuda/stmt.rs` |
//! | what a sweep reads and writes | `sweep.rs`, [`crate::frame::SweepMut`]; `sweep.rs` of either dialect |
//!
//! `cargo test -p skel-corpus --test device -- NAME` is one function of the corpus in WGSL, `--test cuda` the same in CUDA
//! C++; `--test interpreter` compares all functions with the interpreter.

mod access;
mod each;
mod lines;
mod list;
mod matrix_lines;
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
pub use access::Param;
pub use lines::{EachLine, EachLineMut};
pub use list::ParamList;
pub use matrix_lines::{EachCol, EachRow};
pub use output::Outputs;
pub use position::{Index1, Index2, Index3, Index4, Position, WithRandom};
pub use random::{Generators, Random, method as random_method};
pub use source::Source;
pub use sweep::{
    EachSweep1, EachSweep2, EachSweep3, Sweep1, Sweep2, Sweep3, SweepKind, SweepParams, Swept,
};
pub use tensor_view::{Tensor3View, Tensor4View};
pub use view::{Col, MatrixView, Row};
pub use whole::{Whole, WholeMatrix, WholeTensor3, WholeTensor4};
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
