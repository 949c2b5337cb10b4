//! The static split of a hybrid call, as a plan.

use super::{
    is_share,
    side::{Side, Sides},
};
use crate::{
    BadOption, ClassId, ClassSet, KindId, Machine, Scheduler, TaskId, View, WorkerId,
    options::Options,
    scheduler::{Configuration, Hint, pool::Pool},
};

/// The tasks of each kind, in the order of their submission, are cut: the first part is the host's, and the rest is
/// cut for the devices in turn, by the number of their workers. That is how a hybrid call divides its elements
/// (*Hybrid CPU–GPU execution support in the skeleton programming framework SkePU*). The plan is made when a batch
/// is closed; tasks that come one by one are dealt in the same proportion. A task that its part's workers cannot
/// run goes to the other workers of their side, or else to the other side.
///
/// ```
/// use skel_tasks::scheduler::{self, Configuration, Ratio};
///
/// assert_eq!(Ratio { cpu: 0.4 }.text(), "ratio,cpu=0.4");
/// assert_eq!(scheduler::parse("ratio,cpu=0.4")?.text(), "ratio,cpu=0.4");
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The host's share.
    pub cpu: f64,
}

impl Default for Ratio {
    fn default() -> Ratio {
        Ratio { cpu: 0.5 }
    }
}

impl Ratio {
    pub(in crate::scheduler) fn make(
        options: &mut Options<'_>,
    ) -> Result<Box<dyn Configuration>, BadOption> {
        let cpu = options.take("cpu", "a share from 0 to 1", Ratio::default().cpu)?;
        Ok(Box::new(Ratio { cpu }))
    }
}

impl Configuration for Ratio {
    fn text(&self) -> String {
        format!("ratio,cpu={}", self.cpu)
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let cpu = is_share("cpu", self.cpu)?;
        let sides = Sides::of(machine);
        let (host, devices) = (sides.classes(Side::Host), sides.classes(Side::Device));
        if cpu > 0.0 && host.is_empty() {
            return Err(BadOption::new(
                "cpu",
                cpu,
                "0, since the machine has devices only",
            ));
        }
        if cpu < 1.0 && devices.is_empty() {
            return Err(BadOption::new(
                "cpu",
                cpu,
                "1, since the machine has no device",
            ));
        }
        let workers = |class: ClassId| f64::from(machine.class(class).workers);
        let all: f64 = devices.iter().map(workers).sum();
        let mut parts = vec![WorkerShare {
            classes: host,
            share: cpu,
        }];
        parts.extend(devices.iter().map(|class| WorkerShare {
            classes: ClassSet::only(class),
            share: (1.0 - cpu) * workers(class) / all,
        }));
        Ok(Box::new(Plan {
            sides,
            parts,
            pool: Pool::default(),
            planned: Vec::new(),
            short: Vec::new(),
            kinds: Vec::new(),
        }))
    }
}

/// The workers of a part, and how much it is.
struct WorkerShare {
    classes: ClassSet,
    share: f64,
}

struct Plan {
    sides: Sides,
    parts: Vec<WorkerShare>,
    pool: Pool,
    /// The part of each task, by slot.
    planned: Vec<Option<(TaskId, usize)>>,
    /// Of tasks that come one by one: what each part is short of, kind by kind.
    short: Vec<f64>,
    /// Of the tasks of a batch: how many of each kind there are, and how many have been cut off.
    kinds: Vec<(u64, u64)>,
}

impl Plan {
    fn set(&mut self, task: TaskId, part: usize) {
        if task.slot() >= self.planned.len() {
            self.planned.resize(task.slot() + 1, None);
        }
        self.planned[task.slot()] = Some((task, part));
    }

    /// The part in which the task `k` of `of` lies.
    fn cut(&self, k: u64, of: u64) -> usize {
        let mut share = 0.0;
        for (part, WorkerShare { share: own, .. }) in self.parts.iter().enumerate() {
            share += own;
            if *own > 0.0 && k < (share * of as f64).round() as u64 {
                return part;
            }
        }
        // Sums of shares may be a hair below one.
        self.parts
            .iter()
            .rposition(|part| part.share > 0.0)
            .unwrap_or(0)
    }

    /// The part that is shortest of what it should have of this kind.
    fn deal(&mut self, kind: KindId) -> usize {
        let (first, parts) = (kind.0 as usize * self.parts.len(), self.parts.len());
        if first + parts > self.short.len() {
            self.short.resize(first + parts, 0.0);
        }
        let short = &mut self.short[first..first + parts];
        let mut best = 0;
        for (k, part) in self.parts.iter().enumerate() {
            short[k] += part.share;
            // A hair more is the same: sums of decimal fractions are not exact.
            if short[k] > short[best] + 1e-9 {
                best = k;
            }
        }
        short[best] -= 1.0;
        best
    }

    fn part(&mut self, task: TaskId, view: &View<'_>) -> usize {
        let known = self.planned.get(task.slot()).copied().flatten();
        if let Some((_, part)) = known.filter(|(known, _)| *known == task) {
            return part;
        }
        let part = self.deal(view.task(task).kind);
        self.set(task, part);
        part
    }
}

impl Scheduler for Plan {
    fn plan(&mut self, tasks: &[TaskId], view: &View<'_>) {
        self.kinds.clear();
        for task in tasks {
            let kind = view.task(*task).kind.0 as usize;
            if kind >= self.kinds.len() {
                self.kinds.resize(kind + 1, (0, 0));
            }
            self.kinds[kind].0 += 1;
        }
        for task in tasks {
            let kind = view.task(*task).kind.0 as usize;
            let (of, k) = self.kinds[kind];
            self.kinds[kind].1 += 1;
            let part = self.cut(k, of);
            self.set(*task, part);
        }
    }

    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        let able: ClassSet = view.able(task).collect();
        let part = self.part(task, view);
        let wanted = self.parts[part].classes;
        let side = wanted
            .iter()
            .next()
            .map_or(Side::Host, |class| self.sides.side(class));
        let choices = [
            wanted,
            self.sides.classes(side),
            self.sides.classes(side.other()),
        ];
        let there = choices.into_iter().map(|classes| able.and(classes));
        let classes = there.into_iter().find(|classes| !classes.is_empty());
        self.pool.push(task, classes.unwrap_or(able))
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        self.pool.pop(view.machine().class_of(worker))
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.pool.drain()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.pool.ready(class)
    }
}
