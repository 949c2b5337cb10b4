//! The Cholesky factorisation of a matrix in tiles, as a graph of tasks on all cores and devices.
//!
//! `cargo run --release --example cholesky -- --n 1024 --tile 64 --scheduler dmda --svg schedule.svg --simulate 64`

mod support;

use clap::Parser;
use skel::{
    DefaultContext,
    prelude::*,
    tasks::{Handle, Machine, TaskError, TaskGraph, Units, scheduler, sim::Simulation},
};
use std::{fs, path::PathBuf, process::ExitCode, time::Instant};
use support::{Failure, Result, check, largest, room};

/// Factorises a matrix in tiles, and checks the result
#[derive(Parser)]
struct Options {
    /// The number of rows, a multiple of that of a tile
    #[arg(long, default_value_t = 512, value_name = "N")]
    n: usize,
    /// The rows and columns of a tile
    #[arg(long, default_value_t = 64, value_name = "ROWS")]
    tile: usize,
    /// Which task a worker takes next, with its options: eager, prio, lws, dmda, laheteroprio …
    #[arg(long, default_value = "prio", value_name = "NAME")]
    scheduler: String,
    /// The scheduler sees all tasks before the first of them runs, for those that plan, such as heft
    #[arg(long)]
    batch: bool,
    /// A picture of the schedule: which worker had which task when
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// What the same tasks would take on so many cores, by the times that they took here
    #[arg(long, value_name = "CORES")]
    simulate: Option<u32>,
}

/// `c -= a · bᵀ`, for one element.
#[user_function]
fn gemm(at: Index2, a: MatrixView<f64>, b: MatrixView<f64>, c: &mut f64) {
    let mut sum = *c;
    for k in 0..a.cols() {
        sum -= a[(at.row, k)] * b[(at.col, k)];
    }
    *c = sum;
}

/// The tiles of the lower triangle, by row.
struct Tiles {
    count: usize,
    tiles: Vec<Handle<Matrix<f64>>>,
}

impl Tiles {
    fn at(&self, row: usize, col: usize) -> &Handle<Matrix<f64>> {
        &self.tiles[row * (row + 1) / 2 + col]
    }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let Options {
        n,
        tile,
        scheduler: name,
        batch,
        svg,
        simulate,
    } = options;
    if tile == 0 || n == 0 || !n.is_multiple_of(tile) {
        return Err(Failure::new(format!("{n} rows are no tiles of {tile}")));
    }
    let elements = n.checked_mul(n).ok_or_else(|| {
        Failure::new(format!(
            "--n {n}: a matrix has fewer elements than {n} x {n}"
        ))
    })?;
    let mut factor = room(elements)?;
    let parsed = || scheduler::parse(&name).map_err(|bad| Failure::new(bad.to_string()));
    let graph = TaskGraph::builder(DefaultContext.get()).scheduler(parsed()?);
    // What it runs is noted only where something is made of it.
    let graph = match svg.is_some() || simulate.is_some() {
        true => graph.record().build()?,
        false => graph.build()?,
    };

    let count = n / tile;
    let rows = |i: usize| (0..=i).map(move |j| (i, j));
    let places = || (0..count).flat_map(rows);
    let tiles = places().map(|(i, j)| {
        let at = |r, c| element(i * tile + r, j * tile + c, n);
        Ok(graph.handle(Matrix::try_from_fn(tile, tile, at)?))
    });
    let tiles = Tiles {
        count,
        tiles: tiles.collect::<Result<_>>()?,
    };

    let started = Instant::now();
    let tasks = match batch {
        true => graph.batch(|| submit(&graph, &tiles))?,
        false => submit(&graph, &tiles)?,
    };
    graph.wait()?;
    let elapsed = started.elapsed();
    // Now, since taking tiles out of the graph takes tasks, too.
    let (recording, workers) = (graph.recording(), workers(&graph));

    factor.resize(elements, 0.0);
    for ((i, j), handle) in places().zip(tiles.tiles) {
        let found = graph.take(handle)?;
        for (at, value) in found.host()?.iter().enumerate() {
            let (row, col) = (i * tile + at / tile, j * tile + at % tile);
            factor[row * n + col] = if col <= row { *value } else { 0.0 };
        }
    }
    let error = largest_error(&factor, n);
    let flops = (n as f64).powi(3) / 3.0;
    println!(
        "{n} x {n} in {tasks} tasks on {} workers: {:.1} ms, {:.2} GFlop/s; largest error of L · Lᵀ {error:.1e}",
        graph.machine().workers(),
        elapsed.as_secs_f64() * 1e3,
        flops / elapsed.as_secs_f64() / 1e9,
    );
    println!("ran on {workers}");
    if let Some(recording) = &recording {
        if let Some(path) = &svg {
            let picture = recording.report.svg(1200);
            fs::write(path, picture).map_err(|error| Failure::file(path, error))?;
        }
        if let Some(cores) = simulate {
            let failed = |error: TaskError| Failure::new(error.to_string());
            let machine = Machine::cores(cores)
                .map_err(|error| Failure::new(format!("--simulate {cores}: {error}")))?;
            let simulation = Simulation::new(machine, recording.rates());
            let report = simulation
                .run(&*parsed()?, &recording.program)
                .map_err(failed)?;
            println!(
                "on {cores} cores it would take {:.1} ms, and no less than {:.1} ms under any scheduler",
                report.makespan_ns as f64 / 1e6,
                report.bounds.best_ns() as f64 / 1e6
            );
        }
    }
    check(error <= 1e-12, || {
        format!("L · Lᵀ differs by {error:e} of the largest element")
    })
}

/// Which workers there are, and how many tasks they ran.
fn workers(graph: &TaskGraph) -> String {
    let (machine, ran) = (graph.machine(), graph.tasks_by_worker());
    let classes = machine.classes().iter().map(|class| {
        let (first, name) = (
            class.first.0 as usize,
            &machine.archs()[usize::from(class.arch.0)],
        );
        let tasks: u64 = ran[first..first + class.workers as usize].iter().sum();
        format!("{} x {name}: {tasks} tasks", class.workers)
    });
    classes.collect::<Vec<_>>().join(", ")
}

/// Symmetric and, by its diagonal, positive definite.
fn element(row: usize, col: usize, n: usize) -> f64 {
    let (low, high) = (row.min(col), row.max(col));
    let off = ((low * 31 + high * 17) % 64) as f64 / 64.0;
    if row == col { n as f64 + off } else { off }
}

/// The tasks of a factorisation, the right-looking one; how many they are.
fn submit(graph: &TaskGraph, tiles: &Tiles) -> Result<usize> {
    let (count, mut tasks) = (tiles.count, 0);
    let gemm = map!(gemm);
    for k in 0..count {
        // What is nearer to the end of the diagonal waits for more.
        let urgent = (3 * (count - k)) as i32;
        let potrf = graph.task("potrf", (tiles.at(k, k).update(),), |(a,)| factorise(a));
        potrf.priority(urgent).units(Units::Cores).submit()?;
        for i in k + 1..count {
            let accesses = (tiles.at(k, k).read(), tiles.at(i, k).update());
            let trsm = graph.task("trsm", accesses, |(l, a)| solve(l, a));
            trsm.priority(urgent - 1).units(Units::Cores).submit()?;
            tasks += 1;
        }
        for i in k + 1..count {
            for j in k + 1..=i {
                let (a, b, c) = (tiles.at(i, k), tiles.at(j, k), tiles.at(i, j));
                let gemm = gemm.clone();
                // A tile on the diagonal is updated by one tile twice.
                let accesses = (a.read(), b.read(), c.update());
                let task = graph.task("gemm", accesses, move |(a, b, c)| gemm.run((a, b, c)));
                task.priority(urgent - 2).submit()?;
                tasks += 1;
            }
        }
        tasks += 1;
    }
    Ok(tasks)
}

/// A tile on the diagonal: `a = L · Lᵀ`.
fn factorise(a: &mut Matrix<f64>) -> skel::Result<()> {
    let n = a.rows();
    let mut a = a.host_mut()?;
    for j in 0..n {
        let pivot: f64 = (0..j).map(|k| a[j * n + k] * a[j * n + k]).sum();
        a[j * n + j] = (a[j * n + j] - pivot).sqrt();
        for i in j + 1..n {
            let sum: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            a[i * n + j] = (a[i * n + j] - sum) / a[j * n + j];
        }
    }
    Ok(())
}

/// A tile below it: `a = a · L⁻ᵀ`.
fn solve(l: &Matrix<f64>, a: &mut Matrix<f64>) -> skel::Result<()> {
    let (n, l) = (l.rows(), l.host()?);
    for row in a.host_mut()?.chunks_mut(n) {
        for j in 0..n {
            let sum: f64 = (0..j).map(|k| row[k] * l[j * n + k]).sum();
            row[j] = (row[j] - sum) / l[j * n + j];
        }
    }
    Ok(())
}

/// Of `L · Lᵀ`, relative to the largest element; of every seventh row, or of all where these are few.
fn largest_error(l: &[f64], n: usize) -> f64 {
    let rows = (0..n).step_by(if n < 500 { 1 } else { 7 });
    let places = rows.flat_map(|i| (0..=i).map(move |j| (i, j)));
    let error = largest(places.clone().map(|(i, j)| {
        let found: f64 = (0..=j).map(|k| l[i * n + k] * l[j * n + k]).sum();
        (found - element(i, j, n)).abs()
    }));
    error / largest(places.map(|(i, j)| element(i, j, n)))
}
