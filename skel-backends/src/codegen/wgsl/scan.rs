//! Scans: values of tiles, nodes above them, and the blocks.
//!
//! The first two kernels are those of a fold and need no carry; so they can run before the carry is known.

use super::{
    apply::{self, Applied},
    builder::{Binding, Builder, Shader, ShaderOptions},
    fold::{Stage, TREE, fold, guarded, node, operator_of, tiles_of_group},
};
use crate::codegen::{Number, cx, template};
use skel_core::{
    ir::FnId,
    plan::{Emission, Grouping, Kernel, Role, grouping::BLOCK},
};

const BLOCKS: &str = include_str!("../templates/wgsl/scan_blocks.wgsl");
const BEFORE: &str = include_str!("../templates/wgsl/scan_before.wgsl");
const TOTALS: &str = include_str!("../templates/wgsl/scan_totals.wgsl");
const CHUNKS: &str = include_str!("../templates/wgsl/scan_chunks.wgsl");
const CARRY: &str = include_str!("../templates/wgsl/scan_carry.wgsl");
const BY_CHAIN: &str = include_str!("../templates/wgsl/scan_chain.wgsl");
const DOUBLING: &str = include_str!("../templates/wgsl/scan_doubling.wgsl");

/// What a lane keeps of earlier elements of its block where prefixes go by doubling reaches.
const HISTORIES: [(&str, usize); 3] = [("two", 2), ("four", 4), ("eight", 8)];

/// Which of a scan's three kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanStage {
    /// A value of each tile from the elements of the arguments.
    Tiles,
    /// Nodes above the tiles.
    Nodes,
    /// The outputs.
    Blocks,
}

/// The source of one of a scan's kernels.
///
/// # Errors
/// Why the device cannot run it.
pub fn scan(kernel: &Kernel, options: &ShaderOptions, stage: ScanStage) -> Result<Shader, String> {
    let operator = cx::operator(kernel)?;
    let nothing = || cx::malformed(kernel, "its scan writes nothing");
    let emission = kernel.emission.ok_or_else(nothing)?;
    match stage {
        ScanStage::Tiles => fold(kernel, options, Stage::Leaves),
        ScanStage::Nodes => fold(kernel, options, Stage::Nodes),
        ScanStage::Blocks => blocks(kernel, options, operator, emission),
    }
}

fn blocks(
    kernel: &Kernel,
    options: &ShaderOptions,
    operator: FnId,
    emission: Emission,
) -> Result<Shader, String> {
    let mut builder = Builder::new(kernel, options);
    let ty = kernel.result_ty();
    let chunks_per_tile = match kernel.grouping {
        Grouping::Ordered { chunks } => chunks,
        Grouping::Heavy | Grouping::Lanes => 0,
    };
    let tile_elems = kernel.grouping.tile_elems() as u32;
    let blocks = tile_elems / BLOCK as u32;
    let tiles = tiles_of_group(
        &mut builder,
        options,
        options.lanes / blocks,
        blocks,
        |tiles| tiles * (1 + chunks_per_tile),
    );
    builder.numbers(&[
        Number::Count,
        Number::Slot,
        Number::Carried,
        Number::FirstLeaf,
        Number::Leaves,
    ]);
    builder.bind_arguments();
    let Applied { load, apply, .. } = builder.apply_map();
    builder.bind(Binding::Gathered, "nodes", ty, true);
    let traps = builder.cx.traps(operator) || builder.cx.traps(kernel.map);
    let store = emitted(&mut builder, emission);
    let (before, after) = match emission.exclusive {
        true => (store, String::new()),
        false => (String::new(), store),
    };
    let sites = builder.cx.sites().len();
    let noted = |then: &str| match traps {
        // A trap in combining is the operator's, which has no index.
        true => builder.note_trap("0u", sites, then),
        false => String::new(),
    };
    let (leave, note) = (noted("break;"), noted(""));
    let untrapped = if traps { " && skel_trap == 0u" } else { "" };
    if traps {
        builder.bind_status(false);
    }
    let element = builder.wgsl.ty(&mut builder.cx, ty);
    let place = |first: &str, level: &str| {
        // Leaves have places of their own.
        let right = format!("{first} + ((1u << {level}) >> 1u) - params.first_leaf");
        format!("2u * ({right}) - select(1u, 0u, {level} == 0u)")
    };
    let carried = |level: &str| node(ty, &format!("2u * params.leaves + 1u + {level}"));
    builder.group_memory("tile", ty, tiles * blocks);
    builder.group_memory("before", ty, tiles);
    let (guard, name) = operator_of(&mut builder, operator, traps);
    let mut values = vec![
        ("lanes", options.lanes.to_string()),
        ("begin", builder.begin()),
        ("tiles", tiles.to_string()),
        ("blocks", blocks.to_string()),
        ("chunks_per_tile", chunks_per_tile.to_string()),
        ("tile_elems", tile_elems.to_string()),
        ("operator", name),
        ("leave", leave),
        ("note", note),
        ("untrapped", untrapped.to_owned()),
        ("load", load),
        ("apply", apply),
        ("store_before", before),
        ("store_after", after),
        ("own", node(ty, &place("first", "level"))),
        ("begins", node(ty, &place("params.first_leaf", "part"))),
        (
            "continues",
            node(
                ty,
                &place("(((params.first_leaf >> part) + 1u) << part)", "part"),
            ),
        ),
        ("carried", carried("level")),
        ("carried_part", carried("part")),
        ("initial", node(ty, "2u * params.leaves")),
    ];
    let mut histories = String::new();
    if kernel.is_wide {
        histories = format!("let carry = prefix;\nvar x1: {element};\n");
        for (name, count) in HISTORIES {
            for k in 1..=count {
                histories.push_str(&format!("var {name}{k}: {element};\n"));
            }
        }
    }
    if chunks_per_tile > 0 {
        let chunks = tiles * chunks_per_tile;
        builder.group_memory("chunk", ty, chunks);
        values.push(("chunks", chunks.to_string()));
    }
    values.push(("element", element));
    values.push(("tree", template::fill(TREE, &values)));
    let of_chunks = |text: &str| match chunks_per_tile {
        0 => String::new(),
        _ => template::fill(text, &values),
    };
    let (totals, chunks, carry) = (of_chunks(TOTALS), of_chunks(CHUNKS), of_chunks(CARRY));
    let combine = template::fill(if kernel.is_wide { DOUBLING } else { BY_CHAIN }, &values);
    let turn = match kernel.is_wide {
        true => "let turn = at - first;\n",
        false => "",
    };
    let find_before = template::fill(BEFORE, &values);
    let parts = [
        ("find_before", find_before),
        ("totals", totals),
        ("chunks", chunks),
        ("carry", carry),
        ("histories", histories),
        ("combine", format!("{turn}{combine}")),
    ];
    let text = template::fill(BLOCKS, &[&parts, values.as_slice()].concat());
    let roots = [operator, kernel.map, emission.function];
    let mut shader = builder.finish(&roots, &guarded(guard, text))?;
    shader.of_group = tiles;
    Ok(shader)
}

/// Stores what an element's prefix gives.
fn emitted(builder: &mut Builder<'_>, emission: Emission) -> String {
    let arguments = builder.kernel.arguments.iter().enumerate();
    let mut passed = vec!["prefix".to_owned(), "value".to_owned()];
    let mut store = String::new();
    for (k, argument) in arguments {
        match argument.role {
            Role::Uniform => passed.push(apply::uniform(k, &argument.ty)),
            Role::Out => store = apply::store(k, &argument.ty, "at", "shown"),
            _ => {}
        }
    }
    let name = builder.cx.function_name(emission.function);
    format!("let shown = {name}({});\n{store}", passed.join(", "))
}
