//! The first of a scan's three kernels.

use super::{
    Member, batch,
    kernel::{Builder, Source, SourceOptions, lanes_for},
    scan::scan_bytes,
    traps::{noted, only, untrapped},
};
use crate::codegen::template;
use skel_core::{
    ir::{FnId, Ty},
    plan::Kernel,
};

const TOTALS: &str = include_str!("../templates/cuda/scan_totals.cu");
const TREE: &str = include_str!("../templates/cuda/fold_tree.cu");
const WARPS: &str = include_str!("../templates/cuda/fold_warps.cu");
const ELEMENT: &str = include_str!("../templates/cuda/scan_total_element.cu");

/// The source of a scan's first kernel: a total of each block from the elements of the arguments.
pub(super) fn totals(
    kernel: &Kernel,
    options: &SourceOptions,
    operator: FnId,
) -> Result<Source, String> {
    let ty = kernel.result_ty().clone();
    let lanes = lanes_for(options, scan_bytes(&ty));
    let mut builder = Builder::new(kernel, lanes);
    for member in [Member::Count, Member::PerLane, Member::Slot] {
        builder.number(member);
    }
    let operator_traps = builder.cuda.trapping[operator.0];
    let map_traps = builder.cuda.trapping[kernel.map.0];
    // What it stores is not stored yet.
    builder.reads_only = true;
    builder.batch = batch::single(kernel);
    builder.bind_arguments();
    let applied = builder.apply_map();
    builder.pointer(Member::Partials, &ty, true);
    let sites = builder.cx.sites().len();
    let traps = map_traps || operator_traps;
    if traps {
        builder.bind_status(false);
    }
    let mut values = vec![
        ("lanes", lanes.to_string()),
        ("element", builder.cuda.ty(&ty)),
        ("untrapped", untrapped(traps)),
        ("load", applied.load),
        ("apply", applied.apply),
        // An element that traps has combined something, which has no index.
        ("map_trap", noted(map_traps, "0ull", sites, "break;")),
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
    builder.each(ELEMENT, &mut values);
    let (tree, tile) = match is_shuffled(&ty) && lanes >= WARP {
        true => (WARPS, lanes / WARP),
        false => (TREE, lanes),
    };
    values.push(("tile", tile.to_string()));
    values.push(("tree", template::fill(tree, &values)));
    builder.finish(&[operator, kernel.map], &template::fill(TOTALS, &values))
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
