//! Host memory that outlives its container: the next one need not ask the system for pages, which
//! costs more than most kernels.
//!
//! A block is what a `Vec` has allocated, and becomes part of a `Vec` again. So it is only given for elements
//! of the alignment it was allocated with, whose size divides its own: then freeing that `Vec` states the
//! size and alignment of the allocation, as the allocator requires.
#![allow(unsafe_code, reason = "owns the raw parts of vectors")]

mod huge;

use std::{
    alloc::Layout,
    collections::VecDeque,
    mem::ManuallyDrop,
    ptr::NonNull,
    sync::{Mutex, MutexGuard, PoisonError},
};

pub(crate) use huge::advise;

/// Smaller blocks are left to the allocator, which keeps such ones itself. (Miri has no time for large
/// ones.)
pub(crate) const MIN_BLOCK_BYTES: usize = if cfg!(miri) { 1 << 10 } else { 256 << 10 };
/// What is kept by default.
const DEFAULT_LIMIT_BYTES: usize = 1 << 30;
/// So that looking through all of them takes no time.
const MAX_BLOCKS: usize = 128;

/// The memory of all containers that are gone.
pub(crate) static POOL: Mutex<Pool> = Mutex::new(Pool::new(MIN_BLOCK_BYTES, DEFAULT_LIMIT_BYTES));

/// The pool, locked. Blocks are freed after it is unlocked: giving pages back takes long.
pub(crate) fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The memory of a vector without elements. Dropping it frees it.
#[derive(Debug)]
pub(crate) struct Block {
    ptr: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it owns its memory, to which there is no other pointer.
unsafe impl Send for Block {}

impl Block {
    /// The memory of a vector, if it has some; its elements are forgotten.
    fn of<T: Copy>(vec: Vec<T>) -> Option<Self> {
        let mut vec = ManuallyDrop::new(vec);
        let layout = Layout::array::<T>(vec.capacity()).ok()?;
        let ptr = NonNull::new(vec.as_mut_ptr().cast())?;
        (layout.size() > 0).then(|| Block { ptr, layout })
    }

    /// A vector without elements in this memory.
    fn into_vec<T: Copy>(self) -> Vec<T> {
        let this = ManuallyDrop::new(self);
        let capacity = this.layout.size() / size_of::<T>();
        debug_assert_eq!(Layout::array::<T>(capacity), Ok(this.layout));
        // SAFETY: the block was allocated with the layout of that many `T`, as `take` has checked.
        unsafe { Vec::from_raw_parts(this.ptr.as_ptr().cast(), 0, capacity) }
    }

    fn len_bytes(&self) -> usize {
        self.layout.size()
    }

    /// Whether it can hold `len` elements of this layout, and not many more.
    fn fits(&self, element: Layout, len: usize) -> bool {
        let needed_bytes = len.saturating_mul(element.size());
        self.layout.align() == element.align()
            && self.len_bytes().is_multiple_of(element.size())
            && (needed_bytes..=needed_bytes.saturating_add(needed_bytes / 4))
                .contains(&self.len_bytes())
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the global allocator gave a vector this memory, with this layout.
        unsafe { std::alloc::dealloc(self.ptr.as_ptr(), self.layout) }
    }
}

/// Blocks for reuse, of a bounded size in all. What is in excess goes, the oldest first.
#[derive(Debug)]
pub(crate) struct Pool {
    /// The oldest first.
    blocks: VecDeque<Block>,
    kept_bytes: usize,
    min_bytes: usize,
    limit_bytes: usize,
}

/// Blocks to be freed when the pool is unlocked.
pub(crate) type Excess = Vec<Block>;

impl Pool {
    const fn new(min_bytes: usize, limit_bytes: usize) -> Self {
        Pool {
            blocks: VecDeque::new(),
            kept_bytes: 0,
            min_bytes,
            limit_bytes,
        }
    }

    /// Room for `len` elements: the smallest block that will do.
    pub(crate) fn take<T: Copy>(&mut self, len: usize) -> Option<Vec<T>> {
        if len.saturating_mul(size_of::<T>()) < self.min_bytes {
            return None;
        }
        let blocks = self.blocks.iter().enumerate();
        let fitting = blocks.filter(|(_, block)| block.fits(Layout::new::<T>(), len));
        let (k, _) = fitting.min_by_key(|(_, block)| block.len_bytes())?;
        let block = self.blocks.remove(k)?;
        self.kept_bytes -= block.len_bytes();
        Some(block.into_vec())
    }

    /// Keeps the memory of `vec`; gives what has to go for it.
    #[must_use]
    pub(crate) fn give<T: Copy>(&mut self, vec: Vec<T>) -> Excess {
        let Some(block) = Block::of(vec) else {
            return Excess::new();
        };
        if block.len_bytes() < self.min_bytes || block.len_bytes() > self.limit_bytes {
            return vec![block];
        }
        self.kept_bytes += block.len_bytes();
        self.blocks.push_back(block);
        self.excess()
    }

    /// From now on, at most so much is kept.
    #[must_use]
    pub(crate) fn set_limit(&mut self, bytes: usize) -> Excess {
        self.limit_bytes = bytes;
        self.excess()
    }

    /// Everything that is kept.
    #[must_use]
    pub(crate) fn empty(&mut self) -> Excess {
        self.kept_bytes = 0;
        self.blocks.drain(..).collect()
    }

    /// The size of all that is kept.
    pub(crate) fn kept_bytes(&self) -> usize {
        self.kept_bytes
    }

    fn excess(&mut self) -> Excess {
        let mut excess = Excess::new();
        while self.kept_bytes > self.limit_bytes || self.blocks.len() > MAX_BLOCKS {
            let Some(block) = self.blocks.pop_front() else {
                break;
            };
            self.kept_bytes -= block.len_bytes();
            excess.push(block);
        }
        excess
    }
}

#[cfg(test)]
mod test;
