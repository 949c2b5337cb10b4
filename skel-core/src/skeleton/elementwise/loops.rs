//! The loops over the elements of rows: what is compiled for each function and instruction set.

use super::by_rows;
use crate::{
    frame::Frame,
    isa,
    param::{Outputs, ParamList, Position},
    space::Segment,
    user_function::UserFunction,
};
use std::{convert::identity, hint::black_box, ops::Range};

/// Computes the elements of a segment, and of those at its columns of the rows below: of `count` rows in all, of which all
/// slots can be opened at once. Those that see neighbourhoods may be computed `again` where that is faster.
pub(super) fn run<F, P>(frame: &mut Frame<'_>, segment: &Segment, count: usize, again: bool)
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let by_rows = by_rows::<F, P>();
    if const { P::NEAR.is_some() } {
        // What is opened at edges has few elements: to call a function for it would take longer.
        let rows = Rows::<P, F::Output>::open(frame, segment, count, by_rows);
        isa::dispatch(Neighbourhoods::<F, P> {
            rows,
            segment,
            again,
        });
    } else {
        let mut rows = opened::<P, F::Output>(frame, segment, count, by_rows);
        isa::dispatch(Loop::<F, P> {
            rows: &mut rows,
            segment,
        });
    }
}

/// The opened slots of some rows.
struct Rows<'a, P: ParamList, O: Outputs> {
    inputs: P::Rows<'a>,
    outputs: O::Rows<'a>,
    count: usize,
    /// The elements of each.
    elems: usize,
}

impl<'a, P: ParamList, O: Outputs> Rows<'a, P, O> {
    /// Opens so many rows. Where each follows the one before it in all slots, and elements need not be of one row, they are
    /// one row.
    #[inline(always)]
    fn open(frame: &'a mut Frame<'_>, segment: &Segment, count: usize, by_rows: bool) -> Self {
        let (inputs, outputs) = frame.slots.split_at_mut(P::LEN);
        let elems = segment.range().len();
        let mut rows = Rows::<P, O> {
            inputs: P::open_rows(inputs, segment, count),
            outputs: O::open_rows(outputs, segment, count),
            count,
            elems,
        };
        let follow = || P::are_one(&rows.inputs, elems) && O::are_one(&rows.outputs);
        if !by_rows && elems == segment.row_elems() && follow() {
            P::join(&mut rows.inputs);
            O::join(&mut rows.outputs);
            (rows.count, rows.elems) = (1, count * elems);
        }
        rows
    }
}

/// [`Rows::open`], compiled once for all functions of the same types.
#[inline(never)]
fn opened<'a, P: ParamList, O: Outputs>(
    frame: &'a mut Frame<'_>,
    segment: &Segment,
    count: usize,
    by_rows: bool,
) -> Rows<'a, P, O> {
    Rows::open(frame, segment, count, by_rows)
}

/// Computes some elements of a segment, whose accesses are counted from the first of them.
macro_rules! compute {
    ($F:ident, $P:ident: $segment:expr, $elements:expr, $inputs:ident, $outputs:ident, $seen:ident) => {
        for (k, i) in $elements.enumerate() {
            let k = $seen(k);
            let value = $F::call($F::At::at($segment, i), $P::get(&mut $inputs, k));
            <$F::Output as Outputs>::put(&mut $outputs, k, value);
        }
    };
}

/// The loop over some rows.
struct Loop<'a, 'r, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    rows: &'a mut Rows<'r, P, F::Output>,
    segment: &'a Segment,
}

impl<F, P> isa::Body for Loop<'_, '_, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // LLVM would compile a loop for whatever is the same in all rows. It does not know that of what it has lost sight of.
        let rows = black_box(self.rows);
        let (cols, n) = (self.segment.row_elems(), rows.elems);
        for row in 0..rows.count {
            // Slices of exactly `n` elements, so that no access in the loop is checked.
            let mut inputs = P::row(&mut rows.inputs, row, row * cols, n);
            let mut outputs = <F::Output as Outputs>::row(&mut rows.outputs, row, n);
            let segment = self.segment.below(row);
            compute!(F, P: &segment, 0..n, inputs, outputs, identity);
        }
    }
}

/// The same of elements that see neighbourhoods. What is known of these is passed by value: it is the same in all rows, and
/// stays in registers.
struct Neighbourhoods<'a, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    rows: Rows<'a, P, F::Output>,
    segment: &'a Segment,
    again: bool,
}

impl<F, P> isa::Body for Neighbourhoods<'_, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Rows {
            mut inputs,
            mut outputs,
            count,
            elems: n,
        } = self.rows;
        let cols = self.segment.row_elems();
        for row in 0..count {
            let mut inputs = P::row(&mut inputs, row, row * cols, n);
            let mut outputs = <F::Output as Outputs>::row(&mut outputs, row, n);
            let segment = self.segment.below(row);
            // The distance of neighbourhoods is known in this case, which LLVM guesses for some functions only.
            if n > 1 && P::lie_together(&inputs) {
                for part in const { Blocks::of::<F, P>() }.parts(n, self.again) {
                    let mut inputs = P::sub(&mut inputs, part.clone());
                    let mut outputs = <F::Output as Outputs>::sub(&mut outputs, part.clone());
                    compute!(F, P: &segment, part, inputs, outputs, identity);
                }
            } else if const { has_pools::<P>() } {
                compute!(F, P: &segment, 0..n, inputs, outputs, identity);
            } else {
                // A column at an edge: to begin with a loop in vectors would take longer than its one element.
                compute!(F, P: &segment, 0..n, inputs, outputs, black_box);
            }
        }
    }

    #[inline(always)]
    fn run_baseline(mut self) {
        let (rows, segment) = (&mut self.rows, self.segment);
        Loop::<F, P> { rows, segment }.run();
    }
}

/// Whether elements see pools. Unlike windows, those of neighbours may lie apart.
const fn has_pools<P: ParamList>() -> bool {
    match P::NEAR {
        Some(form) => form.pool,
        None => false,
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
