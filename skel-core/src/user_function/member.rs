//! Methods and associated functions that users give their types, and traits of theirs.
//!
//! A call `v.norm()` stands in the probe as `v.__user_function_norm(&callee)()`: a method that
//! `#[user_function]` put beside `norm`, found by rustc's own rules. So a callee is an [`Instance`]
//! of the type, or of the trait's marker, under the method's name.
//!
//! Methods that numbers have built in, as `min`, are asked for by [`Member`] where the receiver's
//! type is not evident, for a user's type may have a `min` of its own.

use super::Method;
use crate::{
    hash::Fnv64,
    ir::{Imp, build::Cx},
};

/// A name, as a hash of it, in the type that tells instances apart.
pub struct Named<const NAME: u64>;

/// The number that stands for a name: FNV-1a, as in the macros.
#[must_use]
pub const fn name(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let (mut hash, mut k) = (Fnv64::EMPTY, 0);
    while k < bytes.len() {
        hash = hash.with(bytes[k] as u64);
        k += 1;
    }
    hash.value()
}

/// The method `NAME` has a device form for this receiver. `C` is the class of built-in methods that
/// the name belongs to (see [`super::class`]).
#[diagnostic::on_unimplemented(
    message = "this method of `{Self}` cannot be called in a user function",
    label = "`{Self}` has no device form of this method",
    note = "on a type of yours, put #[user_function] on the `impl` block; in generic functions, say `T: Number` or `T: Float`"
)]
pub trait Member<C, const NAME: u64> {
    /// What implements it.
    fn ir(cx: &mut Cx) -> Imp;
}

#[diagnostic::do_not_recommend]
impl<T: Method<C>, C, const NAME: u64> Member<C, NAME> for T {
    fn ir(cx: &mut Cx) -> Imp {
        <T as Method<C>>::ir(cx)
    }
}
