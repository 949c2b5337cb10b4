//! What `#[derive(Element)]` refers to. It only fills tables; what they mean is here.
//!
//! The tables come from rustc, not from the spelling of a type: a field's type is that of a reference
//! to it, an enum's integer is the primitive type of that name. So whatever names mean where a type is
//! derived, what is asserted here is asserted of the type itself.

use super::{Check, Element};
use crate::ir::{Ty, Value};

/// Where a field lies in its struct, and what lies there.
#[derive(Clone, Copy)]
pub struct Field {
    offset: usize,
    size_bytes: usize,
    align: usize,
    check: Option<Check>,
    ty: fn() -> Ty,
}

impl Field {
    /// A field of type `T`, so many bytes behind the beginning of the struct.
    #[must_use]
    pub const fn of<T: Element>(offset: usize) -> Field {
        Field {
            offset,
            size_bytes: size_of::<T>(),
            align: align_of::<T>(),
            check: T::CHECK,
            ty: T::ty,
        }
    }
}

/// What the derive needs of a field of type `T`.
pub struct DerivedField<T> {
    /// Its row in the table.
    pub field: Field,
    /// [`Element::to_value`].
    pub to_value: fn(T) -> Value,
    /// [`Element::from_value`].
    pub from_value: fn(&Value) -> Option<T>,
}

/// The field that `_get` gives, so many bytes behind the beginning of `S`. It is the one place where the
/// derive asks for an element, so that a field that is none is reported once.
#[must_use]
pub const fn derived_field<S, T: Element>(offset: usize, _get: fn(&S) -> &T) -> DerivedField<T> {
    DerivedField {
        field: Field::of::<T>(offset),
        to_value: T::to_value,
        from_value: T::from_value,
    }
}

/// A struct with `#[derive(Element)]`.
pub trait Fields: Sized {
    /// Its fields, in declaration order.
    const FIELDS: &'static [Field];

    /// Its type in the IR.
    fn shape() -> Ty;
}

/// The type of a struct in the IR, by the names of its fields.
#[must_use]
pub fn shape<T: Fields>(name: &'static str, fields: &[&'static str]) -> Ty {
    let fields = fields.iter().zip(T::FIELDS);
    let fields: Vec<_> = fields.map(|(name, field)| (*name, (field.ty)())).collect();
    Ty::structure(name, &fields)
}

/// The value of a struct of these fields.
#[must_use]
pub fn structure<T: Fields, const N: usize>(fields: [Value; N]) -> Value {
    Value::structure(&T::shape(), fields.into())
}

/// Whether field `k` begins where the one before it ends; if there is no field `k`, whether the struct ends
/// there.
#[must_use]
pub const fn adjoins<T: Fields>(k: usize) -> bool {
    let end = match k {
        0 => 0,
        k => T::FIELDS[k - 1].offset + T::FIELDS[k - 1].size_bytes,
    };
    match k < T::FIELDS.len() {
        true => T::FIELDS[k].offset == end,
        false => size_of::<T>() == end,
    }
}

/// Whether the struct is aligned as its fields are, and so as its type in the IR is.
#[must_use]
pub const fn is_aligned<T: Fields>() -> bool {
    let (mut most, mut k) = (1, 0);
    while k < T::FIELDS.len() {
        if T::FIELDS[k].align > most {
            most = T::FIELDS[k].align;
        }
        k += 1;
    }
    align_of::<T>() == most
}

/// Whether an enum lies in memory as the integer does.
#[must_use]
pub const fn is_integer<E, R: Repr>() -> bool {
    size_of::<E>() == size_of::<R>() && align_of::<E>() == align_of::<R>()
}

/// The [`Element::CHECK`] of a struct.
///
/// # Panics
/// Where it is evaluated, at compile time, if the fields leave bytes unused, or it is not aligned as they
/// are.
#[must_use]
pub const fn check_of_struct<T: Fields>() -> Option<Check> {
    assert!(
        is_aligned::<T>(),
        "a struct that is an element is aligned as its fields are"
    );
    check_of_packed::<T>()
}

/// The same of a struct that need not be aligned.
#[must_use]
pub(crate) const fn check_of_packed<T: Fields>() -> Option<Check> {
    let (mut k, mut checked) = (0, false);
    while k < T::FIELDS.len() {
        assert!(
            adjoins::<T>(k),
            "a struct that is an element has no unused bytes before a field"
        );
        checked |= T::FIELDS[k].check.is_some();
        k += 1;
    }
    assert!(
        adjoins::<T>(k),
        "a struct that is an element has no unused bytes at its end"
    );
    assert!(size_of::<T>() > 0, "a struct without bytes is no element");
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
