//! The two kernels of a fold; the first one is also that of a scan.

use super::{
    Member,
    apply::Applied,
    batch,
    kernel::{Builder, Source, SourceOptions, lanes_for},
    padded_bytes,
    scan::scan_bytes,
    traps::{noted, only, untrapped},
};
use crate::codegen::template;
use skel_core::{
    ir::Ty,
    plan::{Kernel, Pattern},
};

const FOLD: &str = include_str!("../templates/cuda/fold.cu");
const FOLD_TREE: &str = include_str!("../templates/cuda/fold_tree.cu");
const FOLD_WARPS: &str = include_str!("../templates/cuda/fold_warps.cu");
const FOLD_ELEMENT: &str = include_str!("../templates/cuda/fold_element.cu");

/// Which of a fold's two kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// One partial per block from the elements of the arguments.
    Groups,
    /// One value from the partials.
    Finish,
}

/// The source of one of a fold's kernels.
///
/// # Errors
/// Why no device can run it.
pub fn fold(kernel: &Kernel, options: &SourceOptions, stage: Stage) -> Result<Source, String> {
    let Some(operator) = kernel.operator else {
        return Err("the kernel of a fold has no operator".into());
    };
    let ty = kernel.result_ty().clone();
    // The first of a scan's kernels is that of a fold: what it stores is not stored yet.
    let scans = kernel.pattern == Pattern::Scan;
    let lane_bytes = match scans {
        true => scan_bytes(&ty),
        false => padded_bytes(&ty),
    };
    let lanes = lanes_for(options, lane_bytes);
    let mut builder = Builder::new(kernel, lanes);
    for member in [Member::Count, Member::PerLane, Member::Slot] {
        builder.number(member);
    }
    let operator_traps = builder.cuda.trapping[operator.0];
    let mut roots = vec![operator];
    let (applied, map_traps) = match stage {
        Stage::Groups => {
            roots.push(kernel.map);
            builder.reads_only = scans;
            builder.batch = batch::single(kernel);
            builder.bind_arguments();
            let mut applied = builder.apply_map();
            if scans {
                applied.store.clear();
            }
            (applied, builder.cuda.trapping[kernel.map.0])
        }
        Stage::Finish => {
            builder.pointer(Member::Gathered, &ty, false);
            let element = builder.cuda.ty(&ty);
            let applied = Applied {
                apply: format!("const {element} value = params.gathered[at];"),
                ..Applied::default()
            };
            (applied, false)
        }
    };
    builder.pointer(Member::Partials, &ty, true);
    if !applied.store.is_empty() {
        builder
            .cx
            .unsupported("it changes an argument in place, in a reduction");
    }
    let sites = builder.cx.sites().len();
    let traps = map_traps || operator_traps;
    if traps {
        builder.bind_status(map_traps && !scans);
    }
    // In a scan, an element that traps has combined something, which has no index.
    let (map_trap_at, map_trap_skip) = match scans {
        true => ("0ull", sites),
        false => ("params.first + at", 0),
    };
    let mut values = vec![
        ("lanes", lanes.to_string()),
        ("element", builder.cuda.ty(&ty)),
        ("share", share(kernel.commutative, lanes)),
        ("untrapped", untrapped(traps)),
        ("load", applied.load),
        ("apply", applied.apply),
        (
            "map_trap",
            noted(map_traps, map_trap_at, map_trap_skip, "break;"),
        ),
        ("operator", builder.cx.function_name(operator)),
        ("passed_trap", only(operator_traps, ", skel_trap")),
        (
            "operator_trap",
            noted(operator_traps, "0ull", sites, "break;"),
        ),
        ("tree_trap", noted(operator_traps, "0ull", sites, "")),
        ("no_trap", only(operator_traps, " && skel_trap == 0u")),
        ("untrapped_yet", only(traps, " && skel_trap == 0u")),
        ("from", "first".into()),
        ("end", "last".into()),
        (
            "steps",
            match builder.batch {
                1 => "stride".into(),
                batch => format!("{batch}u * stride"),
            },
        ),
        ("apart", "stride".into()),
        ("ahead", applied.ahead),
        ("fetch", applied.fetch),
    ];
    builder.each(FOLD_ELEMENT, &mut values);
    let (tree, tile) = match is_shuffled(&ty) && lanes >= WARP {
        true => (FOLD_WARPS, lanes / WARP),
        false => (FOLD_TREE, lanes),
    };
    values.push(("tile", tile.to_string()));
    values.push(("tree", template::fill(tree, &values)));
    builder.finish(&roots, &template::fill(FOLD, &values))
}

/// Lanes of a warp, which pass each other values without memory.
const WARP: u32 = 32;

/// Whether values of this type can be passed so: as one of C++'s own types.
fn is_shuffled(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::I32 | Ty::U32 | Ty::F32 | Ty::I64 | Ty::U64 | Ty::Isize | Ty::Usize | Ty::F64
    )
}

/// Which elements of its block are a lane's, and how many lanes have any: neighbours if the order
/// counts, else such that neighbouring lanes read neighbouring elements.
fn share(commutative: bool, lanes: u32) -> String {
    let lines = if commutative {
        [
            format!("const u64 lanes = skel_least({lanes}u, end - begin);"),
            "const u64 first = begin + lane;".into(),
            "const u64 last = end;".into(),
            format!("const u64 stride = {lanes}u;"),
        ]
    } else {
        [
            "const u64 lanes = (end - begin + params.per_lane - 1u) / params.per_lane;".into(),
            "const u64 first = begin + lane * params.per_lane;".into(),
            "const u64 last = skel_least(first + params.per_lane, end);".into(),
            "const u64 stride = 1u;".into(),
        ]
    };
    lines.join("\n")
}
