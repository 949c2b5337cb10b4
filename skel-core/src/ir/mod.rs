//! The typed intermediate representation of user functions.
//!
//! The design is described in the README.md of this folder.
//!
//! A [`Program`] is what a `#[user_function]` means: monomorphic, fully typed, and small. rustc does
//! the typing (see [`crate::user_function`]); [`build`] turns what the macro wrote into this form,
//! [`valid`] checks it, [`eval`] interprets it, [`print()`] writes it, and every device dialect
//! prints it as source.
//!
//! # Semantics
//!
//! - **Expressions are pure**: they read locals and compute; all effects are statements. `if`,
//!   blocks and loops that give a value were turned into a temporary and statements, in Rust's
//!   order of evaluation. Two things may still happen in an expression: it may *trap*, and it may
//!   call another function of the program (which is pure, too, seen from outside).
//! - `a && b` and `a || b` do not evaluate `b` needlessly. A `b` that can trap or calls a function
//!   has become a statement already, so a dialect may evaluate it eagerly.
//! - Operands are evaluated left to right; the first trap counts.
//! - **Views** (whole containers read at random) are parameters, and are passed on as they are; no
//!   local, field or result has such a type.
//! - **Types are exact**: every expression carries its [`Ty`]; both operands of an arithmetic
//!   operator have the type of the result; nothing is converted but by [`ExprKind::Cast`].
//! - **Numbers** follow the contract of `docs/language.md`: integers wrap, shifts are masked, casts
//!   are Rust's, `f32`/`f64` arithmetic is IEEE and never contracted, `min`/`max` have Rust's NaN
//!   rule. `f16` is stored, and cast from and to `f32`, which computes for it. Integer `/` and `%` trap on zero and on `MIN / -1`.
//! - Functions call no function that (transitively) calls them: [`Program::functions`] is sorted,
//!   callees first.

pub mod build;
pub mod eval;
mod expr;
mod half;
mod in_bounds;
mod op;
mod print;
mod program;
pub(crate) mod sites;
mod stmt;
mod through;
mod traps;
mod ty;
mod unroll;
pub mod valid;
mod value;
mod weight;

pub use build::Imp;
pub use expr::{Expr, ExprKind, Place, Step};
pub use half::Half;
pub use in_bounds::never_traps_from;
pub use op::{BinaryOp, Builtin, UnaryOp};
pub use print::print;
pub use program::{FnId, Function, Local, LocalId, Mode, Param, Program};
pub use stmt::{Arg, Block, Foreign, LoopId, Stmt, StmtKind};
pub use through::goes_through;
pub use traps::{TrapKind, can_trap, expr_can_trap, functions_that_trap, place_can_trap};
pub use ty::{ArrayTy, FieldTy, StructTy, Ty, ViewKind, ViewTy};
pub use unroll::unrolled;
pub use value::Value;
pub(crate) use value::for_integer;
pub use weight::{Weight, weights};
