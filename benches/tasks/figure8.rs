//! Figure 8: repeated calls of a skeleton, on fresh containers, in all ways that the library has, and as tasks.

use crate::{
    book::Book,
    contender::{Beside, LARGEST, Sample},
    load,
    programs::{Program, context},
    starpu,
};
use skel::{Context, Cpu, Device, Hybrid, Sequential, Target, tuning};
use std::time::Duration;

/// As tables name it.
pub(crate) const PART: &str = "figure 8";

const SCHEDULERS: [&str; 5] = ["eager", "dmda", "lws", "heteroprio", "laheteroprio"];
const CHUNKS: [usize; 4] = [4, 8, 14, 64];

/// The names of contenders in [`goal_ratio`].
const ON_CPU: &str = "Cpu";

pub(crate) fn measure(
    book: &mut Book,
    (sizes, repetitions): (&[usize], usize),
    starpu: Option<&starpu::Program>,
    software: bool,
) -> Result<(), String> {
    let (context, device) = context(software).map_err(|error| error.to_string())?;
    let programs = Program::all(&context);
    let targets = targets(device.is_some())?;
    book.note(match &device {
        Some(device) => format!("{PART}: with the device {device}"),
        None => format!("{PART}: no device, so nothing hybrid"),
    });
    for elems in sizes {
        eprintln!("{PART}, {elems} elements");
        book.others_took(PART, load::machine_busy_cores());
        for program in &programs {
            if device.is_some() {
                tune(book, &context, program, *elems)?;
            }
            calls(book, program, &targets, (*elems, repetitions))?;
        }
        if let Some(program) = starpu {
            on_starpu(book, program, *elems, repetitions)?;
        }
    }
    Ok(())
}

/// All ways to run a call, by name.
fn targets(with_device: bool) -> Result<Vec<(String, Target)>, String> {
    let mut targets: Vec<(String, Target)> = vec![
        ("Sequential".into(), Sequential.into()),
        (ON_CPU.into(), Cpu.into()),
    ];
    if with_device {
        targets.push(("Device".into(), Device(0).into()));
        for ratio in [0.25, 0.5, 0.75] {
            let name = format!("Hybrid::ratio({ratio})");
            targets.push((name, Hybrid::ratio(ratio).into()));
        }
        targets.push(("Hybrid::tuned()".into(), Hybrid::tuned().into()));
    }
    for scheduler in SCHEDULERS {
        for chunks in CHUNKS {
            let target: Target = format!("tasks:{scheduler},chunks={chunks}")
                .parse()
                .map_err(|error: skel::Error| error.to_string())?;
            targets.push((as_tasks(scheduler, chunks), target));
        }
    }
    Ok(targets)
}

fn as_tasks(scheduler: &str, chunks: usize) -> String {
    format!("tasks {scheduler}, {chunks}")
}

fn what(program: &str, elems: usize) -> String {
    format!("{program} {elems}")
}

/// Has `Hybrid::tuned()` know a call.
fn tune(book: &mut Book, context: &Context, program: &Program, elems: usize) -> Result<(), String> {
    let mut options = tuning::Options::default();
    options.budget = Duration::from_secs(10);
    let (called, tuned) = tuning::tune(context, &options, || {
        program.call(&Hybrid::tuned().into(), elems)
    });
    for problem in tuned.problems {
        book.note(format!("{PART}: {problem}"));
    }
    called?;
    let (called, calls) = skel::observe(|| program.call(&Hybrid::tuned().into(), elems));
    called?;
    for part in calls.iter().flat_map(|call| &call.parts) {
        let (name, elems) = (program.name, program.elems(elems));
        let (range, unit) = (part.range.clone(), &part.unit);
        book.note(format!(
            "{PART}: of {name} {elems}, Hybrid::tuned() gives {} elements to {unit}",
            range.len()
        ));
    }
    Ok(())
}

/// In each repetition, all ways take turns, in another order: what one leaves in caches and queues is not always the same
/// next one's.
fn calls(
    book: &mut Book,
    program: &Program,
    targets: &[(String, Target)],
    (elems, repetitions): (usize, usize),
) -> Result<(), String> {
    for (_, target) in targets {
        // Kernels are compiled, and chunks have been measured.
        program.call(target, elems)?;
    }
    let steps = (1..targets.len()).filter(|step| gcd(*step, targets.len()) == 1);
    for (repetition, step) in (0..repetitions).zip(steps.cycle()) {
        for turn in 0..targets.len() {
            let (name, target) = &targets[(repetition + step * turn) % targets.len()];
            let sample = Sample {
                what: what(program.name, program.elems(elems)),
                seconds: program.call(target, elems)?,
                cores: None,
            };
            book.add((PART, Beside::Nothing), name, sample);
        }
    }
    Ok(())
}

fn gcd(a: usize, b: usize) -> usize {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}

/// The same calls; in three turns, since each is a process of its own.
fn on_starpu(
    book: &mut Book,
    program: &starpu::Program,
    elems: usize,
    repetitions: usize,
) -> Result<(), String> {
    const TURNS: usize = 3;
    for turn in 0..TURNS {
        for k in 0..starpu::SCHEDULERS.len() {
            let scheduler = starpu::SCHEDULERS[(turn + k) % starpu::SCHEDULERS.len()];
            let numbers = [repetitions.div_ceil(TURNS), elems];
            let numbers = numbers.iter().chain(&CHUNKS).map(usize::to_string);
            let args: Vec<String> = std::iter::once("figure8".into()).chain(numbers).collect();
            for mut sample in program.run(scheduler, &args)? {
                let (name, chunks) = sample.what.split_once(' ').unwrap_or_default();
                let contender = format!("StarPU {scheduler}, {chunks}");
                sample.what = what(name, elems);
                // Calls are too short for the system's measure of time.
                sample.cores = None;
                book.add((PART, Beside::Nothing), &contender, sample);
            }
        }
    }
    Ok(())
}

/// How many times as long a call in 64 chunks takes as on `Cpu`, at the largest size; by skeletons and schedulers.
pub(crate) fn goal_ratios(book: &Book) -> Vec<(String, f64)> {
    let mut ratios = Vec::new();
    for program in ["Map", "Reduce", "MapReduce"] {
        for scheduler in SCHEDULERS {
            let what = what(program, LARGEST);
            let of = |name: &str| book.median_s((PART, Beside::Nothing), name, &what);
            if let Some((tasks_s, cpu_s)) = of(&as_tasks(scheduler, 64)).zip(of(ON_CPU)) {
                ratios.push((format!("{program}, {scheduler}"), tasks_s / cpu_s));
            }
        }
    }
    ratios
}

pub(crate) fn tables(book: &Book) -> String {
    let section = (PART, Beside::Nothing);
    let whats = book.whats(section);
    let mut text = String::new();
    for program in ["Map", "Reduce", "MapReduce", "Loop"] {
        let prefix = format!("{program} ");
        let mine = whats.iter().filter(|what| what.starts_with(&prefix));
        let columns: Vec<String> = mine.cloned().collect();
        if !columns.is_empty() {
            let table = book.times(section, &columns).markdown();
            text +=
                &format!("{program} by elements; tasks and StarPU in so many chunks\n\n{table}\n");
        }
    }
    text
}
