//! What no schedule can be shorter than.

use super::Program;
use crate::{Arch, Machine, Ns};

/// Lower bounds of the makespan: of all tasks that were executed to their end, without transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// If tasks could be cut and spread over architectures as it is best, and all workers were busy all the time.
    /// For one and two architectures exactly this; for more, at most a little below.
    pub area_ns: Ns,
    /// The longest chain of tasks, each on its fastest architecture.
    pub critical_path_ns: Ns,
}

impl Bounds {
    /// The larger one.
    #[must_use]
    pub fn best_ns(self) -> Ns {
        self.area_ns.max(self.critical_path_ns)
    }

    /// `exec_ns` says how long a task takes on an architecture, and nothing where it cannot run.
    pub(super) fn new(
        machine: &Machine,
        program: &Program,
        exec_ns: impl Fn(usize, Arch) -> Option<Ns>,
        is_done: impl Fn(usize) -> bool,
    ) -> Bounds {
        let archs = 0..machine.archs().len();
        let used = archs.map(|arch| Arch(arch as u8));
        let workers: Vec<f64> = used.map(|arch| machine.workers_of(arch).into()).collect();
        let time_ns = |task: usize, arch: usize| match workers[arch] > 0.0 {
            true => exec_ns(task, Arch(arch as u8)),
            false => None,
        };
        let shortest_ns = |task: usize| {
            let times = (0..workers.len()).filter_map(|arch| time_ns(task, arch));
            is_done(task).then(|| times.min()).flatten().unwrap_or(0)
        };
        let mut times = Times {
            workers: &workers,
            shares: Vec::new(),
        };
        for task in (0..program.len()).filter(|task| is_done(*task)) {
            let share = |arch| time_ns(task, arch).map_or(f64::INFINITY, |ns| ns as f64);
            times.shares.extend((0..workers.len()).map(share));
        }
        Bounds {
            // Below all sums' rounding.
            area_ns: (times.area_ns() * (1.0 - 1e-9)).ceil().max(0.0) as Ns,
            critical_path_ns: program.longest_path_ns(shortest_ns),
        }
    }
}

struct Times<'w> {
    workers: &'w [f64],
    /// Of each task, its time on each architecture, infinite where it cannot run.
    shares: Vec<f64>,
}

impl Times<'_> {
    /// For any prices of the architectures' time that sum up to 1, the least that all tasks cost is a lower bound
    /// (weak duality of linear programs); the greatest such bound is the fractional optimum itself.
    fn area_ns(&self) -> f64 {
        match self.workers.len() {
            2 => self.two(),
            _ => self.many(),
        }
    }

    fn tasks(&self) -> impl Iterator<Item = &[f64]> {
        self.shares.chunks_exact(self.workers.len().max(1))
    }

    /// Two architectures: tasks sorted by their speedup; the first go to one, the rest to the other, one is cut.
    fn two(&self) -> f64 {
        let (mut only, mut both) = ([0.0; 2], Vec::new());
        for task in self.tasks() {
            match (task[0].is_finite(), task[1].is_finite()) {
                (true, true) => both.push((task[0], task[1])),
                (true, false) => only[0] += task[0],
                (false, true) => only[1] += task[1],
                (false, false) => {}
            }
        }
        both.sort_by(|a, b| (a.0 * b.1).total_cmp(&(b.0 * a.1)));
        // From all on the second to all on the first; where the loads cross, they are equal.
        let mut load = [
            only[0],
            only[1] + both.iter().map(|task| task.1).sum::<f64>(),
        ];
        for (first, second) in both {
            let next = [load[0] + first, load[1] - second];
            if next[0] / self.workers[0] >= next[1] / self.workers[1] {
                // Of this one, a part x: (l₀ + x·a) / m₀ = (l₁ − x·b) / m₁.
                let gap = load[1] / self.workers[1] - load[0] / self.workers[0];
                let slope = first / self.workers[0] + second / self.workers[1];
                let part = match slope > 0.0 {
                    true => (gap / slope).clamp(0.0, 1.0),
                    false => 0.0,
                };
                load = [load[0] + part * first, load[1] - part * second];
                break;
            }
            load = next;
        }
        (load[0] / self.workers[0]).max(load[1] / self.workers[1])
    }

    /// Prices go up where the load is above the bound, and down where it is below.
    fn many(&self) -> f64 {
        let all: f64 = self.workers.iter().sum();
        let mut prices: Vec<f64> = self.workers.iter().map(|workers| workers / all).collect();
        let mut best = 0.0_f64;
        let rounds = if self.workers.len() == 1 { 1 } else { 64 };
        for round in 0..rounds {
            let mut load = vec![0.0; prices.len()];
            let mut bound = 0.0;
            for task in self.tasks() {
                let cost = |arch: &usize| prices[*arch] * task[*arch] / self.workers[*arch];
                let cheapest = (0..prices.len())
                    .filter(|arch| task[*arch].is_finite())
                    .min_by(|a, b| cost(a).total_cmp(&cost(b)));
                if let Some(arch) = cheapest {
                    bound += cost(&arch);
                    load[arch] += task[arch] / self.workers[arch];
                }
            }
            best = best.max(bound);
            let scale = load.iter().copied().fold(0.0, f64::max);
            if scale <= 0.0 {
                break;
            }
            let step = 1.0 / f64::from(round + 2).sqrt();
            for (price, load) in prices.iter_mut().zip(&load) {
                *price *= (step * (load - bound) / scale).exp();
            }
            let sum: f64 = prices.iter().sum();
            prices.iter_mut().for_each(|price| *price /= sum);
        }
        best
    }
}
