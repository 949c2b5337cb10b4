//! CUDA C++: the language of NVIDIA's devices, compiled by NVRTC.
//!
//! What C++ does otherwise than Rust is put right by helper functions in `helpers/*.cu`: signed
//! arithmetic goes through unsigned types and wraps, shifts are masked, division traps, `as`
//! saturates. C++ evaluates operands in any order; so an operand that can trap and whose turn counts
//! is computed in a statement of its own, ahead of the others.
//!
//! Sources include nothing and use built-in functions alone. They are meant for `--fmad=false` (see
//! [`Source::contracts`]), with exact division and square root, which are NVRTC's defaults.
//!
//! `f32` and `f64` arithmetic, `sqrt`, `mul_add`, `%`, rounding and casts are Rust's, bit for bit.
//! Transcendentals come as functions of the program (`skel_core::math`); those of functions with `fast_math` are
//! libdevice's, whose bounds NVIDIA states.
//!
//! C++ has `goto`, so labelled jumps need no flags as in WGSL, and what a loop does between rounds may leave the function.

mod along;
mod apply;
mod batch;
mod builtin;
mod cast;
mod elementwise;
mod expr;
mod fold;
mod foreign;
mod function;
mod kernel;
mod layout;
mod literal;
mod operator;
mod prelude;
mod rows;
mod scan;
mod stmt;
mod strided;
mod sweep;
mod traps;
mod types;
mod vectors;
mod window;
mod windows;

pub use batch::{batch, batches};
pub use elementwise::elementwise;
pub use fold::fold;
pub use kernel::{Source, SourceOptions};
pub use layout::{Member, MemberValue, ParamsLayout, Pointer, align_bytes, padded_bytes};
pub use rows::rows_by_lanes;
pub use scan::{ScanStage, scan};
pub use sweep::sweep;
pub use vectors::{Whole, whole_vectors};

use super::Cx;
use skel_core::{
    ir::{Function, StructTy, Value, functions_that_trap},
    space::MAX_RANK,
};
use std::sync::Arc;

/// The dialect's state while one program is printed.
#[derive(Debug)]
pub struct Cuda {
    /// The struct types met, in order; parts before wholes.
    structs: Vec<Arc<StructTy>>,
    /// Long constant arrays, and their declarations.
    tables: Vec<(Value, String)>,
    /// For each function, whether a call of it can trap.
    trapping: Vec<bool>,
    /// Statements that the expression being printed needs ahead of its own.
    ahead: Vec<String>,
    /// How many variables of the printer's own the function has.
    parts: usize,
    /// Whether the compiler may contract, so that functions which did not ask for it must say so.
    guarded: bool,
    /// Along which dimensions the kernel's sweep goes downwards.
    turned: [bool; MAX_RANK],
}

impl Cuda {
    /// For the program of `cx`.
    #[must_use]
    pub fn new(cx: &Cx<'_>) -> Cuda {
        Cuda {
            structs: Vec::new(),
            tables: Vec::new(),
            trapping: functions_that_trap(cx.program()),
            ahead: Vec::new(),
            parts: 0,
            guarded: cx.program().functions.iter().any(|f| f.fast_math),
            turned: [false; MAX_RANK],
        }
    }

    /// Whether a product must be kept from being contracted into a sum, in this function.
    fn guards(&self, function: &Function) -> bool {
        self.guarded && !function.fast_math
    }

    /// A variable of the printer's own. Names of the program end in an underscore and a number.
    fn part(&mut self) -> String {
        self.parts += 1;
        format!("part{}", self.parts - 1)
    }
}

/// Left behind a statement that may have trapped.
const LEAVE: &str = "if (skel_trap != 0u) {\n    return {};\n}";
