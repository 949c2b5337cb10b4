//! WGSL: the language of WebGPU, which wgpu translates for Vulkan, Metal and Direct3D.
//!
//! What WGSL (or naga, wgpu's compiler) does otherwise than Rust is put right by helper functions in
//! `helpers/*.wgsl`: division traps, `as` saturates exactly, `min` and `max` know NaN, `usize` has 32
//! bits and traps beyond, transcendentals have our error bounds instead of the driver's. Contraction
//! of `a * b + c`, which WGSL allows, is forbidden where the module goes to Vulkan (see
//! `webgpu::strict`); elsewhere `f32` arithmetic is bit-identical only where the driver does not
//! contract. `mul_add` may round twice.
//!
//! | `f32` | ULP at most |
//! |---|---|
//! | `exp` `exp2` `ln` `log2` | 2 |
//! | `powf` | 3 |
//! | `sin` `cos` | 3, to \|x\| = 10,000; beyond, the driver's |
//! | `tan` | 5, likewise |
//! | `powi` | Rust's own multiplications, so its error |
//!
//! Of `f64` there is arithmetic, `sqrt`, rounding, comparison, `powi` and casts, no transcendentals.

mod builtin;
mod cast;
mod expr;
mod function;
mod kernel;
mod layout;
mod literal;
mod operator;
mod prelude;
mod types;

pub use kernel::{Binding, Options, Shader, Stage, elementwise, fold};
pub use layout::{Member, ParamsLayout};

use super::{Cx, Dialect};
use skel_core::ir::{Expr, LocalId, Mode, Place, Step, StructTy, Ty};
use std::sync::Arc;

/// The dialect's state while one program is printed.
#[derive(Debug)]
pub struct Wgsl {
    /// Whether the device has `f64` and, for its bits, `u64`.
    f64: bool,
    /// The struct types met, in order; parts before wholes.
    structs: Vec<Arc<StructTy>>,
}

impl Wgsl {
    /// For a device with or without `f64`.
    #[must_use]
    pub fn new(f64: bool) -> Wgsl {
        Wgsl {
            f64,
            structs: Vec::new(),
        }
    }

    /// How a local is spelled where its value is meant.
    fn local(cx: &Cx<'_>, local: LocalId) -> String {
        let name = cx.local_name(local);
        let by_pointer = cx
            .function()
            .params
            .iter()
            .any(|p| p.local == local && p.mode == Mode::InOut);
        if by_pointer {
            format!("(*{name})")
        } else {
            name
        }
    }
}

impl Dialect for Wgsl {
    const LOOP: &'static str = "loop {";
    const STEP: &'static str = "continuing {";
    const TRAPPED: &'static str = "skel_trap != 0u";

    fn expr(&mut self, cx: &mut Cx<'_>, e: &Expr) -> String {
        self.expression(cx, e)
    }

    fn place(&mut self, cx: &mut Cx<'_>, place: &Place) -> String {
        let mut text = Self::local(cx, place.local);
        let mut ty = cx.local_ty(place.local);
        for step in &place.path {
            let (Step::Field(position), Ty::Struct(structure)) = (step, ty) else {
                return cx.unsupported("it assigns to an element of an array");
            };
            let position = *position;
            text = format!("{text}.{}", types::field(structure, position));
            ty = &structure.fields[position].ty;
        }
        text
    }

    fn zero(&mut self, cx: &mut Cx<'_>, ty: &Ty) -> String {
        if *ty == Ty::Unit {
            String::new()
        } else {
            format!("{}()", self.ty(cx, ty))
        }
    }

    fn declare(&mut self, cx: &mut Cx<'_>, local: LocalId, value: Option<String>) -> String {
        let ty = cx.local_ty(local);
        let name = cx.local_name(local);
        match value {
            Some(value) if *ty == Ty::Unit => self.discard(ty, &value),
            None if *ty == Ty::Unit => String::new(),
            Some(value) => format!("var {name}: {} = {value};", self.ty(cx, ty)),
            None => format!("var {name}: {};", self.ty(cx, ty)),
        }
    }

    fn declare_flag(&self, name: &str) -> String {
        format!("var {name} = 0u;")
    }

    fn declare_condition(&self, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }

    fn discard(&self, ty: &Ty, value: &str) -> String {
        match ty {
            Ty::Unit if value.is_empty() => String::new(),
            Ty::Unit => format!("{value};"),
            _ => format!("_ = {value};"),
        }
    }
}
