//! Kernels: the user functions in the template of their pattern.

use super::{
    Member, along,
    apply::Applied,
    builder::{Binding, Builder, Shader, ShaderOptions, element},
    memory,
    subgroup::{Pass, fill_lanes},
};
use crate::codegen::template;
use skel_core::{
    ir::Ty,
    plan::{Kernel, Pattern},
};

/// Which of a fold's two kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// One partial per group from the elements of the arguments.
    Groups,
    /// One value from the partials.
    Finish,
}

const ELEMENTWISE: &str = include_str!("../templates/wgsl/elementwise.wgsl");
const ELEMENT: &str = include_str!("../templates/wgsl/element.wgsl");
const SEVERAL: &str = include_str!("../templates/wgsl/several.wgsl");
const FOLD: &str = include_str!("../templates/wgsl/fold.wgsl");

/// The source of an elementwise kernel.
///
/// # Errors
/// Why the device cannot run it.
pub fn elementwise(kernel: &Kernel, options: &ShaderOptions) -> Result<Shader, String> {
    if let Some(operator) = kernel.operator {
        return along::along(kernel, operator, options);
    }
    let mut builder = Builder::new(kernel, options);
    let traps = builder.cx.traps(kernel.map);
    builder.push(Member::Count);
    builder.bind_arguments();
    let Applied { load, apply, store } = builder.apply_map();
    let mut trap = String::new();
    if traps {
        trap = builder.note_trap("params.first + at", 0, "return;");
        builder.bind_status(true);
    }
    let mut values = vec![
        ("lanes", options.lanes.to_string()),
        ("begin", builder.begin()),
        ("load", load),
        ("apply", apply),
        ("trap", trap),
        ("store", store),
    ];
    let element = template::fill(ELEMENT, &values);
    let elems = options.elems_per_lane.max(1);
    let (first, each, distance) = match elems {
        1 => ("at", element, ""),
        _ => {
            values.push(("elems", elems.to_string()));
            values.push(("element", element));
            let each = template::fill(SEVERAL, &values);
            ("base", each, "; several to a lane, a group's width apart")
        }
    };
    values.extend([
        ("first", first.to_owned()),
        ("tile", (elems * options.lanes).to_string()),
        ("each", each),
        ("distance", distance.to_owned()),
    ]);
    builder.finish(&[kernel.map], &template::fill(ELEMENTWISE, &values))
}

/// The source of one of a fold's kernels.
///
/// # Errors
/// Why the device cannot run it.
pub fn fold(kernel: &Kernel, options: &ShaderOptions, stage: Stage) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let Some(operator) = kernel.operator else {
        return Err("the kernel of a fold has no operator".into());
    };
    let ty = kernel.result_ty();
    let (map_traps, operator_traps) = (builder.cx.traps(kernel.map), builder.cx.traps(operator));
    for member in [Member::Count, Member::PerLane, Member::Slot] {
        builder.push(member);
    }
    let mut roots = vec![operator];
    // The first of a scan's kernels is that of a fold: what it stores is not stored yet.
    let scans = kernel.pattern == Pattern::Scan;
    let (applied, map_traps) = match stage {
        Stage::Groups => {
            roots.push(kernel.map);
            builder.reads_only = scans;
            builder.bind_arguments();
            let mut applied = builder.apply_map();
            if scans {
                applied.store.clear();
            }
            (applied, map_traps)
        }
        Stage::Finish => {
            builder.bind(Binding::Gathered, "gathered", ty, true);
            let value = element(ty, "gathered", "at");
            (
                Applied {
                    apply: format!("let value = {value};"),
                    ..Applied::default()
                },
                false,
            )
        }
    };
    builder.bind(Binding::Partials, "partials", ty, false);
    let tile_bytes = memory::stored_bytes(ty) * u64::from(options.lanes);
    if tile_bytes > u64::from(options.workgroup_bytes) {
        builder.cx.unsupported(format!(
            "a reduction of `{ty}` takes {tile_bytes} bytes of a work-group's memory, and this device has {}",
            options.workgroup_bytes
        ));
    }
    if !applied.store.is_empty() {
        builder
            .cx
            .unsupported("it changes an argument in place, in a reduction");
    }
    let sites = builder.cx.sites().len();
    let noted = |builder: &Builder<'_>, wanted: bool, at: &str, skip: usize, then: &str| {
        if wanted {
            builder.note_trap(at, skip, then)
        } else {
            String::new()
        }
    };
    // In a scan, an element that traps has combined something, which has no index.
    let map_trap = match scans {
        true => noted(&builder, map_traps, "0u", sites, "break;"),
        false => noted(&builder, map_traps, "params.first + at", 0, "break;"),
    };
    let operator_trap = noted(&builder, operator_traps, "0u", sites, "break;");
    let tree_trap = noted(&builder, operator_traps, "0u", sites, "");
    if map_traps || operator_traps {
        builder.bind_status(map_traps && !scans);
    }
    let mut values = vec![
        ("lanes", options.lanes.to_string()),
        ("begin", builder.begin()),
        ("element", builder.wgsl.ty(&mut builder.cx, ty)),
        ("share", share(kernel.commutative, options.lanes)),
        ("load", applied.load),
        ("apply", applied.apply),
        ("map_trap", map_trap),
        ("operator", builder.cx.function_name(operator)),
        ("operator_trap", operator_trap),
        ("tree_trap", tree_trap),
        (
            "untrapped",
            if operator_traps {
                " && skel_trap == 0u".into()
            } else {
                String::new()
            },
        ),
        ("result", result(ty)),
    ];
    fill_lanes(&mut builder, options, ty, Pass::Down, &mut values);
    builder.finish(&roots, &template::fill(FOLD, &values))
}

/// Which elements of its group are a lane's, and how many lanes have any: neighbours if the order
/// counts, else such that neighbouring lanes read neighbouring elements.
fn share(commutative: bool, lanes: u32) -> String {
    let lines = if commutative {
        [
            format!("let lanes = min({lanes}u, end - min(begin, end));"),
            "let first = begin + lane;".into(),
            "let last = end;".into(),
            format!("let stride = {lanes}u;"),
        ]
    } else {
        [
            "let lanes = (end - min(begin, end) + params.per_lane - 1u) / params.per_lane;".into(),
            "let first = begin + lane * params.per_lane;".into(),
            "let last = min(first + params.per_lane, end);".into(),
            "let stride = 1u;".into(),
        ]
    };
    lines.join("\n")
}

/// Stores a group's partial.
fn result(ty: &Ty) -> String {
    let at = "params.slot + group.x";
    if memory::is_aggregate(ty) {
        let words = memory::words(ty);
        format!("store_partials(({at}) * {words}u, total);")
    } else {
        format!("partials[{at}] = {};", memory::to_store(ty, "total"))
    }
}
