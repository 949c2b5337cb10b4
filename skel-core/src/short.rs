//! Lists that are short as a rule.

use arrayvec::ArrayVec;
use std::{
    hash::{Hash, Hasher},
    ops::{Deref, DerefMut},
};

/// A list whose first few elements lie in place, and which is as long as need be all the same. Of `smallvec`
/// it has what calls need, and is covariant in `T`, which that crate's cannot be: a list of operands that
/// borrow for longer is one of operands that borrow for less.
#[derive(Clone, Debug)]
pub enum ShortVec<T, const N: usize> {
    /// In place.
    Inline(ArrayVec<T, N>),
    /// More than that.
    Heap(Vec<T>),
}

impl<T, const N: usize> ShortVec<T, N> {
    /// An empty list.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        ShortVec::Inline(ArrayVec::new())
    }

    /// Appends an element.
    #[inline]
    pub fn push(&mut self, element: T) {
        match self {
            ShortVec::Inline(inline) => {
                if let Err(full) = inline.try_push(element) {
                    self.spill(full.element());
                }
            }
            ShortVec::Heap(all) => all.push(element),
        }
    }

    /// What lies in place, and another one, where there is room.
    #[cold]
    fn spill(&mut self, element: T) {
        if let ShortVec::Inline(inline) = self {
            let mut all = Vec::with_capacity(4 * N);
            all.extend(inline.drain(..));
            all.push(element);
            *self = ShortVec::Heap(all);
        }
    }
}

impl<T, const N: usize> Default for ShortVec<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> Deref for ShortVec<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            ShortVec::Inline(inline) => inline,
            ShortVec::Heap(all) => all,
        }
    }
}

impl<T, const N: usize> DerefMut for ShortVec<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            ShortVec::Inline(inline) => inline,
            ShortVec::Heap(all) => all,
        }
    }
}

impl<T: PartialEq, const N: usize> PartialEq for ShortVec<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq, const N: usize> Eq for ShortVec<T, N> {}

impl<T: Hash, const N: usize> Hash for ShortVec<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

impl<T, const N: usize> Extend<T> for ShortVec<T, N> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl<T, const N: usize> FromIterator<T> for ShortVec<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut list = Self::new();
        list.extend(elements);
        list
    }
}

/// The elements of a [`ShortVec`], by value.
pub enum IntoIter<T, const N: usize> {
    /// Those that lay in place.
    Inline(arrayvec::IntoIter<T, N>),
    /// The others.
    Heap(std::vec::IntoIter<T>),
}

impl<T, const N: usize> Iterator for IntoIter<T, N> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            IntoIter::Inline(inline) => inline.next(),
            IntoIter::Heap(all) => all.next(),
        }
    }
}

impl<T, const N: usize> IntoIterator for ShortVec<T, N> {
    type Item = T;
    type IntoIter = IntoIter<T, N>;

    #[inline]
    fn into_iter(self) -> IntoIter<T, N> {
        match self {
            ShortVec::Inline(inline) => IntoIter::Inline(inline.into_iter()),
            ShortVec::Heap(all) => IntoIter::Heap(all.into_iter()),
        }
    }
}

impl<'l, T, const N: usize> IntoIterator for &'l ShortVec<T, N> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'l, T, const N: usize> IntoIterator for &'l mut ShortVec<T, N> {
    type Item = &'l mut T;
    type IntoIter = std::slice::IterMut<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn lists_of_any_length_keep_their_order() {
        for len in 0..10 {
            let expected: Vec<String> = (0..len).map(|k| k.to_string()).collect();
            let list: ShortVec<String, 3> = expected.iter().cloned().collect();
            assert_eq!(list[..], expected[..]);
            assert_eq!(matches!(list, ShortVec::Heap(_)), len > 3);
            assert_eq!(list.into_iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_list_that_borrows_for_longer_is_one_that_borrows_for_less() {
        fn shorter<'s>(list: ShortVec<&'static str, 2>, more: &'s str) -> ShortVec<&'s str, 2> {
            let mut list: ShortVec<&'s str, 2> = list;
            list.push(more);
            list
        }
        let own = String::from("b");
        assert_eq!(shorter(["a"].into_iter().collect(), &own)[..], ["a", "b"]);
    }
}
