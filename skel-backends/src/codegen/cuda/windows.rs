//! Elementwise kernels whose functions see neighbourhoods: a thread takes elements below each other where rows are as
//! wide as a block.
//!
//! Five points of a matrix of 2^26 `f32` on an H100, by kernels written by hand with places of 32 bits: an element each,
//! found by dividing its index, 0.27 of the speed of a copy; below each other, one 0.62, two 0.76, four 0.88, eight 0.86.
//! What is generated here has places of 64 bits, and reached 0.54.

use super::{
    apply::Applied,
    batch,
    elementwise::ELEMENT,
    kernel::{Builder, Source, SourceOptions},
    traps::{noted, only, untrapped},
    window::bounds,
};
use crate::codegen::{Number, template};
use skel_core::{
    ir::Ty,
    plan::{Kernel, Role},
};
use std::fmt::Write;

const WINDOWS: &str = include_str!("../templates/cuda/windows.cu");

/// Whether elements can be taken so: all that they need is read from memory that the kernel does not write.
pub(super) fn takes_rows(kernel: &Kernel) -> bool {
    let mut roles = kernel.arguments.iter().map(|argument| argument.role);
    let known = |role| {
        matches!(
            role,
            Role::In | Role::Out | Role::Uniform | Role::View | Role::Window(_)
        )
    };
    kernel.operator.is_none()
        && kernel.program.function(kernel.map).ret != Ty::Unit
        && roles.clone().all(known)
        && roles.any(|role| matches!(role, Role::Window(_)))
}

/// The source of such a kernel, in which a thread takes so many elements at once.
pub(super) fn kernel(
    kernel: &Kernel,
    options: &SourceOptions,
    elems: u32,
) -> Result<Source, String> {
    let mut builder = Builder::new(kernel, options.lanes);
    builder.number(Number::Count);
    builder.bind_arguments();
    builder.number(Number::Columns);
    builder.in_rows = true;
    let in_rows = builder.apply_map();
    let rows = Rows::new(&mut builder, elems);
    builder.in_rows = false;
    let single = builder.apply_map();
    builder.batch = elems.min(batch::single(kernel));
    let batches = builder.apply_map();
    let traps = builder.cuda.trapping[kernel.map.0];
    if traps {
        builder.bind_status(true);
    }
    let trap = |then: &str| noted(traps, "params.base + at", 0, then);
    let (lanes, tile) = (options.lanes, options.lanes * builder.batch);
    let stored = match traps {
        true => format!(
            "if ((trapped >> turn & 1u) == 0u) {{\n    {}\n}}",
            in_rows.store.trim_end().replace('\n', "\n    ")
        ),
        false => in_rows.store,
    };
    let element = |applied: &Applied| {
        vec![
            ("untrapped", untrapped(traps)),
            ("load", applied.load.clone()),
            ("apply", applied.apply.clone()),
            ("trap", trap("continue;")),
            ("store", applied.store.clone()),
        ]
    };
    let mut values = element(&batches);
    values.extend([
        ("lanes", lanes.to_string()),
        ("tile", tile.to_string()),
        ("from", format!("(u64)blockIdx.x * {tile}u + threadIdx.x")),
        ("end", "params.count".into()),
        ("steps", "stride".into()),
        ("apart", format!("{lanes}u")),
        ("ahead", batches.ahead),
        ("fetch", batches.fetch),
        ("untrapped_yet", String::new()),
        ("rows", elems.to_string()),
        ("rows_but_one", (elems - 1).to_string()),
        (
            "value",
            builder.cuda.ty(&kernel.program.function(kernel.map).ret),
        ),
        ("has_rows", rows.has),
        ("find", rows.find),
        ("found", rows.found),
        ("load_in_row", in_rows.load),
        ("apply_in_row", in_rows.apply),
        ("trapped", only(traps, "u32 trapped = 0u;")),
        ("trap_in_row", trap("trapped |= 1u << turn;\n    continue;")),
        ("store_in_row", stored),
        ("body_in_row", template::fill(ELEMENT, &element(&single))),
    ]);
    builder.each(ELEMENT, &mut values);
    let mut source = builder.finish(&[kernel.map], &template::fill(WINDOWS, &values))?;
    source.batch = elems;
    source.goes_on = true;
    Ok(source)
}

/// What is done with the neighbourhoods of elements below each other.
struct Rows {
    /// Whether all have rows.
    has: String,
    /// Finds those of the highest element.
    find: String,
    /// Those of element `turn`.
    found: String,
}

impl Rows {
    fn new(builder: &mut Builder<'_>, elems: u32) -> Rows {
        let (mut has, mut find, mut found) = (String::new(), String::new(), String::new());
        for (k, argument) in builder.kernel.arguments.iter().enumerate() {
            let (Role::Window(specialisation), Ty::View(view)) = (argument.role, &argument.ty)
            else {
                continue;
            };
            let (declared, places) = builder.window(k, &argument.ty, view.kind, specialisation);
            let (first, last) = bounds(view.kind);
            let name = builder.cuda.ty(&argument.ty);
            // Writing to strings cannot fail.
            let _ = write!(has, " && skel_has_rows({places}, columns)");
            let _ = writeln!(find, "{declared}\ni64 step{k};");
            let _ = writeln!(
                find,
                "are_inside = skel_find_rows(window{k}, step{k}, row, column, {elems}u, {places}, {first}, {last}) && are_inside;"
            );
            let _ = writeln!(found, "{name} seen{k} = window{k};");
            let _ = writeln!(found, "seen{k}.data += (i64)turn * step{k};");
            let _ = writeln!(found, "seen{k}.inside = true;");
        }
        Rows { has, find, found }
    }
}
