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

/// What one element sees. Invariant: elements at `pitch` from `origin`, as far as `before` and `after` say, may be read
/// during `'a`, at offsets of one sign.
#[derive(Debug)]
pub struct Seen<'a, T, const RANK: usize> {
    pub(crate) origin: *const T,
    pub(crate) pitch: [isize; RANK],
    pub(crate) before: [isize; RANK],
    pub(crate) after: [isize; RANK],
    pub(crate) pad: Option<&'a T>,
    /// The element at offset −1 along the row, if it is known.
    pub(crate) last: Option<&'a T>,
}

impl<T, const RANK: usize> Clone for Seen<'_, T, RANK> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const RANK: usize> Copy for Seen<'_, T, RANK> {}
