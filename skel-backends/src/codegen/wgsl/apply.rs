//! The element function, applied to element `at` of a chunk.

use super::{
    builder::{Builder, views},
    memory::{self, is_aggregate, words},
    strided, types,
};
use crate::codegen::Current;
use skel_core::{
    ir::{Ty, ViewKind},
    plan::{Argument, IndexKind, Role},
};

/// The three parts of it.
#[derive(Default)]
pub(super) struct Applied {
    pub(super) load: String,
    pub(super) apply: String,
    pub(super) store: String,
}

impl Builder<'_> {
    pub(super) fn apply_map(&mut self) -> Applied {
        let map = self.kernel.program.function(self.kernel.map);
        let mut applied = Applied::default();
        if self.kernel.arguments.iter().any(of_current) {
            let current = self.place();
            applied
                .load
                .push_str(&format!("skel_current = {current};\n"));
        }
        applied.load.push_str(&self.find_windows());
        let mut passed = Vec::new();
        let mut arguments = self
            .kernel
            .arguments
            .iter()
            .enumerate()
            .filter(|(_, a)| !a.role.is_out());
        for position in 0..map.params.len() {
            if let Some((at, kind)) = self.kernel.index
                && at == position
            {
                passed.push(self.index(map.param_ty(position), kind));
                continue;
            }
            if self.kernel.random == Some(position) {
                let random = self.random(map.param_ty(position));
                applied.load.push_str(&random);
                passed.push("&random".into());
                continue;
            }
            let Some((k, argument)) = arguments.next() else {
                self.cx
                    .internal("its parameters and the kernel's arguments differ in number");
                break;
            };
            match argument.role {
                Role::Uniform => passed.push(uniform(k, &argument.ty)),
                // Its function is a version for this very container.
                Role::View | Role::Window(_) | Role::Sweep(_) => {}
                Role::Line | Role::LineMut => applied.load.push_str(&self.find_line(k)),
                Role::InOut | Role::StridedOut(..) => {
                    let at = self.at(k);
                    let value = load(k, &argument.ty, &at);
                    applied
                        .load
                        .push_str(&format!("var changed{k} = {value};\n"));
                    let changed = format!("changed{k}");
                    applied
                        .store
                        .push_str(&store(k, &argument.ty, &at, &changed));
                    passed.push(format!("&{changed}"));
                }
                Role::In | Role::Strided(_) | Role::Out => {
                    passed.push(load(k, &argument.ty, &self.at(k)));
                }
            }
        }
        let views = views(self.kernel);
        let name = self.wgsl.version(&mut self.cx, self.kernel.map, &views);
        let call = format!("{name}({})", passed.join(", "));
        applied.apply = match map.ret {
            Ty::Unit => format!("{call};"),
            _ => format!("let value = {call};"),
        };
        applied.store.push_str(&self.outputs(&map.ret));
        applied
    }

    /// Stores the result: in the output, or, if there are several, its fields in one each.
    fn outputs(&mut self, result: &Ty) -> String {
        let outputs = self.kernel.arguments.iter().enumerate();
        let outputs: Vec<(usize, &Argument)> = outputs.filter(|(_, a)| a.role.is_out()).collect();
        match (outputs.as_slice(), result) {
            ([(k, argument)], _) => store(*k, &argument.ty, &self.at(*k), "value"),
            ([], _) => String::new(),
            (several, Ty::Struct(tuple)) if tuple.fields.len() == several.len() => several
                .iter()
                .enumerate()
                .map(|(field, (k, argument))| {
                    let part = format!("value.{}", types::field(tuple, field));
                    store(*k, &argument.ty, &self.at(*k), &part)
                })
                .collect(),
            _ => self
                .cx
                .internal("its result and the kernel's outputs differ in number"),
        }
    }

    /// How many elements from the first one on that of argument `k` lies.
    fn at(&self, k: usize) -> String {
        match self.kernel.arguments[k].role.strides() {
            Some(rank) => strided::place(k, rank, self.current()),
            None => "at".into(),
        }
    }

    /// The current element, as the arguments count it.
    pub(super) fn place(&self) -> &'static str {
        match self.current() {
            Current::Element => "(params.base + at)",
            Current::Step => "place",
        }
    }

    fn index(&mut self, ty: &Ty, kind: IndexKind) -> String {
        let name = self.wgsl.ty(&mut self.cx, ty);
        let at = self.place();
        match kind {
            IndexKind::Index1 => format!("{name}({at})"),
            IndexKind::Index2 => format!("{name}({at} / params.columns, {at} % params.columns)"),
            IndexKind::Index3 => format!(
                "{name}({at} / params.columns / params.rows, {at} / params.columns % params.rows, {at} % params.columns)"
            ),
            IndexKind::Index4 => {
                let plane = format!("{at} / params.columns / params.rows");
                format!(
                    "{name}({plane} / params.planes, {plane} % params.planes, {at} / params.columns % params.rows, {at} % params.columns)"
                )
            }
        }
    }

    /// The generator before its first draw: seed, call and index; all else is 0.
    fn random(&mut self, ty: &Ty) -> String {
        let name = self.wgsl.ty(&mut self.cx, ty);
        let Ty::Struct(structure) = ty else {
            return self.cx.internal("a random generator that is no struct");
        };
        let first = [
            "params.seed",
            "params.seed_high",
            "params.call",
            self.place(),
        ];
        let rest = structure.fields.len().saturating_sub(first.len());
        let values: Vec<&str> = first
            .into_iter()
            .chain(std::iter::repeat_n("0u", rest))
            .collect();
        format!("var random = {name}({});\n", values.join(", "))
    }
}

/// Whether it is a row or column of the current element.
fn of_current(argument: &Argument) -> bool {
    matches!(&argument.ty, Ty::View(view) if matches!(view.kind, ViewKind::Row | ViewKind::Col))
}

pub(super) fn uniform(k: usize, ty: &Ty) -> String {
    if is_aggregate(ty) {
        format!("load_uniform{k}()")
    } else {
        memory::loaded(ty, &format!("params.uniform{k}"))
    }
}

/// Where the element of argument `k` lies that is so many elements from its first one.
fn position(k: usize, ty: &Ty, place: &str) -> String {
    if is_aggregate(ty) {
        format!("params.offset{k} + {place} * {}u", words(ty))
    } else {
        format!("params.offset{k} + {place}")
    }
}

fn load(k: usize, ty: &Ty, place: &str) -> String {
    let at = position(k, ty, place);
    if is_aggregate(ty) {
        format!("load_arg{k}({at})")
    } else {
        memory::loaded(ty, &format!("arg{k}[{at}]"))
    }
}

pub(super) fn store(k: usize, ty: &Ty, place: &str, value: &str) -> String {
    let at = position(k, ty, place);
    if is_aggregate(ty) {
        format!("store_arg{k}({at}, {value});\n")
    } else {
        let value = memory::to_store(ty, value);
        format!("arg{k}[{at}] = {value};\n")
    }
}

/// Stores a value at a position, counted in elements from the beginning of the array.
pub(super) fn store_at(array: &str, ty: &Ty, at: &str, value: &str) -> String {
    if is_aggregate(ty) {
        format!("store_{array}(({at}) * {}u, {value});", words(ty))
    } else {
        format!("{array}[{at}] = {};", memory::to_store(ty, value))
    }
}
