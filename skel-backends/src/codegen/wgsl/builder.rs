//! A kernel while it is made: its functions, its block of numbers, its bindings.

use super::{
    Member, ParamsLayout, Wgsl, constants, depth,
    foreign::unchecked,
    indexed, jumps,
    memory::{self, Words},
    prelude,
};
use crate::codegen::Number;
use crate::{
    arithmetic::Remedies,
    codegen::{Current, Cx, Site},
};
use skel_core::{
    ir::{FnId, Ty, ViewKind, ViewTy},
    plan::{Kernel, Role},
};
use std::fmt::Write;

/// Whether a device has a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// It has.
    Has,
    /// It has not.
    Lacks,
    /// It has, and computes wrongly: see [`crate::arithmetic`].
    Miscomputes,
}

impl Support {
    /// Whether the type can be used.
    #[must_use]
    pub fn is_usable(self) -> bool {
        self == Support::Has
    }
}

/// What the source depends on besides the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShaderOptions {
    /// Invocations of a work-group; a power of two.
    pub lanes: u32,
    /// Elementwise kernels: elements of a lane.
    pub elems_per_lane: u32,
    /// Whether the device has `f64`, and the `u64` that show its bits.
    pub f64: Support,
    /// Whether the device has `i64` and `u64`.
    pub i64: Support,
    /// Whether `f16` can be used, which is computed in `f32`.
    pub f16: Support,
    /// Memory of a work-group, in bytes.
    pub workgroup_bytes: u32,
    /// What is printed as code of our own, since the driver's is wrong.
    pub remedies: Remedies,
    /// The most words of arrays that a kernel may index, counted once for each place that indexes them by what
    /// is no constant, if there is a limit.
    pub most_indexed_words: Option<u64>,
    /// Whether the compiler makes conditions of jumps, and has little room for them.
    pub masks_lanes: bool,
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
    /// The words of [`Binding::Constants`].
    pub constants: Vec<u32>,
    /// The trap sites of the program: word `k` is of site `k`. In folds, as many words again follow,
    /// of the same sites met in the operator.
    pub sites: Vec<Site>,
    /// Invocations of a work-group: those asked for, or fewer if a value is large.
    pub lanes: u32,
    /// Folds and scans: tiles that a work-group takes at once, or nodes. Rows by lanes: so many, at most.
    pub of_group: u32,
}

/// A storage buffer that a kernel needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// The array of argument `k`, and whether it is written.
    Argument(usize, bool),
    /// The whole container that argument `k` is, from its first element on.
    View(usize),
    /// The whole container of which argument `k` is a line for each element, and whether it is written.
    Line(usize, bool),
    /// The whole container that is swept, argument `k`.
    Sweep(usize),
    /// The nodes of a scan, to read.
    Gathered,
    /// The nodes that this stage of a fold or scan reads and writes.
    Partials,
    /// The status words.
    Status,
    /// The large constants of the functions.
    Constants,
}

impl Binding {
    /// Whether the kernel writes to it.
    #[must_use]
    pub fn is_written(self) -> bool {
        !matches!(
            self,
            Binding::Argument(_, false)
                | Binding::View(_)
                | Binding::Line(_, false)
                | Binding::Gathered
                | Binding::Constants
        )
    }
}

pub(super) struct Builder<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) cx: Cx<'k>,
    pub(super) wgsl: Wgsl,
    /// Whether this kernel leaves the outputs to another.
    pub(super) reads_only: bool,
    pub(super) lanes: u32,
    pub(super) params: ParamsLayout,
    bindings: Vec<Binding>,
    declarations: String,
    /// Functions that load and store what is no scalar, or no element of the current index.
    pub(super) access: String,
}

impl<'k> Builder<'k> {
    pub(super) fn new(kernel: &'k Kernel, options: &ShaderOptions) -> Builder<'k> {
        let mut cx = Cx::new(&kernel.program);
        let mut wgsl = Wgsl::new(options);
        let views = views(kernel);
        wgsl.functions(&mut cx, kernel.map, &views);
        cx.enter(kernel.map);
        indexed::check(&mut cx, kernel, options);
        Builder {
            kernel,
            cx,
            wgsl,
            reads_only: false,
            lanes: options.lanes,
            params: ParamsLayout::default(),
            bindings: Vec::new(),
            declarations: String::new(),
            access: String::new(),
        }
    }

    /// What the function is applied to.
    pub(super) fn current(&self) -> Current {
        Current::of(self.kernel)
    }

    /// Puts a number into the block of parameters, unless it is there.
    pub(super) fn number(&mut self, number: impl Into<Member>) {
        self.params.push(number.into(), Ty::U32);
    }

    pub(super) fn numbers(&mut self, numbers: &[Number]) {
        for number in numbers {
            self.number(*number);
        }
    }

    /// Binds an array of elements of type `ty`, by name; `read` says whether anything is loaded.
    pub(super) fn bind(&mut self, binding: Binding, name: &str, ty: &Ty, read: bool) {
        self.bind_as(binding, name, memory::stored(ty));
        if !memory::is_aggregate(ty) {
            return;
        }
        if read {
            let load = format!("load_{name}");
            let text = self
                .wgsl
                .load_function(&mut self.cx, &load, ty, Words::Storage(name));
            self.access.push_str(&text);
        }
        if binding.is_written() {
            let store = format!("store_{name}");
            let text = self.wgsl.store_function(&mut self.cx, &store, ty, name);
            self.access.push_str(&text);
        }
    }

    fn bind_as(&mut self, binding: Binding, name: &str, element: &str) {
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

    /// What a kernel does before all else.
    pub(super) fn begin(&mut self) -> String {
        if self.wgsl.hides() {
            self.number(Member::Nothing);
            "skel_nothing = params.nothing;".into()
        } else {
            String::new()
        }
    }

    pub(super) fn bind_status(&mut self, of_elements: bool) {
        if of_elements {
            self.number(Number::First);
        }
        self.number(Member::Status);
        self.bind_as(Binding::Status, "status", "atomic<u32>");
    }

    /// Binds arrays and whole containers, and puts uniform values and the index into the block.
    pub(super) fn bind_arguments(&mut self) {
        for (k, argument) in self.kernel.arguments.iter().enumerate() {
            match (argument.role, &argument.ty) {
                (Role::Out, _) if self.reads_only => {}
                (Role::View, Ty::View(view)) => self.bind_view(k, view),
                (Role::Window(specialisation), Ty::View(view)) => {
                    self.bind_window(k, view, specialisation)
                }
                (Role::Line, Ty::View(view)) => self.bind_line(k, view, false),
                (Role::LineMut, Ty::View(view)) => self.bind_line(k, view, true),
                (Role::Sweep(form), Ty::View(view)) => self.bind_sweep(k, view, form),
                (
                    Role::View | Role::Window(_) | Role::Line | Role::LineMut | Role::Sweep(_),
                    other,
                ) => {
                    self.cx.internal(format!("a container of type `{other}`"));
                }
                (Role::Uniform, ty) => self.bind_uniform(k, ty),
                (role, ty) => {
                    self.wgsl.ty(&mut self.cx, ty);
                    self.number(Member::Offset(k));
                    if let Some(rank) = role.strides() {
                        self.bind_strides(k, rank);
                    }
                    let binding = Binding::Argument(k, role.is_in_out() || role.is_out());
                    self.bind(binding, &format!("arg{k}"), ty, !role.is_out());
                }
            }
        }
        if let Some((_, kind)) = self.kernel.index {
            self.number(Number::Base);
            self.numbers(Number::of_index(kind));
        }
        if self.kernel.random.is_some() {
            self.numbers(&[Number::Base, Number::Seed, Number::SeedHigh, Number::Call]);
        }
    }

    fn bind_uniform(&mut self, k: usize, ty: &Ty) {
        self.wgsl.ty(&mut self.cx, ty);
        self.params.push(Member::Uniform(k), ty.clone());
        if memory::is_aggregate(ty) {
            let load = format!("load_uniform{k}");
            let words = format!("params.uniform{k}");
            let text = self
                .wgsl
                .load_function(&mut self.cx, &load, ty, Words::Uniform(&words));
            self.access.push_str(&text);
        }
    }

    /// Binds a whole container, with the function that reads an element of it.
    fn bind_view(&mut self, k: usize, view: &ViewTy) {
        let elem = self.wgsl.ty(&mut self.cx, &view.elem);
        let name = format!("arg{k}");
        self.bind(Binding::View(k), &name, &view.elem, true);
        let rank = view.kind.rank();
        for dimension in 0..rank {
            self.number(Number::Extent(k, dimension));
        }
        let extent = |d: usize| format!("params.extent{k}_{d}");
        let at = match view.kind {
            ViewKind::Window { .. }
            | ViewKind::Pool { .. }
            | ViewKind::Sweep { .. }
            | ViewKind::Line => {
                self.cx
                    .internal("a neighbourhood or a line as a whole container");
                return;
            }
            ViewKind::Whole { .. } => (1..rank).fold("i0".to_owned(), |at, d| {
                let outer = if d == 1 { at } else { format!("({at})") };
                format!("{outer} * {} + i{d}", extent(d))
            }),
            ViewKind::Row => {
                self.number(Number::Base);
                self.number(Number::PerRow);
                format!("(skel_current / params.per_row) * {} + i0", extent(0))
            }
            ViewKind::Col => {
                self.numbers(&[Number::Base, Number::Columns, Number::Extent(k, 1)]);
                format!("i0 * {} + skel_current % params.columns", extent(1))
            }
        };
        let params: Vec<String> = (0..rank).map(|d| format!("i{d}: u32")).collect();
        let beyond: Vec<String> = (0..rank)
            .map(|d| format!("i{d} >= {}", extent(d)))
            .collect();
        let (params, beyond) = (params.join(", "), beyond.join(" || "));
        let value = element(&view.elem, &name, &at);
        if self.wgsl.reads_unchecked {
            let text = unchecked(k, rank, &params, &elem, &value);
            self.access.push_str(&text);
        }
        // Writing to a string cannot fail.
        let _ = write!(
            self.access,
            "fn view{k}({params}, site: u32) -> {elem} {{\n    if ({beyond}) {{\n        skel_note(site);\n        return {elem}();\n    }}\n    return {value};\n}}\n\n"
        );
    }

    /// Where an element with a number of which `matters` is true (`<= 7`) has trapped, this one does not matter.
    pub(super) fn stop_behind_traps(&self, matters: &str, then: &str) -> String {
        let sites = self.cx.sites().len();
        format!(
            "for (var site = 0u; site < {sites}u; site++) {{\n    \
             if (atomicLoad(&status[params.status + site]) {matters}) {{\n        \
             {then}\n    }}\n}}"
        )
    }

    /// Notes the trap that `skel_trap` names, in the words after `skip`.
    pub(super) fn note_trap(&self, value: &str, skip: usize, then: &str) -> String {
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

    pub(super) fn finish(mut self, roots: &[FnId], main: &str) -> Result<Shader, String> {
        let functions = self.wgsl.needed(&self.kernel.program, roots);
        let loads = self.wgsl.constant_loads(&mut self.cx, &functions);
        if !loads.is_empty() {
            self.bind_as(Binding::Constants, constants::ARRAY, "u32");
            self.access.push_str(&loads);
        }
        let structs = self.wgsl.struct_declarations(&mut self.cx);
        let module = self.wgsl.module_declarations(&mut self.cx);
        if !self.cx.reasons().is_empty() {
            return Err(self.cx.reasons().join("; "));
        }
        let mut block = String::from("struct Params {\n");
        for (member, ty, _) in &self.params.members {
            let stored = if memory::is_aggregate(ty) {
                format!("array<vec4<u32>, {}>", memory::words(ty).div_ceil(4))
            } else {
                memory::stored(ty).to_owned()
            };
            // Writing to a string cannot fail.
            let _ = writeln!(block, "    {}: {stored},", member.name());
        }
        block.push_str("}\n\n@group(0) @binding(0) var<uniform> params: Params;\n");
        block.push_str(&self.declarations);
        if !self.access.is_empty() {
            block.push('\n');
            block.push_str(self.access.trim_end());
            block.push('\n');
        }

        let text = format!("{structs}{module}{functions}{block}\n{main}");
        let source = format!("{}{text}", prelude::helpers_for(&text, self.wgsl.remedies));
        depth::check(&source)?;
        if self.wgsl.masks_lanes {
            jumps::check(&source)?;
        }
        let sites = self.cx.sites().to_vec();
        Ok(Shader {
            source,
            params: self.params,
            bindings: self.bindings,
            constants: self.wgsl.constants.words(),
            sites,
            lanes: self.lanes,
            of_group: 1,
        })
    }
}

/// The arguments that functions are printed for: whole containers, neighbourhoods and lines.
pub(super) fn views(kernel: &Kernel) -> Vec<usize> {
    let is_view = |role: Role| {
        matches!(
            role,
            Role::View | Role::Window(_) | Role::Line | Role::LineMut | Role::Sweep(_)
        )
    };
    let arguments = kernel.arguments.iter().enumerate();
    let views = arguments.filter(|(_, argument)| is_view(argument.role));
    views.map(|(k, _)| k).collect()
}

/// The element at a position, counted in elements from the beginning of the array.
pub(super) fn element(ty: &Ty, array: &str, at: &str) -> String {
    if memory::is_aggregate(ty) {
        format!("load_{array}(({at}) * {}u)", memory::words(ty))
    } else {
        memory::loaded(ty, &format!("{array}[{at}]"))
    }
}
