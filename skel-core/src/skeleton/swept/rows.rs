//! The loop of a sweep over rows of a tile.
//!
//! An element mostly waits for the one before it in its row. So several rows are computed at once, each an element
//! behind the one before it: what is computed together does not see each other, and the chains of the rows run side by
//! side. What a row has just computed is what the one behind it sees in the row before, so that is not read again.
#![allow(unsafe_code, reason = "vouches for the order of elements")]

use crate::{
    frame::Frame,
    isa,
    param::{Position, SweepParams, Swept},
    space::{Segment, SweepProgress},
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range};

/// The same columns of `K` rows, one after the other as the sweep goes.
pub(super) struct Rows<'a, 'm, F, P, const K: usize> {
    /// For each row, all of the sweep.
    pub(super) frames: [&'a mut Frame<'m>; K],
    /// For each row, its columns.
    pub(super) segments: [Segment; K],
    /// In which of the columns, counted from the first, all is there that an element sees.
    pub(super) inside: Range<usize>,
    /// Whether the sweep goes downwards along rows.
    pub(super) descending: bool,
    /// How many elements before these columns are computed, of each row.
    pub(super) done: usize,
    pub(super) progress: &'a SweepProgress,
    pub(super) _types: PhantomData<fn() -> (F, P)>,
}

/// How many elements of some rows are computed. It says so when it goes, so also when a user function panics: the loop
/// itself has only its counter.
struct Computed<'p, const K: usize> {
    of_rows: [usize; K],
    /// The first of these rows, of those that are computed at once.
    first: usize,
    progress: &'p SweepProgress,
}

impl<const K: usize> Drop for Computed<'_, K> {
    #[inline(always)]
    fn drop(&mut self) {
        for (row, elems) in (self.first..).zip(self.of_rows) {
            self.progress.set_row(row, elems);
        }
    }
}

/// One element of each row. Rows have variables of their own: those of an array would lie in memory.
macro_rules! step {
    ($k:expr, $first:ident, $segments:ident, $computed:ident: $($access:ident $j:tt),*) => {
        $(
            let at = F::At::at(&$segments[$j], $first($j) + $k);
            if $j == 0 {
                P::look(&$access.0, $k, &mut $access.1);
            }
            let value = F::call(at, P::get_inside(&mut $access.0, $k, &$access.1));
            // SAFETY: elements of a row are computed one after the other. Each row is one element behind the one before
            // it, so what precedes the element in that one was computed, and what sees the element as it was before the
            // sweep, too. Between blocks of rows and columns, `Plan::compute_by` keeps to the order of the sweep, and its
            // caller promises that no other thread does anything with what the tile has or sees.
            unsafe { P::put_inside(&mut $access.0, $k, value) };
            $access.1.pass(value);
            $computed.of_rows[$j] += 1;
        )*
        let passed = [$($access.1.last()),*];
        $(
            if let Some(before) = usize::checked_sub($j, 1) {
                $access.1.look_at(passed[before]);
            }
        )*
    };
}

macro_rules! body {
    ($rows:literal: $($access:ident $j:tt),*) => {
        impl<F, P> isa::Body for Rows<'_, '_, F, P, $rows>
        where
            P: SweepParams,
            F: UserFunction<P, Output = Swept<P>>,
        {
            type Output = ();

            #[inline(always)]
            fn run(self) {
                let ([$($access),*], segments) = (self.frames, &self.segments);
                let (columns, inside) = (0..segments[0].range().len(), self.inside);
                let (descending, together) = (self.descending, inside.len().saturating_sub($rows - 1));
                let (done, progress) = (self.done, self.progress);
                // Of row `j`, what is computed together with others begins here.
                let first = |j: usize| match (together, descending) {
                    (0, _) => inside.start,
                    (_, true) => inside.start + j,
                    (_, false) => inside.start + $rows - 1 - j,
                };
                let mut all = ($(P::open(&mut $access.slots, &segments[$j]),)*);
                $(
                    let before = match descending {
                        true => first($j) + together..columns.end,
                        false => columns.start..first($j),
                    };
                    let computed = Computed { of_rows: [done], first: $j, progress };
                    at_edge::<F, P>(&mut all.$j, &segments[$j], before, descending, computed);
                )*
                if together > 0 {
                    // Slices of exactly so many elements, so that no access in the loop is checked.
                    $(
                        let inside = P::inside(&mut all.$j, first($j)..first($j) + together);
                        let near = P::preceding(&inside);
                        let mut $access = (inside, near);
                    )*
                    let of_rows = [$(match descending {
                        true => done + columns.end - first($j) - together,
                        false => done + first($j),
                    }),*];
                    let mut computed = Computed { of_rows, first: 0, progress };
                    // Of the row before, nothing is passed on yet.
                    let begins = if descending { together - 1 } else { 0 };
                    $( P::look(&$access.0, begins, &mut $access.1); )*
                    // Of small elements, two steps in a turn: what the first passes on to the second is not moved.
                    let small = $rows > 2;
                    match (small, descending) {
                        (true, true) => {
                            let mut k = together;
                            while k > 1 {
                                step!(k - 1, first, segments, computed: $($access $j),*);
                                step!(k - 2, first, segments, computed: $($access $j),*);
                                k -= 2;
                            }
                            if k == 1 {
                                step!(0, first, segments, computed: $($access $j),*);
                            }
                        }
                        (true, false) => {
                            let mut k = 0;
                            while k + 1 < together {
                                step!(k, first, segments, computed: $($access $j),*);
                                step!(k + 1, first, segments, computed: $($access $j),*);
                                k += 2;
                            }
                            if k < together {
                                step!(k, first, segments, computed: $($access $j),*);
                            }
                        }
                        (false, true) => {
                            for k in (0..together).rev() {
                                step!(k, first, segments, computed: $($access $j),*);
                            }
                        }
                        (false, false) => {
                            for k in 0..together {
                                step!(k, first, segments, computed: $($access $j),*);
                            }
                        }
                    }
                }
                $(
                    let after = match descending {
                        true => columns.start..first($j),
                        false => first($j) + together..columns.end,
                    };
                    let before = done + columns.len() - after.len();
                    let computed = Computed { of_rows: [before], first: $j, progress };
                    at_edge::<F, P>(&mut all.$j, &segments[$j], after, descending, computed);
                )*
            }
        }
    };
}
body!(1: a 0);
body!(2: a 0, b 1);
body!(3: a 0, b 1, c 2);
body!(4: a 0, b 1, c 2, d 3);

/// Elements `r` of a row, which may see what is beyond the edges. Few, and compiled once.
#[inline(never)]
fn at_edge<F, P>(
    all: &mut P::Access<'_>,
    segment: &Segment,
    r: Range<usize>,
    descending: bool,
    mut computed: Computed<'_, 1>,
) where
    P: SweepParams,
    F: UserFunction<P, Output = Swept<P>>,
{
    let (from, n) = (r.start, r.len());
    if n == 0 {
        return;
    }
    let mut access = P::sub(all, r);
    for turn in 0..n {
        let k = match descending {
            true => n - 1 - turn,
            false => turn,
        };
        let value = F::call(F::At::at(segment, from + k), P::get(&mut access, k));
        // SAFETY: elements of a row are computed one after the other here; `Rows` keeps to the order of what it has at
        // once, `Plan::compute_by` to that of the sweep, and its caller promises that no other thread does anything with
        // what the tile has or sees.
        unsafe { P::put(&mut access, k, value) };
        computed.of_rows[0] += 1;
    }
}
