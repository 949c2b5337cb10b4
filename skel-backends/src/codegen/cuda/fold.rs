//! Folds: one kernel, which gives a value of each leaf of tiles, and of which the last block of each group of leaves
//! combines them. The first kernels of a scan in three passes are alike: a value of each tile, and the nodes above them.
//!
//! The grouping is that of `skel_core::plan::grouping`; where values lie says `crate::tiling`.

use super::{
    Member, Pointer,
    apply::Applied,
    batch,
    kernel::{Builder, SHARED_BYTES, Source, SourceOptions, lanes_for},
    padded_bytes,
    traps::{Operator, noted, only, untrapped},
    vectors,
};
use crate::codegen::{Number, cx, template};
use skel_core::{
    ir::Ty,
    plan::{
        Grouping, Kernel, Pattern,
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
const SINGLY: &str = include_str!("../templates/cuda/fold_singly.cu");
const VECTORS: &str = include_str!("../templates/cuda/fold_vectors.cu");
const NODES: &str = include_str!("../templates/cuda/nodes.cu");
const NODE_PLACE: &str = include_str!("../templates/cuda/node_place.cu");
const NODE_GROUP: &str = include_str!("../templates/cuda/node_group.cu");
const NODE_LIST: &str = include_str!("../templates/cuda/node_list.cu");

/// Threads that run together.
const WARP: u32 = 32;

/// Elements of a thread of a light fold for each that the block configuration says: so that what threads do together
/// counts less.
const LIGHT: u32 = 4;

/// Elements per thread of the usual configuration; a heavy fold's thread has one.
const USUAL: u32 = 8;

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

/// How many nodes a block combines at once, of which it has room for so many: a power of two.
fn fan(lanes: u32, places: u32) -> Result<u32, String> {
    match 1 << lanes.min(places).ilog2() {
        1 => Err("a block of one thread has nothing to combine".into()),
        fan => Ok(fan),
    }
}

/// The source of a fold; of a scan, that of the kernel which gives a value of each tile.
///
/// # Errors
/// Why no device can run it.
pub fn fold(kernel: &Kernel, options: &SourceOptions) -> Result<Source, String> {
    let operator = cx::operator(kernel)?;
    let ty = kernel.result_ty().clone();
    let tile_elems = kernel.grouping.tile_elems() as u32;
    let elems = options.lanes * options.elems_per_lane.unwrap_or(USUAL);
    let (apart, wanted) = match kernel.grouping {
        Grouping::Lanes => (LANES, elems * LIGHT),
        Grouping::Ordered { chunks } => (chunks as usize * CHUNK / BLOCK, elems * LIGHT),
        Grouping::Heavy => (BLOCK, elems / USUAL),
    };
    let apart = apart as u32;
    let tiles = tiles_of_block(&ty, wanted / tile_elems, apart)?;
    let mut builder = Builder::new(kernel, options.lanes);
    builder.numbers(&[Number::Count, Number::Level, Number::TileWidth]);
    let scans = kernel.pattern == Pattern::Scan;
    if !scans {
        builder.numbers(&[Number::FirstLeaf, Number::Leaves, Number::ToLeaf]);
    }
    let traps = [kernel.map, operator].map(|function| builder.cuda.trapping[function.0]);
    let width = match kernel.grouping {
        Grouping::Lanes if options.vectors && traps == [false; 2] => vectors::width_of_fold(kernel),
        _ => None,
    };
    builder.batch = match (kernel.grouping, width) {
        // Threads of a heavy one have one element each.
        (Grouping::Heavy, _) => 1,
        (_, None) => batch::single(kernel),
        // For what is in no vector; more would take registers from those.
        (_, Some(width)) => batch::single(kernel).min(width),
    };
    // What a scan stores is not stored yet.
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
    builder.pointer(Pointer::Partials, &ty, true);
    if !scans {
        builder.pointer(Pointer::Listed, &ty, true);
        builder.pointer(Pointer::States, &Ty::U32, true);
    }
    if !store.is_empty() && !scans {
        builder
            .cx
            .unsupported("it changes an argument in place, in a reduction");
    }
    let [map_traps, operator_traps] = traps;
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
            "params.base + at",
            0,
            "skel_trap = 0u;\n    break;",
        ),
    };
    let no_trap = only(
        operator_traps || (map_traps && scans),
        " && skel_trap == 0u",
    );
    let fan = fan(options.lanes, tiles * apart)?;
    let warp = options.lanes.min(WARP);
    let applied = Operator::new(&mut builder, operator, &ty, traps);
    let mut values = vec![
        ("lanes", options.lanes.to_string()),
        ("warp", warp.to_string()),
        ("warps", (options.lanes / warp).to_string()),
        ("fan", fan.to_string()),
        ("reach", fan.ilog2().to_string()),
        ("element", builder.cuda.ty(&ty)),
        ("places", (tiles * apart).to_string()),
        ("places_per_tile", apart.to_string()),
        ("blocks", apart.to_string()),
        ("tile_elems", tile_elems.to_string()),
        ("untrapped", untrapped(traps)),
        ("load", load),
        ("apply", apply),
        ("map_trap", map_trap),
        ("operator", applied.name),
        ("passed_trap", applied.passed),
        ("leave", noted(operator_traps, "0ull", sites, "break;")),
        ("note", noted(operator_traps, "0ull", sites, "")),
        ("no_trap", no_trap.clone()),
    ];
    let apart = match kernel.grouping {
        Grouping::Lanes => "params.width",
        Grouping::Heavy | Grouping::Ordered { .. } => "1u",
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
    let gather = match kernel.grouping {
        Grouping::Heavy => template::fill(HEAVY, &values),
        Grouping::Lanes => {
            builder.each(ELEMENT, &mut values);
            values.push(("singly", template::fill(SINGLY, &values)));
            let places = places_of_tile(&mut builder, width, &values);
            values.push(("places_of_tile", places));
            template::fill(BY_LANES, &values)
        }
        Grouping::Ordered { chunks } => {
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
    let store = match scans {
        true => {
            values.push(("node_place", String::new()));
            template::fill(TILES, &values)
        }
        false => {
            values.extend(above("params.listed", &values));
            template::fill(LEAF, &values)
        }
    };
    values.extend([("gather", gather), ("store", store)]);
    let main = applied.declared + &template::fill(FOLD, &values);
    let mut source = builder.finish(&[operator, kernel.map], &main)?;
    source.of_block = tiles;
    source.fan = fan;
    Ok(source)
}

/// What gives the values of a tile's places: element by element, or, of whole tiles, from vectors of so many elements
/// where these are aligned.
fn places_of_tile(
    builder: &mut Builder<'_>,
    width: Option<u32>,
    values: &[(&'static str, String)],
) -> String {
    let Some(width) = width else {
        return template::fill("${singly}", values);
    };
    builder.number(Member::Head);
    builder.number(Member::Vectors);
    let single = builder.batch;
    builder.width = Some(width);
    builder.batch = batch::rows_of_vectors(builder.kernel, width);
    let Applied {
        ahead,
        fetch,
        load,
        apply,
        ..
    } = builder.apply_map();
    let vectors = [
        ("width", width.to_string()),
        ("rows", builder.batch.to_string()),
        ("ahead", ahead),
        ("fetch", fetch),
        ("load", load),
        ("apply", apply),
    ];
    builder.batch = single;
    template::fill(VECTORS, &[vectors.as_slice(), values].concat())
}

/// What is done with nodes above leaves, of which some are listed.
fn above(list: &str, values: &[(&'static str, String)]) -> [(&'static str, String); 3] {
    let values = &[&[("list", list.to_owned())], values].concat();
    [
        ("node_place", NODE_PLACE.to_owned()),
        ("node_group", template::fill(NODE_GROUP, values)),
        ("node_list", template::fill(NODE_LIST, values)),
    ]
}

/// The source of the kernel that gives the nodes above a scan's tiles.
///
/// # Errors
/// Why no device can run it.
pub(super) fn nodes(kernel: &Kernel, options: &SourceOptions) -> Result<Source, String> {
    let operator = cx::operator(kernel)?;
    let ty = kernel.result_ty().clone();
    let lanes = lanes_for(options, padded_bytes(&ty));
    let mut builder = Builder::new(kernel, lanes);
    builder.numbers(&[
        Number::Level,
        Number::FirstLeaf,
        Number::Leaves,
        Number::ToLeaf,
    ]);
    builder.pointer(Pointer::Partials, &ty, true);
    let (traps, sites) = (builder.cuda.trapping[operator.0], builder.cx.sites().len());
    let any_traps = traps || builder.cuda.trapping[kernel.map.0];
    let applied = Operator::new(&mut builder, operator, &ty, any_traps);
    if traps || !applied.declared.is_empty() {
        builder.bind_status(false);
    }
    let fan = fan(lanes, lanes)?;
    let mut values = vec![
        ("lanes", lanes.to_string()),
        ("fan", fan.to_string()),
        ("element", builder.cuda.ty(&ty)),
        ("untrapped", untrapped(traps)),
        ("operator", applied.name),
        ("passed_trap", applied.passed),
        ("note", noted(traps, "0ull", sites, "")),
        ("no_trap", only(traps, " && skel_trap == 0u")),
    ];
    values.extend(above("(params.partials + listed)", &values));
    let main = applied.declared + &template::fill(NODES, &values);
    let mut source = builder.finish(&[operator], &main)?;
    source.of_block = fan;
    Ok(source)
}
