//! The elements of a segment that is open, and what combines them.

use super::{
    Op, Pointers, array,
    blocks::{block_totals, tree_of_block},
    by, chain, element,
    op::By,
};
use crate::{
    Element,
    element::zero,
    param::{ParamList, Position},
    plan::grouping::{BLOCK, CHUNK, LANES},
    skeleton::fold::Operator,
    space::Segment,
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range};

/// Elements that are folded, counted from 0 on.
pub(in crate::skeleton) trait Elements<T: Element> {
    /// What combines them: a type of no size, or pointers.
    type Op: Op<T>;

    /// The operator.
    fn op(&self) -> Self::Op;

    /// The elements from `at` on.
    fn copy(&mut self, at: usize, values: &mut [T]);

    /// Combines totals with the elements from `at` on.
    fn add(&mut self, at: usize, totals: &mut [T]);

    /// Combines elements one after the other, behind what precedes them.
    fn chain(&mut self, r: Range<usize>, before: Option<T>) -> Option<T>;

    /// The chunk of the elements from `at` on: the chain of its blocks.
    fn chunk(&mut self, at: usize) -> T;

    /// Writes the totals of blocks from `at` on, of `some` at most; how many, which are not none.
    fn blocks(&mut self, at: usize, some: usize, totals: &mut [T; CHUNK / BLOCK]) -> usize;

    /// The lanes, combined.
    fn halved(&self, totals: &[T; LANES]) -> T;

    /// So many of the lanes, combined: half of them at least.
    fn halved_of(&self, totals: &mut [T; LANES], lanes: usize) -> T;

    /// The operator behind pointers.
    fn pointers(&self) -> &'static Pointers<T>;
}

/// Computes the values of elements from `at` of a segment on.
#[inline(always)]
pub(in crate::skeleton) fn compute<F, P>(
    segment: &Segment,
    access: &mut P::Access<'_>,
    at: usize,
    values: &mut [F::Output],
) where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
{
    let mut some = P::sub(access, at..at + values.len());
    for (k, value) in values.iter_mut().enumerate() {
        *value = element!(segment, &mut some, at + k, k);
    }
}

/// Elements that a function computes, and an operator: what loops over them is compiled for both.
pub(in crate::skeleton) struct Opened<'s, 'b, 'a, F, R, P: ParamList> {
    segment: &'s Segment,
    access: &'b mut P::Access<'a>,
    _types: PhantomData<fn() -> (F, R)>,
}

impl<'s, 'b, 'a, F, R, P: ParamList> Opened<'s, 'b, 'a, F, R, P> {
    /// Those of a segment.
    #[inline(always)]
    pub(in crate::skeleton) fn new(segment: &'s Segment, access: &'b mut P::Access<'a>) -> Self {
        Opened {
            segment,
            access,
            _types: PhantomData,
        }
    }
}

impl<F, R, P> Elements<F::Output> for Opened<'_, '_, '_, F, R, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    type Op = By<R>;

    #[inline(always)]
    fn op(&self) -> By<R> {
        by()
    }

    #[inline(always)]
    fn copy(&mut self, at: usize, values: &mut [F::Output]) {
        compute::<F, P>(self.segment, self.access, at, values);
    }

    #[inline(always)]
    fn add(&mut self, at: usize, totals: &mut [F::Output]) {
        let mut some = P::sub(self.access, at..at + totals.len());
        for (k, total) in totals.iter_mut().enumerate() {
            *total = R::apply(*total, element!(self.segment, &mut some, at + k, k));
        }
    }

    #[inline(always)]
    fn chain(&mut self, r: Range<usize>, before: Option<F::Output>) -> Option<F::Output> {
        let (at, n) = (r.start, r.len());
        let mut some = P::sub(self.access, r);
        let mut total = before;
        for k in 0..n {
            let value = element!(self.segment, &mut some, at + k, k);
            total = super::join(by::<R>(), total, Some(value));
        }
        total
    }

    #[inline(always)]
    fn chunk(&mut self, at: usize) -> F::Output {
        let mut chunk = P::sub(self.access, at..at + CHUNK);
        // The first level of the trees is done while reading.
        let mut pairs: [F::Output; CHUNK / 2] = array(|i| {
            let left = element!(self.segment, &mut chunk, at + 2 * i, 2 * i);
            let right = element!(self.segment, &mut chunk, at + 2 * i + 1, 2 * i + 1);
            R::apply(left, right)
        });
        chain(by::<R>(), &block_totals::<F::Output, R>(&mut pairs))
    }

    /// One after the other.
    #[inline(always)]
    fn blocks(&mut self, at: usize, _: usize, totals: &mut [F::Output; CHUNK / BLOCK]) -> usize {
        let mut block = [zero(); BLOCK];
        self.copy(at, &mut block);
        totals[0] = tree_of_block(by::<R>(), &block);
        1
    }

    #[inline(always)]
    fn halved(&self, totals: &[F::Output; LANES]) -> F::Output {
        super::lanes::halved::<F::Output, R>(totals)
    }

    #[inline(always)]
    fn halved_of(&self, totals: &mut [F::Output; LANES], lanes: usize) -> F::Output {
        super::lanes::halved_of::<F::Output, R>(totals, lanes)
    }

    #[inline(always)]
    fn pointers(&self) -> &'static Pointers<F::Output> {
        Pointers::of::<R>()
    }
}

/// Values that are there, and an operator behind pointers.
pub(in crate::skeleton) struct Values<'v, T: 'static> {
    values: &'v [T],
    op: &'static Pointers<T>,
}

impl<'v, T: Element> Values<'v, T> {
    /// These, which are combined so.
    pub(in crate::skeleton) fn new(values: &'v [T], op: &'static Pointers<T>) -> Self {
        Values { values, op }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}

impl<T: Element> Elements<T> for Values<'_, T> {
    type Op = &'static Pointers<T>;

    fn op(&self) -> &'static Pointers<T> {
        self.op
    }

    fn copy(&mut self, at: usize, values: &mut [T]) {
        values.copy_from_slice(&self.values[at..at + values.len()]);
    }

    fn add(&mut self, at: usize, totals: &mut [T]) {
        self.op.zip(totals, &self.values[at..at + totals.len()]);
    }

    fn chain(&mut self, r: Range<usize>, before: Option<T>) -> Option<T> {
        let values = self.values[r].iter();
        values.fold(before, |total, value| {
            super::join(self.op, total, Some(*value))
        })
    }

    fn chunk(&mut self, at: usize) -> T {
        let mut totals = [zero(); CHUNK / BLOCK];
        self.blocks(at, CHUNK / BLOCK, &mut totals);
        chain(self.op, &totals)
    }

    /// All at once, level by level.
    fn blocks(&mut self, at: usize, some: usize, totals: &mut [T; CHUNK / BLOCK]) -> usize {
        let (mut level, mut spare) = ([zero(); CHUNK / 2], [zero(); CHUNK / 4]);
        let mut len = some * BLOCK / 2;
        self.op
            .pairs(&mut level[..len], &self.values[at..at + some * BLOCK]);
        while len > some {
            len /= 2;
            self.op.pairs(&mut spare[..len], &level[..2 * len]);
            level[..len].copy_from_slice(&spare[..len]);
        }
        totals[..some].copy_from_slice(&level[..some]);
        some
    }

    fn halved(&self, totals: &[T; LANES]) -> T {
        self.op.halved(&mut totals.clone(), LANES)
    }

    fn halved_of(&self, totals: &mut [T; LANES], lanes: usize) -> T {
        self.op.halved(totals, lanes)
    }

    fn pointers(&self) -> &'static Pointers<T> {
        self.op
    }
}
