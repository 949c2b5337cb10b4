//! `cargo bench -p tuner --bench npb`: steps of SP-MZ and LU-MZ as the example `npb_mz` makes them, beside plain loops
//! of the same equations, on one core and on two; and SP's solvers of lines along each axis.
#![allow(
    clippy::needless_range_loop,
    reason = "user functions go over components by their numbers"
)]

#[allow(dead_code, reason = "the example has more than is measured")]
#[path = "../../examples/npb_mz/bt.rs"]
mod bt;
#[allow(dead_code, reason = "the example has more than is measured")]
#[path = "../../examples/npb_mz/equations.rs"]
mod equations;
#[allow(dead_code, reason = "the example has more than is measured")]
#[path = "../../examples/npb_mz/lu.rs"]
mod lu;
mod plain;
mod plain_lu;
#[allow(dead_code, reason = "the example has more than is measured")]
#[path = "../../examples/npb_mz/rhs.rs"]
mod rhs;
#[path = "../../examples/npb_mz/sp.rs"]
mod sp;
#[allow(dead_code, reason = "the example has more than is measured")]
#[path = "../../examples/npb_mz/zone.rs"]
mod zone;

use clap::Parser;
use plain::Plain;
use rayon::ThreadPool;
use skel::{
    DefaultContext,
    tasks::{
        Steps,
        npb_mz::{Benchmark, Class, Mesh},
    },
};
use std::{cell::RefCell, error::Error, time::Duration};
use tuner::{Budget, Machine, Race, Table, table};
use zone::Zone;

/// Measures SP-MZ and LU-MZ beside plain loops
#[derive(Parser)]
struct Options {
    /// Seconds for each row
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// S, W or A
    #[arg(long, default_value = "W")]
    class: Class,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

const PLAIN: &str = "plain loops, 1 core";
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
        ONE,
        TWO,
        "1 core : plain",
        "2 cores : plain",
    ]);
    for benchmark in [Benchmark::Sp, Benchmark::Lu] {
        let mesh = Mesh::new(benchmark, options.class);
        agree(benchmark, &mut zones(&mesh)?[0])?;
        shown.row(steps(&mesh, &pool, &budget)?);
    }
    let mesh = Mesh::new(Benchmark::Sp, options.class);
    for axis in 0..3 {
        shown.row(lines(zones(&mesh)?.remove(0), axis, &pool, &budget)?);
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
fn steps(mesh: &Mesh, pool: &ThreadPool, budget: &Budget) -> Outcome<[String; 6]> {
    let (one, two) = (RefCell::new(zones(mesh)?), RefCell::new(zones(mesh)?));
    let plain = one
        .borrow()
        .iter()
        .map(|zone| Plain::of(mesh.benchmark(), zone))
        .collect::<skel::Result<Vec<_>>>()?;
    let plain = RefCell::new(plain);
    let shared = RefCell::new(Steps::parse(DefaultContext.get(), "2x1", "static")?);
    let name = format!("{}, a step of all zones", mesh.benchmark());
    let result = Race::new(&name, mesh.all_points(), 0)
        .contender(PLAIN, || {
            plain.borrow_mut().iter_mut().for_each(Plain::step)
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
    let speed = |name: &str| format!("{:.2}", result.speed(name, PLAIN));
    Ok([
        result.name.clone(),
        seconds(PLAIN),
        seconds(ONE),
        seconds(TWO),
        speed(ONE),
        speed(TWO),
    ])
}

/// The systems of all lines of a zone along an axis of its tensors.
fn lines(zone: Zone, axis: usize, pool: &ThreadPool, budget: &Budget) -> Outcome<[String; 6]> {
    let plain = Plain::of(Benchmark::Sp, &zone)?;
    let (points, plain) = (plain.u().len(), RefCell::new(plain));
    let zone = RefCell::new(zone);
    let name = [
        "sp-mz, lines along z",
        "sp-mz, lines along y",
        "sp-mz, lines along x",
    ][axis];
    let result = Race::new(name, points, 0)
        .contender(PLAIN, || {
            (0..TIMES).for_each(|_| plain.borrow_mut().solve(axis))
        })
        .contender(ONE, || {
            let zone = &mut *zone.borrow_mut();
            pool.install(|| (0..TIMES).try_for_each(|_| zone.solve(axis)))
        })
        .run(budget);
    let seconds = |name: &str| table::time(result.of(name).median_s() / TIMES as f64);
    Ok([
        name.into(),
        seconds(PLAIN),
        seconds(ONE),
        String::new(),
        format!("{:.2}", result.speed(ONE, PLAIN)),
        String::new(),
    ])
}
