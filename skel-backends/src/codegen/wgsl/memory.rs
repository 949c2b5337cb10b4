//! Elements in memory that the host sees.
//!
//! A scalar is an element of an array of its own type; `bool` and integers of less than 32 bits take
//! 32, `f16` is an `f32`, `usize` and `isize` have no more. The parts of a struct or array lie one after the other in an
//! array of `u32`, without padding: one word each, or two of which the lower comes first.

use super::{
    Wgsl,
    types::{self, carrier, is_long},
};
use crate::codegen::Cx;
use skel_core::ir::Ty;
use std::fmt::Write;

/// Whether an element lies in memory as several scalars.
#[must_use]
pub fn is_aggregate(ty: &Ty) -> bool {
    matches!(ty, Ty::Struct(_) | Ty::Array(_))
}

/// Bytes that an element takes on the device.
#[must_use]
pub fn stored_bytes(ty: &Ty) -> u64 {
    words(ty) as u64 * 4
}

/// Words of 32 bits that a value takes.
pub(super) fn words(ty: &Ty) -> usize {
    match ty {
        Ty::Unit | Ty::View(_) => 0,
        Ty::Struct(s) => s.fields.iter().map(|f| words(&f.ty)).sum(),
        Ty::Array(a) => words(&a.elem) * a.len,
        scalar if is_wide(scalar) => 2,
        _ => 1,
    }
}

/// The type of the array in which elements lie.
pub(super) fn stored(ty: &Ty) -> &'static str {
    match ty {
        Ty::Bool | Ty::Struct(_) | Ty::Array(_) => "u32",
        scalar => carrier(scalar),
    }
}

/// A scalar from what was loaded.
pub(super) fn loaded(ty: &Ty, text: &str) -> String {
    if *ty == Ty::Bool {
        format!("({text} != 0u)")
    } else {
        text.to_owned()
    }
}

/// What is stored for a scalar.
pub(super) fn to_store(ty: &Ty, text: &str) -> String {
    if *ty == Ty::Bool {
        format!("select(0u, 1u, {text})")
    } else {
        text.to_owned()
    }
}

fn is_wide(ty: &Ty) -> bool {
    is_long(ty) || *ty == Ty::F64
}

/// Words in memory, by name.
#[derive(Clone, Copy)]
pub(super) enum Words<'a> {
    /// An array of words.
    Storage(&'a str),
    /// Words in groups of four, which is how a block of uniforms can hold arrays.
    Uniform(&'a str),
}

impl Words<'_> {
    fn at(self, position: &str) -> String {
        match self {
            Words::Storage(name) => format!("{name}[{position}]"),
            Words::Uniform(name) => {
                match position
                    .strip_suffix('u')
                    .and_then(|p| p.parse::<usize>().ok())
                {
                    Some(at) => format!("{name}[{}][{}]", at / 4, at % 4),
                    None => format!("{name}[({position}) / 4u][({position}) % 4u]"),
                }
            }
        }
    }
}

impl Wgsl {
    /// The function `name` that loads a struct or array, whose first word is its argument; of uniforms,
    /// the first of all.
    pub(super) fn load_function(
        &mut self,
        cx: &mut Cx<'_>,
        name: &str,
        ty: &Ty,
        from: Words<'_>,
    ) -> String {
        let (param, at) = match from {
            Words::Storage(_) => ("at: u32", "at"),
            Words::Uniform(_) => ("", "0u"),
        };
        let text = self.ty(cx, ty);
        let mut out = format!("fn {name}({param}) -> {text} {{\n    var value: {text};\n");
        let walk = Walk {
            out: &mut out,
            leaf: &mut |ty, place, at| leaf_from_words(ty, place, at, from),
        };
        walk.parts(ty, "value", at, 0, 1);
        out.push_str("    return value;\n}\n\n");
        out
    }

    /// The function `name` that stores a struct or array from the word on that is its first argument.
    pub(super) fn store_function(
        &mut self,
        cx: &mut Cx<'_>,
        name: &str,
        ty: &Ty,
        to: &str,
    ) -> String {
        let text = self.ty(cx, ty);
        let mut out = format!("fn {name}(at: u32, given: {text}) {{\n    var value = given;\n");
        let walk = Walk {
            out: &mut out,
            leaf: &mut |ty, place, at| leaf_to_words(ty, place, at, to),
        };
        walk.parts(ty, "value", "at", 0, 1);
        out.push_str("}\n\n");
        out
    }
}

/// Where word number `k` of a scalar lies.
type Position<'a> = &'a dyn Fn(usize) -> String;

/// The lines that copy one scalar, which has its place in the value.
type Leaf<'a> = dyn FnMut(&Ty, &str, Position<'_>) -> String + 'a;

/// A walk over the scalars of a value, of which each has its place in it and in memory.
struct Walk<'a> {
    out: &'a mut String,
    leaf: &'a mut Leaf<'a>,
}

impl Walk<'_> {
    /// `place` is the part, `at` the position of the words, of which it begins at number `first`.
    fn parts(self, ty: &Ty, place: &str, at: &str, first: usize, depth: usize) {
        let Walk { out, leaf } = self;
        match ty {
            Ty::Struct(structure) => {
                let mut first = first;
                for (position, field) in structure.fields.iter().enumerate() {
                    let part = format!("{place}.{}", types::field(structure, position));
                    let walk = Walk {
                        out: &mut *out,
                        leaf: &mut *leaf,
                    };
                    walk.parts(&field.ty, &part, at, first, depth);
                    first += words(&field.ty);
                }
            }
            Ty::Array(array) => {
                let (i, next) = (format!("i{depth}"), format!("at{depth}"));
                let stride = words(&array.elem);
                // Writing to a string cannot fail.
                let indent = depth * 4;
                let _ = writeln!(
                    out,
                    "{:indent$}for (var {i} = 0u; {i} < {}u; {i}++) {{",
                    "", array.len
                );
                let begin = shifted(at, first);
                let step = match stride {
                    1 => i.clone(),
                    _ => format!("{i} * {stride}u"),
                };
                let _ = writeln!(out, "{:indent$}    let {next} = {begin} + {step};", "");
                let walk = Walk {
                    out: &mut *out,
                    leaf: &mut *leaf,
                };
                walk.parts(&array.elem, &format!("{place}[{i}]"), &next, 0, depth + 1);
                let _ = writeln!(out, "{:indent$}}}", "");
            }
            scalar => {
                let lines = leaf(scalar, place, &|word| shifted(at, first + word));
                for line in lines.lines() {
                    let _ = writeln!(out, "{:1$}{line}", "", depth * 4);
                }
            }
        }
    }
}

fn shifted(at: &str, words: usize) -> String {
    match (at, words) {
        (at, 0) => at.to_owned(),
        ("0u", words) => format!("{words}u"),
        _ => format!("{at} + {words}u"),
    }
}

fn leaf_from_words(ty: &Ty, place: &str, at: Position<'_>, from: Words<'_>) -> String {
    let word = |k| from.at(&at(k));
    let value = match carrier(ty) {
        "bool" => format!("{} != 0u", word(0)),
        "u32" => word(0),
        "u64" => format!("skel_wide({}, {})", word(0), word(1)),
        wide if is_wide(ty) => format!("bitcast<{wide}>(skel_wide({}, {}))", word(0), word(1)),
        small => format!("bitcast<{small}>({})", word(0)),
    };
    format!("{place} = {value};")
}

fn leaf_to_words(ty: &Ty, place: &str, at: Position<'_>, to: &str) -> String {
    let word = |k: usize, text: String| format!("{to}[{}] = {text};", at(k));
    match carrier(ty) {
        "bool" => word(0, format!("select(0u, 1u, {place})")),
        "u32" => word(0, place.to_owned()),
        _ if is_wide(ty) => {
            let bits = match ty {
                Ty::U64 => place.to_owned(),
                _ => format!("bitcast<u64>({place})"),
            };
            let low = word(0, format!("skel_low_u64({bits})"));
            let high = word(1, format!("skel_high_u64({bits})"));
            format!("{low}\n{high}")
        }
        _ => word(0, format!("bitcast<u32>({place})")),
    }
}
