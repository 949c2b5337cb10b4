//! Memory of a slot's own, for copies that last as long as one segment.
#![allow(unsafe_code, reason = "untyped memory, lent as a slice of any type")]

use crate::{Element, caught::or_unwind, host_memory};
use std::{cell::Cell, mem::MaybeUninit};

/// Room that is kept from one use to the next, and, of each thread, from one call to the next: to the allocator, it would
/// be new memory each time, whose pages are to be cleared.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Words,
}

type Words = Vec<MaybeUninit<u128>>;

/// More is not kept for later calls.
const MOST_KEPT_BYTES: usize = 256 << 10;

thread_local! {
    static KEPT: Cell<Words> = const { Cell::new(Vec::new()) };
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.is_empty() || size_of_val(&*words) > MOST_KEPT_BYTES {
            return;
        }
        // A thread that ends keeps nothing.
        let _ends = KEPT.try_with(|kept| {
            let other = kept.take();
            kept.set(if other.len() < words.len() {
                words
            } else {
                other
            });
        });
    }
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
        if self.words.is_empty() {
            self.words = KEPT.try_with(Cell::take).unwrap_or_default();
        }
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

    #[test]
    fn a_thread_keeps_some_room_and_no_more() {
        let place = |len: usize| Scratch::default().room::<f64>(len).as_ptr();
        let kept = || {
            let words = KEPT.take();
            let len = words.len();
            KEPT.set(words);
            len
        };
        let first = place(100);
        assert_eq!(place(50), first);
        assert_eq!(kept(), 50);
        let (mut one, mut other) = (Scratch::default(), Scratch::default());
        let rooms = [one.room::<f64>(10).as_ptr(), other.room::<f64>(10).as_ptr()];
        assert_ne!(rooms[0], rooms[1]);
        drop((one, other));
        assert_eq!(kept(), 50);
        place(MOST_KEPT_BYTES / 8 + 1);
        assert!(kept() <= MOST_KEPT_BYTES / 16);
    }
}
