//! `cargo bench -p tuner --bench tasks`: what a task costs, from what length on tasks pay, and what a call as tasks
//! takes beside the same call on [`skel::Cpu`], in the way of figure 8 of Öhberg, Ernstsson and Kessler. Beside
//! rayon, a pool of plain threads, and StarPU where it is installed, in the same run.
#![forbid(unsafe_code)]

mod ablation;
mod ahead;
mod book;
mod contender;
mod figure8;
mod goals;
mod grain;
mod load;
mod overhead;
mod plain;
mod pool;
mod programs;
mod skeletons;
mod starpu;

use book::Book;
use clap::{Parser, ValueEnum};
use contender::Effort;
use std::{fs, path::PathBuf, process::ExitCode};

/// Measures tasks; all of it without a name
#[derive(Parser)]
struct Options {
    /// What is measured
    parts: Vec<Part>,
    /// Only contenders whose names contain this; in figure 8, all
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Elements of figure 8's calls, in place of its usual sizes; may be given several times
    #[arg(long, value_name = "N")]
    elems: Vec<usize>,
    /// Fewer rounds and sizes
    #[arg(long)]
    quick: bool,
    /// Devices that are software count as devices, for figure 8
    #[arg(long)]
    software: bool,
    /// Also writes tables, in Markdown, to this file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Also writes all samples to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// What Cargo says; without it, everything runs once, small, and StarPU does not
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Overhead,
    Grain,
    Ahead,
    Ablation,
    Figure8,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let effort = match (options.bench, options.quick) {
        (false, _) => Effort::SMOKE,
        (true, true) => Effort::QUICK,
        (true, false) => Effort::FULL,
    };
    let wants = |part| options.parts.is_empty() || options.parts.contains(&part);
    let only = options.only.as_deref().unwrap_or_default();
    let mut book = Book::default();
    let starpu = match options.bench {
        true => starpu::compile(),
        false => Err("only with `cargo bench`".into()),
    };
    if let Err(why) = &starpu {
        book.note(format!("StarPU was left out: {why}"));
    }
    let starpu = starpu.ok();
    if wants(Part::Overhead) {
        overhead::measure(&mut book, effort, starpu.as_ref(), only)?;
    }
    if wants(Part::Grain) {
        grain::measure(&mut book, effort, starpu.as_ref(), only)?;
    }
    if wants(Part::Ahead) {
        ahead::measure(&mut book, effort)?;
    }
    if wants(Part::Ablation) {
        ablation::measure(&mut book, effort)?;
    }
    if wants(Part::Figure8) {
        let sizes = match options.elems.is_empty() {
            true => effort.sizes,
            false => &options.elems,
        };
        let effort = (sizes, effort.calls);
        figure8::measure(&mut book, effort, starpu.as_ref(), options.software)?;
    }
    let markdown = book.markdown() + &goals::markdown(&book);
    println!("{markdown}");
    let files = [
        (&options.markdown, markdown),
        (&options.json, format!("{:#}\n", book.json())),
    ];
    for (path, text) in files {
        if let Some(path) = path {
            fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}
