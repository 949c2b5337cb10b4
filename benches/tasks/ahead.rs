//! What it is worth to give a device the next task while it is at work: tasks whose data is copied there, on a device
//! that is simulated in real time, one task at a time and two.

use crate::{
    book::Book,
    contender::{Beside, Effort, Sample},
};
use skel::{
    Context,
    mock::{Law, Mock},
    prelude::*,
    tasks::{TaskGraph, Units},
};
use std::time::Instant;

/// As tables name it.
pub(crate) const PART: &str = "ahead";

/// Elements of a task, of four bytes: few, since what the simulated device computes takes time of its own.
const ELEMS: usize = 1 << 12;

/// What the copy of a task's data takes, and its kernel, in microseconds.
const LENGTHS_US: [(f64, f64); 3] = [(300.0, 300.0), (100.0, 300.0), (300.0, 100.0)];

pub(crate) fn measure(book: &mut Book, effort: Effort) -> Result<(), String> {
    for _ in 0..effort.rounds {
        for (copy_us, kernel_us) in LENGTHS_US {
            for ahead in [1, 2] {
                let seconds = run(copy_us, kernel_us, ahead, effort.tasks.min(64));
                let sample = Sample {
                    what: format!("copies {copy_us} µs, kernels {kernel_us} µs"),
                    seconds: seconds.map_err(|error| error.to_string())?,
                    cores: None,
                };
                book.add((PART, Beside::Nothing), &format!("{ahead} at once"), sample);
            }
        }
    }
    Ok(())
}

pub(crate) fn tables(book: &Book) -> String {
    let title = "Time for each of 64 tasks of a simulated device, whose data is copied there";
    book.all_times(PART, title)
}

/// The time of a task, of many.
fn run(copy_us: f64, kernel_us: f64, ahead: usize, tasks: usize) -> skel::Result<f64> {
    let bytes = (4 * ELEMS) as f64;
    let law = Law::per_elem_ns(kernel_us * 1e3 / ELEMS as f64).uploads(0.0, copy_us * 1e3 / bytes);
    let device = Mock::named("simulated").law(law).copies_beside_kernels();
    let context = Context::builder().unit(device.unit()?).build()?;
    let double = map!(|x: f32| 2.0 * x).within(context.clone());
    let graph = TaskGraph::builder(&context).ahead(ahead).build()?;
    let data: Vec<_> = (0..tasks)
        .map(|_| graph.handle(Vector::filled(ELEMS, 1.0_f32)))
        .collect();
    let started = Instant::now();
    for x in &data {
        let double = double.clone();
        let work = move |(x,): (&mut Vector<f32>,)| {
            *x = double.run((&*x,))?;
            Ok(())
        };
        graph
            .task("double", (x.update(),), work)
            .units(Units::Devices)
            .submit()?;
    }
    graph.wait()?;
    Ok(started.elapsed().as_secs_f64() / tasks as f64)
}
