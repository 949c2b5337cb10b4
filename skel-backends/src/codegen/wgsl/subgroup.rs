//! Lanes of folds and scans, which combine what they have: through a work-group's memory, with a barrier
//! per step, or, as far as subgroups reach, without either.
//!
//! Both are the same tree, whatever the size of subgroups is: so a device gives the same bits with and
//! without them, and as another one does whose subgroups are larger. That is why scans do not combine with
//! each lane's neighbours at growing distances, which would have to stop at the end of a subgroup.
//!
//! WGSL and Vulkan promise no relation between a lane's index in its work-group and its place in a subgroup,
//! nor that subgroups are full; and sizes may differ from kernel to kernel. So nothing is supposed, and no
//! probe is asked, which would speak for itself alone: kernels number lanes by subgroup and place. All lanes
//! of a dispatch get the same size, and places are below it; so if there are as many places as lanes, every
//! place has one. If not, each lane is a subgroup of its own, and the tree goes through memory. That rests on
//! the driver's numbers of subgroups: see `webgpu::adapters` for whose are not the driver's.
//!
//! Subgroup operations need all lanes. A lane that traps leaves loops, never the kernel; and as all lanes of
//! the group come to these loops together, they are together again behind them: so WGSL has it. SPIR-V says it
//! only of modules with an execution mode that naga does not write; drivers keep to it all the same.

use super::{
    builder::{Builder, ShaderOptions},
    types::{self, carrier},
};
use crate::codegen::template;
use skel_core::ir::Ty;
use std::fmt::Write;

const LANE: &str = include_str!("../templates/wgsl/subgroup_lane.wgsl");
const FOLD: &str = include_str!("../templates/wgsl/fold_subgroups.wgsl");
const SCAN: &str = include_str!("../templates/wgsl/scan_subgroups.wgsl");

/// What a kernel with one lane number gets.
const INDEX: &str = "@builtin(local_invocation_index) lane: u32,";

/// What a kernel gets of its subgroups.
const INDICES: &str = "\
@builtin(local_invocation_index) index: u32,
@builtin(num_subgroups) subgroups: u32,
@builtin(subgroup_id) subgroup: u32,
@builtin(subgroup_size) subgroup_size: u32,
@builtin(subgroup_invocation_id) in_subgroup: u32,";

/// Words of the largest value that lanes pass each other: each takes an instruction per step, while memory takes
/// a barrier per step, whatever the size. A guess, since no GPU was asked.
const MOST_WORDS: usize = 16;

/// How values go from lane to lane within a subgroup.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pass {
    /// From the lane `reach` further on: folds.
    Down,
    /// From the last lane of the lower half, of each two halves of `reach` lanes: scans.
    LowerHalf,
}

impl Pass {
    fn function(self) -> &'static str {
        match self {
            Pass::Down => "subgroupShuffleDown",
            Pass::LowerHalf => "subgroupShuffle",
        }
    }

    /// By how far, or from where. What the last lanes get from beyond the subgroup is anything, and not used.
    fn from(self) -> &'static str {
        match self {
            Pass::Down => "reach",
            Pass::LowerHalf => "max(at - at % reach, 1u) - 1u",
        }
    }

    fn template(self) -> &'static str {
        match self {
            Pass::Down => FOLD,
            Pass::LowerHalf => SCAN,
        }
    }
}

/// Fills what is about lanes and subgroups in a template that combines values of type `ty`, to which the
/// other `values` belong.
pub(super) fn fill_lanes(
    builder: &mut Builder<'_>,
    options: &ShaderOptions,
    ty: &Ty,
    pass: Pass,
    values: &mut Vec<(&str, String)>,
) {
    let (lane_builtins, lane, width, within) = if options.subgroups && is_passed(ty) {
        let passed = passed(builder, ty, pass);
        values.push(("passed", passed));
        (
            INDICES,
            template::fill(LANE, values),
            "width",
            template::fill(pass.template(), values),
        )
    } else {
        (INDEX, String::new(), "1u", String::new())
    };
    values.extend([
        ("lane_builtins", lane_builtins.to_owned()),
        ("lane", lane),
        ("width", width.to_owned()),
        ("within_subgroups", within),
    ]);
}

/// Whether lanes pass each other values of this type.
fn is_passed(ty: &Ty) -> bool {
    (1..=MOST_WORDS).contains(&super::memory::words(ty))
}

/// What another lane has for `total`.
fn passed(builder: &mut Builder<'_>, ty: &Ty, pass: Pass) -> String {
    let mut scalars = Vec::new();
    parts(ty, "value", &mut scalars);
    if let [(scalar, _)] = scalars.as_slice()
        && !super::memory::is_aggregate(ty)
        && carrier(scalar).ends_with("32")
    {
        return of_words(scalar, "total", pass.function(), pass.from());
    }
    let text = builder.wgsl.ty(&mut builder.cx, ty);
    let mut function =
        format!("fn passed(given: {text}, by: u32) -> {text} {{\n    var value = given;\n");
    for (scalar, place) in &scalars {
        let of_other = of_words(scalar, place, pass.function(), "by");
        // Writing to a string cannot fail.
        let _ = writeln!(function, "    {place} = {of_other};");
    }
    function.push_str("    return value;\n}\n\n");
    builder.access.push_str(&function);
    format!("passed(total, {})", pass.from())
}

/// All scalars of a value, each with its place.
fn parts<'t>(ty: &'t Ty, place: &str, out: &mut Vec<(&'t Ty, String)>) {
    match ty {
        Ty::Struct(structure) => {
            for (position, field) in structure.fields.iter().enumerate() {
                let name = types::field(structure, position);
                parts(&field.ty, &format!("{place}.{name}"), out);
            }
        }
        Ty::Array(array) => {
            for i in 0..array.len {
                parts(&array.elem, &format!("{place}[{i}]"), out);
            }
        }
        Ty::Unit | Ty::View(_) => {}
        scalar => out.push((scalar, place.to_owned())),
    }
}

/// A scalar of another lane: what has 64 bits in two words, since not every device passes it on.
fn of_words(ty: &Ty, place: &str, function: &str, by: &str) -> String {
    let word = |text: &str| format!("{function}({text}, {by})");
    let wide = |bits: &str| {
        let [low, high] = ["low", "high"].map(|half| word(&format!("skel_{half}_u64({bits})")));
        format!("skel_wide({low}, {high})")
    };
    match carrier(ty) {
        "bool" => format!("{} != 0u", word(&format!("select(0u, 1u, {place})"))),
        "u64" => wide(place),
        long @ ("i64" | "f64") => {
            format!(
                "bitcast<{long}>({})",
                wide(&format!("bitcast<u64>({place})"))
            )
        }
        _ => word(place),
    }
}
