//! What containers hold and user functions compute with.

use crate::ir::{Ty, Value};

/// A plain value that every unit can hold: in containers, as `#[uniform]` parameter, and in user
/// functions.
///
/// # Safety
/// Implementors have no padding, no destructor, and no interior mutability, so that their memory
/// may be copied as bytes; and all bytes are valid as such, or, like `bool`, zero is and
/// [`ViewOut::copy_from_bytes`](crate::frame::ViewOut::copy_from_bytes) knows what else. `to_value`
/// and `from_value` are inverse to each other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element: no device has a value of this type",
    label = "not an element",
    note = "elements are `f32`, `f64`, `i32`, `u32`, `usize` and `bool`"
)]
#[expect(
    unsafe_code,
    reason = "frames reinterpret an element's bytes on the strength of this trait"
)]
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// Whether it is one number or `bool`: its `+`, `*`, `&`, `|`, `^`, `min`, `max` commute.
    const IS_SCALAR: bool;

    /// Its type in the IR.
    fn ty() -> Ty;

    /// The value for the interpreter.
    fn to_value(self) -> Value;

    /// The value from the interpreter; `None` if it has another type.
    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! scalars {
    ($($t:ident $variant:ident),*) => { $(
        // SAFETY: a primitive type has neither padding nor destructor.
        #[expect(unsafe_code, reason = "primitive types keep the trait's promise")]
        unsafe impl Element for $t {
            const IS_SCALAR: bool = true;

            fn ty() -> Ty {
                Ty::$variant
            }

            fn to_value(self) -> Value {
                Value::$variant(self)
            }

            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::$variant(x) => Some(*x),
                    _ => None,
                }
            }
        }
    )* };
}
scalars!(f32 F32, f64 F64, i32 I32, u32 U32, usize Usize, bool Bool);
