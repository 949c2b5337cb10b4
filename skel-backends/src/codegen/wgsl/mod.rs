//! WGSL: the language of WebGPU, which wgpu translates for Vulkan, Metal and Direct3D.
//!
//! What WGSL (or naga, wgpu's compiler) does otherwise than Rust is put right by helper functions in
//! `helpers/*.wgsl`: division traps, `as` saturates exactly, `min` and `max` know NaN, narrow integers
//! are cut to their width, `usize` and `isize` have 32 bits and trap beyond, transcendentals
//! have our error bounds instead of the driver's (in functions with `fast_math`: in all others they are
//! functions of the program, `skel_core::math`). Contraction of `a * b + c`, which WGSL allows, is forbidden
//! where the module goes to Vulkan (see `webgpu::strict`); elsewhere `f32` arithmetic is bit-identical
//! only where the driver does not contract. `mul_add` is rounded once: where a driver's is not, and of `f64`, by integers.
//!
//! | `f32` | ULP at most |
//! |---|---|
//! | `exp` `exp2` `ln` `log2` | 2 |
//! | `cbrt` | 1 |
//! | `acos` `tanh` `ln_1p` `hypot` | 2 |
//! | `powf` `asin` `atan` `atan2` `sinh` `cosh` `exp_m1` `log10` | 3 |
//! | `sin` `cos` | 3, to \|x\| = 10,000; beyond, the driver's |
//! | `tan` | 5, likewise |
//!
//! Of `f64` there is arithmetic, `mul_add`, `sqrt`, rounding, comparison, `powi` and casts: transcendentals are functions
//! of the program, and with `fast_math` there are none.
//!
//! In memory (`memory`) a scalar is itself, and has at least 32 bits; a struct or an array is its
//! scalars as words of 32 bits. Whole containers are read through functions, one per container: WGSL
//! has no pointers to memory that could be passed on, so a function that takes a container is printed
//! once for each container that it is called with (`function`).

mod along;
mod apply;
mod builder;
mod builtin;
mod call;
mod cast;
mod constants;
mod counters;
mod depth;
mod expr;
mod float;
mod fold;
mod foreign;
mod function;
mod group_memory;
mod indexed;
mod integer;
mod jumps;
mod kernel;
mod layout;
mod line;
mod literal;
mod memory;
mod operator;
mod prelude;
mod rows;
mod scan;
mod stmt;
mod strided;
mod sweep;
mod types;
mod window;

pub use builder::{Binding, Shader, ShaderOptions, Support};
pub use fold::{Stage, fold};
pub use kernel::elementwise;
pub use layout::{Member, ParamsLayout};
pub use memory::{is_aggregate, stored_bytes};
pub use rows::rows_by_lanes;
pub use scan::{ScanStage, scan};
pub use sweep::sweep;

use super::Cx;
use crate::arithmetic::{Remedies, Remedy};
use constants::Constants;
use function::Version;
use skel_core::ir::{LocalId, Place, StructTy, Ty};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

/// The dialect's state while one program is printed.
#[derive(Debug)]
pub struct Wgsl {
    /// Whether the device has `f64` and, for its bits, `u64`.
    f64: Support,
    /// Whether the device has `i64` and `u64`.
    i64: Support,
    /// Whether `f16` can be used.
    f16: Support,
    /// What is printed as code of our own.
    remedies: Remedies,
    /// As [`ShaderOptions::masks_lanes`].
    masks_lanes: bool,
    /// Whether any operand was hidden from the driver.
    hidden: bool,
    /// The struct types met, in order; parts before wholes.
    structs: Vec<Arc<StructTy>>,
    /// Types and texts of the constant arrays that are read by index.
    tables: Vec<(String, String)>,
    /// The large constants, which lie in memory.
    constants: Constants,
    /// The array types that are made of one repeated value.
    repeats: Vec<Ty>,
    /// The functions printed so far.
    versions: Vec<Version>,
    /// Variables of the current function whose first values are hidden from the driver.
    counters: HashSet<LocalId>,
    /// Which arguments of the kernel the views of the current function are.
    views: HashMap<LocalId, usize>,
    /// The neighbourhoods that are read at offsets which must be checked.
    checked: BTreeSet<usize>,
    /// Whether a body of the user's own may read whole containers.
    reads_unchecked: bool,
}

impl Wgsl {
    /// For a device with or without `f64` and 64-bit integers.
    #[must_use]
    pub fn new(options: &ShaderOptions) -> Wgsl {
        Wgsl {
            f64: options.f64,
            i64: options.i64,
            f16: options.f16,
            remedies: options.remedies,
            masks_lanes: options.masks_lanes,
            hidden: false,
            structs: Vec::new(),
            tables: Vec::new(),
            constants: Constants::default(),
            repeats: Vec::new(),
            versions: Vec::new(),
            counters: HashSet::new(),
            views: HashMap::new(),
            checked: BTreeSet::new(),
            reads_unchecked: false,
        }
    }

    /// The helper `own`, if this remedy is needed, else the driver's `native`.
    pub(super) fn remedied<'t>(&self, remedy: Remedy, own: &'t str, native: &'t str) -> &'t str {
        if self.remedies.has(remedy) {
            own
        } else {
            native
        }
    }

    /// Whether anything was hidden from the driver.
    fn hides(&self) -> bool {
        self.hidden
    }

    /// What a variable is given first, as what the driver's compiler does not know if that matters.
    fn first_value(&mut self, local: LocalId, value: String) -> String {
        match self.counters.contains(&local) {
            true => self.of_loops(value),
            false => value,
        }
    }

    /// A value that decides when a loop with several exits ends: see [`counters`].
    pub(super) fn of_loops(&mut self, value: String) -> String {
        if self.counters.is_empty() {
            return value;
        }
        match counters::hidden(&value) {
            Some(hidden) => {
                self.hidden = true;
                hidden
            }
            None => value,
        }
    }

    /// How a local is spelled where its value is meant.
    fn local(cx: &Cx<'_>, local: LocalId) -> String {
        let name = cx.local_name(local);
        if Self::is_pointer(cx, local) {
            format!("(*{name})")
        } else {
            name
        }
    }
}

/// What statements ask of the rest.
impl Wgsl {
    /// Where a value is stored. Notes the trap sites of its indices.
    fn place(&mut self, cx: &mut Cx<'_>, place: &Place) -> String {
        self.place_by(cx, place, |_, index| index)
    }

    /// The lines that store a value.
    fn store(&mut self, cx: &mut Cx<'_>, place: &Place, value: &str) -> String {
        if let Some(stored) = self.store_in_line(cx, place, value) {
            return stored;
        }
        let local = place.local;
        let place = self.place(cx, place);
        // What a loop goes on with needs not be hidden.
        match value.contains([' ', '(']) {
            true => format!("{place} = {value};"),
            false => format!("{place} = {};", self.first_value(local, value.to_owned())),
        }
    }

    /// A value of the type, whichever.
    fn zero(&mut self, cx: &mut Cx<'_>, ty: &Ty) -> String {
        if *ty == Ty::Unit {
            String::new()
        } else {
            format!("{}()", self.ty(cx, ty))
        }
    }

    /// The statement that begins the life of a local.
    fn declare(&mut self, cx: &mut Cx<'_>, local: LocalId, value: Option<String>) -> String {
        let ty = cx.local_ty(local);
        let name = cx.local_name(local);
        let value = value.map(|value| self.first_value(local, value));
        match value {
            Some(value) if *ty == Ty::Unit => self.discard(ty, &value),
            None if *ty == Ty::Unit => String::new(),
            Some(value) => format!("var {name}: {} = {value};", self.ty(cx, ty)),
            None => format!("var {name}: {};", self.ty(cx, ty)),
        }
    }

    /// The statement that evaluates an expression of type `ty` for its effects.
    fn discard(&self, ty: &Ty, value: &str) -> String {
        match ty {
            Ty::Unit if value.is_empty() => String::new(),
            Ty::Unit => format!("{value};"),
            _ => format!("_ = {value};"),
        }
    }
}
