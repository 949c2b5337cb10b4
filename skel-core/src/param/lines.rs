//! Kinds of parameters that are lines of containers.

use super::{Kind, Line, Param, access::opened_as_one};
use crate::{
    Element,
    frame::{LinesAccess, Slot},
    ir::{Ty, Value, ViewKind, eval},
    plan::Role,
    space::{Lines, Segment},
};
use std::{cell::RefCell, collections::BTreeMap, marker::PhantomData, ops::Range};

/// A line of a container, to be read: `l: &Line<T>`.
pub struct EachLine<T>(PhantomData<fn() -> T>);
/// A line of a container, to be read and written: `l: &mut Line<T>`.
pub struct EachLineMut<T>(PhantomData<fn() -> T>);

impl<T: 'static> Kind for EachLine<T> {
    type Arg<'a> = &'a Line<'a, T>;
}
impl<T: 'static> Kind for EachLineMut<T> {
    type Arg<'a> = &'a mut Line<'a, T>;
}

/// What the interpreter sees of a line: its elements, and what was stored in them since. The container stays as it
/// is.
struct EvalLine<F> {
    len: usize,
    element: F,
    stored: RefCell<BTreeMap<isize, Value>>,
}

impl<F: Fn(usize) -> Value> EvalLine<F> {
    fn new(lines: Lines, element: F) -> Self {
        EvalLine {
            len: lines.len(),
            element,
            stored: RefCell::default(),
        }
    }
}

impl<F: Fn(usize) -> Value> eval::View for EvalLine<F> {
    fn extent(&self, _: usize) -> usize {
        self.len
    }

    fn get(&self, indices: &[isize]) -> Value {
        let stored = self.stored.borrow();
        let value = stored.get(&indices[0]).cloned();
        value.unwrap_or_else(|| (self.element)(indices[0].cast_unsigned()))
    }

    fn set(&self, indices: &[isize], value: Value) {
        self.stored.borrow_mut().insert(indices[0], value);
    }
}

fn value<T: Element>(number: usize) -> Value {
    match Ty::view(T::ty(), ViewKind::Line) {
        Ty::View(ty) => Value::View(ty, number),
        _ => unreachable!("a view has the type of one"),
    }
}

macro_rules! line {
    ($kind:ident, $role:ident, $slot:ident, $writes:literal, $get:ident) => {
        impl<T: Element> Param for $kind<T> {
            const ROLE: Role = Role::$role;
            const IS_LINE: bool = true;
            type Access<'a> = LinesAccess<'a, T, $writes>;

            opened_as_one!();

            #[inline(always)]
            fn cut(slot: &Slot<'_>, segment: &Segment, _: usize) -> usize {
                let r = segment.range();
                match slot {
                    Slot::$slot(lines) => {
                        r.end.min(r.start + lines.most_lines().unwrap_or(r.len()))
                    }
                    _ => r.end,
                }
            }

            #[inline(always)]
            fn rows(slot: &Slot<'_>, _: &Segment, most: usize) -> usize {
                match slot {
                    Slot::$slot(lines) if lines.most_lines().is_some() => 1,
                    _ => most,
                }
            }

            fn ty() -> Ty {
                Ty::view(T::ty(), ViewKind::Line)
            }

            #[inline(always)]
            fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> LinesAccess<'a, T, $writes> {
                match slot {
                    Slot::$slot(lines) => lines.open(segment.range()),
                    _ => unreachable!("lines have slots of their own"),
                }
            }

            #[inline(always)]
            fn sub<'b, 'a: 'b>(
                access: &'b mut LinesAccess<'a, T, $writes>,
                r: Range<usize>,
            ) -> LinesAccess<'b, T, $writes> {
                access.sub(r)
            }

            #[inline(always)]
            fn get<'b, 'a: 'b>(
                access: &'b mut LinesAccess<'a, T, $writes>,
                i: usize,
            ) -> Self::Arg<'b> {
                access.$get(i)
            }

            fn value(_: &Slot<'_>, _: usize, number: usize) -> Value {
                value::<T>(number)
            }

            fn view<'s>(slot: &'s Slot<'_>, segment: &Segment) -> Option<Box<dyn eval::View + 's>> {
                let Slot::$slot(lines) = slot else {
                    unreachable!("lines have slots of their own")
                };
                let line = segment.range().start;
                let element = move |i| lines.element::<T>(line, i).to_value();
                Some(Box::new(EvalLine::new(lines.lines(), element)))
            }
        }
    };
}
line!(EachLine, Line, Lines, false, get);
line!(EachLineMut, LineMut, LinesMut, true, get_mut);
