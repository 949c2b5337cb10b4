//! Scans: values of tiles, nodes above them, and the blocks; or all in one pass. The grouping is that of
//! `skel_core::plan::grouping`; where values lie says `crate::tiling`.
//!
//! The first two of the three kernels are those of a fold and need no carry; so they can run before the carry is known.
//! One pass reads the elements once, where the three read them twice, and has its total only in the end.

use super::{
    Pointer,
    apply::Applied,
    fold::{TREE, fold, nodes},
    kernel::{Builder, SHARED_BYTES, Source, SourceOptions},
    padded_bytes,
    traps::{Operator, noted, only, untrapped},
};
use crate::codegen::{Number, cx, template};
use skel_core::{
    ir::{FnId, Ty},
    plan::{Emission, Grouping, Kernel, Role, grouping::BLOCK},
};
use std::fmt::Write;

const SCAN: &str = include_str!("../templates/cuda/scan.cu");
const AHEAD: &str = include_str!("../templates/cuda/scan_ahead.cu");
const TOTALS: &str = include_str!("../templates/cuda/scan_totals.cu");
const REACHES: &str = include_str!("../templates/cuda/scan_reaches.cu");
const REACHED_TOTAL: &str = include_str!("../templates/cuda/scan_reached_total.cu");
const BLOCK_ELEMS: &str = include_str!("../templates/cuda/scan_block.cu");
const BLOCK_TOTAL: &str = include_str!("../templates/cuda/scan_block_total.cu");
const BLOCK_PREFIXES: &str = include_str!("../templates/cuda/scan_block_prefixes.cu");
const EACH_BLOCK: &str = include_str!("../templates/cuda/scan_each_block.cu");
const SHORT_TOTAL: &str = include_str!("../templates/cuda/scan_short_total.cu");
const CHUNKS: &str = include_str!("../templates/cuda/scan_chunks.cu");
const JOINED: &str = include_str!("../templates/cuda/scan_joined.cu");
const CARRY: &str = include_str!("../templates/cuda/scan_carry.cu");
const BY_CHAIN: &str = include_str!("../templates/cuda/scan_chain.cu");
const BY_DOUBLING: &str = include_str!("../templates/cuda/scan_doubling.cu");
const BEFORE: &str = include_str!("../templates/cuda/scan_before.cu");
const PRECEDED: &str = include_str!("../templates/cuda/scan_preceded.cu");
const BEGUN_WITH: &str = include_str!("../templates/cuda/scan_begun_with.cu");
const EARLIER_NODES: &str = include_str!("../templates/cuda/scan_earlier_nodes.cu");
const AWAIT: &str = include_str!("../templates/cuda/scan_await.cu");
const LOOK_BACK: &str = include_str!("../templates/cuda/scan_look_back.cu");
const TREE_OF_TILES: &str = include_str!("../templates/cuda/scan_tree.cu");
const TILES_BEFORE: &str = include_str!("../templates/cuda/scan_tiles_before.cu");

const NOTHING: &str =
    "if (in_row < left && skel_trap != 0u) {\n    row[in_row + in_row / 16u] = {};\n}";

const IN_THREE: &str = "const u64 tiles = ${tiles}u;\nconst u64 first_tile = blockIdx.x * tiles;";

const IN_ONE: &str = "\
__shared__ u32 number;
if (lane == 0u) {
    number = atomicAdd(&params.states[0], 1u);
}
__syncthreads();
const u64 block = number;
u32* const states = params.states + 1u;
const u64 tiles = 1ull << params.level;
const u64 first_tile = block * tiles;
const bool wants_total = (params.carried & 4u) != 0u;";

/// Which of a scan's kernels: the first three, one after the other, or the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanStage {
    /// A value of each tile from the elements of the arguments.
    Tiles,
    /// Nodes above the tiles.
    Nodes,
    /// The outputs.
    Blocks,
    /// The outputs of the elements alone, once the carry is known.
    OnePass,
}

/// The source of one of a scan's kernels.
///
/// # Errors
/// Why no device can run it.
pub fn scan(kernel: &Kernel, options: &SourceOptions, stage: ScanStage) -> Result<Source, String> {
    let operator = cx::operator(kernel)?;
    let nothing = || cx::malformed(kernel, "its scan writes nothing");
    let emission = kernel.emission.ok_or_else(nothing)?;
    match stage {
        ScanStage::Tiles => fold(kernel, options),
        ScanStage::Nodes => nodes(kernel, options),
        ScanStage::Blocks => outputs(kernel, options, (operator, emission), false),
        ScanStage::OnePass => outputs(kernel, options, (operator, emission), true),
    }
}

/// Bytes of arguments, at most, that a lane loads before it uses any.
const MOST_AHEAD_BYTES: usize = 128;

/// Values of earlier nodes that a block looks back at, at most: one for each bit of a number.
const MOST_LEVELS: u32 = u64::BITS;

/// Blocks that know each other's leaves: a lane for each of them.
const MOST_IN_GROUP: u32 = 256;

/// How a block divides its elements.
struct Row {
    lanes: u32,
    tiles: u32,
    tile_elems: u32,
    /// 0 of heavy tiles.
    chunks_per_tile: u32,
    one_pass: bool,
    /// 2 to this power are the blocks that know each other's leaves, of a scan in one pass.
    group_level: u32,
}

impl Row {
    fn new(kernel: &Kernel, options: &SourceOptions, one_pass: bool) -> Result<Row, String> {
        let ty = kernel.result_ty();
        let size = padded_bytes(ty);
        let tile_elems = kernel.grouping.tile_elems() as u32;
        let lanes = options.lanes;
        let elems = options.elems_per_lane.unwrap_or(BLOCK as u32);
        let elems = lanes * elems.clamp(1, BLOCK as u32);
        let mut row = Row {
            lanes,
            tiles: 1 << (elems / tile_elems).max(1).ilog2(),
            tile_elems,
            chunks_per_tile: match kernel.grouping {
                Grouping::Ordered { chunks } => chunks,
                Grouping::Heavy | Grouping::Lanes => 0,
            },
            one_pass,
            group_level: lanes.min(MOST_IN_GROUP).ilog2().max(1),
        };
        while row.tiles > 1 && row.shared_bytes(size) > SHARED_BYTES {
            row.tiles /= 2;
        }
        // Large values have smaller groups.
        while row.group_level > 1 && row.shared_bytes(size) > SHARED_BYTES {
            row.group_level -= 1;
        }
        match row.shared_bytes(size) <= SHARED_BYTES {
            true => Ok(row),
            false => Err(format!(
                "combining `{ty}` takes {} bytes of shared memory, and a block has {SHARED_BYTES}",
                row.shared_bytes(size)
            )),
        }
    }

    fn elems(&self) -> u32 {
        self.tiles * self.tile_elems
    }

    fn blocks(&self) -> u32 {
        self.elems() / BLOCK as u32
    }

    fn chunks(&self) -> u32 {
        self.tiles * self.chunks_per_tile
    }

    /// Elements that a lane loads and stores.
    fn batch(&self) -> u32 {
        self.elems().div_ceil(self.lanes)
    }

    /// What the kernel declares, and what comes to its alignment.
    fn shared_bytes(&self, size: usize) -> usize {
        let of_pass = match self.one_pass {
            true => 3 * self.tiles + MOST_LEVELS + (1 << self.group_level),
            false => 0,
        };
        let values = self.elems() + 2 * self.blocks() + self.chunks() + self.tiles + of_pass;
        values as usize * size + 64
    }

    /// What the kernel declares besides row and blocks.
    fn memory(&self, element: &str) -> String {
        let mut all = Vec::new();
        if self.chunks() > 0 {
            all.push(("chunk", self.chunks()));
        }
        if self.one_pass {
            let group = 1 << self.group_level;
            all.extend([
                ("leaves", self.tiles),
                ("earlier", MOST_LEVELS),
                ("group", group),
            ]);
        }
        if self.one_pass && self.tiles > 1 {
            all.push(("nodes", 2 * self.tiles));
        }
        let lines = all
            .iter()
            .map(|(name, len)| format!("__shared__ {element} {name}[{len}];\n"));
        lines.collect()
    }
}

fn outputs(
    kernel: &Kernel,
    options: &SourceOptions,
    (operator, emission): (FnId, Emission),
    one_pass: bool,
) -> Result<Source, String> {
    let ty = kernel.result_ty().clone();
    let row = Row::new(kernel, options, one_pass)?;
    let mut builder = Builder::new(kernel, row.lanes);
    builder.numbers(&[
        Number::Count,
        Number::Carried,
        Number::FirstLeaf,
        Number::Leaves,
    ]);
    if one_pass {
        builder.number(Number::Level);
    }
    builder.bind_arguments();
    match one_pass {
        true => {
            builder.pointer(Pointer::Partials, &ty, true);
            builder.pointer(Pointer::States, &Ty::U32, true);
        }
        false => builder.pointer(Pointer::Gathered, &ty, false),
    }
    let read = kernel.arguments.iter().filter(|a| a.role == Role::In);
    let read_bytes: usize = read.map(|a| a.ty.size_bytes()).sum();
    if read_bytes * row.batch() as usize <= MOST_AHEAD_BYTES {
        builder.batch = row.batch();
    }
    let applied = builder.apply_map();
    builder.batch = row.batch();
    let store = emitted(&mut builder, emission);
    let traps =
        [operator, kernel.map].map(|function| builder.cuda.trapping[function.0]) != [false; 2];
    let sites = builder.cx.sites().len();
    if traps {
        builder.bind_status(false);
    }
    let Applied {
        ahead,
        fetch,
        load,
        apply,
        ..
    } = applied;
    let combined = Operator::new(&mut builder, operator, &ty, traps);
    let keep = |wanted| only(wanted, "row[place * 17u + in_block] = prefix;");
    let element = builder.cuda.ty(&ty);
    let tile_elems = row.tile_elems;
    let table = if one_pass { "partials" } else { "gathered" };
    let values = [
        ("lanes", row.lanes.to_string()),
        ("memory", row.memory(&element)),
        ("element", element),
        ("row_places", (row.elems() + row.blocks()).to_string()),
        ("blocks", row.blocks().to_string()),
        ("blocks_per_tile", (tile_elems / BLOCK as u32).to_string()),
        ("tiles", row.tiles.to_string()),
        ("tile_elems", tile_elems.to_string()),
        ("group", (1 << row.group_level).to_string()),
        ("group_level", row.group_level.to_string()),
        ("chunks", row.chunks().to_string()),
        ("chunks_per_tile", row.chunks_per_tile.to_string()),
        ("batch", row.batch().to_string()),
        // Of many elements, values are in memory in any case.
        (
            "unrolled",
            if row.batch() <= BLOCK as u32 {
                row.batch()
            } else {
                1
            }
            .to_string(),
        ),
        ("table", table.to_owned()),
        ("untrapped", untrapped(traps)),
        ("operator", combined.name),
        ("passed_trap", combined.passed),
        // A trap in combining is the operator's, which has no index.
        ("leave", noted(traps, "0ull", sites, "break;")),
        ("note", noted(traps, "0ull", sites, "")),
        // Other lanes read it, and it shall be a value.
        ("nothing", only(traps, NOTHING)),
        ("no_trap", only(traps, " && skel_trap == 0u")),
        (
            "or_else",
            format!("else{}", only(traps, " if (skel_trap == 0u)")),
        ),
        ("or_total", only(one_pass, " || wants_total")),
        ("ahead", ahead),
        ("fetch", fetch),
        ("load", load),
        ("apply", apply),
        ("store", store),
        ("keep_before", keep(emission.exclusive)),
        ("keep_after", keep(!emission.exclusive)),
    ];
    let main = combined.declared + &text(kernel, &row, values.to_vec());
    let mut source = builder.finish(&[operator, kernel.map, emission.function], &main)?;
    source.of_block = row.tiles;
    Ok(source)
}

/// Puts the parts of the template together.
fn text(kernel: &Kernel, row: &Row, mut values: Vec<(&'static str, String)>) -> String {
    let add = |values: &mut Vec<(&'static str, String)>, name, wanted: bool, part: &str| {
        let filled = template::fill(part, values);
        values.push((name, if wanted { filled } else { String::new() }));
    };
    let (one_pass, chunked) = (row.one_pass, row.chunks_per_tile > 0);
    let fetches = values
        .iter()
        .any(|(name, text)| *name == "fetch" && !text.is_empty());
    let is_wide = kernel.is_wide;
    let leaf = match (row.tiles > 1, chunked) {
        (true, true) => "nodes[2u * of_tile] = total;",
        (false, true) => "leaves[0] = total;",
        (true, false) => {
            "for (u64 at = lane; at < tiles && at * 16u < left; at += ${lanes}u) {\n    \
             nodes[2u * at] = tile[at];\n}"
        }
        (false, false) => "if (lane == 0u) {\n    leaves[0] = tile[0];\n}",
    };
    let number = if one_pass { IN_ONE } else { IN_THREE };
    add(&mut values, "number", true, number);
    add(&mut values, "fetched", fetches, AHEAD);
    add(&mut values, "tree", true, TREE);
    add(&mut values, "short_total", one_pass, SHORT_TOTAL);
    let total = if is_wide { REACHED_TOTAL } else { TOTALS };
    add(&mut values, "total", true, total);
    add(&mut values, "carry", chunked, CARRY);
    let prefixes = if is_wide { BY_DOUBLING } else { BY_CHAIN };
    add(&mut values, "prefixes", true, prefixes);
    add(&mut values, "reaches", is_wide, REACHES);
    add_blocks(row, &mut values);
    add(&mut values, "keep_tile", one_pass, leaf);
    let chains = if chunked { CHUNKS } else { "${keep_tile}" };
    add(&mut values, "chunk_chains", true, chains);
    add(&mut values, "joined", chunked, JOINED);
    add(&mut values, "preceded", true, PRECEDED);
    add(&mut values, "begun_with", true, BEGUN_WITH);
    add(&mut values, "earlier_nodes", one_pass, EARLIER_NODES);
    add(&mut values, "tree_of_tiles", row.tiles > 1, TREE_OF_TILES);
    add(&mut values, "tiles_before", row.tiles > 1, TILES_BEFORE);
    add(&mut values, "await", one_pass, AWAIT);
    let precedes = if one_pass { LOOK_BACK } else { BEFORE };
    add(&mut values, "precedes", true, precedes);
    template::fill(SCAN, &values)
}

/// The totals of blocks, and the prefixes in them. A lane that has one block keeps what it knows of it; of several it
/// finds it again.
fn add_blocks(row: &Row, values: &mut Vec<(&'static str, String)>) {
    let elems = template::fill(BLOCK_ELEMS, values);
    let total = template::fill(BLOCK_TOTAL, values);
    let prefixes = template::fill(BLOCK_PREFIXES, values);
    let (totals, prefixes) = match row.blocks() <= row.lanes {
        true => (format!("const u64 place = lane;\n{elems}{total}"), prefixes),
        false => {
            let each = |part: String| {
                let of_block = ("of_block", elems.clone() + &part);
                template::fill(EACH_BLOCK, &[&[of_block], values.as_slice()].concat())
            };
            (each(total), each(prefixes))
        }
    };
    values.extend([("block_totals", totals), ("block_prefixes", prefixes)]);
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
