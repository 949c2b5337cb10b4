//! Memory of a slot's own, for copies that last as long as one segment.
#![allow(unsafe_code, reason = "untyped memory, lent as a slice of any type")]

use crate::{Element, caught::or_unwind, host_memory};
use std::mem::MaybeUninit;

/// Room that is kept from one use to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Vec<MaybeUninit<u128>>,
}

impl Scratch {
    /// Room for `len` elements, with anything in it.
    ///
    /// # Panics
    /// If no memory could hold so many.
    #[must_use]
    pub fn room<T: Element>(&mut self, len: usize) -> &mut [MaybeUninit<T>] {
        const { assert!(align_of::<T>() <= align_of::<u128>()) }
        let bytes = len.checked_mul(size_of::<T>());
        let words = bytes
            .expect("a copy larger than any memory")
            .div_ceil(size_of::<u128>());
        if self.words.len() < words {
            let more = words - self.words.len();
            or_unwind(host_memory::reserve(&mut self.words, more));
            self.words.resize(words, MaybeUninit::uninit());
        }
        // SAFETY: it is large enough, aligned for every element, and may hold anything.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), len) }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn it_grows_and_serves_any_type() {
        let mut scratch = Scratch::default();
        scratch.room::<f64>(3)[2].write(1.5);
        assert_eq!(scratch.room::<u8>(100).len(), 100);
        assert_eq!(scratch.room::<f64>(0).len(), 0);
    }
}
