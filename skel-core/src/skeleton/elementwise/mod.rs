//! The elementwise pattern: `out[i] = f(x[i], …)`.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

mod loops;
mod piece;
mod rectangles;
mod streamed;

use super::trap::{self, Reads};
use crate::{
    Error, Result,
    frame::{Before, Frame, Partial, Spine},
    ir::{FnId, Program, Ty, build},
    param::{Form, Index1, Index2, Index3, Index4, Outputs, ParamList, Position, Random},
    plan::{Argument, IndexKind, Kernel, Pattern, Phases, Role, cached},
    user_function::UserFunction,
};
use piece::Loops;
use std::{marker::PhantomData, sync::Arc};

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

    pub(super) const LOOPS: &'static Loops = &Loops::of::<F, P>();

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
        Self::LOOPS.compute(self, piece);
        Spine::EMPTY
    }

    fn kernel(&self) -> Result<&'static Arc<Kernel>> {
        cached::<Self>(|| {
            let arguments = arguments::<P>(&<F::Output as Outputs>::tys());
            kernel_of_map::<F::At>(Pattern::Elementwise, F::ir, arguments)
        })
    }

    fn find_trap(&self, piece: Frame<'_>, before: &Before, _: Partial) -> Option<Error> {
        trap::of_piece(self, const { &Reads::of::<F, P>() }, piece, before)
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

/// The kernel of a function without an operator.
pub(super) fn kernel_of_map<At: Position>(
    pattern: Pattern,
    map: build::Root,
    arguments: Vec<Argument>,
) -> Result<Kernel> {
    let (program, map) = build::build(map)?;
    Ok(kernel::<At>(pattern, program, map, None, arguments))
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
