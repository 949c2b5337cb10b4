//! Folds: a value of each leaf of tiles, and the nodes above them. The first kernels of scans are the same.
//!
//! The grouping is that of `skel_core::plan::grouping`; where values lie says `crate::tiling`.

use super::{
    apply::{Applied, store_at},
    builder::{Binding, Builder, Shader, ShaderOptions, element},
    memory,
};
use crate::codegen::{Number, cx, has_loops, template};
use skel_core::{
    ir::{FnId, Ty},
    plan::{
        Grouping, Kernel, Pattern,
        grouping::{BLOCK, CHUNK, LANES},
    },
};

/// Which of a fold's two kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A value of each leaf from the elements of the arguments.
    Leaves,
    /// Nodes above the leaves.
    Nodes,
}

const FOLD: &str = include_str!("../templates/wgsl/fold.wgsl");
const BY_LANES: &str = include_str!("../templates/wgsl/fold_lanes.wgsl");
const BY_BLOCKS: &str = include_str!("../templates/wgsl/fold_blocks.wgsl");
const HEAVY: &str = include_str!("../templates/wgsl/fold_heavy.wgsl");
const CHAIN: &str = include_str!("../templates/wgsl/fold_chain.wgsl");
const LEAF: &str = include_str!("../templates/wgsl/fold_leaf.wgsl");
const TILES: &str = include_str!("../templates/wgsl/fold_tiles.wgsl");
const GUARDED: &str = include_str!("../templates/wgsl/guarded.wgsl");
const NODES: &str = include_str!("../templates/wgsl/nodes.wgsl");
pub(super) const TREE: &str = include_str!("../templates/wgsl/block_tree.wgsl");

/// Elements of a lane of a light fold's group for each that the block configuration says: so that what lanes do
/// together counts less.
const LIGHT: u32 = 4;

/// Elements per lane of the usual configuration; a heavy fold's lane has one.
const USUAL: u32 = 8;

/// The source of one of a fold's kernels.
///
/// # Errors
/// Why the device cannot run it.
pub fn fold(kernel: &Kernel, options: &ShaderOptions, stage: Stage) -> Result<Shader, String> {
    let operator = cx::operator(kernel)?;
    match stage {
        Stage::Leaves => leaves(kernel, options, operator),
        Stage::Nodes => nodes(kernel, options, operator),
    }
}

/// How many tiles a work-group takes at once, such that `places` values for each fit its memory, beside which stand
/// `beside` more.
pub(super) fn tiles_of_group(
    builder: &mut Builder<'_>,
    options: &ShaderOptions,
    wanted: u32,
    places: u32,
    beside: impl Fn(u32) -> u32,
) -> u32 {
    let ty = builder.kernel.result_ty();
    let bytes = |tiles: u32| memory::stored_bytes(ty) * u64::from(tiles * places + beside(tiles));
    let mut tiles = 1 << wanted.max(1).ilog2();
    while tiles > 1 && bytes(tiles) > u64::from(options.workgroup_bytes) {
        tiles /= 2;
    }
    if bytes(tiles) > u64::from(options.workgroup_bytes) {
        let (needed, available) = (bytes(tiles), options.workgroup_bytes);
        builder.cx.unsupported(format!(
            "combining `{ty}` takes {needed} bytes of a work-group's memory, and this device has {available}"
        ));
    }
    tiles
}

/// How a kernel whose element function, or operator, traps somewhere applies its operator: what is declared before it, and
/// the name.
pub(super) fn operator_of(
    builder: &mut Builder<'_>,
    operator: FnId,
    traps: bool,
) -> (String, String) {
    let name = builder.cx.function_name(operator);
    if !(traps && has_loops(builder.kernel, operator)) {
        return (String::new(), name);
    }
    let ty = builder.kernel.result_ty();
    let values = [
        ("element", builder.wgsl.ty(&mut builder.cx, ty)),
        // Those of the element function, and those of the operator.
        ("words", (2 * builder.cx.sites().len()).to_string()),
        ("operator", name),
    ];
    (template::fill(GUARDED, &values), "skel_guarded".into())
}

/// A kernel behind what is declared before it. Where that reads status words, lanes that meet have seen each other's.
pub(super) fn guarded(guard: String, kernel: String) -> String {
    match guard.is_empty() {
        true => kernel,
        false => {
            guard
                + &kernel.replace(
                    "workgroupBarrier();",
                    "storageBarrier(); workgroupBarrier();",
                )
        }
    }
}

fn leaves(kernel: &Kernel, options: &ShaderOptions, operator: FnId) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let ty = kernel.result_ty();
    let tile_elems = kernel.grouping.tile_elems() as u32;
    let elems = options.lanes * options.elems_per_lane;
    let (apart, wanted) = match kernel.grouping {
        Grouping::Lanes => (LANES, elems * LIGHT),
        Grouping::Ordered { chunks } => (chunks as usize * CHUNK / BLOCK, elems * LIGHT),
        Grouping::Heavy => (BLOCK, elems / USUAL),
    };
    let apart = apart as u32;
    let tiles = tiles_of_group(&mut builder, options, wanted / tile_elems, apart, |_| 0);
    builder.numbers(&[
        Number::Count,
        Number::Level,
        Number::TileWidth,
        Number::Slot,
    ]);
    // The first of a scan's kernels is that of a fold: what it stores is not stored yet.
    let scans = kernel.pattern == Pattern::Scan;
    builder.reads_only = scans;
    builder.bind_arguments();
    let Applied { load, apply, store } = builder.apply_map();
    builder.bind(Binding::Partials, "nodes", ty, false);
    if !store.is_empty() && !scans {
        builder
            .cx
            .unsupported("it changes an argument in place, in a reduction");
    }
    let (map_traps, operator_traps) = (builder.cx.traps(kernel.map), builder.cx.traps(operator));
    let sites = builder.cx.sites().len();
    let noted = |wanted: bool, at: &str, skip: usize, then: &str| match wanted {
        true => builder.note_trap(at, skip, then),
        false => String::new(),
    };
    // In a scan, an element that traps has combined something, which has no index.
    let map_trap = match scans {
        true => noted(map_traps, "0u", sites, "break;"),
        // A lane's next elements may come before this one.
        false => noted(
            map_traps,
            "params.first + at",
            0,
            "skel_trap = 0u;\n    break;",
        ),
    };
    let (leave, note) = (
        noted(operator_traps, "0u", sites, "break;"),
        noted(operator_traps, "0u", sites, ""),
    );
    if map_traps || operator_traps {
        builder.bind_status(map_traps && !scans);
    }
    let untrapped = match operator_traps || (map_traps && scans) {
        true => " && skel_trap == 0u",
        false => "",
    };
    let place = match scans {
        true => "2u * (params.slot + leaf * tiles + at)",
        false => "2u * (params.slot + leaf)",
    };
    builder.group_memory("tile", ty, tiles * apart);
    let (guard, name) = operator_of(&mut builder, operator, map_traps || operator_traps);
    let mut values = vec![
        ("lanes", options.lanes.to_string()),
        ("begin", builder.begin()),
        ("element", builder.wgsl.ty(&mut builder.cx, ty)),
        ("apart", apart.to_string()),
        ("blocks", apart.to_string()),
        ("tile_elems", tile_elems.to_string()),
        ("load", load),
        ("apply", apply),
        ("map_trap", map_trap),
        ("operator", name),
        ("leave", leave),
        ("note", note),
        ("untrapped", untrapped.to_owned()),
        ("store_total", store_at("nodes", ty, place, "total")),
    ];
    let gather = match kernel.grouping {
        Grouping::Lanes => template::fill(BY_LANES, &values),
        Grouping::Heavy => template::fill(HEAVY, &values),
        Grouping::Ordered { chunks } => {
            values.push(("tree", template::fill(TREE, &values)));
            let per_chunk = (CHUNK / BLOCK) as u32;
            let of_blocks = (chunks, per_chunk, 1, BLOCK as u32, "params.width");
            let of_chunks = (1, chunks, per_chunk, CHUNK as u32, "256u");
            let chained = [of_blocks, of_chunks].map(|(wholes, parts, apart, elems, width)| {
                let chain = [
                    ("wholes", wholes.to_string()),
                    ("parts", parts.to_string()),
                    ("apart", apart.to_string()),
                    ("part_elems", elems.to_string()),
                    ("part_width", width.to_owned()),
                ];
                template::fill(CHAIN, &[&chain, values.as_slice()].concat())
            });
            let [chunks, tiles] = chained;
            values.extend([("chunks", chunks), ("tiles_of_chunks", tiles)]);
            template::fill(BY_BLOCKS, &values)
        }
    };
    let store = template::fill(if scans { TILES } else { LEAF }, &values);
    values.extend([("gather", gather), ("store", store)]);
    let roots = [operator, kernel.map];
    let main = guarded(guard, template::fill(FOLD, &values));
    let mut shader = builder.finish(&roots, &main)?;
    shader.of_group = tiles;
    Ok(shader)
}

fn nodes(kernel: &Kernel, options: &ShaderOptions, operator: FnId) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let ty = kernel.result_ty();
    builder.numbers(&[
        Number::Level,
        Number::FirstLeaf,
        Number::Leaves,
        Number::ToLeaf,
        Number::Slot,
    ]);
    let lanes = tiles_of_group(&mut builder, options, options.lanes, 1, |_| 0);
    builder.bind(Binding::Partials, "nodes", ty, true);
    let traps = builder.cx.traps(operator);
    let sites = builder.cx.sites().len();
    let note = match traps {
        true => builder.note_trap("0u", sites, ""),
        false => String::new(),
    };
    let any_traps = traps || builder.cx.traps(kernel.map);
    let (guard, name) = operator_of(&mut builder, operator, any_traps);
    if traps || !guard.is_empty() {
        builder.bind_status(false);
    }
    let untrapped = if traps { " && skel_trap == 0u" } else { "" };
    // Behind what precedes.
    let behind = "2u * params.leaves + 33u - countLeadingZeros(params.first_leaf) + node";
    builder.group_memory("tile", ty, lanes);
    let values = [
        ("lanes", lanes.to_string()),
        ("begin", builder.begin()),
        ("element", builder.wgsl.ty(&mut builder.cx, ty)),
        ("value", element(ty, "nodes", "place(first, params.level)")),
        ("operator", name),
        ("note", note),
        ("untrapped", untrapped.to_owned()),
        ("store_total", store_at("nodes", ty, "at", "total")),
        (
            "store_node",
            store_at("nodes", ty, behind, &element(ty, "nodes", "listed")),
        ),
    ];
    builder.lanes = lanes;
    let main = guarded(guard, template::fill(NODES, &values));
    let mut shader = builder.finish(&[operator], &main)?;
    shader.of_group = lanes;
    Ok(shader)
}

/// What stands at place `at` of the table of nodes.
pub(super) fn node(ty: &Ty, at: &str) -> String {
    element(ty, "nodes", at)
}
