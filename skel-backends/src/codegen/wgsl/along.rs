//! Kernels whose elements each fold a row or column.

use super::{
    Member,
    apply::{Applied, uniform},
    builder::{Builder, Options, Shader},
};
use crate::codegen::template;
use skel_core::{ir::FnId, plan::Kernel};

const ALONG: &str = include_str!("../templates/wgsl/along.wgsl");

/// The source of an elementwise kernel with an operator.
pub(super) fn along(kernel: &Kernel, operator: FnId, options: &Options) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let ty = kernel.result_ty();
    let (map_traps, operator_traps) = (builder.cx.traps(kernel.map), builder.cx.traps(operator));
    for member in [
        Member::Count,
        Member::Base,
        Member::Depth,
        Member::PlacesPerValue,
        Member::PlacesPerStep,
    ] {
        builder.push(member);
    }
    builder.bind_arguments();
    let Applied { load, apply, store } = builder.apply_map();
    if kernel.changes_arguments() {
        builder
            .cx
            .unsupported("it changes an argument in place, in a reduction");
    }
    let element = builder.wgsl.ty(&mut builder.cx, ty);
    let combine = format!(
        "total = {}(total, value);",
        builder.cx.function_name(operator)
    );
    let (begin, combine) = match kernel.initial {
        Some(k) => (format!("var total = {};", uniform(k, ty)), combine),
        None => (
            format!("var total: {element};"),
            format!("if (turn == 0u) {{\n    total = value;\n}} else {{\n    {combine}\n}}"),
        ),
    };
    let mut traps = [String::new(), String::new()];
    for (text, wanted) in traps.iter_mut().zip([map_traps, operator_traps]) {
        if wanted {
            *text = builder.note_trap("params.first + at", 0, "return;");
        }
    }
    if map_traps || operator_traps {
        builder.bind_status(true);
    }
    let [map_trap, operator_trap] = traps;
    let values = [
        ("lanes", options.lanes.to_string()),
        ("begin", builder.begin()),
        ("total", begin),
        ("load", load),
        ("apply", apply),
        ("map_trap", map_trap),
        ("combine", combine),
        ("operator_trap", operator_trap),
        ("store", store),
    ];
    builder.finish(&[kernel.map, operator], &template::fill(ALONG, &values))
}
