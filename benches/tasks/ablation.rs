//! What a device's options are worth: the program of Thomadakis and Chrisochoides (2024), a hundred products of matrices
//! of doubles that are copied to a GPU each time, with one option more in each column. In virtual time the same is
//! `skel::tasks::ablation`.

use crate::{
    book::Book,
    contender::{Beside, Effort, Sample},
};
use skel::{
    Context,
    cuda::{self, Options},
    prelude::*,
    tasks::{TaskGraph, Units},
    unit::DeviceUnit,
};
use std::time::Instant;

/// As tables name it.
pub(crate) const PART: &str = "ablation";

const PRODUCTS: usize = 100;
const SIZES: [usize; 6] = [64, 128, 256, 512, 768, 1024];

#[user_function]
fn product(row: Row<f64>, col: Col<f64>) -> f64 {
    let mut sum = 0.0;
    for k in 0..row.len() {
        sum += row[k] * col[k];
    }
    sum
}

/// Options of the device, and how many tasks it has at once, each with those before.
fn steps() -> [(&'static str, Options, usize); 6] {
    let mut options = Options::default();
    let copiers = options.copiers;
    (options.pinned, options.pool, options.steps) = (false, false, false);
    (options.streams, options.copiers) = (0, 1);
    let nothing = options;
    options.pinned = true;
    let pinned = options;
    options.pool = true;
    let pool = options;
    options.streams = 2;
    let streams = options;
    options.copiers = copiers;
    [
        ("nothing", nothing, 1),
        ("and page-locked memory", pinned, 1),
        ("and a pool of device memory", pool, 1),
        ("and streams", streams, 1),
        ("and two tasks at once", streams, 2),
        ("and threads that copy", options, 2),
    ]
}

pub(crate) fn measure(book: &mut Book, effort: Effort) -> Result<(), String> {
    let mut found = cuda::enumerate().into_iter();
    let Some(found) = found.find(|found| found.rejected.is_none()) else {
        book.note(format!("{PART} was left out: no device of CUDA"));
        return Ok(());
    };
    let context = |options| {
        let unit = DeviceUnit::new(cuda::open_with(&found, options)?)?;
        Context::builder().unit(unit).build()
    };
    let mut contexts = Vec::new();
    for (name, options, ahead) in steps() {
        let context = context(options).map_err(|error| error.to_string())?;
        contexts.push((name, context, ahead));
    }
    let measure = |n, context, ahead| {
        let (seconds, is_right) = products(context, n, ahead).map_err(|error| error.to_string())?;
        is_right
            .then_some(seconds)
            .ok_or(format!("a product of {n} × {n} is wrong"))
    };
    for round in 0..=effort.rounds.min(5) {
        for n in SIZES {
            for (name, context, ahead) in &contexts {
                let sample = Sample {
                    what: format!("{n} × {n}"),
                    seconds: measure(n, context, *ahead)?,
                    cores: None,
                };
                // Kernels are compiled in the first.
                if round > 0 {
                    book.add((PART, Beside::Nothing), name, sample);
                }
            }
        }
    }
    Ok(())
}

pub(crate) fn tables(book: &Book) -> String {
    let title = format!(
        "Time of {PRODUCTS} products as tasks of a device, to which both matrices are copied"
    );
    book.all_times(PART, &title)
}

/// The time of all products of a size; whether the first number of the last one is right.
fn products(context: &Context, n: usize, ahead: usize) -> skel::Result<(f64, bool)> {
    let multiply = map!(product).within(context.clone());
    let graph = TaskGraph::builder(context).ahead(ahead).build()?;
    let matrix = |k: usize| Matrix::from_fn(n, n, |i, j| ((i * 3 + j + k) % 7) as f64);
    let pairs: Vec<_> = (0..PRODUCTS)
        .map(|k| (graph.handle(matrix(k)), graph.handle(matrix(k + 1))))
        .collect();
    let started = Instant::now();
    let mut last = None;
    for (a, b) in &pairs {
        let multiply = multiply.clone();
        let work = move |(a, b): (&Matrix<f64>, &Matrix<f64>)| multiply.run_shaped((n, n), (a, b));
        let task = graph
            .task("product", (a.read(), b.read()), work)
            .units(Units::Devices)
            .submit()?;
        last = Some(task);
    }
    graph.wait()?;
    let seconds = started.elapsed().as_secs_f64();
    let (k, last) = (PRODUCTS - 1, last.expect("there are products"));
    let expected: usize = (0..n).map(|j| (j + k) % 7 * ((j * 3 + k + 1) % 7)).sum();
    Ok((seconds, last.wait()?.host()?[0] == expected as f64))
}
