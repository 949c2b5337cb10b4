//! Scans: totals of blocks, what precedes each block, and the blocks.
//!
//! The first kernel is that of a fold and needs no carry; so it can run before the carry is known.

use super::{
    Member,
    apply::{self, Applied},
    builder::{Binding, Builder, Shader, ShaderOptions, element},
    kernel::{Stage, fold},
    memory,
    subgroup::{Pass, fill_lanes},
};
use crate::codegen::template;
use skel_core::{
    ir::{FnId, Ty},
    plan::{Emission, Kernel, Role},
};

const CARRIES: &str = include_str!("../templates/wgsl/scan_carries.wgsl");
const BLOCKS: &str = include_str!("../templates/wgsl/scan_blocks.wgsl");
const LANES: &str = include_str!("../templates/wgsl/scan_lanes.wgsl");
const PREFIX: &str = include_str!("../templates/wgsl/scan_prefix.wgsl");

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

/// The source of one of a scan's kernels.
///
/// # Errors
/// Why the device cannot run it.
pub fn scan(kernel: &Kernel, options: &ShaderOptions, stage: ScanStage) -> Result<Shader, String> {
    let (Some(operator), Some(emission)) = (kernel.operator, kernel.emission) else {
        return Err("the kernel of a scan has no operator, or writes nothing".into());
    };
    match stage {
        ScanStage::Totals => fold(kernel, options, Stage::Groups),
        ScanStage::Carries => carries(kernel, options, operator),
        ScanStage::Blocks => blocks(kernel, options, operator, emission),
    }
}

fn carries(kernel: &Kernel, options: &ShaderOptions, operator: FnId) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let ty = kernel.result_ty();
    for member in [Member::Count, Member::PerLane, Member::Carried] {
        builder.push(member);
    }
    let traps = builder.cx.traps(operator);
    builder.bind(Binding::Partials, "partials", ty, true);
    let values = [
        ("value", element(ty, "partials", "at")),
        ("carry", element(ty, "partials", "params.count")),
        ("store", apply::store_at("partials", ty, "at", "prefix")),
        (
            "store_carry",
            apply::store_at("partials", ty, "params.count + 1u", "prefix"),
        ),
    ];
    finish(builder, options, CARRIES, &[operator], traps, &values)
}

fn blocks(
    kernel: &Kernel,
    options: &ShaderOptions,
    operator: FnId,
    emission: Emission,
) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let ty = kernel.result_ty();
    for member in [
        Member::Count,
        Member::PerLane,
        Member::Slot,
        Member::Carried,
    ] {
        builder.push(member);
    }
    builder.bind_arguments();
    let Applied { load, apply, .. } = builder.apply_map();
    builder.bind(Binding::Gathered, "gathered", ty, true);
    let traps = builder.cx.traps(operator) || builder.cx.traps(kernel.map);
    let store = emitted(&mut builder, emission);
    let (before, after) = match emission.exclusive {
        true => (store, String::new()),
        false => (String::new(), store),
    };
    let values = [
        ("load", load),
        ("apply", apply),
        ("carry", element(ty, "gathered", "block")),
        ("store_before", before),
        ("store_after", after),
    ];
    let roots = [operator, kernel.map, emission.function];
    finish(builder, options, BLOCKS, &roots, traps, &values)
}

/// Stores what an element's prefix gives.
fn emitted(builder: &mut Builder<'_>, emission: Emission) -> String {
    let arguments = builder.kernel.arguments.iter().enumerate();
    let mut passed = vec!["prefix".to_owned(), "value".to_owned()];
    let mut store = String::new();
    for (k, argument) in arguments {
        match argument.role {
            Role::Uniform => passed.push(apply::uniform(k, &argument.ty)),
            Role::Out => store = apply::store(k, &argument.ty, "shown"),
            _ => {}
        }
    }
    let name = builder.cx.function_name(emission.function);
    format!("let shown = {name}({});\n{store}", passed.join(", "))
}

/// Fills what both kernels have in common, and then the rest.
fn finish(
    mut builder: Builder<'_>,
    options: &ShaderOptions,
    template: &str,
    roots: &[FnId],
    traps: bool,
    values: &[(&str, String)],
) -> Result<Shader, String> {
    let ty = builder.kernel.result_ty();
    fits(&mut builder, options, ty);
    let sites = builder.cx.sites().len();
    let noted = |builder: &Builder<'_>, then: &str| match traps {
        // A trap in combining is the operator's, which has no index.
        true => builder.note_trap("0u", sites, then),
        false => String::new(),
    };
    let untrapped = if traps { " && skel_trap == 0u" } else { "" };
    if traps {
        builder.bind_status(false);
    }
    let operator = builder.kernel.operator.unwrap_or(builder.kernel.map);
    let mut all = vec![
        ("lanes", options.lanes.to_string()),
        ("begin", builder.begin()),
        ("element", builder.wgsl.ty(&mut builder.cx, ty)),
        ("operator", builder.cx.function_name(operator)),
        ("leave", noted(&builder, "break;")),
        ("note", noted(&builder, "")),
        ("untrapped", untrapped.to_owned()),
    ];
    all.extend(values.iter().cloned());
    fill_lanes(&mut builder, options, ty, Pass::LowerHalf, &mut all);
    let parts = [
        ("lanes_prefixes", template::fill(LANES, &all)),
        ("lane_prefix", template::fill(PREFIX, &all)),
    ];
    all.extend(parts);
    builder.finish(roots, &template::fill(template, &all))
}

/// Whether a work-group has room for a value per lane.
pub(super) fn fits(builder: &mut Builder<'_>, options: &ShaderOptions, ty: &Ty) {
    let tile_bytes = memory::stored_bytes(ty) * u64::from(options.lanes);
    if tile_bytes > u64::from(options.workgroup_bytes) {
        builder.cx.unsupported(format!(
            "combining `{ty}` takes {tile_bytes} bytes of a work-group's memory, and this device has {}",
            options.workgroup_bytes
        ));
    }
}
