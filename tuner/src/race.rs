//! Contenders, rounds, and what came of them.

use crate::stats;
use serde_json::json;
use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// At least so many rounds.
    pub min_rounds: usize,
    /// At most so many.
    pub max_rounds: usize,
    /// Between the two, as many as fit.
    pub total: Duration,
    /// A contender runs so often in one round that it takes at least this long, less the last run.
    pub turn: Duration,
    /// How long each contender runs before the first round.
    pub warm_up: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            min_rounds: 7,
            max_rounds: 61,
            total: Duration::from_secs(3),
            turn: Duration::from_millis(2),
            warm_up: Duration::from_millis(50),
        }
    }
}

/// Several ways to compute the same thing.
pub struct Race<'a> {
    name: String,
    elems: usize,
    bytes: usize,
    contenders: Vec<Contender<'a>>,
}

struct Contender<'a> {
    name: String,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Race<'a> {
    /// A race over `elems` elements, for which `bytes` must at least be read and written.
    #[must_use]
    pub fn new(name: impl Into<String>, elems: usize, bytes: usize) -> Self {
        Race {
            name: name.into(),
            elems,
            bytes,
            contenders: Vec::new(),
        }
    }

    /// Adds a contender. What it computes goes through [`std::hint::black_box`], and is dropped
    /// within the time measured.
    #[must_use]
    pub fn contender<R>(
        mut self,
        name: impl Into<String>,
        mut work: impl FnMut() -> R + 'a,
    ) -> Self {
        let run = Box::new(move || {
            std::hint::black_box(work());
        });
        self.contenders.push(Contender {
            name: name.into(),
            run,
        });
        self
    }

    /// Runs it.
    #[must_use]
    pub fn run(mut self, budget: &Budget) -> RaceResult {
        let runs: Vec<usize> = self
            .contenders
            .iter_mut()
            .map(|c| c.warm_up(budget))
            .collect();
        let mut rounds: Vec<Vec<f64>> = vec![Vec::new(); self.contenders.len()];
        let start = Instant::now();
        for round in 0..budget.max_rounds {
            if round >= budget.min_rounds && start.elapsed() >= budget.total {
                break;
            }
            for k in order(round, self.contenders.len()) {
                rounds[k].push(self.contenders[k].time(runs[k]));
            }
        }
        let timings = self.contenders.into_iter().zip(rounds);
        RaceResult {
            name: self.name,
            elems: self.elems,
            bytes: self.bytes,
            timings: timings
                .map(|(c, rounds_s)| Timing {
                    name: c.name,
                    rounds_s,
                })
                .collect(),
        }
    }
}

/// Which contender runs when in a round. Another one begins each time, and none always runs after the same
/// neighbour, with the caches and the threads that it leaves behind: steps over the others change from round
/// to round.
fn order(round: usize, contenders: usize) -> impl Iterator<Item = usize> {
    // With these, all have a turn.
    let steps: Vec<usize> = (1..contenders.max(2))
        .filter(|step| gcd(*step, contenders) == 1)
        .collect();
    let step = steps[round % steps.len()];
    (0..contenders).map(move |turn| (round + turn * step) % contenders)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Contender<'_> {
    /// Runs until it is warm; how many runs make a turn.
    fn warm_up(&mut self, budget: &Budget) -> usize {
        let start = Instant::now();
        let mut runs = 0_usize;
        while runs < 2 || start.elapsed() < budget.warm_up {
            (self.run)();
            runs += 1;
        }
        let each = start.elapsed().as_secs_f64() / runs as f64;
        ((budget.turn.as_secs_f64() / each.max(1e-9)) as usize).max(1)
    }

    /// Seconds for one of `runs` runs.
    fn time(&mut self, runs: usize) -> f64 {
        let start = Instant::now();
        for _ in 0..runs {
            (self.run)();
        }
        start.elapsed().as_secs_f64() / runs as f64
    }
}

/// What a race gave.
#[derive(Clone, Debug)]
pub struct RaceResult {
    /// The race's name.
    pub name: String,
    /// The number of elements.
    pub elems: usize,
    /// Bytes that must at least be moved.
    pub bytes: usize,
    /// In the order in which the contenders were added.
    pub timings: Vec<Timing>,
}

/// One contender's times.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The contender.
    pub name: String,
    /// Seconds for one run, in each round.
    pub rounds_s: Vec<f64>,
}

impl Timing {
    /// The median of all rounds, in seconds.
    #[must_use]
    pub fn median_s(&self) -> f64 {
        stats::median(&self.rounds_s)
    }
}

impl RaceResult {
    /// The contender of that name.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn of(&self, name: &str) -> &Timing {
        let found = self.timings.iter().find(|t| t.name == name);
        found.unwrap_or_else(|| panic!("no contender `{name}` in {}", self.name))
    }

    /// How many times as fast `contender` is as `baseline`: the ratio of their medians, so that it is that of the
    /// times that stand beside it.
    ///
    /// # Panics
    /// If either is not in the race.
    #[must_use]
    pub fn speed(&self, contender: &str, baseline: &str) -> f64 {
        self.of(baseline).median_s() / self.of(contender).median_s()
    }

    /// The bytes that `contender` moves per second, in 10^9.
    ///
    /// # Panics
    /// If it is not in the race.
    #[must_use]
    pub fn gigabytes_per_s(&self, contender: &str) -> f64 {
        self.bytes as f64 / self.of(contender).median_s() / 1e9
    }

    /// One line of JSON per contender, with the ratio to the first.
    #[must_use]
    pub fn json_lines(&self) -> String {
        let line = |t: &Timing| {
            let line = json!({
                "race": self.name,
                "elems": self.elems,
                "bytes": self.bytes,
                "contender": t.name,
                "rounds": t.rounds_s.len(),
                "median_s": t.median_s(),
                "best_s": stats::least(&t.rounds_s),
                "speed_to_first": self.speed(&t.name, &self.timings[0].name),
            });
            format!("{line}\n")
        };
        self.timings.iter().map(line).collect()
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use std::{cell::RefCell, thread::sleep};

    const QUICK: Budget = Budget {
        min_rounds: 5,
        max_rounds: 5,
        total: Duration::ZERO,
        turn: Duration::ZERO,
        warm_up: Duration::ZERO,
    };

    #[test]
    fn rounds_are_interleaved_and_begin_with_another_contender_each() {
        let order = RefCell::new(String::new());
        let race = Race::new("order", 1, 1)
            .contender("a", || order.borrow_mut().push('a'))
            .contender("b", || order.borrow_mut().push('b'));
        let outcome = race.run(&QUICK);
        assert_eq!(*order.borrow(), "aabb".to_string() + "abbaabbaab");
        assert_eq!(outcome.of("b").rounds_s.len(), 5);
    }

    #[test]
    fn everybody_has_a_turn_and_several_neighbours() {
        for contenders in 1..12 {
            let mut before = vec![std::collections::BTreeSet::new(); contenders];
            for round in 0..2 * contenders {
                let order: Vec<usize> = order(round, contenders).collect();
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..contenders).collect::<Vec<_>>());
                for pair in order.windows(2) {
                    before[pair[1]].insert(pair[0]);
                }
            }
            // Of three on there is a choice.
            let least = contenders.saturating_sub(1).min(2);
            assert!(
                before.iter().all(|known| known.len() >= least),
                "{contenders}: {before:?}"
            );
        }
    }

    #[test]
    fn a_contender_that_takes_longer_is_slower() {
        let race = Race::new("sleep", 1, 1)
            .contender("short", || sleep(Duration::from_millis(2)))
            .contender("long", || sleep(Duration::from_millis(20)));
        let outcome = race.run(&QUICK);
        assert!(outcome.speed("long", "short") < 0.5);
        assert!(outcome.speed("short", "short") == 1.0);
    }

    #[test]
    fn short_work_runs_many_times_in_a_turn() {
        let runs = RefCell::new(0);
        let budget = Budget {
            turn: Duration::from_millis(1),
            ..QUICK
        };
        let _ = Race::new("count", 1, 1)
            .contender("count", || *runs.borrow_mut() += 1)
            .run(&budget);
        assert!(*runs.borrow() > 100);
    }

    #[test]
    fn a_ratio_is_that_of_the_medians_beside_it() {
        let timing = |name: &str, rounds_s: [f64; 3]| Timing {
            name: name.into(),
            rounds_s: rounds_s.to_vec(),
        };
        let outcome = RaceResult {
            name: "noisy".into(),
            elems: 1,
            bytes: 1,
            // The median of the rounds' ratios would be 1.
            timings: vec![timing("a", [1.0, 2.0, 9.0]), timing("b", [1.0, 3.0, 9.0])],
        };
        assert_eq!(outcome.speed("a", "b"), 1.5);
    }

    #[test]
    fn json_has_a_line_for_each_contender() {
        let outcome = RaceResult {
            name: "map".into(),
            elems: 10,
            bytes: 120,
            timings: ["x", "y"]
                .map(|name| Timing {
                    name: name.into(),
                    rounds_s: vec![1e-6, 2e-6, 3e-6],
                })
                .to_vec(),
        };
        let lines = outcome.json_lines();
        let parsed: Vec<serde_json::Value> = lines
            .lines()
            .map(|l| serde_json::from_str(l).expect("JSON"))
            .collect();
        assert_eq!(parsed[1]["contender"], "y");
        assert_eq!(parsed[0]["median_s"], 2e-6);
        assert!((outcome.gigabytes_per_s("x") - 0.06).abs() < 1e-12);
    }
}
