//! Places: parts of locals, and of elements of lines.

use super::{Frame, Stop, View};
use crate::ir::{LocalId, Place, Step, Ty, Value};

impl<'a> Frame<'_, 'a> {
    pub(super) fn store(&mut self, place: &'a Place, value: Value, line: u32) -> Result<(), Stop> {
        let path = self.path(place, line)?;
        self.keep(place.local, &path, value);
        Ok(())
    }

    /// The line that a local is, and the element of it that a way begins with.
    fn line(&self, local: LocalId, path: &[usize]) -> Option<(&'a dyn View, [isize; 1])> {
        match (&self.locals[local.0 as usize], path) {
            (Value::View(_, number), [at, ..]) => {
                Some((self.machine.views[*number], [at.cast_signed()]))
            }
            _ => None,
        }
    }

    /// The value at the end of a way.
    pub(super) fn load(&mut self, local: LocalId, path: &[usize]) -> Value {
        match self.line(local, path) {
            Some((line, at)) => part_of(&mut line.get(&at), &path[1..]).clone(),
            None => part_of(&mut self.locals[local.0 as usize], path).clone(),
        }
    }

    /// Stores a value at the end of a way.
    pub(super) fn keep(&mut self, local: LocalId, path: &[usize], value: Value) {
        match self.line(local, path) {
            Some((line, at)) => {
                let mut element = line.get(&at);
                *part_of(&mut element, &path[1..]) = value;
                line.set(&at, element);
            }
            None => *part_of(&mut self.locals[local.0 as usize], path) = value,
        }
    }

    /// The positions on the way to a place; traps where an index has no element.
    pub(super) fn path(&mut self, place: &'a Place, line: u32) -> Result<Vec<usize>, Stop> {
        let mut ty = &self.function.local(place.local).ty;
        let mut path = Vec::with_capacity(place.path.len());
        for step in &place.path {
            match (step, ty) {
                (Step::Field(field), Ty::Struct(s)) => {
                    ty = &s.fields[*field].ty;
                    path.push(*field);
                }
                (Step::Index(index, at), Ty::Array(a)) => {
                    path.push(self.index(index, a.len, line, *at)?);
                    ty = &a.elem;
                }
                (Step::Index(index, at), Ty::View(view)) => {
                    let len = match &self.locals[place.local.0 as usize] {
                        Value::View(_, number) => self.machine.views[*number].extent(0),
                        other => unreachable!("{other:?} as a line in a valid program"),
                    };
                    path.push(self.index(index, len, line, *at)?);
                    ty = &view.elem;
                }
                (step, ty) => unreachable!("{step:?} from `{ty}` in a valid program"),
            }
        }
        Ok(path)
    }
}

/// The part of a value at the end of a way.
fn part_of<'v>(value: &'v mut Value, path: &[usize]) -> &'v mut Value {
    let mut target = value;
    for position in path {
        match target {
            Value::Struct(_, parts) | Value::Array(_, parts) => target = &mut parts[*position],
            other => unreachable!("a part of {other:?} in a valid program"),
        }
    }
    target
}
