//! What `#[derive(Element)]` refers to. It only fills tables; what they mean is here.

use super::{Check, Element};
use crate::ir::{Ty, Value};

/// Where a field lies in its struct.
#[derive(Clone, Copy)]
pub struct Field {
    offset: usize,
    size_bytes: usize,
    check: Option<Check>,
}

impl Field {
    /// A field by its offset and size in bytes, and the [`Element::CHECK`] of its type.
    #[must_use]
    pub const fn new(offset: usize, size_bytes: usize, check: Option<Check>) -> Field {
        Field {
            offset,
            size_bytes,
            check,
        }
    }
}

/// A struct with `#[derive(Element)]`.
pub trait Fields: Sized {
    /// Its fields, in declaration order.
    const FIELDS: &'static [Field];

    /// Its type in the IR.
    fn shape() -> Ty;
}

/// The [`Element::CHECK`] of a struct.
///
/// # Panics
/// Where it is evaluated, at compile time, if the fields leave bytes unused.
#[must_use]
pub const fn check_of_struct<T: Fields>() -> Option<Check> {
    let (mut end, mut k, mut checked) = (0, 0, false);
    while k < T::FIELDS.len() {
        let field = &T::FIELDS[k];
        assert!(
            field.offset == end,
            "a struct that is an element has no unused bytes before a field"
        );
        end += field.size_bytes;
        checked |= field.check.is_some();
        k += 1;
    }
    assert!(
        end == size_of::<T>(),
        "a struct that is an element has no unused bytes at its end"
    );
    assert!(end > 0, "a struct without bytes is no element");
    if checked {
        Some(are_structs::<T>)
    } else {
        None
    }
}

fn are_structs<T: Fields>(bytes: &[u8]) -> bool {
    let whole = bytes.chunks_exact(size_of::<T>());
    whole.remainder().is_empty()
        && whole.into_iter().all(|bytes| {
            T::FIELDS.iter().all(|field| {
                let bytes = &bytes[field.offset..][..field.size_bytes];
                field.check.is_none_or(|check| check(bytes))
            })
        })
}

/// An integer that `#[repr(…)]` of an enum may name.
pub trait Repr: Element + PartialEq {
    /// Whether these bytes are one of the integers, each as often as you like.
    fn are(bytes: &[u8], of: &[Self]) -> bool;
}

macro_rules! reprs {
    ($($t:ident)*) => { $(
        impl Repr for $t {
            fn are(bytes: &[u8], of: &[Self]) -> bool {
                let (whole, rest) = bytes.as_chunks();
                rest.is_empty() && whole.iter().all(|b| of.contains(&Self::from_ne_bytes(*b)))
            }
        }
    )* };
}
reprs!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

/// Whether one of the variants of an enum is zero, as fresh memory is.
#[must_use]
pub const fn has_zero(discriminants: &[i128]) -> bool {
    let (mut k, mut zero) = (0, false);
    while k < discriminants.len() {
        zero |= discriminants[k] == 0;
        k += 1;
    }
    zero
}

/// The variant of an enum that a value is.
pub fn variant<E: Copy, R: Repr>(value: &Value, variants: &[(R, E)]) -> Option<E> {
    let value = R::from_value(value)?;
    let found = variants
        .iter()
        .find(|(discriminant, _)| *discriminant == value);
    found.map(|(_, variant)| *variant)
}

/// The fields of a struct, if there are as many.
#[must_use]
pub fn struct_parts<const N: usize>(value: &Value) -> Option<&[Value; N]> {
    match value {
        Value::Struct(_, fields) => fields.as_slice().try_into().ok(),
        _ => None,
    }
}

/// The value whose bytes are all zero.
#[must_use]
#[expect(unsafe_code, reason = "elements promise to have such a value")]
pub const fn zero<T: Element>() -> T {
    // SAFETY: `Element` promises that zero bytes are a value.
    unsafe { std::mem::zeroed() }
}
