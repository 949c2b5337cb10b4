//! The sources themselves: kept in files, so that a change of the generator is seen and read. With
//! `GOLDEN=overwrite` the files are written anew.

use crate::{Test, cases, ir::*, launch::sources, programs};
use skel_core::{
    ir::{BinaryOp, Ty, Value},
    plan::{Kernel, Pattern},
};
use std::{path::PathBuf, sync::Arc};

pub(crate) const TESTS: &[Test] = &[
    ("sources_are_as_reviewed", sources_are_as_reviewed),
    ("padding_is_refused", padding_is_refused),
    (
        "sources_without_traps_have_no_trace_of_them",
        sources_without_traps_have_no_trace_of_them,
    ),
];

/// Small programs, and cases that show data, containers, calls and traps.
pub(crate) fn kernels() -> Vec<(String, Arc<Kernel>)> {
    let shown = [
        "structs",
        "outputs",
        "uniforms",
        "places",
        "tables",
        "exchanges",
        "gather",
        "row_on_a_matrix",
        "words",
        "affine",
        "affine_prefixes",
        "left_operand_first",
        "value_before_place",
        "explicit",
        "step",
    ];
    let programs = programs::all().into_iter();
    let programs = programs.filter(|(name, _)| !PADDED.contains(name));
    let mut all: Vec<_> = programs
        .map(|(name, kernel)| (name.to_owned(), kernel))
        .collect();
    for case in cases::all() {
        if shown.contains(&case.name) {
            all.push((format!("case-{}", case.name), case.kernel));
        }
    }
    all
}

/// Programs whose elements no container holds, for they have padding; CUDA keeps the host's layout.
const PADDED: &[&str] = &["particles"];

fn padding_is_refused() {
    for (name, kernel) in programs::all() {
        let padded = PADDED.contains(&name);
        let why = sources(&kernel, 256).err().unwrap_or_default();
        assert_eq!(why.contains("padding"), padded, "{name}: {why}");
    }
}

fn sources_are_as_reviewed() {
    for (name, kernel) in kernels() {
        for (k, source) in sources(&kernel, 256).unwrap().iter().enumerate() {
            let stage = match kernel.pattern {
                Pattern::Elementwise | Pattern::Sweep => ["", "-rows", "", ""],
                Pattern::Fold | Pattern::Scan => ["", "-finish", "-blocks", "-one_pass"],
            }[k];
            compare(&format!("{name}{stage}.cu"), &source.text);
        }
    }
}

fn compare(file: &str, source: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/cuda")
        .join(file);
    if std::env::var("GOLDEN").is_ok_and(|how| how == "overwrite") {
        std::fs::write(&path, source).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        return;
    }
    let golden =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(
        golden == source,
        "{file} has changed; read it, then run with GOLDEN=overwrite:\n{source}"
    );
}

fn sources_without_traps_have_no_trace_of_them() {
    let sum = binary(BinaryOp::Add, local(0, Ty::I32), local(1, Ty::I32));
    let harmless = binary(BinaryOp::Div, sum.clone(), constant(Value::I32(7)));
    let harmful = binary(BinaryOp::Div, sum, local(1, Ty::I32));
    for (e, traps) in [(harmless, false), (harmful, true)] {
        let kernel: &Kernel = &map_of("quotient", &[Ty::I32, Ty::I32], e);
        let text = &sources(kernel, 256).unwrap()[0].text;
        for word in ["skel_trap", "skel_note", "status", "first"] {
            assert_eq!(text.contains(word), traps, "{word} in {text}");
        }
    }
}
