//! What a panic was about. The piece is run again, natively and element by element, to see which
//! element it was; that one alone is interpreted, to see where in the source.
//!
//! So a trap costs about as much as the piece again, whatever its elements cost, and the message of
//! the panic decides nothing but whether this build checks for overflow.

use super::{elementwise::by_rows, fold::Operator};
use crate::{
    Element, Error, Result,
    caught::{Caught, catch},
    frame::{Before, Frame, Partial, Slot},
    ir::{
        Value,
        eval::{self, Env, Overflow, Stop},
    },
    param::{ParamList, Position},
    plan::{self, Kernel, Phases},
    space::Segment,
    user_function::UserFunction,
};
use std::{cell::Cell, ops::Range, sync::Arc};

/// Interpreted steps of the one element, at most: some seconds.
const MAX_STEPS: u64 = 1 << 22;

/// So many elements are run again one by one; of longer pieces, parts of so many are first run as
/// they are.
const ONE_BY_ONE: usize = 1 << 12;
const PART: usize = 1 << 10;

/// What made a function panic.
pub(super) enum Cause<T> {
    /// This element.
    Element(usize),
    /// The operator, of these two.
    Operator(T, T),
}

/// The first element of the piece, as a piece of its own with its inputs as they were, that `run`
/// panics for. `None` if none does, this time.
pub(super) fn first_panic<'m>(
    piece: Frame<'m>,
    before: &Before,
    run: &mut dyn FnMut(&mut Frame<'_>),
) -> Option<(Frame<'m>, Caught)> {
    let mut first_of = |mut rest: Frame<'m>, elems: usize| {
        before.restore(&mut rest);
        while !rest.range.is_empty() {
            let end = rest.range.end.min(rest.range.start + elems);
            let mut head = rest.take_front(end);
            if let Err(caught) = catch(|| run(&mut head)) {
                before.restore(&mut head);
                return Some((head, caught));
            }
        }
        None
    };
    if piece.range.len() <= ONE_BY_ONE {
        return first_of(piece, 1);
    }
    let (part, _) = first_of(piece, PART)?;
    first_of(part, 1)
}

/// Combines the elements of `ranges`, one after the other, after what precedes them: what panics.
/// Behind the operator, `to_the_end` looks for an element that does, since that counts more, as on
/// devices. `None` if nothing panics, this time.
pub(super) fn walk<F, R, P>(
    piece: &mut Frame<'_>,
    ranges: impl Iterator<Item = Range<usize>>,
    before: Option<F::Output>,
    to_the_end: bool,
) -> Option<(Cause<F::Output>, Caught)>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let opening = piece.opening();
    let (mut total, mut operator) = (before, None);
    for mut rest in ranges {
        while !rest.is_empty() {
            let combines = operator.is_none();
            let at = Cell::new((rest.start, None));
            let walked = catch(|| {
                let segment = opening.segment(&rest, by_rows::<F, P>());
                let r = segment.range();
                let mut access = P::open(&mut piece.slots[..P::LEN], &segment);
                for k in 0..r.len() {
                    at.set((r.start + k, None));
                    let value = F::call(F::At::at(&segment, k), P::get(&mut access, k));
                    if let Some(total) = total.filter(|_| combines) {
                        at.set((r.start + k, Some((total, value))));
                    }
                    total = match total.filter(|_| combines) {
                        Some(total) => Some(R::apply(total, value)),
                        None => Some(value),
                    };
                }
                r.end
            });
            match (walked, at.into_inner()) {
                (Ok(end), _) => rest.start = end,
                (Err(caught), (i, Some((left, right)))) => {
                    operator = Some((Cause::Operator(left, right), caught));
                    if !to_the_end {
                        return operator;
                    }
                    // Behind it, elements are all that is looked at.
                    rest.start = i + 1;
                }
                (Err(caught), (i, None)) => return Some((Cause::Element(i), caught)),
            }
        }
    }
    operator
}

/// How the interpreter reads what a function is called with.
pub(super) struct Reads {
    name: &'static str,
    by_rows: bool,
    given: fn(&Segment) -> [Option<Value>; 2],
    values: fn(&[Slot<'_>], usize) -> Vec<Value>,
    views: for<'s> fn(&'s [Slot<'_>], &Segment) -> Vec<Option<Box<dyn eval::View + 's>>>,
}

impl Reads {
    pub(super) const fn of<F, P>() -> Self
    where
        P: ParamList,
        F: UserFunction<P>,
    {
        Reads {
            name: F::NAME,
            by_rows: by_rows::<F, P>(),
            given: given::<F::At>,
            values: P::values,
            views: P::views,
        }
    }
}

fn given<At: Position>(segment: &Segment) -> [Option<Value>; 2] {
    let at = At::at(segment, 0);
    [at.index(), at.random()]
}

/// The trap of the first element of a piece of independent elements that panics.
pub(super) fn of_piece(
    plan: &(dyn Phases + 'static),
    reads: &Reads,
    piece: Frame<'_>,
    before: &Before,
) -> Option<Error> {
    let mut run = |piece: &mut Frame<'_>| _ = plan.local(piece);
    let (element, caught) = first_panic(piece, before, &mut run)?;
    let i = element.range.start;
    Some(of_element(
        plan.kernel(),
        reads,
        &element,
        i,
        Some(i),
        caught,
    ))
}

/// The trap of element `i` of the piece, whose function panicked so.
pub(super) fn of_element(
    kernel: Result<&'static Arc<Kernel>>,
    reads: &Reads,
    piece: &Frame<'_>,
    i: usize,
    index: Option<usize>,
    caught: Caught,
) -> Error {
    plan::explained(kernel, reads.name, index, caught, &|kernel, overflow| {
        interpret_element(kernel, reads, piece, i, overflow)
    })
}

/// The trap of the operator `R`, which panicked so when it combined these two.
pub(super) fn of_operator<T: Element, R: Operator<T>>(
    kernel: Result<&'static Arc<Kernel>>,
    (left, right): (T, T),
    index: Option<usize>,
    caught: Caught,
) -> Error {
    let operands = [left.to_value(), right.to_value()];
    of_operands(kernel, R::NAME, &operands, index, caught)
}

/// The same, once for all operators.
fn of_operands(
    kernel: Result<&'static Arc<Kernel>>,
    name: &str,
    operands: &[Value],
    index: Option<usize>,
    caught: Caught,
) -> Error {
    plan::explained(kernel, name, index, caught, &|kernel, overflow| {
        let Some(operator) = kernel.operator else {
            return Ok(Value::Unit);
        };
        let env = Env {
            overflow,
            ..Env::steps(MAX_STEPS)
        };
        eval::call_with(&kernel.program, operator, operands, env).map(|outcome| outcome.result)
    })
}

/// The same of two partials.
pub(super) fn of_partials<T: Element, R: Operator<T>>(
    kernel: Result<&'static Arc<Kernel>>,
    left: &Partial,
    right: &Partial,
    caught: Caught,
) -> Error {
    match left.get().zip(right.get()) {
        Some(operands) => of_operator::<T, R>(kernel, operands, None, caught),
        None => plan::unplaced(kernel, R::NAME, None, caught),
    }
}

/// Interprets the element function for element `i`. Containers that it reads at random stay where
/// they are.
fn interpret_element(
    kernel: &Kernel,
    reads: &Reads,
    piece: &Frame<'_>,
    i: usize,
    overflow: Overflow,
) -> std::result::Result<Value, Stop> {
    let segment = Segment::new(&(i..i + 1), reads.by_rows, piece.arguments_space());
    let [index, random] = (reads.given)(&segment);
    let views = (reads.views)(&piece.slots, &segment);
    let mut args = (reads.values)(&piece.slots, i);
    let index = kernel.index.map(|(at, _)| at).zip(index);
    let mut given = [index, kernel.random.zip(random)];
    // The places are those of the list that has both.
    given.sort_by_key(|given| given.as_ref().map(|(at, _)| *at));
    for (at, value) in given.into_iter().flatten() {
        args.insert(at, value);
    }
    let views: Vec<&dyn eval::View> = views
        .iter()
        .map(|view| view.as_deref().unwrap_or(&NoView))
        .collect();
    let env = Env {
        steps: MAX_STEPS,
        overflow,
        views: &views,
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
