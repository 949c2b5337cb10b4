//! Kernels whose elements each fold a row or column.

use super::{
    Member,
    apply::Applied,
    kernel::{Builder, Source, SourceOptions},
    traps::{noted, untrapped},
};
use crate::codegen::template;
use skel_core::{ir::FnId, plan::Kernel};

const ALONG: &str = include_str!("../templates/cuda/along.cu");

/// The source of an elementwise kernel with an operator.
pub(super) fn along(
    kernel: &Kernel,
    operator: FnId,
    options: &SourceOptions,
) -> Result<Source, String> {
    let mut builder = Builder::new(kernel, options.lanes);
    let ty = kernel.result_ty();
    let map_traps = builder.cuda.trapping[kernel.map.0];
    let operator_traps = builder.cuda.trapping[operator.0];
    for member in [
        Member::Count,
        Member::Depth,
        Member::PlacesPerValue,
        Member::PlacesPerStep,
    ] {
        builder.number(member);
    }
    builder.bind_arguments();
    let Applied {
        load, apply, store, ..
    } = builder.apply_map();
    if kernel.changes_arguments() {
        builder
            .cx
            .unsupported("it changes an argument in place, in a reduction");
    }
    let element = builder.cuda.ty(ty);
    let passed = if operator_traps { ", skel_trap" } else { "" };
    let operator_name = builder.cx.function_name(operator);
    let combine = format!("total = {operator_name}(total, value{passed});");
    let (total, combine) = match kernel.initial {
        Some(k) => (format!("{element} total = params.uniform{k};"), combine),
        None => (
            format!("{element} total = {{}};"),
            format!("if (turn == 0u) {{\n    total = value;\n}} else {{\n    {combine}\n}}"),
        ),
    };
    let traps = map_traps || operator_traps;
    if traps {
        builder.bind_status(true);
    }
    let values = [
        ("lanes", options.lanes.to_string()),
        ("untrapped", untrapped(traps)),
        ("element", element),
        ("total", total),
        ("load", load),
        ("apply", apply),
        ("map_trap", stopped(map_traps)),
        ("combine", combine),
        ("operator_trap", stopped(operator_traps)),
        ("trap", noted(traps, "params.first + at", 0, "continue;")),
        ("store", store),
    ];
    builder.finish(&[kernel.map, operator], &template::fill(ALONG, &values))
}

/// Leaves the loop of a fold that trapped.
fn stopped(wanted: bool) -> String {
    if wanted {
        "if (skel_trap != 0u) {\n    break;\n}".into()
    } else {
        String::new()
    }
}
