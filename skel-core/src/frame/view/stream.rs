//! Results that go to memory past the caches, a block at a time.
//!
//! A plain store reads its cache line first. Results that are larger than the caches are written by streaming stores
//! instead, which do not; those of a block lie in registers, or in the first-level cache, until it is whole.
#![allow(unsafe_code, reason = "streaming stores are intrinsics")]

use super::{OutSlice, ViewOut};
use crate::Element;
use std::{mem::MaybeUninit, ops::Range};

/// The bytes of a block: two cache lines.
const BYTES: usize = 128;

/// The bytes of a streaming store. There are larger ones, but large arrays from the system's allocator do not begin a cache
/// line: stores of blocks that lie across two lines fill one after the other.
const STORE_BYTES: usize = 16;

/// A block of results: all of its bytes are set.
#[repr(C, align(64))]
pub(crate) struct Block<T> {
    bytes: [MaybeUninit<u8>; BYTES],
    _elements: [T; 0],
}

impl<T: Element> Block<T> {
    /// The elements of a block; 0, if they do not fill one, or this machine has no streaming stores.
    pub(crate) const ELEMS: usize =
        if cfg!(all(target_arch = "x86_64", not(miri))) && BYTES.is_multiple_of(size_of::<T>()) {
            BYTES / size_of::<T>()
        } else {
            0
        };

    /// The block of these elements.
    #[inline(always)]
    pub(crate) fn from_fn(mut element: impl FnMut(usize) -> T) -> Self {
        assert!(Self::ELEMS > 0, "elements that fill no block");
        let mut block = Block {
            bytes: [MaybeUninit::uninit(); BYTES],
            _elements: [],
        };
        let first = block.bytes.as_mut_ptr().cast::<T>();
        for k in 0..Self::ELEMS {
            // SAFETY: the block has room for `ELEMS` elements, and is aligned for them by its field of their type.
            unsafe { first.add(k).write(element(k)) };
        }
        block
    }
}

impl ViewOut<'_> {
    /// How many of the elements `r` precede the first that begins a cache line; all, if none does.
    pub(crate) fn before_line(&self, r: &Range<usize>) -> usize {
        let size_bytes = self.raw.layout.size_bytes();
        let bytes = (self.raw.at(r.start).addr().wrapping_neg()) % 64;
        match bytes % size_bytes {
            0 => r.len().min(bytes / size_bytes),
            _ => r.len(),
        }
    }
}

impl<T: Element> OutSlice<'_, T> {
    /// Whether a block can be streamed to the elements from `at` on.
    #[inline(always)]
    pub(crate) fn is_aligned(&self, at: usize) -> bool {
        let first = self.0.as_ptr().wrapping_add(at);
        first.addr().is_multiple_of(STORE_BYTES)
    }

    /// Writes the block to the elements from `at` on, past the caches. It is there for other threads when the fence is
    /// dropped.
    ///
    /// # Panics
    /// If they are not within the slice, or [are not aligned](Self::is_aligned).
    #[inline(always)]
    pub(crate) fn stream(&mut self, at: usize, block: &Block<T>, _: &Fence) {
        assert!(self.is_aligned(at), "what is streamed is aligned");
        let to = self.0[at..at + Block::<T>::ELEMS].as_mut_ptr();
        store(to.cast::<u8>(), block);
    }
}

/// Stores the bytes of the block.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn store<T: Element>(to: *mut u8, block: &Block<T>) {
    use std::arch::x86_64::{__m128i, _mm_load_si128, _mm_stream_si128};
    let from = block.bytes.as_ptr();
    for k in (0..BYTES).step_by(STORE_BYTES) {
        // SAFETY: `to` has the bytes of a block, and is aligned for stores, as the only caller has asserted; so is the block,
        // by its type, whose invariant is that all bytes are set.
        unsafe {
            let bytes = _mm_load_si128(from.add(k).cast::<__m128i>());
            _mm_stream_si128(to.add(k).cast::<__m128i>(), bytes);
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn store<T: Element>(_: *mut u8, _: &Block<T>) {
    unreachable!("blocks have no elements here")
}

/// What was streamed before it is dropped comes before all that is written afterwards, for other threads as well.
#[derive(Debug)]
pub struct Fence(());

impl Fence {
    /// Nothing was streamed yet.
    pub(crate) fn new() -> Fence {
        Fence(())
    }
}

impl Drop for Fence {
    #[inline]
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: all of this architecture have the instruction.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
}
