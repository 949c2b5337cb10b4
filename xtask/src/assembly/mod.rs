//! `cargo xtask assembly`: whether the loops of the commonest shapes of calls are vectorised, as the compiler printed
//! them. What takes the same time on every run of every machine needs no clock.

mod listing;
#[cfg(test)]
mod test;

use crate::cmd::{self, Failure, Result};
use listing::{Listing, Loop};
use std::{env::consts::ARCH, fs, path::PathBuf};

/// What is asked of a shape.
struct Shape {
    /// Its user function in `tests/shapes`.
    function: &'static str,
    /// What is in the symbol beside it: the instruction set, and the loop.
    within: &'static [&'static str],
    /// So many innermost loops without a call, at least, are as wanted.
    loops: usize,
    /// The instructions that they have, so many of them at least, on these registers.
    wanted: &'static [(&'static str, usize, &'static str)],
}

const fn shape(
    function: &'static str,
    within: &'static [&'static str],
    wanted: &'static [(&'static str, usize, &'static str)],
) -> Shape {
    Shape {
        function,
        within,
        loops: 1,
        wanted,
    }
}

/// As [`shape`], in two loops: of whole tiles, and of the last one.
const fn fold(
    function: &'static str,
    within: &'static [&'static str],
    wanted: &'static [(&'static str, usize, &'static str)],
) -> Shape {
    Shape {
        loops: 2,
        ..shape(function, within, wanted)
    }
}

const MAP: &[&str] = &["3isa2v3", "11elementwise5loops4Loop"];
const NEAR: &[&str] = &["3isa2v3", "11elementwise5loops14Neighbourhoods"];
const LANES: &[&str] = &["3isa8v3_lanes", "6blocks4Loop"];
const REDUCE: &[&str] = &["3isa2v3", "4fold4Loop", "6reduce6itself"];
const MAP_REDUCE: &[&str] = &["3isa2v3", "4fold4Loop"];
const SCAN: &[&str] = &["3isa2v3", "6prefix5loops4Walk"];
const COLS: &[&str] = &["3isa2v3", "5along7columns5Chain"];

/// Sixteen accumulators of a tile's 128 chains are in registers at once. LLVM likes to go along the few rows of a
/// tile instead, in as many streams, which takes twice as long from memory: then one of the loops is gone.
const CHAINS: usize = 16;

/// A block of a scan goes by doubling reaches; one element after the other, all additions would be scalar.
const DOUBLING: usize = 6;

const SHAPES: [Shape; 15] = [
    shape("saxpy", MAP, &[("vmulps", 1, "ymm"), ("vaddps", 1, "ymm")]),
    shape("triad", MAP, &[("vmulpd", 1, "ymm"), ("vaddpd", 1, "ymm")]),
    shape("polynomial", MAP, &[("vmulps", 4, "ymm")]),
    shape("brightened", MAP, &[("vpaddusb", 1, "ymm")]),
    shape("exponential", MAP, &[("vmulps", 5, "ymm")]),
    shape("sine", LANES, &[("vmulps", 10, "ymm")]),
    shape("hash", LANES, &[("vpmulld", 1, "ymm")]),
    fold("sum_of_floats", REDUCE, &[("vaddps", CHAINS, "ymm")]),
    fold("largest", REDUCE, &[("vpmaxsd", CHAINS, "ymm")]),
    fold(
        "product",
        MAP_REDUCE,
        &[("vmulps", CHAINS, "ymm"), ("vaddps", CHAINS, "ymm")],
    ),
    shape("running_sum", SCAN, &[("vaddps", DOUBLING, "mm")]),
    shape("five_points", NEAR, &[("vaddps", 3, "ymm")]),
    shape("four_points", NEAR, &[("vaddps", 3, "ymm")]),
    shape("mean", NEAR, &[("vaddps", 24, "ymm")]),
    shape("sum_of_columns", COLS, &[("vaddps", 4, "ymm")]),
];

/// Compiles `tests/shapes` and looks at its machine code.
pub(crate) fn run() -> Result {
    if ARCH != "x86_64" {
        println!(
            "skipped: the instructions that are looked for are those of x86-64, and this is {ARCH}"
        );
        return Ok(());
    }
    let path = printed()?;
    let text = fs::read_to_string(&path).map_err(Failure::io(path.display().to_string()))?;
    let listing = Listing::of(&text);
    let failed: Vec<String> = SHAPES
        .iter()
        .filter_map(|shape| missed(shape, &listing))
        .collect();
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Failure::Check(failed.join("\n"))),
    }
}

/// The file with the machine code.
fn printed() -> Result<PathBuf> {
    let to = cmd::target().join("assembly");
    fs::create_dir_all(&to).map_err(Failure::io(to.display().to_string()))?;
    let path = to.join("shapes.s");
    // Names of functions are told by the second version of mangling only.
    let arguments = ["rustc", "--release", "-p", "skel-shapes", "--lib", "--"];
    let mut rustc = cmd::cargo(arguments);
    rustc
        .arg(format!("--emit=asm={}", path.display()))
        .args(["-Ccodegen-units=1", "-Csymbol-mangling-version=v0"]);
    cmd::run(&mut rustc)?;
    Ok(path)
}

/// Why the shape is not as it should be, if so.
fn missed(shape: &Shape, listing: &Listing<'_>) -> Option<String> {
    let name = format!("{}{}", shape.function.len(), shape.function);
    let is_meant = |symbol: &str| {
        symbol.contains(&name) && shape.within.iter().all(|part| symbol.contains(part))
    };
    let loops: Vec<&Loop<'_>> = listing
        .functions
        .iter()
        .filter(|(symbol, _)| is_meant(symbol))
        .flat_map(|(_, loops)| loops)
        .collect();
    let fits = |found: &&&Loop<'_>| {
        let wanted = shape.wanted.iter();
        !found.calls()
            && wanted
                .clone()
                .all(|(op, least, on)| found.count(op, on) >= *least)
    };
    let found: Vec<usize> = loops.iter().filter(fits).map(|found| found.len()).collect();
    let wanted: Vec<String> = shape
        .wanted
        .iter()
        .map(|(op, least, on)| format!("{least} {op} on {on}"))
        .collect();
    let wanted = wanted.join(", ");
    if found.len() >= shape.loops {
        println!("{:14} {wanted}: in loops of {found:?}", shape.function);
        return None;
    }
    Some(format!(
        "`{}`: {} of its {} innermost loops have {wanted} and no call, where {} should",
        shape.function,
        found.len(),
        loops.len(),
        shape.loops
    ))
}
