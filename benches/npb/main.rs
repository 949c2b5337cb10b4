//! `cargo bench -p tuner --bench npb`: steps of SP-MZ, BT-MZ and LU-MZ as the example `npb_mz` makes them, beside
//! plain loops of the same equations, on one core and on two; and solvers of lines along each axis.

mod plain;
mod plain_bt;
mod plain_lu;
#[allow(dead_code, reason = "the example has more than is measured")]
#[path = "../../examples/npb_mz/solver/mod.rs"]
mod solver;

use clap::Parser;
use plain::Plain;
use rayon::{ThreadPool, prelude::*};
use skel::{
    DefaultContext,
    tasks::{
        Steps,
        npb_mz::{Benchmark, Class, Mesh},
    },
};
use solver::zone::Zone;
use std::{cell::RefCell, error::Error, time::Duration};
use tuner::{Budget, Machine, Race, Table, table};

/// Measures SP-MZ, BT-MZ and LU-MZ beside plain loops
#[derive(Parser)]
struct Options {
    /// Seconds for each row
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// S, W, A, B, C or D
    #[arg(long, default_value = "W")]
    class: Class,
    /// The work distribution of zones over two cores
    #[arg(long, default_value = "guided-runtime")]
    scheduler: String,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

const PLAIN: &str = "plain loops, 1 core";
/// Zones by rayon's `par_iter_mut`: what this machine has to give.
const PLAIN_TWO: &str = "plain loops, 2 cores";
const ONE: &str = "skel, 1 core";
const TWO: &str = "skel, 2 cores";

/// Solutions of all lines at a time, so that waking the pool's thread does not count.
const TIMES: usize = 50;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let options = Options::parse();
    let budget = Budget {
        total: Duration::try_from_secs_f64(options.seconds)?,
        ..Budget::default()
    };
    println!("{}\n", Machine::this());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut shown = Table::new([
        "NPB-MZ",
        PLAIN,
        PLAIN_TWO,
        ONE,
        TWO,
        "1 core : plain",
        "2 cores : plain",
        "2 : plain on 2",
    ]);
    for benchmark in [Benchmark::Sp, Benchmark::Bt, Benchmark::Lu] {
        let mesh = Mesh::new(benchmark, options.class);
        agree(benchmark, &mut zones(&mesh)?[0])?;
        shown.row(steps(&mesh, &pool, &options.scheduler, &budget)?);
    }
    for benchmark in [Benchmark::Sp, Benchmark::Bt] {
        let mesh = Mesh::new(benchmark, options.class);
        for axis in 0..3 {
            shown.row(lines(&mesh, axis, &pool, &budget)?);
        }
    }
    let text = match options.markdown {
        true => shown.markdown(),
        false => shown.text(),
    };
    println!("{text}");
    Ok(())
}

/// All zones, with a step that changes little, so that thousands of them go well.
fn zones(mesh: &Mesh) -> skel::Result<Vec<Zone>> {
    (0..mesh.len())
        .map(|zone| Zone::new(mesh, zone, 1e-5))
        .collect()
}

/// Both make the same of a zone.
fn agree(benchmark: Benchmark, zone: &mut Zone) -> Outcome {
    let mut plain = Plain::of(benchmark, zone)?;
    for _ in 0..10 {
        zone.step()?;
        plain.step();
    }
    assert_eq!(plain.u(), &zone.u.host()?[..], "the same to the bit");
    Ok(())
}

/// Steps of all zones.
fn steps(mesh: &Mesh, pool: &ThreadPool, scheduler: &str, budget: &Budget) -> Outcome<[String; 8]> {
    let (one, two) = (RefCell::new(zones(mesh)?), RefCell::new(zones(mesh)?));
    let plain = || {
        let zones = one.borrow();
        let plain = zones.iter().map(|zone| Plain::of(mesh.benchmark(), zone));
        plain.collect::<skel::Result<Vec<_>>>().map(RefCell::new)
    };
    let (plain, plain_two) = (plain()?, plain()?);
    let shared = RefCell::new(Steps::parse(DefaultContext.get(), "2x1", scheduler)?);
    let name = format!("{}, a step of all zones", mesh.benchmark());
    let result = Race::new(&name, mesh.all_points(), 0)
        .contender(PLAIN, || {
            plain.borrow_mut().iter_mut().for_each(Plain::step)
        })
        .contender(PLAIN_TWO, || {
            plain_two.borrow_mut().par_iter_mut().for_each(Plain::step)
        })
        .contender(ONE, || {
            let zones = &mut *one.borrow_mut();
            pool.install(|| zones.iter_mut().try_for_each(Zone::step))
        })
        .contender(TWO, || {
            let (zones, mut steps) = (&mut *two.borrow_mut(), shared.borrow_mut());
            steps.run(zones, |zone, _| zone.step()).map(drop)
        })
        .run(budget);
    let seconds = |name: &str| table::time(result.of(name).median_s());
    let speed = |name: &str, rival: &str| format!("{:.2}", result.speed(name, rival));
    Ok([
        result.name.clone(),
        seconds(PLAIN),
        seconds(PLAIN_TWO),
        seconds(ONE),
        seconds(TWO),
        speed(ONE, PLAIN),
        speed(TWO, PLAIN),
        speed(TWO, PLAIN_TWO),
    ])
}

/// The systems of all lines of the first zone along an axis of its tensors.
fn lines(mesh: &Mesh, axis: usize, pool: &ThreadPool, budget: &Budget) -> Outcome<[String; 8]> {
    let zone = zones(mesh)?.remove(0);
    let plain = Plain::of(mesh.benchmark(), &zone)?;
    let (points, plain) = (plain.u().len(), RefCell::new(plain));
    let zone = RefCell::new(zone);
    let name = format!(
        "{}, lines along {}",
        mesh.benchmark(),
        ["z", "y", "x"][axis]
    );
    let result = Race::new(&name, points, 0)
        .contender(PLAIN, || {
            (0..TIMES).for_each(|_| plain.borrow_mut().solve(axis))
        })
        .contender(ONE, || {
            let zone = &mut *zone.borrow_mut();
            pool.install(|| (0..TIMES).try_for_each(|_| zone.solve(axis)))
        })
        .run(budget);
    let seconds = |name: &str| table::time(result.of(name).median_s() / TIMES as f64);
    let none = String::new;
    Ok([
        name,
        seconds(PLAIN),
        none(),
        seconds(ONE),
        none(),
        format!("{:.2}", result.speed(ONE, PLAIN)),
        none(),
        none(),
    ])
}
