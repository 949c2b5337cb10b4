//! The two kernels of a fold: a value of each leaf of tiles, and the nodes above them. The first kernels of a scan in
//! three passes are the same, with a value of each tile.
//!
//! The grouping is that of `skel_core::plan::grouping`; where values lie says `crate::tiling`.

use super::{
    Member,
    apply::Applied,
    batch,
    kernel::{Builder, SHARED_BYTES, Source, SourceOptions, lanes_for},
    padded_bytes,
    traps::{noted, only, untrapped},
};
use crate::codegen::template;
use skel_core::{
    ir::{FnId, Ty},
    plan::{
        Kernel, Kind, Pattern,
        grouping::{BLOCK, CHUNK, LANES},
    },
};

const FOLD: &str = include_str!("../templates/cuda/fold.cu");
const ELEMENT: &str = include_str!("../templates/cuda/fold_element.cu");
const BY_LANES: &str = include_str!("../templates/cuda/fold_lanes.cu");
const BY_BLOCKS: &str = include_str!("../templates/cuda/fold_blocks.cu");
const BLOCK_ELEMENT: &str = include_str!("../templates/cuda/fold_block_element.cu");
pub(super) const TREE: &str = include_str!("../templates/cuda/block_tree.cu");
const HEAVY: &str = include_str!("../templates/cuda/fold_heavy.cu");
const CHAIN: &str = include_str!("../templates/cuda/fold_chain.cu");
const LEAF: &str = include_str!("../templates/cuda/fold_leaf.cu");
const TILES: &str = include_str!("../templates/cuda/fold_tiles.cu");
const NODES: &str = include_str!("../templates/cuda/nodes.cu");

/// Which of a fold's two kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A value of each leaf from the elements of the arguments.
    Leaves,
    /// Nodes above the leaves.
    Nodes,
}

/// Elements of a thread of a light fold for each that the block configuration says: so that what threads do together
/// counts less.
const LIGHT: u32 = 4;

/// Elements per thread of the usual configuration; a heavy fold's thread has one.
const USUAL: u32 = 8;

/// The source of one of a fold's kernels.
///
/// # Errors
/// Why no device can run it.
pub fn fold(kernel: &Kernel, options: &SourceOptions, stage: Stage) -> Result<Source, String> {
    let Some(operator) = kernel.operator else {
        return Err("the kernel of a fold has no operator".into());
    };
    match stage {
        Stage::Leaves => leaves(kernel, options, operator),
        Stage::Nodes => nodes(kernel, options, operator),
    }
}

/// As many tiles as are wanted, or as there is shared memory for, of which each has so many values.
pub(super) fn tiles_of_block(ty: &Ty, wanted: u32, places: u32) -> Result<u32, String> {
    let bytes = |tiles: u32| padded_bytes(ty) * (tiles * places) as usize;
    let mut tiles = 1 << wanted.max(1).ilog2();
    while tiles > 1 && bytes(tiles) > SHARED_BYTES {
        tiles /= 2;
    }
    match bytes(tiles) <= SHARED_BYTES {
        true => Ok(tiles),
        false => Err(format!(
            "combining `{ty}` takes {} bytes of shared memory, and a block has {SHARED_BYTES}",
            bytes(tiles)
        )),
    }
}

fn leaves(kernel: &Kernel, options: &SourceOptions, operator: FnId) -> Result<Source, String> {
    let ty = kernel.result_ty().clone();
    let tile_elems = kernel.kind.tile_elems() as u32;
    let elems = options.lanes * options.elems_per_lane.unwrap_or(USUAL);
    let (apart, wanted) = match kernel.kind {
        Kind::Lanes => (LANES, elems * LIGHT),
        Kind::Ordered { chunks } => (chunks as usize * CHUNK / BLOCK, elems * LIGHT),
        Kind::Heavy => (BLOCK, elems / USUAL),
    };
    let apart = apart as u32;
    let tiles = tiles_of_block(&ty, wanted / tile_elems, apart)?;
    let mut builder = Builder::new(kernel, options.lanes);
    for member in [Member::Count, Member::Level, Member::TileWidth] {
        builder.number(member);
    }
    // Threads of a heavy one have one element each.
    builder.batch = match kernel.kind {
        Kind::Heavy => 1,
        Kind::Lanes | Kind::Ordered { .. } => batch::single(kernel),
    };
    // What a scan stores is not stored yet.
    let scans = kernel.pattern == Pattern::Scan;
    builder.reads_only = scans;
    builder.bind_arguments();
    let Applied {
        ahead,
        fetch,
        load,
        apply,
        store,
        ..
    } = builder.apply_map();
    builder.pointer(Member::Partials, &ty, true);
    if !store.is_empty() && !scans {
        builder
            .cx
            .unsupported("it changes an argument in place, in a reduction");
    }
    let map_traps = builder.cuda.trapping[kernel.map.0];
    let operator_traps = builder.cuda.trapping[operator.0];
    let (sites, traps) = (builder.cx.sites().len(), map_traps || operator_traps);
    if traps {
        builder.bind_status(map_traps && !scans);
    }
    // In a scan, an element that traps has combined something, which has no index.
    let map_trap = match scans {
        true => noted(map_traps, "0ull", sites, "break;"),
        // A thread's next elements may come before this one.
        false => noted(
            map_traps,
            "params.first + at",
            0,
            "skel_trap = 0u;\n    break;",
        ),
    };
    let no_trap = only(
        operator_traps || (map_traps && scans),
        " && skel_trap == 0u",
    );
    let mut values = vec![
        ("lanes", options.lanes.to_string()),
        ("element", builder.cuda.ty(&ty)),
        ("places", (tiles * apart).to_string()),
        ("places_per_tile", apart.to_string()),
        ("blocks", apart.to_string()),
        ("tile_elems", tile_elems.to_string()),
        ("untrapped", untrapped(traps)),
        ("load", load),
        ("apply", apply),
        ("map_trap", map_trap),
        ("operator", builder.cx.function_name(operator)),
        ("passed_trap", only(operator_traps, ", skel_trap")),
        ("leave", noted(operator_traps, "0ull", sites, "break;")),
        ("note", noted(operator_traps, "0ull", sites, "")),
        ("no_trap", no_trap.clone()),
    ];
    let apart = match kernel.kind {
        Kind::Lanes => "params.width",
        Kind::Heavy | Kind::Ordered { .. } => "1u",
    };
    values.extend([
        ("from", "first".into()),
        ("end", "last".into()),
        ("apart", apart.into()),
        ("steps", format!("{}u * {apart}", builder.batch)),
        ("untrapped_yet", no_trap),
        ("ahead", ahead),
        ("fetch", fetch),
    ]);
    let gather = match kernel.kind {
        Kind::Heavy => template::fill(HEAVY, &values),
        Kind::Lanes => {
            builder.each(ELEMENT, &mut values);
            template::fill(BY_LANES, &values)
        }
        Kind::Ordered { chunks } => {
            values.push(("tree", template::fill(TREE, &values)));
            builder.each(BLOCK_ELEMENT, &mut values);
            let per_chunk = (CHUNK / BLOCK) as u32;
            let of_blocks = (chunks, per_chunk, 1, BLOCK as u32, "params.width");
            let of_chunks = (1, chunks, per_chunk, CHUNK as u32, "256u");
            let [chunks, tiles] =
                [of_blocks, of_chunks].map(|(wholes, parts, apart, elems, width)| {
                    let chain = [
                        ("wholes", wholes.to_string()),
                        ("parts", parts.to_string()),
                        ("apart", apart.to_string()),
                        ("part_elems", elems.to_string()),
                        ("part_width", width.to_owned()),
                    ];
                    template::fill(CHAIN, &[&chain, values.as_slice()].concat())
                });
            values.extend([("chunks", chunks), ("tiles_of_chunks", tiles)]);
            template::fill(BY_BLOCKS, &values)
        }
    };
    let store = template::fill(if scans { TILES } else { LEAF }, &values);
    values.extend([("gather", gather), ("store", store)]);
    let mut source = builder.finish(&[operator, kernel.map], &template::fill(FOLD, &values))?;
    source.of_block = tiles;
    Ok(source)
}

fn nodes(kernel: &Kernel, options: &SourceOptions, operator: FnId) -> Result<Source, String> {
    let ty = kernel.result_ty().clone();
    let lanes = lanes_for(options, padded_bytes(&ty));
    let mut builder = Builder::new(kernel, lanes);
    for member in [
        Member::Level,
        Member::FirstLeaf,
        Member::Leaves,
        Member::ToLeaf,
    ] {
        builder.number(member);
    }
    builder.pointer(Member::Partials, &ty, true);
    let (traps, sites) = (builder.cuda.trapping[operator.0], builder.cx.sites().len());
    if traps {
        builder.bind_status(false);
    }
    let values = [
        ("lanes", lanes.to_string()),
        ("element", builder.cuda.ty(&ty)),
        ("untrapped", untrapped(traps)),
        ("operator", builder.cx.function_name(operator)),
        ("passed_trap", only(traps, ", skel_trap")),
        ("note", noted(traps, "0ull", sites, "")),
        ("no_trap", only(traps, " && skel_trap == 0u")),
    ];
    let mut source = builder.finish(&[operator], &template::fill(NODES, &values))?;
    source.of_block = lanes;
    Ok(source)
}
