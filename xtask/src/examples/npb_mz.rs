//! The multi-zone benchmarks: the norms are the published ones, and the same to the bit whatever computes which zone;
//! zones of a device stay there; and what there is no memory for is refused.

use super::program::{Examples, Ran};
use crate::cmd::{Failure, Result};
use std::fs;

/// Benchmarks, and how many norms each has: LU-MZ an integral besides.
const BENCHMARKS: [(&str, usize); 3] = [("sp-mz", 10), ("bt-mz", 10), ("lu-mz", 11)];

/// Units and schedulers.
const RUNS: [(&str, &str); 13] = [
    ("1x1", "static"),
    ("1x2", "static"),
    ("2x1", "dynamic"),
    ("2x1", "static-pcf"),
    ("2x1", "guided-sizes"),
    ("2x1", "guided-runtime"),
    ("2x1", "guided-runtime,variant=paper"),
    ("3x1", "clustered-guided"),
    ("0x1+1", "static"),
    ("1x1+1", "static"),
    ("1x1+1", "dynamic"),
    ("1x1+1", "clustered-guided"),
    ("1x1+1", "clustered-guided,variant=paper"),
];

/// Runs them.
pub(super) fn run(examples: &Examples) -> Result {
    for (benchmark, count) in BENCHMARKS {
        let mut first = None;
        for (units, scheduler) in RUNS {
            let args = [
                ["--benchmark", benchmark],
                ["--units", units],
                ["--scheduler", scheduler],
            ];
            let Some(ran) = examples.with_software("npb_mz", args.as_flattened())? else {
                continue;
            };
            let norms = norms(&ran, count)?;
            match &first {
                None => first = Some(norms),
                Some(first) if *first == norms => {}
                Some(first) => {
                    return Err(Failure::Check(format!(
                        "{benchmark} on {units} under {scheduler}: norms are\n{norms}and not\n{first}"
                    )));
                }
            }
        }
        zones_stay(examples, benchmark)?;
        let larger = ["--benchmark", benchmark, "--class", "W", "--units", "2x1"];
        if let Some(ran) = examples.ok("npb_mz", &larger)? {
            norms(&ran, count)?;
        }
    }
    // Unlike zones in a closed mesh of three and more: a search, in which zones move.
    let search = [
        "--class",
        "W",
        "--units",
        "1x1+1",
        "--scheduler",
        "clustered-guided",
    ];
    if let Some(ran) = examples.with_software("npb_mz", &search)? {
        norms(&ran, 10)?;
    }
    pictures(examples)?;
    too_large(examples)
}

/// The lines with norms. The example fails by itself if these are not those that are published.
fn norms(ran: &Ran, count: usize) -> Result<String> {
    let mut norms = String::new();
    for line in verification(ran)? {
        // Found, published, and how far it is off.
        if line.split_whitespace().count() == 4 && !line.starts_with("Comparison") {
            norms += &format!("{line}\n");
        }
    }
    if norms.lines().count() != count {
        let what = format!("{}: {count} norms expected:\n{}", ran.line, ran.stdout);
        return Err(Failure::Check(what));
    }
    Ok(norms)
}

/// What it prints between the beginning of its verification and the successful end.
fn verification(ran: &Ran) -> Result<impl Iterator<Item = &str>> {
    let text = &ran.stdout;
    let from = text.find("Verification being performed for class ");
    let to = text.find("\nVerification Successful");
    match (from, to) {
        (Some(from), Some(to)) if from < to => Ok(text[from..to].lines().skip(2)),
        _ => Err(Failure::Check(format!(
            "{} does not say that it is verified:\n{text}",
            ran.line
        ))),
    }
}

/// Half of the zones of class S are the device's in all steps, and stay there: a step copies the borders between its zones
/// and those of the core alone, those at the south and those at the north, since the mesh is closed. Of two zones beside
/// each other these are 20 points along x, of LU-MZ's four 16; all have 4 along z, and 40 bytes each. Were a call left to
/// the device's thread, since the device cannot run it, whole zones would come and go.
fn zones_stay(examples: &Examples, benchmark: &str) -> Result {
    let along_x = if benchmark == "lu-mz" { 16 } else { 20 };
    let of_step = 2 * along_x * 4 * 40;
    let copied = |steps: u64| {
        let steps = steps.to_string();
        let args = [
            ["--benchmark", benchmark],
            ["--units", "1x1+1"],
            ["--scheduler", "static"],
            ["--steps", &steps],
        ];
        let ran = examples.with_software("npb_mz", args.as_flattened())?;
        ran.map(|ran| copied_bytes(&ran)).transpose()
    };
    // The first step copies the zones.
    let (Some(few), Some(more)) = (copied(3)?, copied(8)?) else {
        return Ok(());
    };
    let of_five = [0, 1].map(|way| more[way] - few[way]);
    match of_five == [5 * of_step; 2] {
        true => Ok(()),
        false => Err(Failure::Check(format!(
            "{benchmark}: five steps copy {of_five:?} bytes to and from the device, not {} each",
            5 * of_step
        ))),
    }
}

/// What it says of copies to devices and from devices.
fn copied_bytes(ran: &Ran) -> Result<[u64; 2]> {
    let line = ran
        .stdout
        .lines()
        .find(|line| line.contains("bytes were copied"));
    let words = line.unwrap_or_default().split(' ');
    let numbers: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().map_err(|_| {
        Failure::Check(format!(
            "{}: no bytes that were copied:\n{}",
            ran.line, ran.stdout
        ))
    })
}

/// Pictures of the last step and of all.
fn pictures(examples: &Examples) -> Result {
    let [map, history] = ["map.svg", "history.svg"].map(|name| examples.scratch.join(name));
    let [map_name, history_name] = [&map, &history].map(|path| path.display().to_string());
    let args = ["--map", &map_name, "--history", &history_name];
    examples.ok("npb_mz", &args)?;
    // Zones have a rectangle each in one, and one or more in the other.
    for (path, least) in [(&map, 4), (&history, 4)] {
        let svg = fs::read_to_string(path).map_err(Failure::io(path.display().to_string()))?;
        let shown = svg.matches("<title>").count();
        if shown < least || !svg.ends_with("</svg>\n") {
            let what = format!("{}: {shown} zones, not {least}", path.display());
            return Err(Failure::Check(what));
        }
    }
    Ok(())
}

/// Class D under a limit of a gigabyte: refused before anything is computed, with the bytes that it takes.
#[cfg(unix)]
fn too_large(examples: &Examples) -> Result {
    let ran = examples.limited("npb_mz", &["--class", "D"], 1 << 20)?;
    let named = "bt-mz class D needs 28564717568 bytes";
    match ran.code == Some(1) && ran.stderr.contains(named) && ran.stderr.lines().count() == 1 {
        true => Ok(()),
        false => Err(Failure::Check(format!(
            "{}: one line with `{named}` expected:\n{}{}",
            ran.line, ran.stdout, ran.stderr
        ))),
    }
}

#[cfg(not(unix))]
fn too_large(_: &Examples) -> Result {
    println!("skipped: no limit of a process's memory can be set here");
    Ok(())
}
