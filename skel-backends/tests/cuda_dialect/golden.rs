//! The sources themselves: kept in files, so that a change of the generator is seen and read. With
//! `UPDATE_GOLDENS=1` the files are written anew.

use crate::{Test, ir::*, launch::sources, programs};
use skel_core::{
    ir::{BinaryOp, Ty, Value},
    plan::Kernel,
};
use std::path::PathBuf;

pub(crate) const TESTS: &[Test] = &[
    ("sources_are_as_reviewed", sources_are_as_reviewed),
    (
        "sources_without_traps_have_no_trace_of_them",
        sources_without_traps_have_no_trace_of_them,
    ),
];

fn sources_are_as_reviewed() {
    for (name, kernel) in programs::all() {
        for (k, source) in sources(&kernel, 256).unwrap().iter().enumerate() {
            let stage = ["", "-finish"][k];
            compare(&format!("{name}{stage}.cu"), &source.text);
        }
    }
}

fn compare(file: &str, source: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/cuda")
        .join(file);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, source).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        return;
    }
    let golden =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(
        golden == source,
        "{file} has changed; read it, then run with UPDATE_GOLDENS=1:\n{source}"
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
