//! Intermediate results of a fold or scan, of any element type.
#![allow(unsafe_code, reason = "inline storage for any element type")]

use super::ElementLayout;
use crate::Element;
use std::{any::TypeId, fmt, mem::MaybeUninit};

/// Size of the largest element that can be reduced or scanned.
pub const MAX_PARTIAL_BYTES: usize = 128;

/// For the first function of a call that users write: so that the error of a build names their line.
pub(crate) const fn assert_fits<T>() {
    assert!(
        size_of::<T>() <= MAX_PARTIAL_BYTES,
        "an element that is reduced to one value, or scanned, has at most 128 bytes (a tuple of results: all \
         of them together); reductions of rows and columns have no such limit"
    );
}

/// The combination of some elements, or of none: no identity element is needed.
#[derive(Clone, Copy)]
pub struct Partial {
    /// Invariant: if there is a type, `data` begins with a value of it.
    ty: Option<ElementLayout>,
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
            ty: Some(ElementLayout::of::<T>()),
            ..Self::NONE
        };
        // SAFETY: size and alignment were asserted.
        unsafe { partial.data.as_mut_ptr().cast::<T>().write(value) };
        partial
    }

    /// An element of this layout from its bytes, as a device gives them.
    ///
    /// # Panics
    /// If the bytes are no value of the type, or the element is larger than a partial.
    #[must_use]
    pub fn from_bytes(layout: ElementLayout, bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), layout.size_bytes(), "bytes of one element");
        assert!(
            bytes.len() <= MAX_PARTIAL_BYTES,
            "an element of a reduction has at most 128 bytes"
        );
        assert!(
            layout.is_valid(bytes),
            "bytes that are no value of the element's type"
        );
        let mut partial = Partial {
            ty: Some(layout),
            ..Self::NONE
        };
        // SAFETY: they fit, and are a value of the type: elements are what their bytes say.
        unsafe {
            let to = partial.data.as_mut_ptr().cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
        partial
    }

    /// What `data` begins with.
    ///
    /// # Safety
    /// That is a value of this layout.
    #[inline]
    pub(super) unsafe fn of_words(
        layout: ElementLayout,
        data: [MaybeUninit<u64>; MAX_PARTIAL_BYTES / 8],
    ) -> Self {
        Partial {
            ty: Some(layout),
            data,
        }
    }

    /// The value, if there is one.
    ///
    /// # Panics
    /// If it has another type.
    #[inline]
    #[must_use]
    pub fn get<T: Element>(&self) -> Option<T> {
        let ty = self.ty?;
        assert!(
            ty.element_type() == TypeId::of::<T>(),
            "a partial of another type"
        );
        const {
            assert!(
                align_of::<T>() <= 8,
                "an element of a reduction is aligned to 8"
            )
        };
        // SAFETY: the type's invariant; the alignment was asserted.
        Some(unsafe { self.data.as_ptr().cast::<T>().read() })
    }

    /// The bytes of the value, if there is one, for devices.
    ///
    /// # Panics
    /// If it is no value of this layout's type.
    #[must_use]
    pub fn bytes(&self, layout: ElementLayout) -> Option<&[u8]> {
        let ty = self.ty?;
        assert!(ty == layout, "a partial of another type");
        let data = self.data.as_ptr().cast::<u8>();
        // SAFETY: the type's invariant; elements have no padding, so all of its bytes are initialised.
        Some(unsafe { std::slice::from_raw_parts(data, layout.size_bytes()) })
    }

    /// The layout of the value, if there is one.
    pub(super) fn layout(&self) -> Option<ElementLayout> {
        self.ty
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

    #[test]
    fn bytes_of_a_value_are_the_value() {
        let bytes = 2.5_f64.to_ne_bytes();
        let partial = Partial::from_bytes(ElementLayout::of::<f64>(), &bytes);
        assert_eq!(partial.get::<f64>(), Some(2.5));
        let layout = ElementLayout::of::<f64>();
        assert_eq!(partial.bytes(layout), Some(&bytes[..]));
        assert_eq!(Partial::NONE.bytes(layout), None);
    }

    #[test]
    #[should_panic(expected = "no value of the element's type")]
    fn bytes_of_no_value_are_refused() {
        let _ = Partial::from_bytes(ElementLayout::of::<bool>(), &[2]);
    }
}
