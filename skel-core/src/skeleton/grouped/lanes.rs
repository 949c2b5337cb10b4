//! Tiles of strided chains, of operators that commute.

use super::{Elements, Folding, array, element};
use crate::{
    Element,
    element::zero,
    param::{ParamList, Position},
    plan::grouping::{LANES, ROWS},
    skeleton::fold::Operator,
    space::Segment,
    user_function::UserFunction,
};
use std::{hint::black_box, ops::Range};

/// Elements of a tile.
const TILE: usize = LANES * ROWS;

/// Half the lanes.
const HALF: usize = LANES / 2;

impl<T: Element, const BY_LANES: bool> Folding<T, BY_LANES> {
    #[inline(always)]
    pub(super) fn add_to_lanes(&mut self, elements: &mut impl Elements<T>, n: usize, last: bool) {
        let mut at = 0;
        loop {
            if self.count == 0 {
                // Whole tiles, in a loop of their own, so that nothing but their lanes is in registers. The optimizer must
                // not know their rows: it would go along the columns of so few, in as many streams.
                let rows = black_box(ROWS);
                while n - at >= TILE {
                    let totals = whole_rows(elements, at, rows);
                    self.nodes.push(elements.op(), elements.halved(&totals));
                    at += TILE;
                }
                let rows = (n - at) / LANES;
                if last && rows > 0 {
                    let totals = whole_rows(elements, at, rows);
                    (self.lanes, self.count) = (Some(totals), rows * LANES);
                    at += rows * LANES;
                }
            }
            let end = at + (n - at).min(TILE - self.count);
            if at < end {
                self.add_to_open(elements, at, end);
                at = end;
            }
            if self.count == TILE || last && self.count > 0 {
                self.close_lanes(elements);
            }
            if at == n {
                return;
            }
        }
    }

    /// Adds elements `at..end` to the tile that is open, row by row.
    #[inline(always)]
    fn add_to_open(&mut self, elements: &mut impl Elements<T>, mut at: usize, end: usize) {
        // Lanes that have no element yet are not looked at.
        let lanes = self.lanes.get_or_insert_with(|| [zero(); LANES]);
        while at < end {
            let lane = self.count % LANES;
            let some = (end - at).min(LANES - lane);
            let lanes = &mut lanes[lane..lane + some];
            match self.count < LANES {
                true => elements.copy(at, lanes),
                false => elements.add(at, lanes),
            }
            self.count += some;
            at += some;
        }
    }

    #[inline(always)]
    fn close_lanes(&mut self, elements: &impl Elements<T>) {
        let lanes = self.count.min(LANES);
        if let Some(totals) = &mut self.lanes {
            let tile = match lanes >= HALF {
                true => elements.halved_of(totals, lanes),
                false => elements.pointers().halved(totals, lanes),
            };
            self.nodes.push(elements.op(), tile);
        }
        (self.lanes, self.count) = (None, 0);
    }
}

/// The lanes of so many rows of elements from `at`.
#[inline(always)]
fn whole_rows<T: Element>(elements: &mut impl Elements<T>, at: usize, rows: usize) -> [T; LANES] {
    let mut totals = [zero(); LANES];
    elements.copy(at, &mut totals);
    for row in 1..rows {
        elements.add(at + row * LANES, &mut totals);
    }
    totals
}

/// All of a fold that has half as many elements as there are lanes, or more, but fewer than lanes.
#[inline(always)]
pub(in crate::skeleton) fn less_than_lanes<F, R, P>(
    segment: &Segment,
    access: &mut P::Access<'_>,
    elements: Range<usize>,
) -> F::Output
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let (first, mid) = (elements.start, elements.start + HALF);
    let mut totals: [F::Output; HALF] = {
        let mut left = P::sub(access, first..mid);
        array(|l| element!(segment, &mut left, first + l, l))
    };
    let mut right = P::sub(access, mid..elements.end);
    for (l, total) in totals[..elements.end - mid].iter_mut().enumerate() {
        *total = R::apply(*total, element!(segment, &mut right, mid + l, l));
    }
    of_half::<F::Output, R>(&totals)
}

/// From array to array: in place, LLVM stores and loads halves that overlap.
#[inline(always)]
pub(super) fn halved<T: Element, R: Operator<T>>(totals: &[T; LANES]) -> T {
    of_half::<T, R>(&half::<T, R, LANES, HALF>(totals))
}

/// So many lanes, which are half of them or more, combined. `totals` is scratch afterwards.
#[inline(always)]
pub(super) fn halved_of<T: Element, R: Operator<T>>(totals: &mut [T; LANES], lanes: usize) -> T {
    let (left, right) = totals.split_at_mut(HALF);
    for (left, right) in left.iter_mut().zip(&right[..lanes - HALF]) {
        *left = R::apply(*left, *right);
    }
    of_half::<T, R>(&array(|l| left[l]))
}

#[inline(always)]
fn of_half<T: Element, R: Operator<T>>(totals: &[T; HALF]) -> T {
    let totals: [T; 32] = half::<T, R, HALF, 32>(totals);
    let totals: [T; 16] = half::<T, R, 32, 16>(&totals);
    let totals: [T; 8] = half::<T, R, 16, 8>(&totals);
    let totals: [T; 4] = half::<T, R, 8, 4>(&totals);
    let totals: [T; 2] = half::<T, R, 4, 2>(&totals);
    R::apply(totals[0], totals[1])
}

#[inline(always)]
fn half<T: Element, R: Operator<T>, const N: usize, const W: usize>(totals: &[T; N]) -> [T; W] {
    array(|l| R::apply(totals[l], totals[l + W]))
}
