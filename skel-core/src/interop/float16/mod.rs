//! `half::f16` in containers and user functions (feature `half`).
//!
//! It is a number of two bytes in memory. Its arithmetic is that of the crate `half`: in `f32`, rounded
//! after each operation; so all units have the same bits.

mod function;
mod number;

pub use function::HalfFunctions;

use crate::{
    Element,
    element::Check,
    ir::{Half, Ty, Value},
};
use half::f16;

#[expect(
    unsafe_code,
    reason = "the type of another crate that keeps the trait's promise"
)]
// SAFETY: a `u16` in a transparent struct: no padding, no destructor, and all bytes are values.
unsafe impl Element for f16 {
    const IS_SCALAR: bool = true;
    const CHECK: Option<Check> = None;

    fn ty() -> Ty {
        Ty::F16
    }

    fn to_value(self) -> Value {
        Value::F16(Half(self.to_bits()))
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::F16(x) => Some(f16::from_bits(x.0)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod test;
