//! What the views of host memory have in common with slices: they are compared, printed, iterated over and
//! passed on like those.

use super::{HostMut, HostRef};
use std::{
    fmt,
    ops::{Deref, DerefMut},
    slice::{Iter, IterMut},
};

macro_rules! like_a_slice {
    ($($name:ident)*) => { $(
        impl<T> Deref for $name<'_, T> {
            type Target = [T];

            fn deref(&self) -> &[T] {
                self.elements
            }
        }

        impl<T> AsRef<[T]> for $name<'_, T> {
            fn as_ref(&self) -> &[T] {
                self.elements
            }
        }

        impl<T: fmt::Debug> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.elements.fmt(f)
            }
        }

        impl<'v, T> IntoIterator for &'v $name<'_, T> {
            type Item = &'v T;
            type IntoIter = Iter<'v, T>;

            fn into_iter(self) -> Self::IntoIter {
                self.elements.iter()
            }
        }

        impl<T: Eq> Eq for $name<'_, T> {}

        impl<T: PartialEq<U>, U> PartialEq<$name<'_, U>> for $name<'_, T> {
            fn eq(&self, other: &$name<'_, U>) -> bool {
                **self == **other
            }
        }

        equality! {
            $name: [] [U]; [] &[U]; [] &mut [U]; [] Vec<U>;
            [const N: usize] [U; N]; [const N: usize] &[U; N];
        }
    )* };
}

/// `==` with what else is a slice, from both sides, as `Vec` has it.
macro_rules! equality {
    ($name:ident: $([$($n:tt)*] $other:ty;)*) => { $(
        impl<T: PartialEq<U>, U, $($n)*> PartialEq<$other> for $name<'_, T> {
            fn eq(&self, other: &$other) -> bool {
                self.elements[..] == other[..]
            }
        }

        impl<T, U: PartialEq<T>, $($n)*> PartialEq<$name<'_, T>> for $other {
            fn eq(&self, other: &$name<'_, T>) -> bool {
                self[..] == other.elements[..]
            }
        }
    )* };
}
like_a_slice!(HostRef HostMut);

impl<T> DerefMut for HostMut<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.elements
    }
}

impl<'a, T> IntoIterator for HostRef<'a, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter()
    }
}

impl<'a, T> IntoIterator for HostMut<'a, T> {
    type Item = &'a mut T;
    type IntoIter = IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter_mut()
    }
}

impl<'v, T> IntoIterator for &'v mut HostMut<'_, T> {
    type Item = &'v mut T;
    type IntoIter = IterMut<'v, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter_mut()
    }
}

#[cfg(test)]
mod test {
    use crate::container::{Matrix, Vector};

    #[test]
    fn a_view_is_compared_with_whatever_is_a_slice_from_both_sides() {
        let (v, other) = (Vector::from([1, 2, 3]), Vector::from([1, 2, 4]));
        let (seen, different) = (v.host().unwrap(), other.host().unwrap());
        let (array, list) = ([1, 2, 3], vec![1, 2, 3]);
        assert_eq!(seen, array);
        assert_eq!(seen, &array);
        assert_eq!(seen, list);
        assert_eq!(seen, &list[..]);
        assert_eq!(seen, list[..]);
        assert_eq!(array, seen);
        assert_eq!(&array, seen);
        assert_eq!(list, seen);
        assert_eq!(&list[..], seen);
        assert_eq!(list[..], seen);
        assert_ne!(seen, different);
        assert_ne!(seen, [1, 2]);
        let mut changing = Vector::from([1, 2, 3]);
        assert_eq!(changing.host_mut().unwrap(), array);
    }

    #[test]
    fn a_view_is_printed_as_a_slice() {
        let mut m = Matrix::from_fn(2, 2, |i, j| 10 * i + j);
        assert_eq!(format!("{:?}", m.host().unwrap()), "[0, 1, 10, 11]");
        assert_eq!(format!("{:?}", m.host_mut().unwrap()), "[0, 1, 10, 11]");
    }

    #[test]
    fn a_view_is_iterated_over_without_being_given_away() {
        let mut v = Vector::from([1, 2, 3]);
        let mut view = v.host_mut().unwrap();
        for x in &mut view {
            *x *= 2;
        }
        let mut sum = 0;
        for x in &view {
            sum += x;
        }
        assert_eq!(sum, 12);
    }
}
