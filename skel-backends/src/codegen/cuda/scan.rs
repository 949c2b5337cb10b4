//! Scans: totals of blocks, what precedes each block, and the blocks.
//!
//! The first kernel is that of a fold and needs no carry; so it can run before the carry is known.

use super::{
    Member,
    apply::Applied,
    kernel::{Builder, Options, Source, Stage, fold, lanes_for, noted, only, untrapped},
    padded_bytes,
};
use crate::codegen::template;
use skel_core::{
    ir::{FnId, Ty},
    plan::{Emission, Kernel, Role},
};
use std::fmt::Write;

const CARRIES: &str = include_str!("../templates/cuda/scan_carries.cu");
const BLOCKS: &str = include_str!("../templates/cuda/scan_blocks.cu");
const LANES: &str = include_str!("../templates/cuda/scan_lanes.cu");
const NOTHING: &str = "if (in_row < count && skel_trap != 0u) {\n    row[in_row] = {};\n}";
const PREFIX: &str = include_str!("../templates/cuda/scan_prefix.cu");

/// Which of a scan's three kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanStage {
    /// One total per block from the elements of the arguments.
    Totals,
    /// What precedes each block.
    Carries,
    /// The outputs.
    Blocks,
}

/// The source of one of a scan's kernels. All have the same number of lanes.
///
/// # Errors
/// Why no device can run it.
pub fn scan(kernel: &Kernel, options: &Options, stage: ScanStage) -> Result<Source, String> {
    let (Some(operator), Some(emission)) = (kernel.operator, kernel.emission) else {
        return Err("the kernel of a scan has no operator, or writes nothing".into());
    };
    if stage == ScanStage::Totals {
        return fold(kernel, options, Stage::Groups);
    }
    let ty = kernel.result_ty().clone();
    let lanes = lanes_for(options, scan_bytes(&ty));
    let mut builder = Builder::new(kernel, lanes);
    for member in [Member::Count, Member::PerLane, Member::Carried] {
        builder.number(member);
    }
    if stage == ScanStage::Carries {
        builder.pointer(Member::Partials, &ty, true);
        let traps = builder.cuda.trapping[operator.0];
        return finish(builder, CARRIES, &[operator], traps, &[]);
    }
    builder.number(Member::Slot);
    builder.bind_arguments();
    builder.pointer(Member::Gathered, &ty, false);
    let Applied { load, apply, .. } = builder.apply_map();
    let store = emitted(&mut builder, emission);
    let keep = |wanted| only(wanted, "row[in_row] = prefix;");
    let batch = batch(&ty);
    let values = [
        ("row", (lanes * batch).to_string()),
        ("batch", batch.to_string()),
        ("load", load),
        ("apply", apply),
        ("keep_before", keep(emission.exclusive)),
        ("keep_after", keep(!emission.exclusive)),
        ("store", store),
    ];
    let roots = [operator, kernel.map, emission.function];
    let traps = builder.cuda.trapping[operator.0] || builder.cuda.trapping[kernel.map.0];
    finish(builder, BLOCKS, &roots, traps, &values)
}

/// Bytes that a lane has in a row: as much as is loaded and stored at once.
const ROW_BYTES: usize = 16;

/// Elements that a lane has in a row.
fn batch(ty: &Ty) -> u32 {
    let most = (ROW_BYTES / padded_bytes(ty).max(1)).clamp(1, 8);
    // The power of two that is not larger.
    1 << most.ilog2()
}

/// Bytes of shared memory that the kernels need for each lane: its row, and what its elements come to.
pub(super) fn scan_bytes(ty: &Ty) -> usize {
    (batch(ty) as usize + 1) * padded_bytes(ty)
}

/// Stores what an element's prefix gives.
fn emitted(builder: &mut Builder<'_>, emission: Emission) -> String {
    let mut passed = vec!["prefix".to_owned(), "value".to_owned()];
    let name = builder.cx.function_name(emission.function);
    let mut store = String::new();
    for (k, argument) in builder.kernel.arguments.iter().enumerate() {
        match argument.role {
            Role::Uniform => passed.push(format!("params.uniform{k}")),
            // Writing to a string cannot fail.
            Role::Out => _ = write!(store, "params.arg{k}[at] = "),
            _ => {}
        }
    }
    format!("{store}{name}({});", passed.join(", "))
}

/// Fills what both kernels have in common, and then the rest.
fn finish(
    mut builder: Builder<'_>,
    template: &str,
    roots: &[FnId],
    traps: bool,
    values: &[(&str, String)],
) -> Result<Source, String> {
    let kernel = builder.kernel;
    let operator = kernel.operator.unwrap_or(kernel.map);
    let operator_traps = builder.cuda.trapping[operator.0];
    let sites = builder.cx.sites().len();
    if traps {
        builder.bind_status(false);
    }
    let mut all = vec![
        ("lanes", builder.lanes.to_string()),
        ("element", builder.cuda.ty(kernel.result_ty())),
        ("untrapped", untrapped(traps)),
        ("operator", builder.cx.function_name(operator)),
        ("passed_trap", only(operator_traps, ", skel_trap")),
        // Whoever combines, it is the operator, which has no index.
        ("leave", noted(traps, "0ull", sites, "break;")),
        ("note", noted(traps, "0ull", sites, "")),
        // Other lanes read it, and it shall be a value.
        ("nothing", only(traps, NOTHING)),
        ("no_trap", only(traps, " && skel_trap == 0u")),
    ];
    all.extend(values.iter().cloned());
    let parts = [
        ("lanes_prefixes", template::fill(LANES, &all)),
        ("lane_prefix", template::fill(PREFIX, &all)),
    ];
    all.extend(parts);
    builder.finish(roots, &template::fill(template, &all))
}
