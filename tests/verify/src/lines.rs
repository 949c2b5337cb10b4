//! Lines among the arguments. The value of such a parameter is an array: the line's elements.

use super::{
    run::{Argument, settle_one},
    values::Random,
};
use skel_core::{
    Element,
    ir::{Ty, Value, ViewKind, eval::View},
    param::{EachLine, EachLineMut, Line},
    plan::Kernel,
    space::{Lines, Shape},
};
use std::cell::RefCell;

/// How many elements a line has.
pub(crate) const LEN: usize = 5;

/// Whether it is the type of a line.
pub(crate) fn is_line(ty: &Ty) -> bool {
    matches!(ty, Ty::View(view) if view.kind == ViewKind::Line)
}

/// The type of a line's value.
fn array(ty: &Ty) -> Ty {
    match ty {
        Ty::View(view) => Ty::array(view.elem.clone(), LEN),
        other => unreachable!("{other} is no line"),
    }
}

/// A random line, for a parameter of this type.
pub(crate) fn value(ty: &Ty, random: &mut Random) -> Value {
    random.value(&array(ty))
}

/// How the lines of a launch of `n` elements lie: of every other kernel one after the other, else side by side.
pub(crate) fn lying(kernel: &Kernel, n: usize) -> Lines {
    match kernel.hash % 2 {
        0 => Lines::along(Shape::D2(n, LEN), 1),
        _ => Lines::along(Shape::D2(LEN, n), 0),
    }
}

/// The elements of a container that has these lines.
pub(crate) fn laid<'v>(lines: Lines, values: impl Iterator<Item = &'v Value>) -> Vec<Value> {
    let mut all = vec![Value::Unit; lines.count() * lines.len()];
    for (line, value) in values.enumerate() {
        let Value::Array(_, elements) = value else {
            unreachable!("{value:?} is no line")
        };
        for (i, element) in elements.iter().enumerate() {
            all[lines.element(line, i)] = element.clone();
        }
    }
    all
}

/// A line of a container that has these elements.
pub(crate) fn taken(ty: &Ty, lines: Lines, line: usize, get: impl Fn(usize) -> Value) -> Value {
    let elements = (0..lines.len()).map(|i| get(lines.element(line, i)));
    Value::array(&array(ty), elements.collect())
}

/// A line for the interpreter.
pub(crate) struct EvalLine(RefCell<Vec<Value>>);

impl EvalLine {
    pub(crate) fn of(value: &Value) -> EvalLine {
        match value {
            Value::Array(_, elements) => EvalLine(RefCell::new(elements.clone())),
            other => unreachable!("{other:?} is no line"),
        }
    }
}

impl View for EvalLine {
    fn extent(&self, _: usize) -> usize {
        self.0.borrow().len()
    }

    fn get(&self, indices: &[isize]) -> Value {
        self.0.borrow()[indices[0].cast_unsigned()].clone()
    }

    fn set(&self, indices: &[isize], value: Value) {
        self.0.borrow_mut()[indices[0].cast_unsigned()] = value;
    }
}

fn settle<T: Element>(value: &mut Value) {
    let Value::Array(_, elements) = value else {
        unreachable!("{value:?} is no line")
    };
    elements.iter_mut().for_each(settle_one::<T>);
}

fn store<T: Element>(value: &Value) -> Vec<T> {
    let Value::Array(_, elements) = value else {
        unreachable!("{value:?} is no line")
    };
    elements.iter().map(|e| T::from_value(e).unwrap()).collect()
}

/// Of a test, a few bytes: what is lent must live as long as the elements.
fn lent<T: Element>(elements: &mut [T]) -> &mut Line<'_, T> {
    Box::leak(Box::new(Line::of(elements)))
}

impl<T: Element> Argument for EachLine<T> {
    type Store = Vec<T>;
    fn settle(value: &mut Value) {
        settle::<T>(value);
    }
    fn store(value: &Value) -> Vec<T> {
        store(value)
    }
    fn arg(elements: &mut Vec<T>) -> &Line<'_, T> {
        lent(elements)
    }
}

impl<T: Element> Argument for EachLineMut<T> {
    type Store = Vec<T>;
    fn settle(value: &mut Value) {
        settle::<T>(value);
    }
    fn store(value: &Value) -> Vec<T> {
        store(value)
    }
    fn arg(elements: &mut Vec<T>) -> &mut Line<'_, T> {
        lent(elements)
    }
    fn changed(elements: &Vec<T>) -> Option<Value> {
        let parts = elements.iter().map(|e| Element::to_value(*e));
        Some(Value::array(
            &Ty::array(T::ty(), elements.len()),
            parts.collect(),
        ))
    }
}
