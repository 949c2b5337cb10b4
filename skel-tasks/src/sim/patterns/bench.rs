//! The dependence patterns of Task Bench (Slaughter et al. 2020): a row of points, and steps, in each of which a
//! point depends on some points of the step before.

use crate::{HandleId, sim::Program, split_mix::SplitMix};

/// What a point depends on. `i` is the point, `w` the width, `t` the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dependence {
    /// On itself alone.
    NoComm,
    /// On i−1, i, i+1.
    Stencil1d,
    /// On i−1 and i: a wavefront.
    Dom,
    /// On the parent i/2, while the tree grows to the width; then on itself.
    Tree,
    /// On i and i ± 2ᵗ mod log w: butterflies.
    Fft,
    /// On all points.
    AllToAll,
    /// On the 5 points around i.
    Nearest,
    /// On 5 points, spread over the width, and shifted with each step.
    Spread,
    /// On each of the 5 points around i with probability 1/2, and on itself.
    RandomNearest,
}

impl Dependence {
    /// All of them.
    pub const ALL: [Dependence; 9] = [
        Dependence::NoComm,
        Dependence::Stencil1d,
        Dependence::Dom,
        Dependence::Tree,
        Dependence::Fft,
        Dependence::AllToAll,
        Dependence::Nearest,
        Dependence::Spread,
        Dependence::RandomNearest,
    ];

    /// Its name in Task Bench.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dependence::NoComm => "no_comm",
            Dependence::Stencil1d => "stencil_1d",
            Dependence::Dom => "dom",
            Dependence::Tree => "tree",
            Dependence::Fft => "fft",
            Dependence::AllToAll => "all_to_all",
            Dependence::Nearest => "nearest",
            Dependence::Spread => "spread",
            Dependence::RandomNearest => "random_nearest",
        }
    }

    /// How many points there are in a step.
    fn width(self, width: usize, step: usize) -> usize {
        match self {
            Dependence::Tree => width.min(1_usize.checked_shl(step as u32).unwrap_or(width)),
            _ => width,
        }
    }

    /// The points of the step before that a point depends on, in order, each once.
    fn before(self, point: usize, width: usize, step: usize, seed: u64) -> Vec<usize> {
        let around = |radius: usize| point.saturating_sub(radius)..(point + radius + 1).min(width);
        let mut points: Vec<usize> = match self {
            Dependence::NoComm => vec![point],
            Dependence::Stencil1d => around(1).collect(),
            Dependence::Dom => (point.saturating_sub(1)..=point).collect(),
            Dependence::Tree if self.width(width, step - 1) < self.width(width, step) => {
                vec![point / 2]
            }
            Dependence::Tree => vec![point],
            Dependence::Fft => {
                let stages = width.next_power_of_two().trailing_zeros().max(1) as usize;
                let distance = 1 << ((step - 1) % stages);
                let low = point.checked_sub(distance);
                let high = Some(point + distance).filter(|high| *high < width);
                low.into_iter().chain([point]).chain(high).collect()
            }
            Dependence::AllToAll => (0..width).collect(),
            Dependence::Nearest => around(2).collect(),
            Dependence::Spread => {
                let distance = width.div_ceil(5);
                (0..5)
                    .map(|k| (point + k * distance + step) % width)
                    .collect()
            }
            Dependence::RandomNearest => {
                let mut numbers = SplitMix::of(seed, (step * width + point) as u64);
                let mut drawn = around(2)
                    .filter(|_| numbers.below(2) == 0)
                    .collect::<Vec<_>>();
                drawn.push(point);
                drawn
            }
        };
        points.sort_unstable();
        points.dedup();
        points
    }
}

/// A program of Task Bench: tasks of the kind `task`, each of which writes `bytes` that those that depend on it
/// read, and has 100,000 units of work. Each writes data of its own, so that there is no order but the pattern's.
///
/// ```
/// use skel_tasks::sim::patterns::{Dependence, task_bench};
///
/// let program = task_bench(Dependence::Tree, 8, 5, 1_024, 0);
/// assert_eq!(program.len(), 1 + 2 + 4 + 8 + 8);
/// ```
#[must_use]
pub fn task_bench(
    dependence: Dependence,
    width: usize,
    steps: usize,
    bytes: u64,
    seed: u64,
) -> Program {
    let name = format!("{}, {width} points, {steps} steps", dependence.name());
    let mut program = Program::new(name);
    let kind = program.kind("task");
    let mut old: Vec<HandleId> = Vec::new();
    for step in 0..steps {
        let points = dependence.width(width, step);
        let new: Vec<HandleId> = (0..points).map(|_| program.data(bytes)).collect();
        for (point, written) in new.iter().enumerate() {
            let mut task = program.task(kind).writes(*written).work(100_000);
            if step > 0 {
                let before = dependence.before(point, width, step, seed);
                task = before.iter().fold(task, |task, k| task.reads(old[*k]));
            }
            task.add();
        }
        old = new;
    }
    program
}
