//! What takes part, and how much is measured of it.

use crate::{
    book::Book,
    load::{self, BusyLoops, Section},
};

/// How much is measured.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) rounds: usize,
    /// Empty tasks in a sample.
    pub(crate) tasks: usize,
    pub(crate) round_trips: usize,
    /// How much a sample of [`crate::grain`] computes.
    pub(crate) work_us: u64,
    /// Calls of each kind in figure 8.
    pub(crate) calls: usize,
    pub(crate) sizes: &'static [usize],
}

impl Effort {
    pub(crate) const FULL: Effort = Effort {
        rounds: 11,
        tasks: 20_000,
        round_trips: 2000,
        work_us: 40_000,
        calls: 30,
        sizes: &[100_000, 400_000, 1_000_000, 2_000_000, 4_000_000, LARGEST],
    };
    pub(crate) const QUICK: Effort = Effort {
        rounds: 3,
        calls: 7,
        sizes: &[100_000, 1_000_000, LARGEST],
        ..Effort::FULL
    };
    pub(crate) const SMOKE: Effort = Effort {
        rounds: 1,
        tasks: 100,
        round_trips: 20,
        work_us: 500,
        calls: 1,
        sizes: &[1000],
    };
}

/// The size at which tasks and `Cpu` are compared.
pub(crate) const LARGEST: usize = 1 << 24;

/// A measurement.
pub(crate) struct Sample {
    pub(crate) what: String,
    pub(crate) seconds: f64,
    pub(crate) cores: Option<f64>,
}

impl Sample {
    /// Of each of `count` tasks.
    pub(crate) fn each(what: impl Into<String>, section: &Section, count: usize) -> Sample {
        Sample {
            what: what.into(),
            seconds: section.wall_s / count as f64,
            cores: section.cores,
        }
    }

    /// Of many times: the mean, and the quantiles that matter.
    pub(crate) fn quantiles(what: &str, mut times_s: Vec<f64>) -> Vec<Sample> {
        times_s.sort_by(f64::total_cmp);
        let at = |part: f64| times_s[(times_s.len() as f64 * part) as usize];
        let mean = times_s.iter().sum::<f64>() / times_s.len() as f64;
        [("mean", mean), ("p50", at(0.5)), ("p99", at(0.99))]
            .map(|(name, seconds)| Sample {
                what: format!("{what}; {name}"),
                seconds,
                cores: None,
            })
            .into()
    }
}

/// So many tasks of so many rounds of arithmetic.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub(crate) tasks: usize,
    pub(crate) rounds: u64,
}

impl Batch {
    /// As samples and `starpu.c` name it.
    pub(crate) fn name(self) -> String {
        format!("{}:{}", self.tasks, self.rounds)
    }
}

/// A way to run tasks.
pub(crate) trait Contender {
    fn name(&self) -> String;

    /// What empty tasks cost; nothing from those that only compute.
    fn overhead(&mut self, effort: &Effort) -> Result<Vec<Sample>, String> {
        let _ = effort;
        Ok(Vec::new())
    }

    /// What batches of tasks take.
    fn grain(&mut self, batches: &[Batch]) -> Result<Vec<Sample>, String>;
}

/// What else the machine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Beside {
    Nothing,
    BusyLoops,
}

impl Beside {
    pub(crate) const ALL: [Beside; 2] = [Beside::Nothing, Beside::BusyLoops];
    /// As many as StarPU's numbers were once measured beside.
    const LOOPS: usize = 2;

    pub(crate) fn name(self) -> &'static str {
        match self {
            Beside::Nothing => "quiet",
            Beside::BusyLoops => "beside two busy loops",
        }
    }

    pub(crate) fn begin(self) -> Result<BusyLoops, String> {
        BusyLoops::start(match self {
            Beside::Nothing => 0,
            Beside::BusyLoops => Beside::LOOPS,
        })
    }
}

/// Rounds in which all take turns, another one first in each, so that what disturbs the machine disturbs them all.
pub(crate) fn rounds(
    book: &mut Book,
    part: &'static str,
    contenders: &mut [Box<dyn Contender + '_>],
    effort: &Effort,
    mut run: impl FnMut(&mut dyn Contender) -> Result<Vec<Sample>, String>,
) -> Result<(), String> {
    for beside in Beside::ALL {
        let _loops = beside.begin()?;
        eprintln!("{part}, {}", beside.name());
        for round in 0..effort.rounds {
            if beside == Beside::Nothing {
                book.others_took(part, load::machine_busy_cores());
            }
            let count = contenders.len();
            for turn in 0..count {
                let contender = &mut contenders[(round + turn) % count];
                let name = contender.name();
                let samples = run(&mut **contender).map_err(|error| format!("{name}: {error}"))?;
                for sample in samples {
                    book.add((part, beside), &name, sample);
                }
            }
        }
    }
    Ok(())
}
