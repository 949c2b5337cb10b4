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
//! To add one is to add what this table says in each of these places, and nothing elsewhere. A `c` is where the
//! compiler asks for a kind that was forgotten; everywhere else, it is tests and examples that miss it:
//!
//! | what | where | | a whole container is there | a neighbourhood is there |
//! |---|---|---|---|---|
//! | spelling | `skel-macros`, `ast/kind.rs` | | a row of `VIEWS`, a name that begins with `Whole` | a row of `VIEWS`; its reach in `ast/reach.rs` |
//! | host type and access | a file beside this one | | a `Copy` struct that is indexed, with `Kind`, `Param` and `eval::View`: `tensor_view.rs` | `window.rs`, `window/neighbourhood.rs` |
//! | names | `pub use` below, `private.rs`, the facade's `lib.rs` (its prelude, too) | | the type and the kind | the same |
//! | what may be passed for it | [`crate::bind`] | | two lines `bind!` in `argument.rs`: the container, a part | `neighbourhood.rs` |
//! | what lies beyond edges | `skeleton/map_overlap/padding.rs` | | a name in `any!` | a name in `windows!` |
//! | how its shape must fit the call's | [`crate::call::Fit`] | | nothing, if any shape will do | `Near` |
//! | operand, memory, and what a piece needs of it | [`crate::call::Access`], [`crate::frame::Slot`] | c | `Whole` is there | `Window` is there |
//! | role on devices | [`crate::plan::Role`] | c | `View` is there | `Window` is there |
//! | type in the IR | [`crate::ir::ViewKind`] | c | a variant, and its row in `indexing` | `Window` and `Pool` are there |
//! | what indices mean | `has_offsets` and `index_ty` in `ir/ty.rs`; `ExprKind::At` in `ir/eval/mod.rs` | | nothing, if they count from 0 to an extent and trap beyond | `Window` in `has_offsets` |
//! | its Rust type | `user_function/typed.rs` | | a line of `views!` | a line of `neighbourhoods!` |
//! | `len`, `rows` and their like | `skel-macros`, `lower/view.rs`; `ir/build/view.rs` | | new names in `EXTENTS`; its rank in `extent` | none |
//! | literal indices | `skel-macros`, `lower/window.rs` | | | compared with the reach |
//! | extents that a launch passes | `Launch::view_extent` in `skel-backends`, `device` | c | an arm | none |
//! | reading, in WGSL | `codegen/wgsl` | c | an arm of `bind_view` in `builder.rs` | `window.rs` |
//! | reading, in CUDA C++ | `codegen/cuda` | c | an arm in each of `types.rs` (`container`) and `apply.rs` (`bind_view`, `view`) | `window.rs`, `helpers/window.cu` |
//! | the helpers that these name | `codegen/cuda`: `helpers/array.cu`, `extent` in `expr.rs` | | a struct and its `_at`; the struct's members | |
//! | stores, of lines alone | `ir/eval/place.rs`; `codegen/wgsl/line.rs`, `codegen/cuda/stmt.rs` | | | |
//! | what a sweep reads and writes | `sweep.rs`, [`crate::frame::SweepMut`]; `sweep.rs` of either dialect | | | |
//! | choices by `matches!` or `_` | `turns` in `codegen/cuda/apply.rs`; `at` in `codegen/wgsl/expr.rs`; `of_current` in `codegen/wgsl/apply.rs` and `webgpu/limits.rs`; `Member::PerRow` in `cuda/params.rs`; `for` in `ir/build/for_loop.rs` | | nothing, if it is the same container for all elements, and no slice | in the first two |
//! | tests | the conformance suite; `docs/language.md`; `tests/corpus`, by way of `tests/verify` | | a row of `whole!` in `run.rs`, its shape in `tables.rs`, a function that reads it; `Row` and `Col` have none | a row in `near.rs`, a function |
//!
//! `cargo test -p skel-corpus --test device -- NAME` is one function of the corpus in WGSL, `--test cuda` the same in CUDA
//! C++; `--test interpreter` compares all functions with the interpreter.
//!
//! A whole container of another rank is 17 files before its tests, and 6 match arms that the compiler asks for.

mod access;
mod each;
mod lines;
mod list;
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
pub use output::Outputs;
pub use position::{Index1, Index2, Index3, Index4, Position, WithRandom};
pub use random::{Generators, Random, method as random_method};
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
