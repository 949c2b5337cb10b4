//! The elementwise pattern: `out[i] = f(x[i], …)`.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

use super::{blocks, rectangles, streamed, trap};
use crate::{
    Error, Result,
    frame::{Before, Frame, Partial, Spine},
    ir::{FnId, Program, Ty, build},
    isa,
    lanes::Choice,
    param::{Form, Index1, Index2, Index3, Index4, Outputs, ParamList, Position, Random},
    plan::{Argument, IndexKind, Kernel, Pattern, Phases, Role, cached},
    space::Segment,
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range, sync::Arc};

/// The plan of Map.
pub(super) struct Elementwise<F, P>(PhantomData<fn() -> (F, P)>);

impl<F, P> Elementwise<F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    /// Every element sees its own of each container, or whole ones.
    pub(super) const PLAN: &'static dyn Phases = {
        const {
            assert!(
                P::NEAR.is_none(),
                "windows are for `map_overlap!`, pools for `map_pool!`"
            );
            assert!(!P::HAS_LINES, "lines are for `map_lines!`");
            assert!(P::SWEEPS == 0, "sweeps are for `sweep!`")
        };
        &Self(PhantomData)
    };

    /// Elements see neighbourhoods, which look so.
    pub(super) const NEAR: Form = match P::NEAR {
        Some(form) => form,
        None => panic!(
            "`map_overlap!` needs a window and `map_pool!` a pool: for other functions, use `map!`"
        ),
    };

    /// Elements see windows.
    pub(super) const WINDOWS: &'static dyn Phases = {
        const { assert!(!Self::NEAR.pool, "pools are for `map_pool!`") };
        const { assert!(!P::HAS_LINES, "lines are for `map_lines!`") };
        const { assert!(P::SWEEPS == 0, "sweeps are for `sweep!`") };
        &Self(PhantomData)
    };

    /// Elements see pools.
    pub(super) const POOLS: &'static dyn Phases = {
        const { assert!(Self::NEAR.pool, "windows are for `map_overlap!`") };
        const { assert!(!P::HAS_LINES, "lines are for `map_lines!`") };
        const { assert!(P::SWEEPS == 0, "sweeps are for `sweep!`") };
        &Self(PhantomData)
    };

    /// Elements see lines.
    pub(super) const LINES: &'static dyn Phases = {
        const {
            assert!(
                P::HAS_LINES,
                "`map_lines!` needs a line, `l: &mut Line<T>` or `l: &Line<T>`: for other functions, use `map!`"
            );
            assert!(
                P::NEAR.is_none(),
                "windows are for `map_overlap!`, pools for `map_pool!`"
            );
            assert!(P::SWEEPS == 0, "sweeps are for `sweep!`")
        };
        &Self(PhantomData)
    };
}

/// The loop over some rows: a segment, and the elements at its columns of the rows below.
pub(super) struct Loop<'a, 'm, F, P> {
    frame: &'a mut Frame<'m>,
    segment: &'a Segment,
    rows: usize,
    /// Whether elements may be computed twice where that is faster.
    again: bool,
    _types: PhantomData<fn() -> (F, P)>,
}

impl<'a, 'm, F, P> Loop<'a, 'm, F, P> {
    /// All elements of the segment.
    #[inline(always)]
    pub(super) fn new(frame: &'a mut Frame<'m>, segment: &'a Segment) -> Self {
        Self::of_rows(frame, segment, 1, false)
    }

    /// The elements of so many rows, of which all slots can be opened at once; see [`each`] for `again`.
    #[inline(always)]
    pub(super) fn of_rows(
        frame: &'a mut Frame<'m>,
        segment: &'a Segment,
        rows: usize,
        again: bool,
    ) -> Self {
        Loop {
            frame,
            segment,
            rows,
            again,
            _types: PhantomData,
        }
    }
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
            each::<F, P>(&segment, 0..n, &mut inputs, &mut outputs, again);
        }
    }
}

/// The loop over elements of a segment. The accesses are of these elements alone. Those that see neighbourhoods may be
/// computed `again` where that is faster.
#[inline(always)]
pub(super) fn each<F, P>(
    segment: &Segment,
    elements: Range<usize>,
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
        for part in in_blocks::<F, P>(elements.len(), again) {
            let elements = elements.start + part.start..elements.start + part.end;
            let mut inputs = P::sub(inputs, part.clone());
            let mut outputs = <F::Output as Outputs>::sub(outputs, part);
            all!(elements, &mut inputs, &mut outputs);
        }
    } else {
        all!(elements, inputs, outputs);
    }
}

/// What a loop in vectors computes at once, in bytes of results: four vectors, or two where elements see neighbourhoods.
const fn block_bytes<P: ParamList>() -> usize {
    if P::NEAR.is_some() { 64 } else { 128 }
}

/// Computed again is no more than this part of a row, which is what a function pays that is not computed in vectors.
const MOST_AGAIN: usize = 8;

/// The elements of a row in two parts of whole blocks, of which the second begins with some of the first's: what does not
/// fill vectors would be computed one by one, and of a short row take as long as all the rest. The second part is empty
/// where that does not pay, where elements are changed in place, and where they may not be computed `again`.
#[inline(always)]
pub(super) fn in_blocks<F, P>(elems: usize, again: bool) -> [Range<usize>; 2]
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let block = match size_of::<F::Output>() {
        0 => 1,
        bytes => (block_bytes::<P>() / bytes).max(1),
    };
    let rest = elems % block;
    if !again || P::CHANGES || rest == 0 || elems < block || block - rest > elems / MOST_AGAIN {
        return [0..elems, elems..elems];
    }
    [0..elems - rest, elems - block..elems]
}

// SAFETY: the segments cover the piece, and the loop puts a value for every element of each, in all slots that
// are only to be written: `assert_slots`.
unsafe impl<F, P> Phases for Elementwise<F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    fn pattern(&self) -> Pattern {
        Pattern::Elementwise
    }

    fn local(&self, piece: &mut Frame<'_>) -> Spine {
        piece.assert_slots(P::LEN, <F::Output as Outputs>::LEN);
        if const { P::NEAR.is_some() } {
            let again = self.kernel().is_ok_and(|kernel| kernel.is_pure);
            rectangles::run::<F, P>(piece, piece.range.clone(), again);
            return Spine::EMPTY;
        }
        if const { P::HAS_LINES } && self.kernel().is_ok_and(|kernel| kernel.goes_through) {
            piece.gather_lines();
        }
        let (mut rest, opening) = (piece.range.clone(), piece.opening());
        if const { F::HAS_LANES } && rest.len() >= isa::lanes().max(1) {
            let choice = Choice::of::<Self>(|| {
                self.kernel()
                    .is_ok_and(|k| blocks::usable(k, F::LANES_MAY_GUESS))
            });
            blocks::run::<F, P>(
                piece,
                rest,
                opening,
                choice,
                |frame, segment| match opening.most() {
                    None => isa::dispatch(Loop::<F, P>::new(frame, &segment)),
                    Some(_) => rectangles::run::<F, P>(frame, segment.range(), false),
                },
            );
            return Spine::EMPTY;
        }
        if const { streamed::can_be::<F, P>() } && streamed::pays::<F, P>(piece) {
            streamed::run::<F, P>(piece);
            return Spine::EMPTY;
        }
        if const { F::At::BY_ROWS } || opening.most().is_some() {
            let again = self.kernel().is_ok_and(|kernel| kernel.is_pure);
            rectangles::run::<F, P>(piece, piece.range.clone(), again);
            return Spine::EMPTY;
        }
        while !rest.is_empty() {
            let segment = opening.segment(&rest, by_rows::<F, P>());
            rest.start = segment.range().end;
            isa::dispatch(Loop::<F, P>::new(piece, &segment));
        }
        Spine::EMPTY
    }

    fn kernel(&self) -> Result<&'static Arc<Kernel>> {
        cached::<Self>(|| {
            let (program, map) = build::build(F::ir)?;
            let arguments = arguments::<P>(&<F::Output as Outputs>::tys());
            Ok(kernel::<F::At>(
                Pattern::Elementwise,
                program,
                map,
                None,
                arguments,
            ))
        })
    }

    fn find_trap(&self, piece: Frame<'_>, before: &Before, _: Partial) -> Option<Error> {
        let mut run = |piece: &mut Frame<'_>| _ = self.local(piece);
        let (element, caught) = trap::first_panic(piece, before, &mut run)?;
        let i = element.range.start;
        Some(trap::of_element::<F, P>(
            self.kernel(),
            &element,
            i,
            Some(i),
            caught,
        ))
    }
}

/// What the operands of a plan are for.
pub(super) fn arguments<P: ParamList>(outputs: &[Ty]) -> Vec<Argument> {
    let inputs = P::ROLES
        .iter()
        .zip(P::tys())
        .map(|(role, ty)| Argument { role: *role, ty });
    let outputs = outputs.iter().map(|ty| Argument {
        role: Role::Out,
        ty: ty.clone(),
    });
    inputs.chain(outputs).collect()
}

/// Whether all elements of a segment must be of one row.
pub(super) const fn by_rows<F, P>() -> bool
where
    P: ParamList,
    F: UserFunction<P>,
{
    F::At::BY_ROWS || P::BY_ROWS
}

/// The kernel, with what `map` is given without being passed.
pub(super) fn kernel<At: Position>(
    pattern: Pattern,
    program: Program,
    map: FnId,
    operator: Option<(FnId, bool)>,
    arguments: Vec<Argument>,
) -> Kernel {
    let function = program.function(map);
    let parameter = |ty: &Ty| (0..function.params.len()).find(|k| function.param_ty(*k) == ty);
    let index = At::KIND.and_then(|kind| {
        let ty = match kind {
            IndexKind::Index1 => Index1::ty(),
            IndexKind::Index2 => Index2::ty(),
            IndexKind::Index3 => Index3::ty(),
            IndexKind::Index4 => Index4::ty(),
        };
        Some((parameter(&ty)?, kind))
    });
    let random = if At::RANDOM {
        parameter(&Random::ty())
    } else {
        None
    };
    let kernel = Kernel::new(pattern, program, map, operator, index, arguments);
    match random {
        Some(at) => kernel.with_random(at),
        None => kernel,
    }
}
