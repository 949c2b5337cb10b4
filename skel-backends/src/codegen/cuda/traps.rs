//! How kernels note what trapped, and what they no longer do then.

use super::kernel::Builder;
use crate::codegen::{has_loops, template};
use skel_core::ir::{FnId, Ty};

const GUARDED: &str = include_str!("../templates/cuda/guarded.cu");

/// How a kernel applies its operator.
pub(super) struct Operator {
    /// What is declared before the kernel.
    pub(super) declared: String,
    pub(super) name: String,
    /// What is passed besides the operands.
    pub(super) passed: String,
}

impl Operator {
    /// In a kernel whose element function, or operator, traps somewhere.
    pub(super) fn new(builder: &mut Builder<'_>, operator: FnId, ty: &Ty, traps: bool) -> Operator {
        let name = builder.cx.function_name(operator);
        let operator_traps = builder.cuda.trapping[operator.0];
        let passed = only(operator_traps, ", skel_trap");
        if !(traps && has_loops(builder.kernel, operator)) {
            let declared = String::new();
            return Operator {
                declared,
                name,
                passed,
            };
        }
        let values = [
            ("element", builder.cuda.ty(ty)),
            // Those of the element function, and those of the operator.
            ("words", (2 * builder.cx.sites().len()).to_string()),
            ("trap", only(operator_traps, ", u32& skel_trap")),
            ("operator", name),
            ("passed_trap", passed.clone()),
        ];
        Operator {
            declared: template::fill(GUARDED, &values),
            name: "skel_guarded".into(),
            passed: format!("{passed}, params"),
        }
    }
}

/// The text, if it is wanted.
pub(super) fn only(wanted: bool, text: &str) -> String {
    if wanted {
        text.to_owned()
    } else {
        String::new()
    }
}

pub(super) fn untrapped(traps: bool) -> String {
    if traps {
        "u32 skel_trap = 0u;".into()
    } else {
        String::new()
    }
}

/// Notes the trap that `skel_trap` names, in the words after `skip`.
pub(super) fn noted(wanted: bool, value: &str, skip: usize, then: &str) -> String {
    if !wanted {
        return String::new();
    }
    let place = match skip {
        0 => "skel_trap - 1u".to_owned(),
        _ => format!("{skip}u + skel_trap - 1u"),
    };
    let then = if then.is_empty() {
        String::new()
    } else {
        format!("    {then}\n")
    };
    format!("if (skel_trap != 0u) {{\n    atomicMin(&params.status[{place}], {value});\n{then}}}")
}
