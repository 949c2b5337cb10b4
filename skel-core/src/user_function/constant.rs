//! Named constants in user functions.

use crate::{Element, ir::Value};

/// The value of a `const`, of a const generic or of an associated constant, for the macros. The
/// builder is ordinary Rust, so it can simply look.
#[must_use]
pub fn constant<T: Element>(value: &T) -> Value {
    value.to_value()
}
