//! Figure 8: thirty calls in a row of Map, Reduce and MapReduce, each on fresh containers: on single units, with the tuned
//! static split, and as tasks under each scheduler.
//!
//! Single units and the split run in the virtual time of the library, tasks in that of the engine (`tasks`), where copies
//! overlap with computing as they do on a GPU. Both have the same laws, to the nanosecond: [`smoke`] compares them.

mod picture;
mod tasks;

use crate::{
    TUNED_SIZES,
    app::App,
    laws::{Laws, MACHINES},
    measure::tune,
    singles::SINGLES,
    stats, tell,
};
use serde_json::{Value, json};
use skel::{Context, Cpu, Device, Hybrid, Target, tuning};

pub(crate) use picture::picture;

/// Calls in a row, as in the paper.
pub(crate) const CALLS: usize = 30;
/// The last of them, when models have learned.
pub(crate) const SETTLED: usize = 10;
/// The paper's numbers of chunks are "between 3 and 14".
pub(crate) const CHUNKS: [usize; 5] = [3, 4, 8, 14, 64];
const SCHEDULERS: [&str; 5] = ["eager", "lws", "dmda", "heteroprio", "laheteroprio"];
/// Up to 4·10⁶ in the paper; a multiple of 64 elements for each number of chunks.
const ELEMS: usize = 3_999_744;
/// The standard deviation of what an element takes, by call and chunk: laws without noise would say the same thirty times.
const NOISE: f64 = 0.02;
const SKELETONS: [&str; 3] = ["Map", "Reduce", "MapReduce"];

/// Seconds that calls took, one after the other.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) chunks: Option<usize>,
    pub(crate) times_s: Vec<f64>,
}

/// A skeleton in all ways.
pub(crate) struct Skeleton {
    pub(crate) name: &'static str,
    pub(crate) series: Vec<Series>,
}

/// Median and range of the last calls, and of all.
pub(crate) struct Spread {
    pub(crate) median_s: f64,
    pub(crate) least_s: f64,
    pub(crate) most_s: f64,
}

impl Spread {
    pub(crate) fn of(times_s: &[f64]) -> Spread {
        Spread {
            median_s: stats::median(times_s),
            least_s: times_s.iter().copied().fold(f64::INFINITY, f64::min),
            most_s: times_s.iter().copied().fold(0.0, f64::max),
        }
    }
}

impl Series {
    fn settled(&self) -> Spread {
        Spread::of(&self.times_s[self.times_s.len().saturating_sub(SETTLED)..])
    }
}

/// The paper's machine.
fn laws() -> &'static Laws {
    &MACHINES[0]
}

/// All of the figure.
pub(crate) fn measure() -> Result<Vec<Skeleton>, String> {
    let singles = SINGLES.iter().filter(|(name, _)| SKELETONS.contains(name));
    let mut all = Vec::new();
    for (name, make) in singles {
        let context = laws()
            .noisy(name, NOISE)
            .map_err(|error| error.to_string())?;
        // As the paper does: once, for all sizes.
        let programs = TUNED_SIZES.map(|elems| make(&context, elems));
        tell(&tune(&context, &tuning::Options::default(), &programs)?);
        let app = make(&context, ELEMS);
        let ways: [(&str, Target); 3] = [
            ("CPU", Cpu.into()),
            ("device", Device(0).into()),
            ("hybrid, tuned", Hybrid::tuned().into()),
        ];
        let mut series = Vec::new();
        for (way, target) in ways {
            let calls = (0..CALLS).map(|_| call_s(&context, &app, &target));
            series.push(Series {
                name: way.into(),
                chunks: None,
                times_s: calls.collect::<Result<_, String>>()?,
            });
        }
        for scheduler in SCHEDULERS {
            for chunks in CHUNKS {
                let task = tasks::Call::new(laws(), name, ELEMS, chunks)?;
                series.push(Series {
                    name: scheduler.into(),
                    chunks: Some(chunks),
                    times_s: task.in_a_row(scheduler, CALLS, NOISE)?,
                });
            }
        }
        eprintln!("  figure 8: {name}");
        all.push(Skeleton { name, series });
    }
    Ok(all)
}

/// What a call takes in virtual time. Its data lies in slices, of which no unit has anything.
fn call_s(context: &Context, app: &App, target: &Target) -> Result<f64, String> {
    let before = context.virtual_ns().unwrap_or_default();
    app.run(&app.all_at(target.clone()))?;
    let after = context.virtual_ns().unwrap_or_default();
    Ok((after - before) as f64 / 1e9)
}

/// The file of results.
pub(crate) fn json(skeletons: &[Skeleton]) -> Value {
    let series = |it: &Series| {
        let Spread {
            median_s,
            least_s,
            most_s,
        } = it.settled();
        json!({
            "name": it.name,
            "chunks": it.chunks,
            "settled_median_s": median_s,
            "settled_least_s": least_s,
            "settled_most_s": most_s,
            "times_s": it.times_s,
        })
    };
    let skeleton = |it: &Skeleton| {
        json!({
            "name": it.name,
            "elems": ELEMS,
            "series": it.series.iter().map(series).collect::<Vec<_>>(),
        })
    };
    json!({
        "bench": "figure 8",
        "machine": laws().name,
        "noise": NOISE,
        "calls": CALLS,
        "settled": SETTLED,
        "skeletons": skeletons.iter().map(skeleton).collect::<Vec<_>>(),
    })
}

/// Without noise, one chunk on one unit takes in the engine's virtual time what the call takes in the library's.
pub(crate) fn smoke() -> Result<(), String> {
    const FEW: usize = 64_000;
    for (name, make) in SINGLES.iter().filter(|(name, _)| SKELETONS.contains(name)) {
        let context = laws().open(name).map_err(|error| error.to_string())?;
        let app = make(&context, FEW);
        let call = tasks::Call::new(laws(), name, FEW, 1)?;
        for (unit, target) in [
            (tasks::Unit::Cpu, Target::from(Cpu)),
            (tasks::Unit::Gpu, Device(0).into()),
        ] {
            let (ours, theirs) = (call_s(&context, &app, &target)?, call.alone_s(unit)?);
            let apart_s = (ours - theirs).abs();
            if apart_s > 5e-9 {
                return Err(format!(
                    "{name} on {target}: {ours} s, as a task {theirs} s"
                ));
            }
        }
        let times_s = tasks::Call::new(laws(), name, FEW, 4)?.in_a_row("dmda", 3, NOISE)?;
        assert_eq!(times_s.len(), 3);
    }
    Ok(())
}
