//! What a panic was about. The piece is run again, natively and element by element, to see which
//! element it was; that one alone is interpreted, to see where in the source.
//!
//! So a trap costs about as much as the piece again, whatever its elements cost, and the message of
//! the panic decides nothing but whether this build checks for overflow.

use super::{elementwise::by_rows, fold::Operator};
use crate::{
    Element, Error, Result,
    caught::{Caught, catch, or_unwind},
    frame::{Before, Frame, Partial, Slot},
    host_memory,
    ir::{
        Value,
        eval::{self, Env, Overflow, Stop},
    },
    param::{ParamList, Position},
    plan::{self, Kernel, Phases},
    space::Segment,
    user_function::UserFunction,
};
use std::{any::Any, cell::Cell, ops::Range, sync::Arc};

/// Interpreted steps of the one element, at most: some seconds.
const MAX_STEPS: u64 = 1 << 22;

/// So many elements are run again one by one; of longer pieces, parts of so many are first run as
/// they are.
const ONE_BY_ONE: usize = 1 << 12;
const PART: usize = 1 << 10;

/// What made a function panic.
pub(super) enum Cause {
    /// This element.
    Element(usize),
    /// The operator, of these two.
    Operator([Value; 2]),
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

/// How the elements of a fold or scan are computed and combined once more, in order. What goes from one of its functions to
/// another is a `Vec<T>`: the values of some elements, or the total, if there is one.
pub(super) struct Walk {
    pub(super) reads: Reads,
    pub(super) operator: &'static str,
    inputs: usize,
    no_values: fn() -> Box<dyn Any>,
    /// Appends the values of the elements of a segment.
    values: fn(&mut [Slot<'_>], &Segment, &mut dyn Any),
    /// How many values there are.
    len: fn(&dyn Any) -> usize,
    /// Adds values to the total, and counts them.
    combine: fn(&mut dyn Any, &dyn Any, &Cell<usize>),
    /// The total, and one of the values.
    operands: fn(&dyn Any, &dyn Any, usize) -> [Value; 2],
}

impl Walk {
    pub(super) const fn of<F, R, P>() -> Self
    where
        P: ParamList,
        F: UserFunction<P, Output: Element>,
        R: Operator<F::Output>,
    {
        Walk {
            reads: Reads::of::<F, P>(),
            operator: R::NAME,
            inputs: P::LEN,
            no_values: || Box::new(Vec::<F::Output>::new()),
            values: values::<F, P>,
            len: |values| typed::<F::Output>(values).len(),
            combine: combine::<F::Output, R>,
            operands: |total, values, k| {
                let (total, values) = (typed::<F::Output>(total), typed::<F::Output>(values));
                [total[0].to_value(), values[k].to_value()]
            },
        }
    }

    /// Combines the elements of `ranges`, one after the other, behind the total: what panics. Behind the operator,
    /// `to_the_end` looks for an element that does, since that counts more, as on devices. `None` if nothing panics, this
    /// time.
    pub(super) fn first_panic(
        &self,
        piece: &mut Frame<'_>,
        ranges: &mut dyn Iterator<Item = Range<usize>>,
        total: &mut dyn Any,
        to_the_end: bool,
    ) -> Option<(Cause, Caught)> {
        let (opening, mut operator) = (piece.opening(), None);
        let mut rest = 0..0;
        loop {
            if rest.is_empty() {
                let Some(range) = ranges.next() else {
                    return operator;
                };
                rest = range;
                continue;
            }
            let part = rest.start..rest.end.min(rest.start + PART);
            let segment = opening.segment(&part, self.reads.by_rows);
            let mut values = (self.no_values)();
            let slots = &mut piece.slots[..self.inputs];
            let computed = catch(|| (self.values)(slots, &segment, &mut *values));
            if operator.is_none() {
                let done = Cell::new(0);
                if let Err(caught) = catch(|| (self.combine)(total, &*values, &done)) {
                    let operands = (self.operands)(total, &*values, done.get());
                    operator = Some((Cause::Operator(operands), caught));
                    if !to_the_end {
                        return operator;
                    }
                }
            }
            if let Err(caught) = computed {
                let element = segment.range().start + (self.len)(&*values);
                return Some((Cause::Element(element), caught));
            }
            rest.start = segment.range().end;
        }
    }
}

/// The values of the elements of the segment, as far as none panics.
fn values<F, P>(slots: &mut [Slot<'_>], segment: &Segment, into: &mut dyn Any)
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
{
    let into = typed_mut::<F::Output>(into);
    or_unwind(host_memory::reserve(into, segment.range().len()));
    let mut rest = segment.clone();
    while !rest.range().is_empty() {
        // What sees beyond an edge is opened by itself.
        let part = rest.clone().until(P::cut(slots, &rest, 1));
        let mut access = P::open(slots, &part);
        for k in 0..part.range().len() {
            into.push(F::call(F::At::at(&part, k), P::get(&mut access, k)));
        }
        rest = rest.after(part.range().len());
    }
}

fn combine<T: Element, R: Operator<T>>(total: &mut dyn Any, values: &dyn Any, done: &Cell<usize>) {
    let (total, values) = (typed_mut::<T>(total), typed::<T>(values));
    for (k, value) in values.iter().enumerate() {
        done.set(k);
        match total.first_mut() {
            Some(total) => *total = R::apply(*total, *value),
            None => total.push(*value),
        }
    }
}

fn typed<T: Element>(values: &dyn Any) -> &Vec<T> {
    values.downcast_ref().expect("values of one type")
}

fn typed_mut<T: Element>(values: &mut dyn Any) -> &mut Vec<T> {
    values.downcast_mut().expect("values of one type")
}

/// The trap of the first element of a piece that panics, or of the operator, behind `total`. An element's number is said
/// if they are `numbered`.
pub(super) fn of_combined(
    kernel: Result<&'static Arc<Kernel>>,
    walk: &Walk,
    piece: &mut Frame<'_>,
    before: &Before,
    total: &mut dyn Any,
    numbered: bool,
) -> Option<Error> {
    before.restore(piece);
    let all = &mut std::iter::once(piece.range.clone());
    let (cause, caught) = walk.first_panic(piece, all, total, true)?;
    // What the element itself has changed before it panicked is what it was, for the interpreter.
    before.restore(piece);
    Some(match cause {
        Cause::Element(i) => {
            let index = numbered.then_some(i);
            of_element(kernel, &walk.reads, piece, i, index, caught)
        }
        Cause::Operator(operands) => of_operands(kernel, walk.operator, &operands, None, caught),
    })
}

/// What is read through a view, for each argument that is one.
type Views<'s> = Vec<Option<Box<dyn eval::View + 's>>>;

/// How the interpreter reads what a function is called with.
pub(super) struct Reads {
    name: &'static str,
    by_rows: bool,
    given: fn(&Segment) -> [Option<Value>; 2],
    values: fn(&[Slot<'_>], usize) -> Vec<Value>,
    views: for<'s> fn(&'s [Slot<'_>], &Segment) -> Views<'s>,
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

/// The trap of an operator, which panicked so when it combined these two.
pub(super) fn of_operands(
    kernel: Result<&'static Arc<Kernel>>,
    operator: &str,
    operands: &[Value; 2],
    index: Option<usize>,
    caught: Caught,
) -> Error {
    plan::explained(kernel, operator, index, caught, &|kernel, overflow| {
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

/// The same of two partials, of type `T`.
pub(super) fn of_partials<T: Element>(
    kernel: Result<&'static Arc<Kernel>>,
    operator: &str,
    partials: [&Partial; 2],
    caught: Caught,
) -> Error {
    let [left, right] = partials.map(|partial| partial.get::<T>().map(T::to_value));
    match left.zip(right) {
        Some((left, right)) => of_operands(kernel, operator, &[left, right], None, caught),
        None => plan::unplaced(kernel, operator, None, caught),
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
