//! Times of kinds of tasks that a scheduler has seen itself, for where the model knows none.

use crate::{Arch, KindId, Ns, TaskId, View};

/// What was seen of one kind of tasks on one architecture.
#[derive(Clone, Copy, Default)]
struct Seen {
    assigned: u32,
    finished: u32,
    total_ns: Ns,
}

/// By kind and architecture: how often a task was sent there, and the mean of the times that it took.
#[derive(Default)]
pub(super) struct Observed {
    seen: Vec<Vec<Seen>>,
}

impl Observed {
    fn at(&mut self, kind: KindId, arch: Arch) -> &mut Seen {
        let (kind, arch) = (kind.0 as usize, usize::from(arch.0));
        if self.seen.len() <= kind {
            self.seen.resize(kind + 1, Vec::new());
        }
        if self.seen[kind].len() <= arch {
            self.seen[kind].resize(arch + 1, Seen::default());
        }
        &mut self.seen[kind][arch]
    }

    fn get(&self, kind: KindId, arch: Arch) -> Option<&Seen> {
        self.seen.get(kind.0 as usize)?.get(usize::from(arch.0))
    }

    /// How many tasks of the kind were sent to the architecture.
    pub(super) fn assigned(&self, kind: KindId, arch: Arch) -> u32 {
        self.get(kind, arch).map_or(0, |seen| seen.assigned)
    }

    pub(super) fn assign(&mut self, kind: KindId, arch: Arch) {
        let seen = self.at(kind, arch);
        seen.assigned = seen.assigned.saturating_add(1);
    }

    /// So long it took; 0 is said of tasks that have failed, and counts for nothing.
    pub(super) fn finish(&mut self, kind: KindId, arch: Arch, took_ns: Ns) {
        if took_ns > 0 {
            let seen = self.at(kind, arch);
            seen.finished = seen.finished.saturating_add(1);
            seen.total_ns = seen.total_ns.saturating_add(took_ns);
        }
    }

    /// The time of a task on an architecture: the model's, or else the mean of its kind; at least 1 ns.
    pub(super) fn time_ns(&self, task: TaskId, arch: Arch, view: &View<'_>) -> Option<f64> {
        if let Some(exec_ns) = view.exec_ns(task, arch) {
            return Some(exec_ns.max(1) as f64);
        }
        let seen = self.get(view.task(task).kind, arch)?;
        (seen.finished > 0).then(|| (seen.total_ns as f64 / f64::from(seen.finished)).max(1.0))
    }
}
