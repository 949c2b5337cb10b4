//! How kernels note what trapped.

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
