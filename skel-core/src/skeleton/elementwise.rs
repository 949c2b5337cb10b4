//! The elementwise pattern: `out[i] = f(x[i], …)`.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

use crate::{
    Error, Result,
    frame::{Frame, Partial},
    ir::{
        FnId, Program, Ty, Value, build,
        eval::{self, Env, Overflow},
    },
    isa,
    param::{Index1, Index2, Outputs, ParamList, Position, Segment},
    plan::{Argument, IndexKind, Kernel, Pattern, Phases, Role, cached},
    user_function::UserFunction,
};
use std::{marker::PhantomData, sync::Arc};

/// The plan of Map.
pub(super) struct Elementwise<F, P>(PhantomData<fn() -> (F, P)>);

impl<F, P> Elementwise<F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    pub(super) const PLAN: &'static dyn Phases = &Self(PhantomData);
}

/// The loop over one segment.
struct Loop<'a, 'm, F, P> {
    frame: &'a mut Frame<'m>,
    segment: Segment,
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
        let r = self.segment.range();
        let n = r.end - r.start;
        let (inputs, outputs) = self.frame.slots.split_at_mut(P::LEN);
        let mut inputs = P::open(inputs, &r);
        // Slices of exactly `n` elements, so that no access in the loop is checked.
        let mut inputs = P::sub(&mut inputs, 0..n);
        let mut outputs = <F::Output as Outputs>::open(outputs, &r);
        for k in 0..n {
            let value = F::call(F::At::at(&self.segment, k), P::get(&mut inputs, k));
            <F::Output as Outputs>::put(&mut outputs, k, value);
        }
    }
}

// SAFETY: the segments cover the piece, and the loop puts a value for every element of each.
unsafe impl<F, P> Phases for Elementwise<F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    fn pattern(&self) -> Pattern {
        Pattern::Elementwise
    }

    fn local(&self, piece: &mut Frame<'_>) -> Partial {
        let (mut rest, shape) = (piece.range.clone(), piece.shape);
        while !rest.is_empty() {
            let segment = F::At::segment(&rest, shape);
            rest.start = segment.range().end;
            isa::dispatch(Loop::<F, P> {
                frame: piece,
                segment,
                _types: PhantomData,
            });
        }
        Partial::NONE
    }

    fn kernel(&self) -> Result<Arc<Kernel>> {
        cached::<Self>(|| {
            let (program, map) = build::build(F::ir)?;
            let index = index_of::<F::At>(&program, map);
            let arguments = arguments::<P>(&<F::Output as Outputs>::tys());
            Ok(Kernel::new(
                Pattern::Elementwise,
                program,
                map,
                None,
                index,
                arguments,
            ))
        })
    }

    fn find_trap(&self, piece: &Frame<'_>, overflow: Overflow) -> Option<Error> {
        find_element_trap::<F, P>(&*self.kernel().ok()?, piece, overflow)
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

/// Which parameter of `map` is the index one.
pub(super) fn index_of<At: Position>(program: &Program, map: FnId) -> Option<(usize, IndexKind)> {
    let kind = At::KIND?;
    let ty = match kind {
        IndexKind::Index1 => Index1::ty(),
        IndexKind::Index2 => Index2::ty(),
    };
    let function = program.function(map);
    let at = (0..function.params.len()).find(|k| *function.param_ty(*k) == ty)?;
    Some((at, kind))
}

/// Interpreted steps per element, at most, in the search for a trap.
const MAX_STEPS: u64 = 1 << 26;

/// How elements are interpreted in the search for a trap.
pub(super) fn interpreted(overflow: Overflow) -> Env<'static> {
    Env {
        overflow,
        ..Env::steps(MAX_STEPS)
    }
}

/// The first element of the piece that traps in the element function.
pub(super) fn find_element_trap<F, P>(
    kernel: &Kernel,
    piece: &Frame<'_>,
    overflow: Overflow,
) -> Option<Error>
where
    P: ParamList,
    F: UserFunction<P>,
{
    piece.range.clone().find_map(|i| {
        let args = element_arguments::<F, P>(kernel, piece, i);
        match eval::call_with(&kernel.program, kernel.map, &args, interpreted(overflow)) {
            Ok(_) => None,
            Err(trap) => Some(trap.into_error(Some(i))),
        }
    })
}

/// The arguments of the element function for element `i`.
pub(super) fn element_arguments<F, P>(kernel: &Kernel, piece: &Frame<'_>, i: usize) -> Vec<Value>
where
    P: ParamList,
    F: UserFunction<P>,
{
    let mut args = P::values(&piece.slots, i);
    let segment = F::At::segment(&(i..i + 1), piece.shape);
    if let (Some((at, _)), Some(value)) = (kernel.index, F::At::at(&segment, 0).value()) {
        args.insert(at, value);
    }
    args
}
