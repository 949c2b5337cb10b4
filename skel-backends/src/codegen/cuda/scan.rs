//! Scans: totals of blocks, what precedes each block, and the blocks; or all in one pass.
//!
//! The first of the three kernels needs no carry; so it can run before the carry is known.
//! One pass reads the elements once, where the three read them twice, and has its total only in the end.

use super::{
    Member,
    apply::Applied,
    kernel::{Builder, SHARED_BYTES, Source, SourceOptions, lanes_for},
    padded_bytes,
    totals::totals,
    traps::{noted, only, untrapped},
};
use crate::codegen::template;
use skel_core::{
    ir::{FnId, Ty},
    plan::{Emission, Kernel, Role},
};
use std::fmt::Write;

const CARRIES: &str = include_str!("../templates/cuda/scan_carries.cu");
const BLOCKS: &str = include_str!("../templates/cuda/scan_blocks.cu");
const ONE_PASS: &str = include_str!("../templates/cuda/scan_one_pass.cu");
const LOOK_BACK: &str = include_str!("../templates/cuda/scan_look_back.cu");
const AHEAD: &str = include_str!("../templates/cuda/scan_ahead.cu");
const LANES: &str = include_str!("../templates/cuda/scan_lanes.cu");
const NOTHING: &str = "if (in_row < count && skel_trap != 0u) {\n    row[${place}] = {};\n}";
const PREFIX: &str = include_str!("../templates/cuda/scan_prefix.cu");

/// Which of a scan's kernels: the first three, one after the other, or the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanStage {
    /// One total per block from the elements of the arguments.
    Totals,
    /// What precedes each block.
    Carries,
    /// The outputs.
    Blocks,
    /// The outputs of the elements alone, once the carry is known.
    OnePass,
}

/// The source of one of a scan's kernels. The first three have the same number of lanes.
///
/// # Errors
/// Why no device can run it.
pub fn scan(kernel: &Kernel, options: &SourceOptions, stage: ScanStage) -> Result<Source, String> {
    let (Some(operator), Some(emission)) = (kernel.operator, kernel.emission) else {
        return Err("the kernel of a scan has no operator, or writes nothing".into());
    };
    if stage == ScanStage::Totals {
        return totals(kernel, options, operator);
    }
    let ty = kernel.result_ty().clone();
    if stage == ScanStage::OnePass {
        return one_pass(kernel, options, operator, emission);
    }
    let lanes = lanes_for(options, scan_bytes(&ty));
    let mut builder = Builder::new(kernel, lanes);
    for member in [Member::Count, Member::PerLane, Member::Carried] {
        builder.number(member);
    }
    if stage == ScanStage::Carries {
        builder.pointer(Member::Partials, &ty, true);
        let traps = builder.cuda.trapping[operator.0];
        return finish(builder, CARRIES, &[operator], traps, &[]);
    }
    builder.number(Member::Slot);
    builder.bind_arguments();
    builder.pointer(Member::Gathered, &ty, false);
    let Applied { load, apply, .. } = builder.apply_map();
    let store = emitted(&mut builder, emission);
    let batch = batch(&ty);
    let mut values = vec![
        ("row", (lanes * batch).to_string()),
        ("batch", batch.to_string()),
        ("place", "in_row".to_owned()),
        ("load", load),
        ("apply", apply),
        ("store", store),
    ];
    values.extend(kept(emission));
    let roots = [operator, kernel.map, emission.function];
    let traps = builder.cuda.trapping[operator.0] || builder.cuda.trapping[kernel.map.0];
    finish(builder, BLOCKS, &roots, traps, &values)
}

/// Bytes of a lane's row in one pass: blocks look back at one another, so there should be few.
const LONG_ROW_BYTES: usize = 64;

/// And at most, whatever is asked for: lanes hold it in registers.
const MOST_ROW_BYTES: usize = 256;

/// Elements of a lane's row in one pass, at most.
const MOST_LONG_ROW: usize = 16;

/// Bytes of arguments, at most, that a lane loads before it uses any.
const MOST_AHEAD_BYTES: usize = 128;

/// How a scan in one pass divides its elements.
struct Tiles {
    lanes: u32,
    /// Elements of a lane.
    batch: u32,
}

impl Tiles {
    fn new(ty: &Ty, options: &SourceOptions) -> Tiles {
        let size = padded_bytes(ty).max(1);
        let usual = (LONG_ROW_BYTES / size).clamp(1, MOST_LONG_ROW);
        let asked = |elems: u32| (elems as usize).clamp(1, (MOST_ROW_BYTES / size).max(1));
        let batch = options.elems_per_lane.map_or(usual, asked);
        let mut tiles = Tiles {
            lanes: options.lanes,
            // The power of two that is not larger.
            batch: 1 << batch.ilog2(),
        };
        while tiles.lanes > 1 && tiles.shared_bytes(size) > SHARED_BYTES {
            tiles.lanes /= 2;
        }
        tiles
    }

    /// Elements of a block.
    fn row(&self) -> u32 {
        self.lanes * self.batch
    }

    /// Room for a row: behind each lane's elements one place stays empty, so that neighbouring lanes, each at its
    /// own elements, are not at the same bank of the memory.
    fn row_places(&self) -> u32 {
        match self.batch {
            1 => self.lanes,
            batch => self.lanes * (batch + 1),
        }
    }

    /// Where an element of the row is.
    fn place(&self) -> String {
        match self.batch {
            1 => "in_row".into(),
            batch => format!("in_row + in_row / {batch}u"),
        }
    }

    /// What the kernel declares, and what comes to its alignment.
    fn shared_bytes(&self, size: usize) -> usize {
        let values = self.row_places() + 2 * self.lanes + 1;
        values as usize * size + 64
    }
}

/// The source of a scan in one pass.
fn one_pass(
    kernel: &Kernel,
    options: &SourceOptions,
    operator: FnId,
    emission: Emission,
) -> Result<Source, String> {
    let ty = kernel.result_ty().clone();
    let tiles = Tiles::new(&ty, options);
    let mut builder = Builder::new(kernel, tiles.lanes);
    builder.number(Member::Count);
    builder.number(Member::Carried);
    builder.bind_arguments();
    builder.pointer(Member::Partials, &ty, true);
    builder.pointer(Member::States, &Ty::U32, true);
    let read = kernel.arguments.iter().filter(|a| a.role == Role::In);
    let read_bytes: usize = read.map(|a| a.ty.size_bytes()).sum();
    if read_bytes * tiles.batch as usize <= MOST_AHEAD_BYTES {
        builder.batch = tiles.batch;
    }
    let Applied {
        ahead,
        fetch,
        load,
        apply,
        ..
    } = builder.apply_map();
    builder.batch = tiles.batch;
    let store = emitted(&mut builder, emission);
    let mut values = vec![
        ("row", tiles.row().to_string()),
        ("row_places", tiles.row_places().to_string()),
        ("place", tiles.place()),
        ("batch", tiles.batch.to_string()),
        ("ahead", ahead),
        ("load", load),
        ("apply", apply),
        ("store", store),
    ];
    let fetched = match fetch.is_empty() {
        true => String::new(),
        false => {
            let lanes = ("lanes", tiles.lanes.to_string());
            let all = [values.as_slice(), &[lanes, ("fetch", fetch)]].concat();
            template::fill(AHEAD, &all)
        }
    };
    values.push(("fetched", fetched));
    values.extend(kept(emission));
    let roots = [operator, kernel.map, emission.function];
    let traps = builder.cuda.trapping[operator.0] || builder.cuda.trapping[kernel.map.0];
    finish(builder, ONE_PASS, &roots, traps, &values)
}

/// When an element's prefix takes its place in the row.
fn kept(emission: Emission) -> [(&'static str, String); 2] {
    let keep = |wanted| only(wanted, "row[${place}] = prefix;");
    [
        ("keep_before", keep(emission.exclusive)),
        ("keep_after", keep(!emission.exclusive)),
    ]
}

/// Bytes that a lane has in a row: as much as is loaded and stored at once.
const ROW_BYTES: usize = 16;

/// Elements that a lane has in a row.
fn batch(ty: &Ty) -> u32 {
    let most = (ROW_BYTES / padded_bytes(ty).max(1)).clamp(1, 8);
    // The power of two that is not larger.
    1 << most.ilog2()
}

/// Bytes of shared memory that the kernels need for each lane: its row, and what its elements come to.
pub(super) fn scan_bytes(ty: &Ty) -> usize {
    (batch(ty) as usize + 1) * padded_bytes(ty)
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

/// Fills what both kernels have in common, and then the rest.
fn finish(
    mut builder: Builder<'_>,
    template: &str,
    roots: &[FnId],
    traps: bool,
    values: &[(&str, String)],
) -> Result<Source, String> {
    let kernel = builder.kernel;
    let operator = kernel.operator.unwrap_or(kernel.map);
    let operator_traps = builder.cuda.trapping[operator.0];
    let sites = builder.cx.sites().len();
    if traps {
        builder.bind_status(false);
    }
    let mut all = vec![
        ("lanes", builder.lanes.to_string()),
        ("element", builder.cuda.ty(kernel.result_ty())),
        ("untrapped", untrapped(traps)),
        ("operator", builder.cx.function_name(operator)),
        ("passed_trap", only(operator_traps, ", skel_trap")),
        // A trap in combining is the operator's, which has no index.
        ("leave", noted(traps, "0ull", sites, "break;")),
        ("note", noted(traps, "0ull", sites, "")),
        // Other lanes read it, and it shall be a value.
        ("nothing", only(traps, NOTHING)),
        ("no_trap", only(traps, " && skel_trap == 0u")),
    ];
    all.extend(values.iter().cloned());
    // What is put into a template has holes of its own.
    for (name, text) in [
        ("lanes_prefixes", LANES),
        ("lane_prefix", PREFIX),
        ("look_back", LOOK_BACK),
    ] {
        all.push((name, template::fill(text, &all)));
    }
    for k in 0..all.len() {
        if all[k].1.contains("${place}") {
            all[k].1 = template::fill(&all[k].1, &all);
        }
    }
    builder.finish(roots, &template::fill(template, &all))
}
