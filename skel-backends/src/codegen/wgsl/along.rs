//! Kernels whose elements each fold a row or column.

use super::{
    Member,
    apply::{Applied, uniform},
    builder::{Builder, Shader, ShaderOptions},
};
use crate::codegen::template;
use skel_core::{ir::FnId, plan::Kernel};

const ALONG: &str = include_str!("../templates/wgsl/along.wgsl");

/// The source of an elementwise kernel with an operator.
pub(super) fn along(
    kernel: &Kernel,
    operator: FnId,
    options: &ShaderOptions,
) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let ty = kernel.result_ty();
    let (map_traps, operator_traps) = (builder.cx.traps(kernel.map), builder.cx.traps(operator));
    for member in [
        Member::Count,
        Member::Base,
        Member::FirstTurn,
        Member::EndTurn,
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
    let so_far = builder.stored_outputs(ty);
    let (begin, combine) = match kernel.initial {
        Some(k) => (format!("total = {};", uniform(k, ty)), combine),
        None => (
            String::new(),
            format!("if (turn == 0u) {{\n    total = value;\n}} else {{\n    {combine}\n}}"),
        ),
    };
    let mut traps = [String::new(), String::new()];
    for (text, wanted) in traps.iter_mut().zip([map_traps, operator_traps]) {
        if wanted {
            *text = builder.note_trap("params.first + at", 0, "return;");
        }
    }
    let mut stop = String::new();
    if map_traps || operator_traps {
        builder.bind_status(true);
        // Where an element that is not behind this one has trapped, this one does not matter.
        let sites = builder.cx.sites().len();
        stop = format!(
            "for (var site = 0u; site < {sites}u; site++) {{\n    \
             if (atomicLoad(&status[params.status + site]) <= params.first + at) {{\n        \
             return;\n    }}\n}}"
        );
    }
    let [map_trap, operator_trap] = traps;
    let values = [
        ("lanes", options.lanes.to_string()),
        ("begin", builder.begin()),
        ("element", element),
        ("initial", begin),
        ("stop", stop),
        ("so_far", format!("total = {so_far};")),
        ("load", load),
        ("apply", apply),
        ("map_trap", map_trap),
        ("combine", combine),
        ("operator_trap", operator_trap),
        ("store", store),
    ];
    builder.finish(&[kernel.map, operator], &template::fill(ALONG, &values))
}
