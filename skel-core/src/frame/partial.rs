//! Intermediate results of a fold or scan, of any element type.

use super::{ElementLayout, values::Values};
use crate::Element;
use std::fmt;

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
#[derive(Clone)]
pub struct Partial {
    /// One of them, or none.
    values: Values,
}

impl Partial {
    /// The combination of no elements.
    pub const NONE: Partial = Partial {
        values: Values::EMPTY,
    };

    /// A value.
    #[inline]
    #[must_use]
    pub fn of<T: Element>(value: T) -> Self {
        let mut partial = Self::NONE;
        partial.values.push(value);
        partial
    }

    /// An element of this layout from its bytes, as a device gives them.
    ///
    /// # Panics
    /// If the bytes are no value of the type, or the element is larger than a partial.
    #[must_use]
    pub fn from_bytes(layout: ElementLayout, bytes: &[u8]) -> Self {
        assert!(
            bytes.len() <= MAX_PARTIAL_BYTES,
            "an element of a reduction has at most 128 bytes"
        );
        let mut partial = Self::NONE;
        partial.values.push_bytes(layout, bytes);
        partial
    }

    /// One value, or none.
    #[inline]
    pub(super) fn of_values(values: Values) -> Self {
        debug_assert!(values.len() <= 1, "{} values", values.len());
        Partial { values }
    }

    #[inline]
    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    #[inline]
    pub(super) fn into_values(self) -> Values {
        self.values
    }

    /// The value, if there is one.
    ///
    /// # Panics
    /// If it has another type.
    #[inline]
    #[must_use]
    pub fn get<T: Element>(&self) -> Option<T> {
        self.values.get::<T>().first().copied()
    }

    /// The bytes of the value, if there is one, for devices.
    ///
    /// # Panics
    /// If it is no value of this layout's type.
    #[must_use]
    pub fn bytes(&self, layout: ElementLayout) -> Option<&[u8]> {
        let known = self.values.layout()?;
        assert!(known == layout, "a partial of another type");
        Some(self.values.bytes(0))
    }

    /// Whether it combines no elements.
    #[inline]
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.values.len() == 0
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
