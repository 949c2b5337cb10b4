//! Named constants in user functions.

use crate::{
    Element,
    ir::{Ty, Value},
};

/// A type whose constants a user function may name: an element, or a tuple of such types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a constant that devices can have",
    label = "no device has a `{Self}`",
    note = "constants are numbers, `bool`, tuples, arrays, and types with #[derive(Element)]"
)]
pub trait Constant {
    /// The value.
    fn constant(&self) -> Value;
}

#[diagnostic::do_not_recommend]
impl<T: Element> Constant for T {
    fn constant(&self) -> Value {
        self.to_value()
    }
}

macro_rules! tuples {
    ($(($($part:ident $k:tt)*))*) => { $(
        impl<$($part: Constant),*> Constant for ($($part,)*) {
            fn constant(&self) -> Value {
                let parts = vec![$(self.$k.constant()),*];
                Value::structure(&Ty::tuple(parts.iter().map(Value::ty)), parts)
            }
        }
    )* };
}
tuples! {
    (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
}

/// The value of a `const`, of a const generic or of an associated constant, for the macros. The
/// builder is ordinary Rust, so it can simply look.
#[must_use]
pub fn constant<T: Constant>(value: &T) -> Value {
    value.constant()
}
