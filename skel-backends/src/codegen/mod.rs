//! From typed IR to source text, for devices that compile it at run time.
//!
//! ```text
//! Kernel ─► functions (a Dialect prints them) ─► template of the pattern, holes filled ─► source
//! ```
//!
//! What all dialects share is here: names ([`namer`]), statements and control flow ([`stmt`]),
//! trap sites and rejections ([`Cx`]), and templates ([`template`]). A dialect says how types,
//! expressions and declarations look, and brings a folder of templates and one of helper functions
//! for what its language lacks or does differently from Rust.
//!
//! Nothing here touches a device: every dialect is generated, and tested, on any machine.

pub mod cuda;
mod cx;
mod foreign;
pub mod namer;
mod reach;
pub mod stmt;
pub mod template;
pub mod wgsl;

pub use cx::{Cx, Site};

use skel_core::{
    ir::{Arg, Expr, FnId, Foreign, LocalId, Place, Ty},
    plan::{Kernel, Pattern},
};

/// What a kernel applies its function to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Current {
    /// The arguments' elements of the output element's own index.
    Element,
    /// One element after the other of what an output element folds.
    Step,
}

impl Current {
    pub(crate) fn of(kernel: &Kernel) -> Current {
        match (kernel.pattern, kernel.operator) {
            (Pattern::Elementwise, Some(_)) => Current::Step,
            _ => Current::Element,
        }
    }
}

/// What the printer of statements asks of a language.
pub trait Dialect {
    /// Opens a loop that only `break` and `return` leave.
    const LOOP: &'static str;
    /// Opens, within a loop and at its end, what happens between rounds.
    const STEP: &'static str;
    /// True once a trap was noted.
    const TRAPPED: &'static str;

    /// An expression. Notes its trap sites in `cx`.
    fn expr(&mut self, cx: &mut Cx<'_>, e: &Expr) -> String;

    /// Where a value is stored. Notes the trap sites of its indices.
    fn place(&mut self, cx: &mut Cx<'_>, place: &Place) -> String;

    /// The lines that store a value.
    fn store(&mut self, cx: &mut Cx<'_>, place: &Place, value: &str) -> String {
        let place = self.place(cx, place);
        format!("{place} = {value};")
    }

    /// A value of the type, whichever.
    fn zero(&mut self, cx: &mut Cx<'_>, ty: &Ty) -> String;

    /// The statement that begins the life of a local.
    fn declare(&mut self, cx: &mut Cx<'_>, local: LocalId, value: Option<String>) -> String;

    /// The statement that begins the life of a variable of the printer's own, `u32` and 0.
    fn declare_flag(&self, name: &str) -> String;

    /// The statement that names a value, so that it is evaluated here and now.
    fn declare_value(&mut self, cx: &mut Cx<'_>, name: &str, ty: &Ty, value: &str) -> String;

    /// The lines that call a function with `&mut` parameters.
    fn call(
        &mut self,
        cx: &mut Cx<'_>,
        result: Option<LocalId>,
        callee: FnId,
        args: &[Arg],
    ) -> String;

    /// The statement that notes a trap.
    fn trap(&self, site: usize) -> String;

    /// The lines that are all of a function which the user wrote for devices, its last one aside if that
    /// is an expression.
    fn foreign(&mut self, cx: &mut Cx<'_>, foreign: &Foreign) -> String;

    /// A line about where the next statement came from, if the dialect writes such.
    fn comment(&mut self, cx: &Cx<'_>, line: u32) -> Option<String> {
        let _ = (cx, line);
        None
    }

    /// The statement that evaluates an expression of type `ty` for its effects.
    fn discard(&self, ty: &Ty, value: &str) -> String;
}
