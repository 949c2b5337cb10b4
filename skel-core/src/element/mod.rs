//! What containers hold and user functions compute with.

mod array;
mod derived;

pub(crate) use derived::check_of_packed;
pub use derived::{
    Field, Fields, Repr, adjoins, check_of_struct, derived_field, has_zero, is_aligned, is_integer,
    shape, struct_parts, structure, variant, zero,
};

use crate::ir::{Ty, Value};

/// Tells whether the bytes of whole elements are values of their type.
pub type Check = fn(&[u8]) -> bool;

/// A plain value that every unit can hold: in containers, as `#[uniform]` parameter, and in user
/// functions.
///
/// Your own types become elements by `#[derive(Element)]`.
///
/// # Safety
/// Implementors lie in memory as their type in the IR does: of the same size, the parts of a struct or array one
/// after the other. They have at least one byte, no padding, no destructor and no interior mutability, so
/// that their memory may be copied as bytes. Bytes that are all zero are a value; which others are,
/// [`Element::CHECK`] says. `to_value` and `from_value` are inverse to each other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element: no device has a value of this type",
    label = "not an element",
    note = "elements are the numbers of up to 64 bits, `bool`, arrays of elements, and types with #[derive(Element)]"
)]
#[expect(
    unsafe_code,
    reason = "frames reinterpret an element's bytes on the strength of this trait"
)]
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// Whether it is one number or `bool`: its `+`, `*`, `&`, `|`, `^`, `min`, `max` commute.
    const IS_SCALAR: bool;

    /// Whether it is one integer or `bool`: what is computed from it mostly takes a cycle an operation, and the same
    /// registers as addresses. Prefixes of it go element by element, since all groupings have the same bits.
    const IS_INTEGER: bool = false;

    /// Whether it is one `f32` or `f64`.
    const IS_FLOAT: bool = false;

    /// Tells which bytes are values; `None` where all are.
    const CHECK: Option<Check>;

    /// Its type in the IR.
    fn ty() -> Ty;

    /// The value for the interpreter.
    fn to_value(self) -> Value;

    /// The value from the interpreter; `None` if it has another type.
    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! scalars {
    ($($t:ident $variant:ident $integer:literal $check:expr;)*) => { $(
        // SAFETY: a primitive type has neither padding nor destructor, and the check is right.
        #[expect(unsafe_code, reason = "primitive types keep the trait's promise")]
        unsafe impl Element for $t {
            const IS_SCALAR: bool = true;
            const IS_INTEGER: bool = $integer;
            const IS_FLOAT: bool = !$integer;
            const CHECK: Option<Check> = $check;

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
scalars! {
    f32 F32 false None;
    f64 F64 false None;
    i8 I8 true None;
    i16 I16 true None;
    i32 I32 true None;
    i64 I64 true None;
    isize Isize true None;
    u8 U8 true None;
    u16 U16 true None;
    u32 U32 true None;
    u64 U64 true None;
    usize Usize true None;
    bool Bool true Some(|bytes| bytes.iter().all(|b| *b <= 1));
}

#[cfg(test)]
mod test;
