//! Kernels: the user functions in the template of their pattern, with bindings.

use super::{Member, ParamsLayout, Wgsl, function, prelude, types};
use crate::codegen::{Cx, Site, template};
use skel_core::{
    ir::{FnId, Ty},
    plan::{IndexKind, Kernel, Role},
};
use std::fmt::Write;

/// What the source depends on besides the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Invocations of a work-group; a power of two.
    pub lanes: u32,
    /// Whether the device has `f64` and `u64`.
    pub f64: bool,
}

/// A kernel as source, and what to bind to it. Binding 0 is the block of [`ParamsLayout`].
#[derive(Clone, Debug)]
pub struct Shader {
    /// WGSL; the entry point is `main`.
    pub source: String,
    /// The block of numbers.
    pub params: ParamsLayout,
    /// The storage buffers at bindings 1, 2, ….
    pub bindings: Vec<Binding>,
    /// The trap sites of the program: word `k` is of site `k`. In folds, as many words again follow,
    /// of the same sites met in the operator.
    pub sites: Vec<Site>,
}

/// A storage buffer that a kernel needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// The array of argument `k`, and whether it is written.
    Argument(usize, bool),
    /// The partials that a fold's first stage found, to read.
    Gathered,
    /// The partials that this stage of a fold writes.
    Partials,
    /// The status words.
    Status,
}

impl Binding {
    /// Whether the kernel writes to it.
    #[must_use]
    pub fn is_written(self) -> bool {
        !matches!(self, Binding::Argument(_, false) | Binding::Gathered)
    }
}

/// Which of a fold's two kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// One partial per group from the elements of the arguments.
    Groups,
    /// One value from the partials.
    Finish,
}

const ELEMENTWISE: &str = include_str!("../templates/wgsl/elementwise.wgsl");
const FOLD: &str = include_str!("../templates/wgsl/fold.wgsl");

/// The source of an elementwise kernel.
///
/// # Errors
/// Why the device cannot run it.
pub fn elementwise(kernel: &Kernel, options: &Options) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let traps = builder.cx.traps(kernel.map);
    builder.push(Member::Count, Ty::U32);
    builder.bind_arguments();
    let Applied { load, apply, store } = builder.apply_map();
    let mut trap = String::new();
    if traps {
        trap = builder.note_trap("params.first + at", 0, "return;");
        builder.bind_status(true);
    }
    let values = [
        ("lanes", options.lanes.to_string()),
        ("load", load),
        ("apply", apply),
        ("trap", trap),
        ("store", store),
    ];
    builder.finish(&[kernel.map], &template::fill(ELEMENTWISE, &values))
}

/// The source of one of a fold's kernels.
///
/// # Errors
/// Why the device cannot run it.
pub fn fold(kernel: &Kernel, options: &Options, stage: Stage) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let Some(operator) = kernel.operator else {
        return Err("the kernel of a fold has no operator".into());
    };
    let ty = kernel.result_ty();
    let (map_traps, operator_traps) = (builder.cx.traps(kernel.map), builder.cx.traps(operator));
    for member in [Member::Count, Member::PerLane, Member::Slot] {
        builder.push(member, Ty::U32);
    }
    let mut roots = vec![operator];
    let (applied, map_traps) = match stage {
        Stage::Groups => {
            roots.push(kernel.map);
            builder.bind_arguments();
            (builder.apply_map(), map_traps)
        }
        Stage::Finish => {
            builder.bind(Binding::Gathered, "gathered", types::stored(ty));
            let value = types::loaded(ty, "gathered[at]");
            (
                Applied {
                    apply: format!("let value = {value};"),
                    ..Applied::default()
                },
                false,
            )
        }
    };
    builder.bind(Binding::Partials, "partials", types::stored(ty));
    if !applied.store.is_empty() {
        builder
            .cx
            .unsupported("it changes an argument in place, in a reduction");
    }
    let sites = builder.cx.sites().len();
    let noted = |builder: &Builder<'_>, wanted: bool, at: &str, skip: usize, then: &str| {
        if wanted {
            builder.note_trap(at, skip, then)
        } else {
            String::new()
        }
    };
    let map_trap = noted(&builder, map_traps, "params.first + at", 0, "break;");
    let operator_trap = noted(&builder, operator_traps, "0u", sites, "break;");
    let tree_trap = noted(&builder, operator_traps, "0u", sites, "");
    if map_traps || operator_traps {
        builder.bind_status(map_traps);
    }
    let values = [
        ("lanes", options.lanes.to_string()),
        ("element", builder.wgsl.ty(&mut builder.cx, ty)),
        ("share", share(kernel.commutative, options.lanes)),
        ("load", applied.load),
        ("apply", applied.apply),
        ("map_trap", map_trap),
        ("operator", builder.cx.function_name(operator)),
        ("operator_trap", operator_trap),
        ("tree_trap", tree_trap),
        (
            "untrapped",
            if operator_traps {
                " && skel_trap == 0u".into()
            } else {
                String::new()
            },
        ),
        ("stored", types::to_store(ty, "tile[0]")),
    ];
    builder.finish(&roots, &template::fill(FOLD, &values))
}

/// Which elements of its group are a lane's, and how many lanes have any: neighbours if the order
/// counts, else such that neighbouring lanes read neighbouring elements.
fn share(commutative: bool, lanes: u32) -> String {
    let lines = if commutative {
        [
            format!("let lanes = min({lanes}u, end - min(begin, end));"),
            "let first = begin + lane;".into(),
            "let last = end;".into(),
            format!("let stride = {lanes}u;"),
        ]
    } else {
        [
            "let lanes = (end - min(begin, end) + params.per_lane - 1u) / params.per_lane;".into(),
            "let first = begin + lane * params.per_lane;".into(),
            "let last = min(first + params.per_lane, end);".into(),
            "let stride = 1u;".into(),
        ]
    };
    lines.join("\n")
}

/// The three parts of applying the element function to element `at`.
#[derive(Default)]
struct Applied {
    load: String,
    apply: String,
    store: String,
}

struct Builder<'k> {
    kernel: &'k Kernel,
    cx: Cx<'k>,
    wgsl: Wgsl,
    functions: Vec<String>,
    params: ParamsLayout,
    bindings: Vec<Binding>,
    declarations: String,
}

impl<'k> Builder<'k> {
    fn new(kernel: &'k Kernel, options: &Options) -> Builder<'k> {
        let mut cx = Cx::new(&kernel.program);
        let mut wgsl = Wgsl::new(options.f64);
        let functions = wgsl.functions(&mut cx);
        cx.enter(kernel.map);
        Builder {
            kernel,
            cx,
            wgsl,
            functions,
            params: ParamsLayout::default(),
            bindings: Vec::new(),
            declarations: String::new(),
        }
    }

    fn push(&mut self, member: Member, ty: Ty) {
        self.params.push(member, ty);
    }

    fn bind(&mut self, binding: Binding, name: &str, element: &str) {
        self.bindings.push(binding);
        let access = if binding.is_written() {
            "read_write"
        } else {
            "read"
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.declarations,
            "@group(0) @binding({}) var<storage, {access}> {name}: array<{element}>;",
            self.bindings.len()
        );
    }

    fn bind_status(&mut self, of_elements: bool) {
        if of_elements {
            self.push(Member::First, Ty::U32);
        }
        self.push(Member::Status, Ty::U32);
        self.bind(Binding::Status, "status", "atomic<u32>");
    }

    /// Binds arrays, and puts uniform values and the index into the block.
    fn bind_arguments(&mut self) {
        for (k, argument) in self.kernel.arguments.iter().enumerate() {
            let ty = &argument.ty;
            self.wgsl.ty(&mut self.cx, ty);
            match (argument.role, ty) {
                (_, Ty::Struct(s)) => {
                    let what = format!("elements of type `{}`, which have several parts", s.name);
                    self.cx.unsupported(what);
                }
                (Role::Uniform, _) => self.push(Member::Uniform(k), ty.clone()),
                (_, Ty::Usize) => {
                    self.cx
                        .unsupported("containers of `usize`, which have 64 bits on the host alone");
                }
                (role, _) => {
                    self.push(Member::Offset(k), Ty::U32);
                    let written = matches!(role, Role::InOut | Role::Out);
                    self.bind(
                        Binding::Argument(k, written),
                        &format!("arg{k}"),
                        types::stored(ty),
                    );
                }
            }
        }
        if let Some((_, kind)) = self.kernel.index {
            self.push(Member::Base, Ty::U32);
            if kind == IndexKind::Index2 {
                self.push(Member::Columns, Ty::U32);
            }
        }
    }

    fn apply_map(&mut self) -> Applied {
        let map = self.kernel.program.function(self.kernel.map);
        let mut applied = Applied::default();
        let mut passed = Vec::new();
        let mut arguments = self
            .kernel
            .arguments
            .iter()
            .enumerate()
            .filter(|(_, a)| a.role != Role::Out);
        for position in 0..map.params.len() {
            if let Some((at, kind)) = self.kernel.index
                && at == position
            {
                passed.push(self.index(map.param_ty(position), kind));
                continue;
            }
            let Some((k, argument)) = arguments.next() else {
                self.cx
                    .unsupported("its parameters and the kernel's arguments differ in number");
                break;
            };
            let element = format!("arg{k}[params.offset{k} + at]");
            let value = types::loaded(&argument.ty, &element);
            match argument.role {
                Role::Uniform => {
                    passed.push(types::loaded(&argument.ty, &format!("params.uniform{k}")));
                }
                Role::InOut => {
                    applied
                        .load
                        .push_str(&format!("var changed{k} = {value};\n"));
                    let stored = types::to_store(&argument.ty, &format!("changed{k}"));
                    applied.store.push_str(&format!("{element} = {stored};\n"));
                    passed.push(format!("&changed{k}"));
                }
                Role::View => passed.push(self.cx.unsupported("it reads a whole container")),
                Role::In | Role::Out => passed.push(value),
            }
        }
        let call = format!(
            "{}({})",
            self.cx.function_name(self.kernel.map),
            passed.join(", ")
        );
        applied.apply = match map.ret {
            Ty::Unit => format!("{call};"),
            _ => format!("let value = {call};"),
        };
        for (k, argument) in self.kernel.arguments.iter().enumerate() {
            if argument.role == Role::Out {
                let value = types::to_store(&argument.ty, "value");
                applied
                    .store
                    .push_str(&format!("arg{k}[params.offset{k} + at] = {value};\n"));
            }
        }
        applied
    }

    fn index(&mut self, ty: &Ty, kind: IndexKind) -> String {
        let name = self.wgsl.ty(&mut self.cx, ty);
        let at = "(params.base + at)";
        match kind {
            IndexKind::Index1 => format!("{name}{at}"),
            IndexKind::Index2 => format!("{name}({at} / params.columns, {at} % params.columns)"),
        }
    }

    /// Notes the trap that `skel_trap` names, in the words after `skip`.
    fn note_trap(&self, value: &str, skip: usize, then: &str) -> String {
        let place = match skip {
            0 => "params.status + skel_trap - 1u".to_owned(),
            _ => format!("params.status + {skip}u + skel_trap - 1u"),
        };
        let then = if then.is_empty() {
            String::new()
        } else {
            format!("    {then}\n")
        };
        format!("if (skel_trap != 0u) {{\n    atomicMin(&status[{place}], {value});\n{then}}}")
    }

    fn finish(mut self, roots: &[FnId], main: &str) -> Result<Shader, String> {
        let structs = self.wgsl.struct_declarations(&mut self.cx);
        if !self.cx.reasons().is_empty() {
            return Err(self.cx.reasons().join("; "));
        }
        let needed = function::reachable(&self.kernel.program, roots);
        let mut functions = String::new();
        for (text, _) in self
            .functions
            .iter()
            .zip(needed)
            .filter(|(_, needed)| *needed)
        {
            functions.push_str(text);
            functions.push('\n');
        }
        let mut block = String::from("struct Params {\n");
        for (member, ty, _) in &self.params.members {
            // Writing to a string cannot fail.
            let _ = writeln!(block, "    {}: {},", member.name(), types::stored(ty));
        }
        block.push_str("}\n\n@group(0) @binding(0) var<uniform> params: Params;\n");
        block.push_str(&self.declarations);

        let text = format!("{structs}{functions}{block}\n{main}");
        let source = format!("{}{text}", prelude::helpers_for(&text));
        let sites = self.cx.sites().to_vec();
        Ok(Shader {
            source,
            params: self.params,
            bindings: self.bindings,
            sites,
        })
    }
}
