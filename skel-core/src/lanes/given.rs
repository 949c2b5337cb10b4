//! What functions are called with by all lanes at once.

use super::{Mask, Var, get, pick, set};

/// A value for each lane, or one for all of them.
pub trait Given: Copy {
    /// The type of the values.
    type Value: Copy;

    /// Whether all lanes have the same.
    const SAME: bool;

    /// The value of lane `l`.
    fn lane(&self, l: usize) -> Self::Value;
}

impl<T: Copy, const N: usize> Given for &Var<T, N> {
    type Value = T;

    const SAME: bool = false;

    #[inline(always)]
    fn lane(&self, l: usize) -> T {
        get(self, l)
    }
}

/// One value for all lanes.
#[derive(Clone, Copy, Debug)]
pub struct Same<T>(pub T);

impl<T: Copy> Given for Same<T> {
    type Value = T;

    const SAME: bool = true;

    #[inline(always)]
    fn lane(&self, _: usize) -> T {
        self.0
    }
}

/// A slice for all lanes, or what rustc makes one of in a call.
pub trait Slice<T>: Copy {
    /// The slice.
    fn slice(&self) -> &[T];
}

impl<T> Slice<T> for Same<&[T]> {
    #[inline(always)]
    fn slice(&self) -> &[T] {
        self.0
    }
}

impl<T> Slice<T> for Same<&&[T]> {
    #[inline(always)]
    fn slice(&self) -> &[T] {
        self.0
    }
}

impl<T, const N: usize> Slice<T> for Same<&[T; N]> {
    #[inline(always)]
    fn slice(&self) -> &[T] {
        self.0
    }
}

/// The slice that is given.
#[inline(always)]
#[must_use]
pub fn slice<T, S: Slice<T>>(given: &S) -> &[T] {
    given.slice()
}

/// The value of lane `l` of what is given.
#[inline(always)]
#[must_use]
pub fn lane<G: Given>(given: &G, l: usize) -> G::Value {
    given.lane(l)
}

/// Whether all lanes are given the same.
#[inline(always)]
#[must_use]
pub const fn is_same<G: Given>(_: &G) -> bool {
    G::SAME
}

/// The values of the lanes that take part. The others have that of one that does, so that a function which is called with
/// them does nothing on their account that it would not do anyway.
#[inline(always)]
#[must_use]
pub fn among<G: Given, const N: usize>(mask: &Mask<N>, given: G) -> Var<G::Value, N> {
    let mut one = 0;
    for l in 0..N {
        one = pick(mask.get(l), l, one);
    }
    let one = given.lane(one);
    let mut among = Var([one; N]);
    for l in 0..N {
        set(&mut among, l, pick(mask.get(l), given.lane(l), one));
    }
    among
}

/// Loops that the calls of a function may bring into its face. Each is compiled where it is called, for each number of
/// lanes and each instruction set, and again wherever the function itself is called.
const MOST_LOOPS: usize = 8;

/// Whether a face makes its calls by all lanes at once, of functions that have so many loops.
#[must_use]
pub const fn lifts(callees: &[usize]) -> bool {
    let loops = sum(callees);
    0 < loops && loops <= MOST_LOOPS
}

/// How many loops the face of a function has, with those that its calls bring in; 0 if there is none.
#[must_use]
pub const fn loops(own: bool, callees: &[usize]) -> usize {
    match (own, lifts(callees)) {
        (_, true) => 1 + sum(callees),
        (true, false) => 1,
        (false, false) => 0,
    }
}

const fn sum(of: &[usize]) -> usize {
    let (mut sum, mut k) = (0, 0);
    while k < of.len() {
        sum += of[k];
        k += 1;
    }
    sum
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn calls_bring_in_few_loops() {
        assert!(!lifts(&[]) && !lifts(&[0, 0]));
        assert!(lifts(&[0, 1]) && lifts(&[3, 5]) && !lifts(&[3, 6]));
        assert_eq!(loops(true, &[]), 1);
        assert_eq!(loops(true, &[2, 0]), 3);
        assert_eq!(loops(false, &[0]), 0);
        assert_eq!(loops(false, &[9]), 0);
        assert_eq!(loops(true, &[9]), 1);
    }

    #[test]
    fn lanes_that_take_no_part_have_what_one_that_does_has() {
        let mut mask = Mask::<16>::all();
        let mut var = super::super::var::<u32, 16>();
        for l in 0..16 {
            set(&mut var, l, 100 + l as u32);
            mask.set(l, l == 3 || l == 9);
        }
        let found = among(&mask, &var);
        for l in 0..16 {
            let expected = match l {
                3 => 103..=103,
                9 => 109..=109,
                _ => 103..=109,
            };
            assert!(expected.contains(&get(&found, l)));
            assert!(mask.get(l) || [103, 109].contains(&get(&found, l)));
        }
    }
}
