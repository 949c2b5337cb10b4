//! Times of kinds of tasks that a scheduler has measured itself, for where the model knows none.

use crate::{Arch, KindId, Ns, TaskId, View};

/// What was observed of one kind of tasks on one architecture.
#[derive(Clone, Copy, Default)]
struct KindTimes {
    assigned: u32,
    finished: u32,
    total_ns: Ns,
}

/// By kind and architecture: how often a task was sent there, and the mean of the times that it took.
#[derive(Default)]
pub(super) struct Observed {
    times: Vec<Vec<KindTimes>>,
}

impl Observed {
    fn at(&mut self, kind: KindId, arch: Arch) -> &mut KindTimes {
        let (kind, arch) = (kind.0 as usize, usize::from(arch.0));
        if self.times.len() <= kind {
            self.times.resize(kind + 1, Vec::new());
        }
        if self.times[kind].len() <= arch {
            self.times[kind].resize(arch + 1, KindTimes::default());
        }
        &mut self.times[kind][arch]
    }

    fn get(&self, kind: KindId, arch: Arch) -> Option<&KindTimes> {
        self.times.get(kind.0 as usize)?.get(usize::from(arch.0))
    }

    /// How many tasks of the kind were sent to the architecture.
    pub(super) fn assigned(&self, kind: KindId, arch: Arch) -> u32 {
        self.get(kind, arch).map_or(0, |times| times.assigned)
    }

    pub(super) fn assign(&mut self, kind: KindId, arch: Arch) {
        let times = self.at(kind, arch);
        times.assigned = times.assigned.saturating_add(1);
    }

    /// So long it took; 0 is said of tasks that have failed, and counts for nothing.
    pub(super) fn finish(&mut self, kind: KindId, arch: Arch, took_ns: Ns) {
        if took_ns > 0 {
            let times = self.at(kind, arch);
            times.finished = times.finished.saturating_add(1);
            times.total_ns = times.total_ns.saturating_add(took_ns);
        }
    }

    /// The time of a task on an architecture: the model's, or else the mean of its kind; at least 1 ns.
    pub(super) fn time_ns(&self, task: TaskId, arch: Arch, view: &View<'_>) -> Option<f64> {
        if let Some(exec_ns) = view.exec_ns(task, arch) {
            return Some(exec_ns.max(1) as f64);
        }
        let times = self.get(view.task(task).kind, arch)?;
        (times.finished > 0).then(|| (times.total_ns as f64 / f64::from(times.finished)).max(1.0))
    }
}
