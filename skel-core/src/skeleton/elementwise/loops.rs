//! The loops over the elements of rows: what is compiled for each function and instruction set.

use super::by_rows;
use crate::{
    frame::Frame,
    isa,
    param::{Outputs, ParamList, Position},
    space::Segment,
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range};

/// Computes the elements of a segment, and of those at its columns of the rows below: of `rows` rows in all, of which all
/// slots can be opened at once. Those that see neighbourhoods may be computed `again` where that is faster.
///
/// Not inlined: it is called from several places, and is compiled once for all of them.
#[inline(never)]
pub(super) fn run<F, P>(frame: &mut Frame<'_>, segment: &Segment, rows: usize, again: bool)
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    isa::dispatch(Loop::<F, P> {
        frame,
        segment,
        rows,
        again,
        _types: PhantomData,
    });
}

/// The loop over some rows.
struct Loop<'a, 'm, F, P> {
    frame: &'a mut Frame<'m>,
    segment: &'a Segment,
    rows: usize,
    again: bool,
    _types: PhantomData<fn() -> (F, P)>,
}

impl<F, P> isa::Body for Loop<'_, '_, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Loop {
            frame,
            segment,
            mut rows,
            again,
            ..
        } = self;
        let (cols, mut n) = (segment.row_elems(), segment.range().len());
        let (inputs, outputs) = frame.slots.split_at_mut(P::LEN);
        let mut inputs = P::open_rows(inputs, segment, rows);
        let mut outputs = <F::Output as Outputs>::open_rows(outputs, segment, rows);
        if const { P::NEAR.is_some() } && n == 1 {
            // A column at an edge: to begin with a loop takes longer than its one element.
            for row in 0..rows {
                let first = row * cols;
                let mut inputs = P::row(&mut inputs, row, first..first + 1);
                let mut outputs = <F::Output as Outputs>::row(&mut outputs, row, 1);
                let value = F::call(F::At::at(&segment.below(row), 0), P::get(&mut inputs, 0));
                <F::Output as Outputs>::put(&mut outputs, 0, value);
            }
            return;
        }
        let is_one = !by_rows::<F, P>()
            && n == cols
            && P::are_one(&inputs, n)
            && <F::Output as Outputs>::are_one(&outputs);
        if is_one {
            P::join(&mut inputs);
            <F::Output as Outputs>::join(&mut outputs);
            (rows, n) = (1, rows * n);
        }
        for row in 0..rows {
            let first = row * cols;
            // Slices of exactly `n` elements, so that no access in the loop is checked.
            let mut inputs = P::row(&mut inputs, row, first..first + n);
            let mut outputs = <F::Output as Outputs>::row(&mut outputs, row, n);
            let segment = segment.below(row);
            each::<F, P>(&segment, n, &mut inputs, &mut outputs, again);
        }
    }
}

/// The loop over the `n` elements of a segment. Those that see neighbourhoods may be computed `again` where that is faster.
#[inline(always)]
fn each<F, P>(
    segment: &Segment,
    n: usize,
    inputs: &mut P::Access<'_>,
    outputs: &mut <F::Output as Outputs>::Access<'_>,
    again: bool,
) where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    macro_rules! all {
        ($elements:expr, $inputs:expr, $outputs:expr) => {
            for (k, i) in $elements.enumerate() {
                let value = F::call(F::At::at(segment, i), P::get($inputs, k));
                <F::Output as Outputs>::put($outputs, k, value);
            }
        };
    }
    // The distance of neighbourhoods is known in this case, which LLVM guesses for some functions only.
    if const { P::NEAR.is_some() } && P::lie_together(inputs) {
        for part in const { Blocks::of::<F, P>() }.parts(n, again) {
            let mut inputs = P::sub(inputs, part.clone());
            let mut outputs = <F::Output as Outputs>::sub(outputs, part.clone());
            all!(part, &mut inputs, &mut outputs);
        }
    } else {
        all!(0..n, inputs, outputs);
    }
}

/// What a loop in vectors computes at once.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// Elements of a block.
    elems: usize,
    /// Whether elements are changed in place.
    changes: bool,
}

impl Blocks {
    pub(super) const fn of<F, P>() -> Self
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
    {
        // Four vectors of results, or two where elements see neighbourhoods.
        let bytes = if P::NEAR.is_some() { 64 } else { 128 };
        let elems = match size_of::<F::Output>() {
            0 => 1,
            size if size > bytes => 1,
            size => bytes / size,
        };
        Blocks {
            elems,
            changes: P::CHANGES,
        }
    }

    /// The elements of a row in two parts of whole blocks, of which the second begins with some of the first's: what does
    /// not fill vectors would be computed one by one, and of a short row take as long as all the rest. The second part is
    /// empty where that does not pay, where elements are changed in place, and where they may not be computed `again`.
    #[inline(always)]
    pub(super) fn parts(self, elems: usize, again: bool) -> [Range<usize>; 2] {
        let (block, rest) = (self.elems, elems % self.elems);
        let is_too_much = || elems < block || block - rest > elems / MOST_AGAIN;
        if !again || self.changes || rest == 0 || is_too_much() {
            return [0..elems, elems..elems];
        }
        [0..elems - rest, elems - block..elems]
    }
}

/// Computed again is no more than this part of a row, which is what a function pays that is not computed in vectors.
const MOST_AGAIN: usize = 8;
