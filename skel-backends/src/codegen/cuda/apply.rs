//! How an element of each argument is loaded, passed and stored.

use super::{Member, MemberValue, Pointer, kernel::Builder, padded_bytes, strided, types};
use crate::codegen::{Current, Number};
use skel_core::{
    ir::{Ty, ViewKind, ViewTy},
    plan::{IndexKind, Role},
};
use std::fmt::Write;

/// The parts of applying the element function to element `at`.
#[derive(Default)]
pub(super) struct Applied {
    /// Of batches: variables for the elements of a whole one, and the loads of one.
    pub(super) ahead: String,
    pub(super) fetch: String,
    pub(super) load: String,
    pub(super) apply: String,
    pub(super) store: String,
    /// Of vectors: those that are computed, and what stores them when all of their elements are there.
    pub(super) made: String,
    pub(super) put: String,
}

impl Builder<'_> {
    /// Pointers to arrays, uniform values, extents, and the index.
    pub(super) fn bind_arguments(&mut self) {
        for (k, argument) in self.kernel.arguments.iter().enumerate() {
            let ty = &argument.ty;
            if padded_bytes(element(ty)) != ty.size_bytes() {
                self.cx.unsupported(format!(
                    "elements of type `{ty}`, which have padding or no size"
                ));
            }
            match (argument.role, ty) {
                (Role::Out, _) if self.reads_only => {}
                (Role::View, Ty::View(view)) => self.bind_view(k, view),
                (Role::Window(specialisation), Ty::View(view)) => {
                    self.bind_window(k, view, specialisation)
                }
                (Role::Line | Role::LineMut, Ty::View(view)) => {
                    self.pointer(
                        Pointer::Argument(k),
                        &view.elem,
                        argument.role == Role::LineMut,
                    );
                    self.number(Number::Extent(k, 0));
                    self.number(Number::Pitch(k, 0));
                }
                (Role::Sweep(form), Ty::View(view)) => self.bind_sweep(k, view, form),
                (
                    Role::View | Role::Window(_) | Role::Line | Role::LineMut | Role::Sweep(_),
                    other,
                ) => {
                    self.cx.internal(format!("a container of type `{other}`"));
                }
                (Role::Uniform, _) => self
                    .params
                    .push(Member::Uniform(k), MemberValue::Value(ty.clone())),
                (Role::In, _) => self.pointer(Pointer::Argument(k), ty, false),
                (Role::Strided(rank) | Role::StridedOut(rank, _), _) => {
                    let written = argument.role != Role::Strided(rank);
                    self.pointer(Pointer::Argument(k), ty, written);
                    self.bind_strides(k, usize::from(rank));
                }
                (Role::InOut | Role::Out, _) => self.pointer(Pointer::Argument(k), ty, true),
            }
        }
        let turns =
            self.kernel
                .arguments
                .iter()
                .any(|argument| match (argument.role, &argument.ty) {
                    // Whatever sees it: what a sweep sees may lie in a window, too.
                    (Role::Window(_), _) => true,
                    (_, Ty::View(view)) => turns(view.kind),
                    _ => false,
                });
        let along = self.current() == Current::Step || self.strides();
        if self.kernel.index.is_some() || self.kernel.random.is_some() || turns || along {
            self.number(Number::Base);
        }
        if let Some((_, kind)) = self.kernel.index {
            self.numbers(Number::of_index(kind));
        }
        if self.kernel.random.is_some() {
            self.numbers(&[Number::Seed, Number::Call]);
        }
    }

    fn bind_view(&mut self, k: usize, view: &ViewTy) {
        self.pointer(Pointer::Argument(k), &view.elem, false);
        for dimension in 0..extents_of(view.kind) {
            self.number(Number::Extent(k, dimension));
        }
        match view.kind {
            ViewKind::Row => self.number(Number::PerRow),
            ViewKind::Col => self.number(Number::Columns),
            _ => {}
        }
    }

    /// What is passed for the view of argument `k`.
    fn view(&mut self, k: usize, ty: &Ty, kind: ViewKind) -> String {
        let name = self.cuda.ty(ty);
        let at = self.place();
        let first = match kind {
            ViewKind::Whole { .. } => String::new(),
            ViewKind::Row => format!(" + {at} / params.per_row * params.extent{k}_0"),
            ViewKind::Col => format!(" + {at} % params.columns"),
            ViewKind::Window { .. }
            | ViewKind::Pool { .. }
            | ViewKind::Sweep { .. }
            | ViewKind::Line => {
                return self
                    .cx
                    .internal("a neighbourhood or a line as a whole container");
            }
        };
        let extents = (0..extents_of(kind)).map(|d| format!(", params.extent{k}_{d}"));
        let extents: String = extents.collect();
        format!("{name}{{params.arg{k}{first}{extents}}}")
    }

    /// Finds the line of argument `k` that belongs to the current element.
    fn find_line(&mut self, k: usize, ty: &Ty, load: &mut String) {
        let (name, elem) = (self.cuda.ty(ty), self.cuda.ty(element(ty)));
        let (at, stride, len) = (
            self.place(),
            format!("params.pitch{k}_0"),
            format!("params.extent{k}_0"),
        );
        // Writing to a string cannot fail.
        let _ = writeln!(
            load,
            "{name} line{k} = {{({elem}*)params.arg{k} + ({at} / {stride} * ({len} * {stride}) + {at} % {stride}), {len}, {stride}}};"
        );
    }

    /// The call of the element function, with what it needs before and leaves behind.
    pub(super) fn apply_map(&mut self) -> Applied {
        let kernel = self.kernel;
        let map = kernel.program.function(kernel.map);
        let mut applied = Applied::default();
        let mut passed = Vec::new();
        let mut arguments = kernel
            .arguments
            .iter()
            .enumerate()
            .filter(|(_, a)| !a.role.is_out());
        for position in 0..map.params.len() {
            if let Some((at, kind)) = kernel.index
                && at == position
            {
                passed.push(self.index(map.param_ty(position), kind));
                continue;
            }
            if kernel.random == Some(position) {
                let random = self.random(map.param_ty(position));
                applied.load.push_str(&random);
                passed.push("random".into());
                continue;
            }
            let Some((k, argument)) = arguments.next() else {
                self.cx
                    .internal("its parameters and the kernel's arguments differ in number");
                break;
            };
            let element = self.element(k);
            let read = match argument.role {
                Role::In | Role::InOut => self.read(k, &argument.ty, element.clone(), &mut applied),
                _ => element.clone(),
            };
            match (argument.role, &argument.ty) {
                (Role::View, Ty::View(view)) => passed.push(self.view(k, &argument.ty, view.kind)),
                (Role::Window(specialisation), Ty::View(view)) => {
                    if !self.in_rows {
                        let load = &mut applied.load;
                        self.find_window(k, &argument.ty, view.kind, specialisation, load);
                    }
                    let name = if self.in_rows { "seen" } else { "window" };
                    passed.push(format!("{name}{k}"));
                }
                (Role::Sweep(form), ty) => {
                    self.find_seen(k, ty, form, &mut applied.load);
                    passed.push(format!("sweep{k}"));
                }
                (Role::Line | Role::LineMut, ty) => {
                    self.find_line(k, ty, &mut applied.load);
                    passed.push(format!("line{k}"));
                }
                (Role::Uniform, _) => passed.push(format!("params.uniform{k}")),
                (Role::InOut | Role::StridedOut(..), ty) => {
                    let ty = self.cuda.ty(ty);
                    // Writing to a string cannot fail.
                    let _ = writeln!(applied.load, "{ty} changed{k} = {read};");
                    let to = match self.width {
                        Some(_) => {
                            let vector = format!("ahead{k}[turn]");
                            applied.put.push_str(&stored(k, &vector));
                            read
                        }
                        None => element,
                    };
                    let _ = writeln!(applied.store, "{to} = changed{k};");
                    passed.push(format!("changed{k}"));
                }
                _ => passed.push(read),
            }
        }
        if self.cuda.trapping[kernel.map.0] {
            passed.push("skel_trap".into());
        }
        let name = self.cx.function_name(kernel.map);
        let call = format!("{name}({})", passed.join(", "));
        applied.apply = match &map.ret {
            Ty::Unit => format!("{call};"),
            ty => format!("const {} value = {call};", self.cuda.ty(ty)),
        };
        self.store_outputs(&map.ret, &mut applied);
        applied
    }

    /// Where the element of argument `k` lies.
    fn element(&self, k: usize) -> String {
        match self.kernel.arguments[k].role.strides() {
            Some(rank) => format!("params.arg{k}[{}]", strided::place(k, rank, self.current())),
            None => format!("params.arg{k}[at]"),
        }
    }

    /// What reads the element of argument `k`: from memory, or from what was loaded ahead.
    fn read(&mut self, k: usize, ty: &Ty, element: String, applied: &mut Applied) -> String {
        let (ty, batch) = (self.cuda.ty(ty), self.batch);
        let (held, load, read) = match self.width {
            Some(width) => (
                format!("skel_vector<{ty}, {width}>"),
                format!("*(const skel_vector<{ty}, {width}>*)(params.arg{k} + begin)"),
                format!("ahead{k}[turn].part[part]"),
            ),
            None if batch > 1 => (ty, element, format!("ahead{k}[turn]")),
            None => return element,
        };
        // Writing to a string cannot fail.
        let _ = writeln!(applied.ahead, "{held} ahead{k}[{batch}];");
        let _ = writeln!(applied.fetch, "ahead{k}[turn] = {load};");
        read
    }

    /// One output takes the value; several take the fields of a tuple.
    fn store_outputs(&mut self, ret: &Ty, applied: &mut Applied) {
        let arguments = self.kernel.arguments.iter().enumerate();
        let outputs: Vec<usize> = arguments
            .filter(|(_, argument)| argument.role.is_out())
            .map(|(k, _)| k)
            .collect();
        for (position, k) in outputs.iter().enumerate() {
            let part = match ret {
                Ty::Struct(tuple) if outputs.len() > 1 => {
                    format!(".{}", types::field(tuple, position))
                }
                _ => String::new(),
            };
            let Some(width) = self.width else {
                let _ = writeln!(applied.store, "{} = value{part};", self.element(*k));
                continue;
            };
            let ty = self.cuda.ty(&self.kernel.arguments[*k].ty);
            // The result of a call that traps is not read; but it must be a value.
            let first = match self.cuda.trapping[self.kernel.map.0] {
                true => " = {}",
                false => "",
            };
            let _ = writeln!(applied.made, "skel_vector<{ty}, {width}> made{k}{first};");
            let _ = writeln!(applied.store, "made{k}.part[part] = value{part};");
            let vector = format!("made{k}");
            applied.put.push_str(&stored(*k, &vector));
        }
    }

    /// The generator before its first draw: seed, call and index; all else is 0.
    fn random(&mut self, ty: &Ty) -> String {
        let name = self.cuda.ty(ty);
        let at = self.place();
        let parts = [
            "(u32)params.seed".into(),
            "(u32)(params.seed >> 32)".into(),
            "(u32)params.call".into(),
            format!("(u32){at}"),
            format!("(u32)({at} >> 32)"),
        ];
        format!("{name} random = {{{}}};\n", parts.join(", "))
    }

    /// The current element, as the arguments count it.
    pub(super) fn place(&self) -> &'static str {
        match self.current() {
            Current::Element => "(params.base + at)",
            Current::Step => "place",
        }
    }

    fn index(&mut self, ty: &Ty, kind: IndexKind) -> String {
        let name = self.cuda.ty(ty);
        let at = self.place();
        match kind {
            IndexKind::Index1 => format!("{name}{{{at}}}"),
            IndexKind::Index2 => {
                format!("{name}{{{at} / params.columns, {at} % params.columns}}")
            }
            IndexKind::Index3 => format!(
                "{name}{{{at} / params.columns / params.rows, {at} / params.columns % params.rows, {at} % params.columns}}"
            ),
            IndexKind::Index4 => {
                let plane = format!("{at} / params.columns / params.rows");
                format!(
                    "{name}{{{plane} / params.planes, {plane} % params.planes, {at} / params.columns % params.rows, {at} % params.columns}}"
                )
            }
        }
    }
}

/// Stores a vector of argument `k`.
fn stored(k: usize, vector: &str) -> String {
    format!("skel_store(params.arg{k} + begin, {vector});\n")
}

/// How many extents say where the elements of a container are: of a column, how many it has, and how far apart they are.
fn extents_of(kind: ViewKind) -> usize {
    match kind {
        ViewKind::Col => 2,
        kind => kind.rank(),
    }
}

/// Whether another part of the container belongs to another element.
fn turns(kind: ViewKind) -> bool {
    matches!(
        kind,
        ViewKind::Row
            | ViewKind::Col
            | ViewKind::Line
            | ViewKind::Window { .. }
            | ViewKind::Pool { .. }
    )
}

/// What lies in memory.
fn element(ty: &Ty) -> &Ty {
    match ty {
        Ty::View(view) => &view.elem,
        other => other,
    }
}
