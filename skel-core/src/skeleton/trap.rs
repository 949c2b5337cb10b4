//! What a panic was about: the interpreter over the elements of a piece.

use super::elementwise::by_rows;
use crate::{
    Error,
    frame::Frame,
    ir::{
        Value,
        eval::{self, Env, Overflow, Stop},
    },
    param::{ParamList, Position, Segment},
    plan::Kernel,
    user_function::UserFunction,
};

/// Interpreted steps per element, at most.
const MAX_STEPS: u64 = 1 << 26;

/// How elements are interpreted, where there are no views.
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
    piece.range.clone().find_map(
        |i| match interpret_element::<F, P>(kernel, piece, i, overflow) {
            Ok(_) => None,
            Err(trap) => Some(trap.into_error(Some(i))),
        },
    )
}

/// Interprets the element function for element `i`. Containers that it reads at random stay where
/// they are.
pub(super) fn interpret_element<F, P>(
    kernel: &Kernel,
    piece: &Frame<'_>,
    i: usize,
    overflow: Overflow,
) -> std::result::Result<Value, Stop>
where
    P: ParamList,
    F: UserFunction<P>,
{
    let segment = Segment::new(&(i..i + 1), by_rows::<F, P>(), piece.arguments_space());
    let mut args = P::values(&piece.slots, i);
    let given = F::At::at(&segment, 0);
    let index = kernel.index.map(|(at, _)| at).zip(given.index());
    let random = kernel.random.zip(given.random());
    let mut given: Vec<(usize, Value)> = index.into_iter().chain(random).collect();
    given.sort_by_key(|(at, _)| *at);
    for (at, value) in given {
        args.insert(at, value);
    }
    let views = P::views(&piece.slots, &segment);
    let views: Vec<&dyn eval::View> = views
        .iter()
        .map(|view| view.as_deref().unwrap_or(&NoView))
        .collect();
    let env = Env {
        views: &views,
        ..interpreted(overflow)
    };
    eval::call_with(&kernel.program, kernel.map, &args, env).map(|outcome| outcome.result)
}

/// Stands where an argument is no view, so that views have the numbers of their arguments.
struct NoView;

impl eval::View for NoView {
    fn extent(&self, _: usize) -> usize {
        0
    }

    fn get(&self, _: &[isize]) -> Value {
        unreachable!("it has no elements")
    }
}
