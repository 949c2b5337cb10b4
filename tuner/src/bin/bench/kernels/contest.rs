//! A plain loop, rayon by hand and skel, on the same arrays.
//!
//! With arrays of its own, one of them would find its data in the last-level cache, left there by the
//! one before it, and the other would not.

use crate::lines;
use std::{cell::RefCell, error::Error, path::PathBuf, time::Duration};
use tuner::{Budget, Race, RaceResult, Table, table};

/// The contenders' names.
const PLAIN: &str = "plain loop";
const RAYON: &str = "rayon";
const SKEL: &str = "skel";

/// What all these benchmarks are asked.
#[derive(clap::Args)]
pub(super) struct ContestOptions {
    /// Where skel runs
    #[arg(long, default_value = "cpu")]
    pub(super) backend: String,
    /// Seconds for each race
    #[arg(long, default_value_t = 3.0)]
    pub(super) seconds: f64,
    /// Print the tables as Markdown
    #[arg(long)]
    pub(super) markdown: bool,
    /// Append every contender's times to this file, as lines of JSON
    #[arg(long)]
    pub(super) json: Option<PathBuf>,
}

/// How skel changes the arrays.
type OfSkel<S> = Box<dyn Fn(&mut S) -> skel::Result<f64>>;

/// Three ways to change the same arrays `S`, and to give the same value.
pub(super) struct Contest<S> {
    pub(super) name: String,
    pub(super) elems: usize,
    /// What must at least be read and written.
    pub(super) bytes: usize,
    pub(super) plain: fn(&mut S) -> f64,
    pub(super) rayon: fn(&mut S) -> f64,
    pub(super) skel: OfSkel<S>,
}

impl<S> Contest<S> {
    fn race(&self, arrays: &RefCell<S>, budget: &Budget) -> skel::Result<RaceResult> {
        let mut failed = None;
        let outcome = Race::new(&*self.name, self.elems, self.bytes)
            .contender(PLAIN, || (self.plain)(&mut arrays.borrow_mut()))
            .contender(RAYON, || (self.rayon)(&mut arrays.borrow_mut()))
            .contender(SKEL, || {
                (self.skel)(&mut arrays.borrow_mut()).map_err(|error| failed = Some(error))
            })
            .run(budget);
        failed.map_or(Ok(outcome), Err)
    }
}

/// Runs the contests, and prints a table of them.
pub(super) fn run<S>(
    contests: &[Contest<S>],
    arrays: S,
    options: &ContestOptions,
) -> Result<(), Box<dyn Error>> {
    let budget = Budget {
        total: Duration::try_from_secs_f64(options.seconds)?,
        ..Budget::default()
    };
    let arrays = RefCell::new(arrays);
    let mut table = Table::new([
        "kernel",
        PLAIN,
        RAYON,
        SKEL,
        "skel : plain loop",
        "skel : rayon",
        "skel, GB/s",
    ]);
    for contest in contests {
        let outcome = contest.race(&arrays, &budget)?;
        let seconds = |name| table::time(outcome.of(name).median_s());
        table.row([
            contest.name.clone(),
            seconds(PLAIN),
            seconds(RAYON),
            seconds(SKEL),
            format!("{:.2}", outcome.speed(SKEL, PLAIN)),
            format!("{:.2}", outcome.speed(SKEL, RAYON)),
            format!("{:.1}", outcome.gigabytes_per_s(SKEL)),
        ]);
        lines::append(options.json.as_ref(), &outcome.json_lines())?;
    }
    let shown = if options.markdown {
        table.markdown()
    } else {
        table.text()
    };
    println!("{shown}");
    Ok(())
}

#[cfg(test)]
pub(super) mod test {
    use super::Contest;

    /// All three change the arrays alike, and give the same value but for rounding.
    pub(in super::super) fn all_agree<S: Clone + PartialEq>(contests: &[Contest<S>], arrays: &S) {
        for contest in contests {
            let mut of = [arrays.clone(), arrays.clone(), arrays.clone()];
            let [plain, rayon, skel] = &mut of;
            let values = [
                (contest.plain)(plain),
                (contest.rayon)(rayon),
                (contest.skel)(skel).expect("a call"),
            ];
            for value in values {
                let error = (value - values[0]).abs();
                assert!(
                    error <= 1e-9 * values[0].abs(),
                    "{}: {values:?}",
                    contest.name
                );
            }
            assert!(of.iter().all(|s| *s == of[0]), "{}", contest.name);
            assert!(
                of[0] != *arrays || values[0] != 0.0,
                "{} does nothing",
                contest.name
            );
        }
    }
}
