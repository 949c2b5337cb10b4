//! User functions: what `#[user_function]` makes of a Rust function.
//!
//! The function itself stays what it was; the CPU runs it. Beside it the macro writes
//!
//! - a marker type of the same name, which implements [`UserFunction`] and so can be named in
//!   `Map::<mult>`,
//! - an IR builder: a closure that rustc type-checks and that is never called, in which every expression
//!   whose type is not evident passes through a [`Slot`]; the builder then asks the slots for their types,
//!   and hands them, with the body as text, to [`crate::ir::build`].
//!
//! The macro contains no types and no inference, and neither does the builder: rustc did it all.

mod array;
mod constant;
mod equality;
mod fun;
mod inclusive;
mod integer;
pub(crate) mod lambda;
mod link;
mod member;
mod number;
mod parameter;
mod slot;
mod typed;

pub use array::Elements;
pub use constant::constant;
pub use fun::{Fun, Marker, NoLanes, fun};
pub use inclusive::{Counter, Inclusive, inclusive};
pub use integer::{Integer, IntegerMethods};
pub use link::{
    Binary, Callee, Compare, Instance, K, KB, KI, KI8, KI16, KI64, KIsize, KU, KU8, KU16, KU64,
    Method, Scalar, Unary, class, operator,
};
pub use member::{Member, Named, name};
#[cfg(feature = "half")]
pub(crate) use number::Widened;
pub use number::{Float, FloatMethods, Number, NumberMethods};
pub use parameter::{Function1, Function2, Function3, Function4, Parameter};
pub use slot::{Pair, Slot};
pub use typed::{Typed, ty};

use crate::{
    ir::{Imp, build::Cx},
    lanes::Var,
    param::{Params, Position, Source},
};

/// A function that skeletons can apply to elements. `P` lists the parameters that are passed, so
/// without index and generator.
///
/// Implemented by `#[user_function]` and the skeleton macros, not by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a user function with parameters `{P}`",
    label = "wanted here: a function marked #[user_function] with parameters `{P}`"
)]
pub trait UserFunction<P: Params>: 'static {
    /// What it is given without its being passed: the index, a generator of random numbers, both
    /// ([`WithRandom`](crate::param::WithRandom)), or `()` for nothing.
    type At: Position;
    /// The result: an element, or `()` for functions that only write through `&mut`.
    type Output: 'static;
    /// Its name, for messages.
    const NAME: &'static str;
    /// Whether it is a binary operator that is known to commute.
    const COMMUTATIVE: bool = false;

    /// Calls the function.
    fn call(at: Self::At, args: P::Args<'_>) -> Self::Output;

    /// Whether [`UserFunction::lanes`] computes anything.
    const HAS_LANES: bool = false;

    /// Whether lanes are for functions that cannot trap: they may go on with values that the function does not see, and
    /// begin again.
    const LANES_MAY_GUESS: bool = false;

    /// Calls the function for a block of elements, all at once: see [`crate::lanes`]. What is set has the bits that
    /// [`UserFunction::call`] gives.
    #[inline(always)]
    fn lanes<const N: usize, S: Source<P, At = Self::At>>(
        source: &mut S,
        out: &mut Var<Self::Output, N>,
    ) {
        let _ = (source, out);
    }

    /// Builds its IR, and that of all it calls.
    fn ir(cx: &mut Cx) -> Imp;
}
