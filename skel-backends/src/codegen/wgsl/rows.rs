//! The kernel of rows by lanes: work-groups take the tiles of rows, as those of folds.

use super::{
    along::{AlongBuilder, JOIN, when},
    builder::{Shader, ShaderOptions},
    fold::tiles_of_group,
};
use crate::codegen::{cx, template};
use skel_core::plan::{Kernel, grouping::LANES};

const BY_LANES: &str = include_str!("../templates/wgsl/along_lanes.wgsl");

/// Rows that a work-group takes at most.
const MOST_ROWS: u32 = 8;

/// What is true where a row has trapped.
const TRAPPED: &str = "atomicLoad(&trapped[row]) != 0u";

/// The source of a kernel of [`Grouping::Lanes`](skel_core::plan::Grouping::Lanes) of which each work-group takes rows,
/// [`Shader::of_group`] at most.
///
/// # Errors
/// Why the device cannot run it.
pub fn rows_by_lanes(kernel: &Kernel, options: &ShaderOptions) -> Result<Shader, String> {
    let operator = cx::operator(kernel)?;
    let options = ShaderOptions {
        lanes: options.lanes.min(LANES as u32),
        ..*options
    };
    let mut parts = AlongBuilder::new(kernel, operator, &options);
    let rows = tiles_of_group(&mut parts.builder, &options, MOST_ROWS, LANES as u32, |_| 0);
    parts
        .builder
        .group_memory("tile", kernel.result_ty(), rows * LANES as u32);
    let mut values = parts.values();
    let (map_traps, operator_traps, traps) = (parts.map_traps, parts.operator_traps, parts.traps());
    // Nothing that the group makes of this row matters any more, and it must not trap elsewhere.
    let seen = "skel_trap = 0u;\n    atomicStore(&trapped[row], 1u);";
    let leave = parts.noted(&format!("{seen}\n    break;"));
    let note = parts.noted(seen);
    let lanes = options.lanes;
    let stop = format!(
        "for (var row = lane; row < rows; row += {lanes}u) {{\n    let at = first_row + row;\n    \
         atomicStore(&trapped[row], 0u);\n    {}\n}}\nworkgroupBarrier();",
        parts
            .stop("params.first + at", "atomicStore(&trapped[row], 1u);")
            .replace('\n', "\n    ")
    );
    values.extend([
        (
            "declare_flags",
            when(
                traps,
                format!("// Which rows have trapped.\nvar<workgroup> trapped: array<atomic<u32>, {rows}>;"),
            ),
        ),
        ("stop", when(traps, stop)),
        ("untrapped", when(traps, format!(" && !({TRAPPED})"))),
        ("map_trap", when(map_traps, leave.as_str())),
        ("note", when(operator_traps, note.as_str())),
        (
            "trap_of_initial",
            when(operator_traps && kernel.initial.is_some(), note.as_str()),
        ),
        ("leave", when(operator_traps, leave)),
    ]);
    let join = template::fill(JOIN, &values);
    values.push(("join", join));
    let mut shader = parts.finish(&template::fill(BY_LANES, &values))?;
    shader.of_group = rows;
    Ok(shader)
}
