//! Whether a device computes as Rust does.
//!
//! What a dialect leaves to the driver is tested, and so is what it prints as code of its own, which compilers may get
//! wrong: an opened device computes each operator, method and cast of each of its types on operands with known results.
//! `test/complete.rs` makes the list of the language itself, and of the functions that the dialects print.
//!
//! ```text
//! checks ─► one kernel per type ─► device ─► compared with Rust's own results
//!                  ▲                              │
//!                  └── printed with the remedies ◄┴─► wrong all the same: the type is not used there
//! ```
//!
//! | module | what it has |
//! |---|---|
//! | `checks` | the operations, each with its operands and what Rust makes of them: all that the language has |
//! | `samples` | operands |
//! | `remedy` | which operations can be printed as integer arithmetic |
//! | `kernel` | the checks of one type as a kernel |
//! | `ask` | runs it |
//! | `known` | what was found out before, per driver and version |
//!
//! Two properties are reported and change nothing. *Subnormals* may be flushed to zero, as WGSL allows.
//! And where the API has no way to forbid *contraction* of `a * b + c`, a driver may do it.

mod ask;
mod checks;
mod kernel;
mod known;
mod remedy;
mod samples;
#[cfg(test)]
mod test;

#[cfg_attr(
    not(any(feature = "wgpu", feature = "cuda")),
    allow(unused_imports, reason = "back ends ask")
)]
pub(crate) use self::{
    ask::{Class, Distrusted, ask},
    known::{DeviceIdentity, known_or},
};
pub use remedy::{Remedies, Remedy};

use std::fmt;

/// What is known of a device's arithmetic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arithmetic {
    /// What is printed as integer arithmetic, since the driver's own operation is wrong.
    pub remedies: Remedies,
    /// What is wrong, remedies or not: the types of these operations are not used on the device.
    pub wrong: Vec<Wrong>,
    /// Types whose subnormals count as zero.
    pub flushes: Vec<&'static str>,
    /// Types of which `a * b + c` is rounded once, although it was to be rounded twice.
    pub contracts: Vec<&'static str>,
}

/// An operation with a wrong result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The operands' type, as Rust spells it.
    pub ty: &'static str,
    /// The operation, as Rust spells it.
    pub operation: String,
    /// The bits of the operands.
    pub operands: [u64; 2],
    /// The bits of Rust's result, and those of the device's.
    pub expected: u64,
    /// See [`Wrong::expected`].
    pub found: u64,
}

impl Arithmetic {
    /// Why a type is not used; `None` if it is.
    #[must_use]
    pub fn why_not(&self, ty: &str) -> Option<String> {
        let mut all = self.wrong.iter().filter(|wrong| wrong.ty == ty);
        let first = all.next()?.to_string();
        let others: Vec<String> = all.map(|wrong| format!("`{}`", wrong.operation)).collect();
        Some(match others.is_empty() {
            true => first,
            false => format!("{first}; so is {}", others.join(", ")),
        })
    }

    /// In a few words, for lists of devices.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if !self.remedies.is_empty() {
            parts.push(format!("{} by integers", self.remedies));
        }
        for wrong in &self.wrong {
            parts.push(format!("`{}` not used: {wrong}", wrong.ty));
        }
        for ty in &self.flushes {
            parts.push(format!("subnormal `{ty}` flushed"));
        }
        for ty in &self.contracts {
            parts.push(format!("`{ty}` contracted"));
        }
        if parts.is_empty() {
            parts.push("as Rust's".to_owned());
        }
        parts.join("; ")
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.operands;
        write!(
            f,
            "`{}` of `{}` is wrong (of {x:#x}, {y:#x} it is {:#x}, not {:#x})",
            self.operation, self.ty, self.found, self.expected
        )
    }
}
