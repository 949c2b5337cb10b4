//! Values of one element type that is known at run time only.
#![allow(unsafe_code, reason = "storage for any element type")]

use super::{ElementLayout, MAX_PARTIAL_BYTES};
use crate::Element;
use smallvec::SmallVec;
use std::any::TypeId;

/// So many words lie in place: a value of most types, or the nodes of some hundred tiles of `f32`. What holds values
/// is moved from function to function in every call, and larger moves are calls of `memcpy`.
const INLINE_WORDS: usize = 4;

/// Values of one type, erased.
pub(super) struct Values {
    /// Of what type, unless there never was one.
    layout: Option<ElementLayout>,
    /// Invariant: so many values of that type, one behind the other, begin `words`.
    len: usize,
    /// As many as lie in place, or more.
    words: SmallVec<[u64; INLINE_WORDS]>,
}

impl Clone for Values {
    #[inline]
    fn clone(&self) -> Self {
        let words = match <[u64; INLINE_WORDS]>::try_from(&self.words[..]) {
            Ok(inline) => SmallVec::from_buf(inline),
            Err(_) => self.words.clone(),
        };
        Values { words, ..*self }
    }
}

impl Values {
    /// None yet.
    pub(super) const EMPTY: Values = Values {
        layout: None,
        len: 0,
        words: SmallVec::from_const([0; INLINE_WORDS]),
    };

    /// How many there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The type, unless there never was a value.
    #[inline]
    pub(super) fn layout(&self) -> Option<ElementLayout> {
        self.layout
    }

    /// Room for one more value of this layout, which is not counted yet; where it is to be written.
    ///
    /// # Panics
    /// If the others are of another type.
    #[inline]
    fn room(&mut self, layout: ElementLayout) -> *mut u8 {
        let size_bytes = layout.size_bytes();
        match self.layout {
            None => self.layout = Some(layout),
            Some(known) => assert!(known == layout, "values of another type"),
        }
        let used_bytes = self.len * size_bytes;
        let words = (used_bytes + size_bytes).div_ceil(8);
        if words > self.words.len() {
            self.words.resize(words, 0);
        }
        let base: *mut u8 = self.words.as_mut_ptr().cast();
        // SAFETY: `words` has `used_bytes` and as many as one more value needs.
        unsafe { base.add(used_bytes) }
    }

    /// Appends a value.
    ///
    /// # Panics
    /// If the others are of another type.
    #[inline]
    pub(super) fn push<T: Element>(&mut self, value: T) {
        const {
            assert!(
                size_of::<T>() <= MAX_PARTIAL_BYTES && align_of::<T>() <= 8,
                "an element of a reduction has at most 128 bytes"
            );
        }
        let to = self.room(ElementLayout::of::<T>());
        // SAFETY: there is room; `words` is aligned to 8, and sizes are multiples of alignments.
        unsafe { to.cast::<T>().write(value) };
        self.len += 1;
    }

    /// Appends a value from its bytes.
    ///
    /// # Panics
    /// If the others are of another type, or the bytes are no value of this one.
    pub(super) fn push_bytes(&mut self, layout: ElementLayout, bytes: &[u8]) {
        assert_eq!(bytes.len(), layout.size_bytes(), "bytes of one element");
        assert!(
            layout.is_valid(bytes),
            "bytes that are no value of the element's type"
        );
        let to = self.room(layout);
        // SAFETY: there is room for as many bytes as the layout has. They are a value: elements are what their bytes say.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
        self.len += 1;
    }

    /// Appends the values of others.
    ///
    /// # Panics
    /// If they are of another type.
    pub(super) fn append(&mut self, others: &Values) {
        for k in 0..others.len {
            self.append_one(others, k);
        }
    }

    /// Appends one of other values.
    ///
    /// # Panics
    /// If they are of another type, or not so many.
    pub(super) fn append_one(&mut self, others: &Values, k: usize) {
        let bytes = others.bytes(k);
        if let Some(layout) = others.layout {
            let to = self.room(layout);
            // SAFETY: there is room for as many bytes as the layout has, which `bytes` are: a value.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
            self.len += 1;
        }
    }

    /// The bytes of a value.
    ///
    /// # Panics
    /// If there are not so many.
    pub(super) fn bytes(&self, k: usize) -> &[u8] {
        assert!(k < self.len, "value {k} of {}", self.len);
        let size_bytes = self.layout.map_or(0, ElementLayout::size_bytes);
        let base: *const u8 = self.words.as_ptr().cast();
        // SAFETY: the invariant: it is one of the values. `words` is initialised as a whole, and elements have no padding.
        unsafe { std::slice::from_raw_parts(base.add(k * size_bytes), size_bytes) }
    }

    /// One of them by itself.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub(super) fn one(&self, k: usize) -> Values {
        if (k, self.len) == (0, 1) {
            return self.clone();
        }
        let mut one = Values::EMPTY;
        one.append_one(self, k);
        one
    }

    /// Takes the last one.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn pop(&mut self) -> Values {
        let last = self.one(self.len - 1);
        self.len -= 1;
        last
    }

    /// All of them.
    ///
    /// # Panics
    /// If they are of another type.
    #[inline]
    pub(super) fn get<T: Element>(&self) -> &[T] {
        let Some(layout) = self.layout else {
            return &[];
        };
        assert!(
            layout.element_type() == TypeId::of::<T>(),
            "values of another type"
        );
        const {
            assert!(
                align_of::<T>() <= 8,
                "an element of a reduction is aligned to 8"
            )
        };
        // SAFETY: the invariant; `words` is aligned to 8.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast::<T>(), self.len) }
    }
}
