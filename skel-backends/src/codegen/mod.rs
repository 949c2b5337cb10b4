//! From typed IR to source text, for devices that compile it at run time.
//!
//! ```text
//! Kernel ─► functions (a dialect prints them) ─► template of the pattern, holes filled ─► source
//! ```
//!
//! What all dialects share is here: names ([`namer`]), trap sites and rejections ([`Cx`]), and templates
//! ([`template`]). A dialect ([`wgsl`], [`cuda`]) prints types, expressions, statements and declarations, and
//! brings a folder of templates and one of helper functions for what its language lacks or does differently from Rust.
//!
//! Nothing here touches a device: every dialect is generated, and tested, on any machine.

pub mod cuda;
mod cx;
mod foreign;
pub mod namer;
mod number;
mod reach;
pub mod template;
pub mod wgsl;
mod window_number;

pub use cx::{Cx, Site};
pub use number::Number;
pub use window_number::WindowNumber;

use skel_core::{
    ir::{FnId, Weight, weights},
    plan::{Kernel, Pattern},
};

/// Whether an operator has loops. Where something trapped, values are missing, and with what stands in their places a
/// loop might not end: so such an operator is no longer applied then.
pub(crate) fn has_loops(kernel: &Kernel, operator: FnId) -> bool {
    weights(&kernel.program)[operator.0] == Weight::Unknown
}

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
