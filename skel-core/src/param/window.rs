//! Neighbourhoods, as a user function sees them: windows around an element, and pools.
//!
//! They point into a container, or into a copy of a part of it with its edges made; whichever it is,
//! all that they reach is there. So an access whose offsets are known costs what an access to a slice
//! costs that needs no check.
#![allow(unsafe_code, reason = "reads what its maker promised to be there")]

mod eval;
mod gather;
mod neighbourhood;
mod place;
mod rows;
#[cfg(test)]
mod segments;

pub use neighbourhood::{Form, NeighbourhoodKind, Opened};

use super::Kind;
use crate::Element;
use std::{fmt, marker::PhantomData, ops::Index};

macro_rules! neighbourhood {
    (
        $(#[$doc:meta])* $name:ident, $(#[$kind_doc:meta])* $kind:ident, $rank:literal,
        [$($n:ident $i:ident $pitch:tt),*], $offset:ty, |$at:ident, $len:ident| $inside:expr
    ) => {
        $(#[$doc])*
        pub struct $name<'a, T, $(const $n: usize),*> {
            /// The element at offset 0.
            origin: *const T,
            /// Elements from one to the next along each dimension, outermost first; the last is 1.
            pitch: [usize; $rank],
            elements: PhantomData<&'a [T]>,
        }

        $(#[$kind_doc])*
        pub struct $kind<T, $(const $n: usize),*>(PhantomData<fn() -> T>);

        impl<T: 'static, $(const $n: usize),*> Kind for $kind<T, $($n),*> {
            type Arg<'a> = $name<'a, T, $($n),*>;
        }

        // SAFETY: it reads elements, which are `Sync`, through what is a shared borrow.
        unsafe impl<T: Sync, $(const $n: usize),*> Send for $name<'_, T, $($n),*> {}
        // SAFETY: a shared one gives what a copy of it gives: shared borrows of elements, which are `Sync`.
        unsafe impl<T: Sync, $(const $n: usize),*> Sync for $name<'_, T, $($n),*> {}

        impl<T, $(const $n: usize),*> Clone for $name<'_, T, $($n),*> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T, $(const $n: usize),*> Copy for $name<'_, T, $($n),*> {}

        impl<T, $(const $n: usize),*> fmt::Debug for $name<'_, T, $($n),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        impl<'a, T: Element, $(const $n: usize),*> $name<'a, T, $($n),*> {
            /// The one whose offset 0 is at `origin`, with neighbours `pitch` elements apart along each
            /// dimension, outermost first; the last is 1.
            ///
            /// # Safety
            /// All elements that it reaches may be read while `'a` lasts.
            #[inline(always)]
            #[must_use]
            pub unsafe fn new(origin: *const T, pitch: [usize; $rank]) -> Self {
                $name { origin, pitch, elements: PhantomData }
            }
        }

        impl<T, $(const $n: usize),*> Index<$offset> for $name<'_, T, $($n),*> {
            type Output = T;

            /// # Panics
            /// Beyond its reach.
            #[inline(always)]
            #[track_caller]
            fn index(&self, offset: $offset) -> &T {
                #[allow(unused_parens, reason = "one dimension is no tuple")]
                let ($($i),*) = offset;
                let inside = true $(&& {
                    let ($at, $len) = ($i, $n);
                    $inside
                })*;
                if !inside {
                    outside(stringify!($name), &[$($i as isize),*]);
                }
                let distance = 0 $(+ $i as isize * self.pitch[$pitch] as isize)*;
                // SAFETY: the offset is within reach, as was just seen. All that is may be read while `'a` lasts, as the
                // caller of `new` has promised, and `self` is not there for longer.
                unsafe { &*self.origin.offset(distance) }
            }
        }
    };
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside(name: &str, offset: &[isize]) -> ! {
    panic!("index out of bounds: offset {offset:?} is beyond the reach of the {name}")
}

macro_rules! window {
    ($(#[$doc:meta])* $name:ident, $kind:ident, $rank:literal, [$($n:ident $i:ident $pitch:tt),*], $offset:ty) => {
        neighbourhood! {
            $(#[$doc])* $name,
            #[doc = concat!("The elements around one, of a container: `w: ", stringify!($name), "<T, …>`.")]
            $kind, $rank, [$($n $i $pitch),*], $offset, |at, radius| at.unsigned_abs() <= radius
        }
    };
}

macro_rules! pool {
    ($(#[$doc:meta])* $name:ident, $kind:ident, $rank:literal, [$($n:ident $i:ident $pitch:tt),*], $offset:ty) => {
        neighbourhood! {
            $(#[$doc])* $name,
            #[doc = concat!("A pool of elements, of a container: `p: ", stringify!($name), "<T, …>`.")]
            $kind, $rank, [$($n $i $pitch),*], $offset, |at, size| at < size
        }
    };
}

window! {
    /// The elements at most `R` places from the current one: `w[-1]`, `w[0]`, `w[1]`.
    Window1, EachWindow1, 1, [R x 0], isize
}
window! {
    /// The elements at most `RY` rows and `RX` columns from the current one: `w[(dy, dx)]`.
    Window2, EachWindow2, 2, [RY y 0, RX x 1], (isize, isize)
}
window! {
    /// The elements at most `RZ` planes, `RY` rows and `RX` columns from the current one:
    /// `w[(dz, dy, dx)]`.
    Window3, EachWindow3, 3, [RZ z 0, RY y 1, RX x 2], (isize, isize, isize)
}
window! {
    /// The elements at most `RW` volumes, `RZ` planes, `RY` rows and `RX` columns from the current one:
    /// `w[(dw, dz, dy, dx)]`.
    Window4, EachWindow4, 4, [RW w 0, RZ z 1, RY y 2, RX x 3], (isize, isize, isize, isize)
}
pool! {
    /// `N` elements in a row: `p[0]` … `p[N - 1]`.
    Pool1, EachPool1, 1, [N x 0], usize
}
pool! {
    /// `H` rows of `W` elements: `p[(row, col)]`.
    Pool2, EachPool2, 2, [H y 0, W x 1], (usize, usize)
}
pool! {
    /// `D` planes of `H` rows of `W` elements: `p[(plane, row, col)]`.
    Pool3, EachPool3, 3, [D z 0, H y 1, W x 2], (usize, usize, usize)
}
pool! {
    /// `V` volumes of `D` planes of `H` rows of `W` elements: `p[(volume, plane, row, col)]`.
    Pool4, EachPool4, 4, [V w 0, D z 1, H y 2, W x 3], (usize, usize, usize, usize)
}

#[cfg(test)]
mod test {
    use super::*;

    static MATRIX: [u32; 20] = {
        let (mut matrix, mut k) = ([0; 20], 0);
        while k < 20 {
            matrix[k] = k as u32;
            k += 1;
        }
        matrix
    };

    #[test]
    fn offsets_are_signed_and_in_order() {
        // Row 1, column 2 of four rows of five.
        // SAFETY: one row and two columns around it are in the matrix.
        let w = unsafe { Window2::<u32, 1, 2>::new(&raw const MATRIX[7], [5, 1]) };
        assert_eq!(
            [w[(-1, -2)], w[(0, 0)], w[(1, 2)], w[(1, -1)]],
            [0, 7, 14, 11]
        );
        // SAFETY: rows 2 and 3, columns 1 to 3.
        let p = unsafe { Pool2::<u32, 2, 3>::new(&raw const MATRIX[11], [5, 1]) };
        assert_eq!([p[(0, 0)], p[(1, 2)]], [11, 18]);
    }

    #[test]
    #[should_panic(expected = "offset [0, 3] is beyond the reach of the Window2")]
    fn beyond_the_radius_is_refused() {
        // SAFETY: rows 0 to 2 and all five columns lie around element 7.
        let w = unsafe { Window2::<u32, 1, 2>::new(&raw const MATRIX[7], [5, 1]) };
        let _ = w[(0, 3)];
    }
}
