//! Scans of rows, of which each is written on its own.
//!
//! A row begins with nothing before it. So what its elements give follows from them, and from where in their block the row
//! begins: what stands before it there is left out of the block's tree. Elements need no flags then, nor does a row ask
//! what the one before it came to.

use super::{Form, loops::walk, scanning::Scanning};
use crate::{
    element::zero,
    frame::Frame,
    isa,
    param::{Outputs, ParamList},
    plan::grouping::{BLOCK, CHUNK},
    skeleton::{
        fold::Operator,
        grouped::{self, by, tree_of_block},
    },
    space::Segment,
};
use std::ops::Range;

/// Of floats, rows up to this length are written so: they see two chunks at most. Longer ones go by chunks, which is faster.
const SHORT: usize = 40;

/// Whether rows of the piece can be written on their own.
pub(super) fn are_short<S: Form>(piece: &Frame<'_>, scanning: &Scanning<S>) -> bool {
    let cols = piece.arguments_space().shape.row_elems();
    // Tiles of functions with loops are shorter than chunks; and what is gathered is opened piecemeal.
    let chained = scanning.tile_elems >= CHUNK && cols <= SHORT;
    cols > 0 && (scanning.exact || chained) && piece.opening().most().is_none()
}

/// Of elements that are combined alone, none before the last row counts: gives those that are left.
pub(super) fn skip<S: Form>(piece: &Frame<'_>, scanning: &mut Scanning<S>) -> Range<usize> {
    let (cols, range) = (
        piece.arguments_space().shape.row_elems(),
        piece.range.clone(),
    );
    if cols == 0 || range.is_empty() {
        return range;
    }
    let last = (range.end - 1) / cols * cols;
    if last <= range.start {
        return range;
    }
    scanning.skip(last - range.start);
    last..range.end
}

/// Writes elements `range` of the piece up to the end of their last whole row; gives those that are left. The frame keeps
/// all, since a trap is searched for among all of them.
pub(super) fn write<S: Form>(
    piece: &mut Frame<'_>,
    range: Range<usize>,
    scanning: &mut Scanning<S>,
) -> Range<usize> {
    let cols = piece.arguments_space().shape.row_elems();
    let (first, end) = (range.start.next_multiple_of(cols), range.end / cols * cols);
    if first >= end {
        return range;
    }
    if range.start < first {
        walk::<S, true>(piece, range.start..first, scanning);
    }
    isa::dispatch(Rows::<S> {
        scanning,
        frame: piece,
        range: first..end,
        cols,
    });
    end..range.end
}

/// The loop over whole rows.
struct Rows<'a, 'm, S: Form> {
    frame: &'a mut Frame<'m>,
    range: Range<usize>,
    cols: usize,
    scanning: &'a mut Scanning<S>,
}

impl<S: Form> isa::Body for Rows<'_, '_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Rows {
            frame,
            range,
            cols,
            scanning,
        } = self;
        let exact = scanning.exact;
        let segment = Segment::new(&range, false, frame.arguments_space());
        let (inputs, outputs) = frame.slots.split_at_mut(S::Params::LEN);
        let mut inputs = S::Params::open(inputs, &segment);
        let mut outputs = <S::Output as Outputs>::open(outputs, &range);
        for at in (0..range.len()).step_by(cols) {
            let r = at..at + cols;
            let mut row = Row::<S> {
                // Slices of exactly a row, so that no access in its loops is checked.
                inputs: S::Params::sub(&mut inputs, r.clone()),
                outputs: <S::Output as Outputs>::sub(&mut outputs, r),
            };
            match exact {
                true => _ = row.chain(0..cols, None),
                false => row.blocks(range.start + at, cols),
            }
        }
        scanning.skip(range.len());
    }

    fn run_baseline(self) {
        walk::<S, true>(self.frame, self.range, self.scanning);
    }
}

/// One row.
struct Row<'a, S: Form> {
    inputs: <S::Params as ParamList>::Access<'a>,
    outputs: <S::Output as Outputs>::Access<'a>,
}

impl<S: Form> Row<'_, S> {
    /// Element `k`; before the first stands the initial value.
    #[inline(always)]
    fn own(&mut self, k: usize) -> S::Inner {
        let (x, initial) = S::element(S::Params::get(&mut self.inputs, k));
        match initial {
            Some(initial) if k == 0 => S::InnerOperator::apply(initial, x),
            _ => x,
        }
    }

    #[inline(always)]
    fn write(&mut self, k: usize, prefix: S::Inner) {
        <S::Output as Outputs>::put(&mut self.outputs, k, S::output(prefix));
    }

    /// Writes elements `r`, one after the other; gives the last prefix.
    #[inline(always)]
    fn chain(&mut self, r: Range<usize>, before: Option<S::Inner>) -> Option<S::Inner> {
        let Range { mut start, end } = r;
        let mut prefix = match before {
            Some(before) => before,
            None => {
                let own = self.own(start);
                let first = match S::EXCLUSIVE {
                    false => own,
                    true => S::element(S::Params::get(&mut self.inputs, start))
                        .1
                        .unwrap_or_else(|| unreachable!("something precedes an exclusive scan")),
                };
                self.write(start, first);
                start += 1;
                own
            }
        };
        for k in start..end {
            let (own, _) = S::element(S::Params::get(&mut self.inputs, k));
            let next = S::InnerOperator::apply(prefix, own);
            self.write(k, if S::EXCLUSIVE { prefix } else { next });
            prefix = next;
        }
        Some(prefix)
    }

    /// Writes the row, whose first element has this number in the call, block by block.
    #[inline(always)]
    fn blocks(&mut self, number: usize, cols: usize) {
        let (mut before, mut chunk, mut at) = (None, None, 0);
        loop {
            let within = (number + at) % BLOCK;
            let end = cols.min(at + BLOCK - within);
            self.chain(at..end, join::<S>(before, chunk));
            if end == cols {
                return;
            }
            chunk = join::<S>(chunk, Some(self.total(at..end, within)));
            at = end;
            if (number + at).is_multiple_of(CHUNK) {
                // As a short row sees two chunks at most, nothing of it precedes this one, in its tile or before.
                before = chunk.take();
            }
        }
    }

    /// The tree of a block, of which elements `r` are the last, from element `within` of it on; it has no others.
    #[inline(always)]
    fn total(&mut self, r: Range<usize>, within: usize) -> S::Inner {
        let mut block = [zero::<S::Inner>(); BLOCK];
        for (k, place) in r.zip(&mut block[within..]) {
            *place = self.own(k);
        }
        match within {
            0 => tree_of_block(by::<S::InnerOperator>(), &block),
            _ => tree_from::<S>(block, within),
        }
    }
}

/// The tree of a block without its elements before `first`.
#[inline(always)]
fn tree_from<S: Form>(mut block: [S::Inner; BLOCK], mut first: usize) -> S::Inner {
    let mut len = BLOCK;
    while len > 1 {
        len /= 2;
        for i in first / 2..len {
            let (left, right) = (2 * i, 2 * i + 1);
            block[i] = match left < first {
                true => block[right],
                false => S::InnerOperator::apply(block[left], block[right]),
            };
        }
        first /= 2;
    }
    block[0]
}

/// Combines what there is.
#[inline(always)]
fn join<S: Form>(left: Option<S::Inner>, right: Option<S::Inner>) -> Option<S::Inner> {
    grouped::join(by::<S::InnerOperator>(), left, right)
}
