//! What one element of a sweep sees.

/// Asserts that there is an element `i`. By value: an access whose address a message took would lie in memory.
#[inline(always)]
pub(super) fn within(i: usize, len: usize) {
    #[cold]
    #[inline(never)]
    fn missing(i: usize, len: usize) -> ! {
        panic!("element {i} of {len}")
    }
    if i >= len {
        missing(i, len);
    }
}

/// The elements that one element of a sweep sees. Invariant: elements at `pitch` from `origin`, as far as `before` and `after` say, may be read
/// during `'a`, at offsets of one sign.
#[derive(Debug)]
pub struct SweepNeighbourhood<'a, T, const RANK: usize> {
    pub(crate) origin: *const T,
    pub(crate) pitch: [isize; RANK],
    pub(crate) before: [isize; RANK],
    pub(crate) after: [isize; RANK],
    pub(crate) pad: Option<&'a T>,
    /// Elements beside it that are known.
    pub(crate) near: Option<&'a Near<T>>,
}

/// Copies of elements beside the one that is computed, so that a loop keeps them in registers: from memory, the one
/// before it would wait for its own store, and those of the row before would be read for each element anew. One that
/// is not seen is any element.
#[derive(Clone, Copy, Debug)]
pub struct Near<T> {
    /// Before it, along the row.
    pub(crate) last: T,
    /// In the row before.
    pub(crate) above: T,
    /// Before that one, along the row.
    pub(crate) corner: T,
}

impl<T: Copy> Near<T> {
    /// The element before the next one, along the row.
    #[inline(always)]
    pub(crate) fn last(&self) -> T {
        self.last
    }

    /// Looks at what is in the row before the next element.
    #[inline(always)]
    pub(crate) fn look_at(&mut self, above: T) {
        self.above = above;
    }

    /// The element was computed; the next one follows along the row.
    #[inline(always)]
    pub(crate) fn pass(&mut self, value: T) {
        (self.last, self.corner) = (value, self.above);
    }
}

impl<T, const RANK: usize> Clone for SweepNeighbourhood<'_, T, RANK> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const RANK: usize> Copy for SweepNeighbourhood<'_, T, RANK> {}
