//! Sweeps: how elements see others, and the kernel that goes through tiles.

use super::{
    Binding, Member,
    apply::{Applied, store_at},
    builder::{Builder, Shader, ShaderOptions, element},
};
use crate::codegen::Number;
use crate::{
    codegen::{cx, template},
    sweep::{SweptKernel, waits},
};
use skel_core::{
    ir::ViewTy,
    plan::{Kernel, SweepForm},
    space::{EdgeKind, MAX_RANK},
};
use std::fmt::Write;

const SWEEP: &str = include_str!("../templates/wgsl/sweep.wgsl");

/// The dimensions of all sweeps: the variable that has the place, the number of elements, and the dimension.
const DIMENSIONS: [(&str, &str, usize); 3] = [
    ("plane", "params.planes", 1),
    ("row", "params.rows", 2),
    ("column", "params.columns", 3),
];

/// The source of a sweep.
///
/// # Errors
/// Why the device cannot run it.
pub fn sweep(kernel: &Kernel, options: &ShaderOptions) -> Result<Shader, String> {
    let Some(swept) = SweptKernel::of(kernel) else {
        return Err(cx::malformed(kernel, "its first argument is not swept"));
    };
    let tile = swept.tile(options.lanes);
    let options = ShaderOptions {
        lanes: tile.lanes(),
        elems_per_lane: 1,
        ..*options
    };
    let mut builder = Builder::new(kernel, &options);
    let traps = builder.cx.traps(kernel.map);
    builder.numbers(&Number::SWEEP);
    builder.bind_arguments();
    let Applied { load, apply, .. } = builder.apply_map();
    let (mut trap, mut stop) = (String::new(), String::new());
    if traps {
        if swept.stops_behind_traps {
            stop = builder.stop_behind_traps("<= number", "return;");
        }
        trap = builder.note_trap("number", 0, "skel_trap = 0u;\n    return;");
        builder.bind_status(false);
    }
    let store = store_at("arg0", swept.elem, "params.offset0 + at", "value");
    let [planes, rows, columns] = tile.extents.map(|extent| extent.to_string());
    let before = waits(swept.radius)
        .into_iter()
        .zip(["tile_plane", "tile_row"])
        .filter_map(|(waits, tile)| waits.then_some(tile));
    let before: Vec<&str> = before.collect();
    let before = match before.is_empty() {
        true => "0u".to_owned(),
        false => before.join(" + "),
    };
    let [at_plane, at_row, at_column] =
        DIMENSIONS.map(|(place, extent, d)| match swept.form.descending[d] {
            true => format!("({extent} - 1u - {place})"),
            false => place.to_owned(),
        });
    let values = [
        ("lanes", tile.lanes().to_string()),
        ("begin", builder.begin()),
        ("stop", stop),
        ("load", load),
        ("apply", apply),
        ("trap", trap),
        ("store", store),
        ("planes", planes),
        ("rows", rows),
        ("columns", columns),
        ("turns", tile.turns().to_string()),
        ("before", before),
        ("at_plane", at_plane),
        ("at_row", at_row),
        ("at_column", at_column),
    ];
    builder.finish(&[kernel.map], &template::fill(SWEEP, &values))
}

impl Builder<'_> {
    /// Binds the container that is swept, with the function that reads an element of it.
    pub(super) fn bind_sweep(&mut self, k: usize, view: &ViewTy, form: SweepForm) {
        let elem = self.wgsl.ty(&mut self.cx, &view.elem);
        let name = format!("arg{k}");
        self.bind(Binding::Sweep(k), &name, &view.elem, true);
        self.number(Member::Offset(k));
        let pad = (form.edge == EdgeKind::Pad).then(|| self.bind_pad(k, &view.elem));
        let own = &DIMENSIONS[MAX_RANK - 1 - view.kind.rank()..];
        let params: Vec<String> = own
            .iter()
            .map(|(name, ..)| format!("d_{name}: i32"))
            .collect();
        // Writing to a string cannot fail.
        let out = &mut self.access;
        out.push_str("// The places of the thread's element.\n");
        for (name, ..) in DIMENSIONS {
            let _ = writeln!(out, "var<private> sweep_{name}: i32 = 0i;");
        }
        let _ = writeln!(out, "\nfn near{k}({}) -> {elem} {{", params.join(", "));
        let (mut at, mut beyond) = (String::new(), Vec::new());
        for (name, extent, d) in own {
            let _ = writeln!(out, "    let last_{name} = i32({extent}) - 1i;");
            let _ = writeln!(
                out,
                "    let to_{name} = clamp(sweep_{name} + d_{name}, 0i, last_{name});"
            );
            beyond.push(format!("to_{name} != sweep_{name} + d_{name}"));
            let index = match form.descending[*d] {
                true => format!("u32(last_{name} - to_{name})"),
                false => format!("u32(to_{name})"),
            };
            at = match at.is_empty() {
                true => index,
                false => format!("({at}) * {extent} + {index}"),
            };
        }
        if let Some(pad) = pad {
            let beyond = beyond.join(" || ");
            let _ = writeln!(out, "    if ({beyond}) {{\n        return {pad};\n    }}");
        }
        let found = element(&view.elem, &name, &format!("params.offset{k} + {at}"));
        let _ = writeln!(out, "    return {found};\n}}\n");
    }
}
