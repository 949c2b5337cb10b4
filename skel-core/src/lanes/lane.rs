//! Variables with a value per lane.

use crate::{Element, element::zero};

/// What a variable of a user function may hold: an element, a tuple, an index, or `()`.
pub trait Lane: Copy + 'static {
    /// Any value: what lanes hold that have none yet, or that take no part.
    fn idle() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Element> Lane for T {
    #[inline(always)]
    fn idle() -> T {
        zero()
    }
}

impl Lane for () {
    #[inline(always)]
    fn idle() {}
}

macro_rules! tuples {
    ($(($($part:ident)*))*) => { $(
        impl<$($part: Lane),*> Lane for ($($part,)*) {
            #[inline(always)]
            fn idle() -> Self {
                ($($part::idle(),)*)
            }
        }
    )* };
}
tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
    (A B C D E F G H I) (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}

/// A variable: one value per lane. Aligned as the widest vectors are, wherever the stack begins.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Var<T, const N: usize>(pub(super) [T; N]);

/// A variable without values of its own yet.
#[inline(always)]
#[must_use]
pub fn var<T: Lane, const N: usize>() -> Var<T, N> {
    Var([T::idle(); N])
}

/// The value of lane `l`.
#[inline(always)]
#[must_use]
pub fn get<T: Copy, const N: usize>(var: &Var<T, N>, l: usize) -> T {
    var.0[l]
}

/// Sets the value of lane `l`.
#[inline(always)]
pub fn set<T, const N: usize>(var: &mut Var<T, N>, l: usize, value: T) {
    var.0[l] = value;
}

/// One of two values; both have been computed.
#[inline(always)]
#[must_use]
pub fn pick<T: Copy>(on: bool, then: T, otherwise: T) -> T {
    if on { then } else { otherwise }
}

/// Any value of the type.
#[inline(always)]
#[must_use]
pub fn idle<T: Lane>() -> T {
    T::idle()
}

/// Says which lanes take part in something.
pub trait Active<const N: usize> {
    /// Whether lane `l` does.
    fn is_active(&self, l: usize) -> bool;
}

impl<const N: usize> Active<N> for Mask<N> {
    #[inline(always)]
    fn is_active(&self, l: usize) -> bool {
        self.get(l)
    }
}

/// All of them.
#[derive(Clone, Copy, Debug)]
pub struct AllLanes;

impl<const N: usize> Active<N> for AllLanes {
    #[inline(always)]
    fn is_active(&self, _: usize) -> bool {
        true
    }
}

/// Which lanes take part. Words, so that comparisons of 32-bit values need not be narrowed.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Mask<const N: usize>([u32; N]);

impl<const N: usize> Mask<N> {
    /// All of them.
    #[inline(always)]
    #[must_use]
    pub const fn all() -> Self {
        Mask([1; N])
    }

    /// Whether lane `l` does.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, l: usize) -> bool {
        self.0[l] != 0
    }

    /// Says whether lane `l` does.
    #[inline(always)]
    pub fn set(&mut self, l: usize, on: bool) {
        self.0[l] = u32::from(on);
    }

    /// Whether any does.
    #[inline(always)]
    #[must_use]
    pub fn any(&self) -> bool {
        let mut any = 0;
        for l in 0..N {
            any |= self.0[l];
        }
        any != 0
    }
}
