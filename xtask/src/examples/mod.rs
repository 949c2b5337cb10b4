//! `cargo xtask examples`: the examples as a user runs them, against known answers.

mod defaults;
mod npb_mz;
mod pictures;
mod program;
mod programs;

use crate::{
    cmd::{Failure, Result},
    vulkan,
};
use program::{Examples, Ran};
use std::fs;

const BACKENDS: [&str; 4] = ["seq", "cpu", "wgpu", "hybrid:0.3"];

/// Columns of the table of iris measurements, and Pearson's r of them (computed with NumPy).
const CORRELATIONS: [(&str, &str, f64); 2] = [
    ("petal_length", "petal_width", 0.962_865_431_402_796_1),
    ("sepal_length", "sepal_width", -0.117_569_784_133_002_08),
];

/// PSNR of the photograph against its JPEG at quality 10 (computed with scikit-image), in dB.
const PSNR_DB: f64 = 28.957_112_110_791_886;

/// Command lines that must fail, and what the message must name.
const WRONG: [(&str, &[&str], &str); 18] = [
    ("mandelbrot", &["--backend", "nonsense"], "nonsense"),
    ("mandelbrot", &["--size", "0x"], "0x"),
    ("dotproduct", &["--backend", "hybrid:1.5"], "1.5"),
    ("dotproduct", &["--backend", "device:99"], "99"),
    // More than any address space has.
    (
        "dotproduct",
        &["--n", "1000000000000000000"],
        "out of memory: 4000000000000000000 bytes",
    ),
    ("taylor", &["--x", "-1"], "--x is -1"),
    ("riemann_sum", &["--from", "nan"], "--from"),
    ("riemann_sum", &["--to", "1e200"], "--to 1e200"),
    // Steps so long that f32 has no numbers for what flows: a result of NaN is wrong.
    (
        "adi_heat",
        &["--size", "8", "--waves", "8", "--courant", "3e38"],
        "NaN off",
    ),
    (
        "cholesky",
        &["--n", "4294967296", "--tile", "4294967296"],
        "--n 4294967296",
    ),
    (
        "cholesky",
        &["--n", "64", "--tile", "32", "--simulate", "4000000000"],
        "--simulate 4000000000",
    ),
    ("md", &["--cells", "2"], "--cells"),
    ("npb_mz", &["--benchmark", "ep-mz"], "sp-mz, bt-mz, lu-mz"),
    ("npb_mz", &["--units", "2 cores"], "such as 4x4+2"),
    (
        "psnr",
        &["examples/data/astronaut.png", "no/such/file.png"],
        "no/such/file.png",
    ),
    (
        "psnr",
        &["examples/data/astronaut.png", "examples/data/iris.csv"],
        "iris.csv",
    ),
    (
        "ppmcc",
        &["examples/data/iris.csv", "petal_length", "petal_colour"],
        "petal_colour",
    ),
    (
        "ppmcc",
        &["examples/data/astronaut.png", "petal_length", "petal_width"],
        "astronaut.png",
    ),
];

/// Builds and checks them all.
pub(crate) fn run() -> Result {
    vulkan::ensure();
    let examples = Examples::build()?;
    defaults::run(&examples)?;
    pictures::run(&examples)?;
    dotproduct(&examples)?;
    psnr(&examples)?;
    ppmcc(&examples)?;
    programs::run(&examples)?;
    cholesky(&examples)?;
    npb_mz::run(&examples)?;
    wrong_inputs(&examples)
}

/// It checks its factor itself: under several schedulers, with a picture of the schedule, and what it would take on more
/// cores.
fn cholesky(examples: &Examples) -> Result {
    let picture = examples.scratch.join("schedule.svg");
    let svg = picture.display().to_string();
    let schedulers: [&[&str]; 4] = [
        &["eager"],
        &["dmda"],
        &["laheteroprio"],
        &["heft", "--batch"],
    ];
    for scheduler in schedulers {
        let size = ["--n", "256", "--tile", "32", "--scheduler"];
        let more = ["--svg", &svg, "--simulate", "16"];
        let Some(ran) = examples.ok("cholesky", &[&size[..], scheduler, &more].concat())? else {
            continue;
        };
        let drawn = fs::read_to_string(&picture).map_err(Failure::io(svg.clone()))?;
        if !ran.stdout.contains("on 16 cores it would take") || !drawn.contains("potrf") {
            return Err(Failure::Check(format!(
                "{}: a simulated time and a picture expected:\n{}",
                ran.line, ran.stdout
            )));
        }
        // How many there are, and how many each kind of workers ran: those that take the result out of the graph are none.
        let before = ran.stdout.split(" tasks");
        let words = before.filter_map(|text| text.rsplit(' ').next());
        let counts: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
        if counts.len() < 2 || counts[0] != counts[1..].iter().sum::<u64>() {
            return Err(Failure::Check(format!(
                "{}: other tasks ran than there are:\n{}",
                ran.line, ran.stdout
            )));
        }
    }
    Ok(())
}

/// It compares with the closed form itself.
fn dotproduct(examples: &Examples) -> Result {
    for backend in BACKENDS.into_iter().chain(["tasks:dmda"]) {
        examples.ok("dotproduct", &["--n", "1000000", "--backend", backend])?;
    }
    Ok(())
}

fn psnr(examples: &Examples) -> Result {
    for backend in BACKENDS {
        let args = [
            "examples/data/astronaut.png",
            "examples/data/astronaut_q10.png",
            "--backend",
            backend,
        ];
        if let Some(ran) = examples.ok("psnr", &args)? {
            near(&ran, PSNR_DB, 1e-4)?;
        }
    }
    Ok(())
}

fn ppmcc(examples: &Examples) -> Result {
    // Numbers whose squares `f32` does not have: 1, 2, 4 beside 1, 2, 3 have a correlation of 3 / √(14/3 · 2).
    let file = examples.scratch.join("large.csv");
    let path = file.display().to_string();
    let rows = "x,y\n1e30,1e-30\n2e30,2e-30\n4e30,3e-30\n";
    fs::write(&file, rows).map_err(Failure::io(path.clone()))?;
    if let Some(ran) = examples.ok("ppmcc", &[&path, "x", "y"])? {
        near(&ran, 0.981_980_506, 1e-5)?;
    }
    for backend in BACKENDS {
        for (x, y, r) in CORRELATIONS {
            let args = ["examples/data/iris.csv", x, y, "--backend", backend];
            if let Some(ran) = examples.ok("ppmcc", &args)? {
                near(&ran, r, 1e-5)?;
            }
        }
    }
    Ok(())
}

/// One line on standard error, exit code 1.
fn wrong_inputs(examples: &Examples) -> Result {
    for (example, args, named) in WRONG {
        let ran = examples.run(example, args)?;
        let lines = ran.stderr.lines().count();
        if ran.code != Some(1) || lines != 1 || !ran.stderr.contains(named) {
            return Err(Failure::Check(format!(
                "{}: expected exit code 1 and one line that names `{named}`, got code {:?} and {lines} lines:\n{}",
                ran.line, ran.code, ran.stderr
            )));
        }
    }
    Ok(())
}

/// The number on the first line is `expected`.
fn near(ran: &Ran, expected: f64, tolerance: f64) -> Result {
    let first = ran.stdout.lines().next().unwrap_or_default();
    let found = first
        .split_whitespace()
        .find_map(|word| word.parse::<f64>().ok());
    if found.is_some_and(|x| (x - expected).abs() <= tolerance) {
        return Ok(());
    }
    Err(Failure::Check(format!(
        "{}: expected {expected} ± {tolerance}, got `{first}`",
        ran.line
    )))
}
