//! A line of a container, as a user function sees it.
#![allow(
    unsafe_code,
    reason = "its elements lie between those of other lines; see the invariant"
)]

use crate::Element;
use std::{
    fmt,
    marker::PhantomData,
    ops::{Index, IndexMut},
};

/// A line of a container: all elements along one of its dimensions, in `map_lines!`.
///
/// A parameter `l: &mut Line<T>` of a user function is read and written by index, `l[i]`, and asked for its length,
/// `l.len()`; `l: &Line<T>` is read. Both can be passed on to other user functions. An index beyond the end is a
/// trap.
///
/// ```
/// use skel::prelude::*;
///
/// let sums = map_lines!(|l: &mut Line<i32>| {
///     for i in 1..l.len() {
///         l[i] += l[i - 1];
///     }
/// });
/// let mut m = Matrix::from_vec(2, 3, vec![1, 2, 3, 4, 5, 6])?;
/// sums.run((&mut m,))?; // along each row
/// assert_eq!(m.host()?[..], [1, 3, 6, 4, 9, 15]);
/// sums.along(0).run((&mut m,))?; // down each column
/// assert_eq!(m.host()?[..], [1, 3, 6, 5, 12, 21]);
/// # skel::Result::Ok(())
/// ```
///
/// Invariant: the elements `first + i * stride`, `i < len`, are initialised, and during `'a` nothing else writes them,
/// or, where something has this by `&mut`, reads them.
pub struct Line<'a, T> {
    first: *mut T,
    len: usize,
    stride: usize,
    _life: PhantomData<&'a mut [T]>,
}

impl<T> Line<'_, T> {
    /// No elements.
    pub(crate) const EMPTY: Self = Line {
        first: std::ptr::null_mut(),
        len: 0,
        stride: 1,
        _life: PhantomData,
    };

    /// # Safety
    /// These elements keep the invariant of the type; or nothing writes them during its lifetime, and it is lent by
    /// `&` alone.
    #[inline(always)]
    pub(crate) unsafe fn new(first: *mut T, len: usize, stride: usize) -> Self {
        Line {
            first,
            len,
            stride,
            _life: PhantomData,
        }
    }
}

impl<'a, T: Element> Line<'a, T> {
    /// A slice as a line, to call a user function as the Rust function that it is.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// #[user_function]
    /// fn double(l: &mut Line<i32>) {
    ///     for i in 0..l.len() {
    ///         l[i] *= 2;
    ///     }
    /// }
    ///
    /// let mut x = [1, 2, 3];
    /// double(&mut Line::of(&mut x));
    /// assert_eq!(x, [2, 4, 6]);
    /// ```
    #[must_use]
    pub fn of(elements: &'a mut [T]) -> Self {
        // SAFETY: elements of a slice are initialised and lie one after the other; it is borrowed mutably, so nothing
        // else has them.
        unsafe { Line::new(elements.as_mut_ptr(), elements.len(), 1) }
    }
}

impl<T: Element> Line<'_, T> {
    /// The number of elements.
    #[inline(always)]
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "user functions have no use for it"
    )]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Where element `i` is.
    #[inline(always)]
    fn place(&self, i: usize) -> *mut T {
        if i >= self.len {
            out_of_range(i, self.len);
        }
        self.first.wrapping_add(i * self.stride)
    }
}

impl<T: Element> Index<usize> for Line<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, i: usize) -> &T {
        // SAFETY: an element of the line, as was just checked: initialised, and written by nothing else. `&self` keeps
        // it from being written through this.
        unsafe { &*self.place(i) }
    }
}

impl<T: Element> IndexMut<usize> for Line<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut T {
        // SAFETY: an element of the line, as was just checked, which nothing else reads or writes, since this is had
        // by `&mut`; and `&mut self` keeps it from being lent twice.
        unsafe { &mut *self.place(i) }
    }
}

impl<T> fmt::Debug for Line<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a line of {} elements", self.len)
    }
}

#[cold]
#[inline(never)]
fn out_of_range(index: usize, len: usize) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {index}")
}
