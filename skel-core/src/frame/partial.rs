//! Intermediate results of a fold or scan, of any element type.
#![allow(unsafe_code, reason = "inline storage for any element type")]

use crate::Element;
use std::{any::TypeId, fmt, mem::MaybeUninit};

/// Size of the largest element that can be reduced.
pub const MAX_PARTIAL_BYTES: usize = 128;

/// The combination of some elements, or of none: no identity element is needed.
#[derive(Clone, Copy)]
pub struct Partial {
    /// Invariant: if there is a type, `data` begins with a value of it.
    ty: Option<TypeId>,
    data: [MaybeUninit<u64>; MAX_PARTIAL_BYTES / 8],
}

impl Partial {
    /// The combination of no elements.
    pub const NONE: Partial = Partial {
        ty: None,
        data: [MaybeUninit::uninit(); MAX_PARTIAL_BYTES / 8],
    };

    /// A value.
    #[inline]
    #[must_use]
    pub fn of<T: Element>(value: T) -> Self {
        const {
            assert!(
                size_of::<T>() <= MAX_PARTIAL_BYTES && align_of::<T>() <= 8,
                "an element of a reduction has at most 128 bytes"
            );
        }
        let mut partial = Partial {
            ty: Some(TypeId::of::<T>()),
            ..Self::NONE
        };
        // SAFETY: size and alignment were asserted.
        unsafe { partial.data.as_mut_ptr().cast::<T>().write(value) };
        partial
    }

    /// The value, if there is one.
    ///
    /// # Panics
    /// If it has another type.
    #[inline]
    #[must_use]
    pub fn get<T: Element>(&self) -> Option<T> {
        let ty = self.ty?;
        assert!(ty == TypeId::of::<T>(), "a partial of another type");
        // SAFETY: the type's invariant.
        Some(unsafe { self.data.as_ptr().cast::<T>().read() })
    }

    /// Whether it combines no elements.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.ty.is_none()
    }
}

impl fmt::Debug for Partial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_none() {
            "Partial(none)"
        } else {
            "Partial(some)"
        })
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn gives_back_what_was_put_in() {
        assert_eq!(Partial::of(3.5_f64).get::<f64>(), Some(3.5));
        assert_eq!(Partial::NONE.get::<f64>(), None);
        assert!(!Partial::of(true).is_none());
    }
}
