//! Large constants, which lie in memory.
//!
//! A constant array that is a variable of the module is code to a compiler: one value after the other, for
//! each lane. Some take minutes for a thousand. So what is large is a read-only array of words, bound beside
//! the arguments and uploaded once per kernel, in which values lie as in all memory (see `memory`).

use super::{
    Wgsl,
    memory::{self, Words},
};
use crate::codegen::Cx;
use skel_core::ir::{Expr, ExprKind, Ty, Value};
use std::ops::Range;

/// The array that kernels declare.
pub(super) const ARRAY: &str = "constants";

/// Constants of more words than this lie in memory.
const MOST_WORDS: usize = 64;

/// What lies in memory so far.
#[derive(Debug, Default)]
pub(super) struct Constants {
    words: Vec<u32>,
    /// Where each of the constants lies.
    known: Vec<Range<usize>>,
    /// The types that are loaded from there, each by a function of its own.
    loaded: Vec<Ty>,
}

impl Constants {
    /// All words.
    pub(super) fn words(&self) -> Vec<u32> {
        self.words.clone()
    }

    /// Where the constant begins. What has the same words is the same.
    fn place(&mut self, value: &Value) -> usize {
        let begin = self.words.len();
        push_words(value, &mut self.words);
        let (before, new) = self.words.split_at(begin);
        let known = self
            .known
            .iter()
            .find(|known| before[(*known).clone()] == *new);
        if let Some(known) = known {
            let at = known.start;
            self.words.truncate(begin);
            return at;
        }
        self.known.push(begin..self.words.len());
        begin
    }
}

impl Wgsl {
    /// A part of a constant that lies in memory, or all of it.
    pub(super) fn part_of_constant(&mut self, cx: &mut Cx<'_>, e: &Expr) -> Option<String> {
        if !lies_in_memory(e) {
            return None;
        }
        let at = self.place_in_memory(cx, e);
        // Types that the device lacks are noted here.
        self.ty(cx, &e.ty);
        let loaded = &mut self.constants.loaded;
        let known = loaded.iter().position(|ty| *ty == e.ty);
        let number = known.unwrap_or_else(|| {
            loaded.push(e.ty.clone());
            loaded.len() - 1
        });
        Some(format!("{}({at})", load_name(number)))
    }

    /// The word where it begins. Indices are checked in their order.
    fn place_in_memory(&mut self, cx: &mut Cx<'_>, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Const(value) => {
                check_sizes(cx, value);
                format!("{}u", self.constants.place(value))
            }
            ExprKind::Index(array, index, line) => {
                let at = self.place_in_memory(cx, array);
                let len = match &array.ty {
                    Ty::Array(array) => array.len,
                    _ => 0,
                };
                let index = match self.index(cx, len, index, *line) {
                    known if known.bytes().all(|b| b.is_ascii_digit()) => format!("{known}u"),
                    text => text,
                };
                match memory::words(&e.ty) {
                    1 => format!("{at} + {index}"),
                    words => format!("{at} + {index} * {words}u"),
                }
            }
            ExprKind::Field(whole, position) => {
                let at = self.place_in_memory(cx, whole);
                let Ty::Struct(structure) = &whole.ty else {
                    return at;
                };
                let before = structure.fields.iter().take(*position);
                let words: usize = before.map(|field| memory::words(&field.ty)).sum();
                format!("{at} + {words}u")
            }
            // `lies_in_memory` has seen that there is nothing else.
            _ => String::new(),
        }
    }

    /// The functions by which `functions` load constants.
    pub(super) fn constant_loads(&mut self, cx: &mut Cx<'_>, functions: &str) -> String {
        let loaded = self.constants.loaded.clone();
        let loads = loaded.iter().enumerate().map(|(number, ty)| {
            let name = load_name(number);
            match functions.contains(&format!("{name}(")) {
                true => self.load_function(cx, &name, ty, Words::Storage(ARRAY)),
                false => String::new(),
            }
        });
        loads.collect()
    }
}

/// The name of the function that loads a type. No name of a program looks so.
fn load_name(number: usize) -> String {
    format!("constant{number}")
}

/// Whether it is a large constant, or a part of one.
pub(super) fn lies_in_memory(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(value) => {
            matches!(value, Value::Array(..) | Value::Struct(..))
                && memory::words(&e.ty) > MOST_WORDS
        }
        ExprKind::Index(whole, ..) | ExprKind::Field(whole, _) => lies_in_memory(whole),
        _ => false,
    }
}

/// `usize` and `isize` have 32 bits here.
fn check_sizes(cx: &mut Cx<'_>, value: &Value) {
    match value {
        Value::Struct(_, parts) | Value::Array(_, parts) => {
            parts.iter().for_each(|part| check_sizes(cx, part));
        }
        Value::Usize(x) if u32::try_from(*x).is_err() => {
            super::literal::too_wide(cx, x, "usize");
        }
        Value::Isize(x) if i32::try_from(*x).is_err() => {
            super::literal::too_wide(cx, x, "isize");
        }
        _ => {}
    }
}

/// As `memory` reads them.
fn push_words(value: &Value, words: &mut Vec<u32>) {
    let mut wide = |bits: u64| words.extend([bits as u32, (bits >> 32) as u32]);
    match value {
        Value::Unit | Value::View(..) => {}
        Value::I64(x) => wide(*x as u64),
        Value::U64(x) => wide(*x),
        Value::F64(x) => wide(x.to_bits()),
        Value::Bool(x) => words.push(u32::from(*x)),
        Value::I8(x) => words.push(i32::from(*x) as u32),
        Value::I16(x) => words.push(i32::from(*x) as u32),
        Value::I32(x) => words.push(*x as u32),
        Value::Isize(x) => words.push(*x as i32 as u32),
        Value::U8(x) => words.push(u32::from(*x)),
        Value::U16(x) => words.push(u32::from(*x)),
        Value::U32(x) => words.push(*x),
        Value::Usize(x) => words.push(*x as u32),
        Value::F16(x) => words.push(x.to_f32().to_bits()),
        Value::F32(x) => words.push(x.to_bits()),
        Value::Struct(_, parts) | Value::Array(_, parts) => {
            parts.iter().for_each(|part| push_words(part, words));
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn words_lie_as_memory_has_them() {
        let mut words = Vec::new();
        let inner = Value::structure(
            &Ty::tuple([Ty::U8, Ty::F64, Ty::Bool]),
            vec![Value::U8(7), Value::F64(-0.0), Value::Bool(true)],
        );
        let pair = Ty::array(inner.ty(), 2);
        push_words(&Value::array(&pair, vec![inner.clone(), inner]), &mut words);
        assert_eq!(words, [7, 0, 1 << 31, 1, 7, 0, 1 << 31, 1]);
        let mut words = Vec::new();
        for value in [
            Value::I8(-1),
            Value::I64(-2),
            Value::Usize(5),
            Value::F32(f32::from_bits(0x7fc0_1234)),
        ] {
            push_words(&value, &mut words);
        }
        assert_eq!(words, [u32::MAX, u32::MAX - 1, u32::MAX, 5, 0x7fc0_1234]);
    }
}
