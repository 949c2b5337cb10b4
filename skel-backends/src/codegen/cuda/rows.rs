//! The kernel of rows by lanes: blocks take the tiles of rows, as those of folds.

use super::{
    along::{AlongBuilder, JOIN},
    fold::tiles_of_block,
    kernel::{Source, SourceOptions},
    traps::{noted, only},
};
use crate::codegen::{Number, cx, template};
use skel_core::plan::{Kernel, grouping::LANES};

const BY_LANES: &str = include_str!("../templates/cuda/along_lanes.cu");

/// Rows that a block takes at most.
const MOST_ROWS: u32 = 8;

/// The source of a kernel of [`Grouping::Lanes`](skel_core::plan::Grouping::Lanes) of which each block takes rows,
/// [`Source::of_block`] at most.
///
/// # Errors
/// Why no device can run it.
pub fn rows_by_lanes(kernel: &Kernel, options: &SourceOptions) -> Result<Source, String> {
    let operator = cx::operator(kernel)?;
    let lanes = options.lanes.min(LANES as u32);
    let mut parts = AlongBuilder::new(kernel, operator, lanes);
    let rows = tiles_of_block(&parts.ty, MOST_ROWS, LANES as u32)?;
    parts.builder.number(Number::Level);
    let mut values = parts.values();
    let (map_traps, operator_traps) = (parts.map_traps, parts.operator_traps);
    let (traps, begins) = (map_traps || operator_traps, kernel.initial.is_some());
    // Nothing that the block makes of this row matters any more, and it must not trap elsewhere.
    let seen = "skel_trap = 0u;\n    trapped[row] = 1u;";
    let leave = |wanted| {
        let then = format!("{seen}\n    break;");
        noted(wanted, "params.base + at", 0, &then)
    };
    let note = |wanted| noted(wanted, "params.base + at", 0, seen);
    values.extend([
        ("places", (rows * LANES as u32).to_string()),
        (
            "declare_flags",
            only(
                traps,
                &format!("// Which rows have trapped.\n__shared__ volatile u32 trapped[{rows}];"),
            ),
        ),
        (
            "begin_flags",
            only(
                traps,
                &format!("for (u64 row = lane; row < rows; row += {lanes}u) {{\n    trapped[row] = 0u;\n}}\n__syncthreads();"),
            ),
        ),
        ("no_trap", only(traps, " && trapped[row] == 0u")),
        ("map_trap", leave(map_traps)),
        ("leave", leave(operator_traps)),
        ("note", note(operator_traps)),
        ("trap_of_initial", note(operator_traps && begins)),
    ]);
    let join = template::fill(JOIN, &values);
    values.push(("join", join));
    let mut source = parts.finish(&template::fill(BY_LANES, &values))?;
    source.of_block = rows;
    Ok(source)
}
