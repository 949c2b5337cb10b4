//! The plan of a batch.

use super::{graph::Batch, insert::Slots, rank};
use crate::{MemoryNode, Ns, TaskId, View, WorkerId};

/// A task on a worker, from when to when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The task.
    pub task: TaskId,
    /// Where it is to run.
    pub worker: WorkerId,
    /// When it begins, transfers being over.
    pub start_ns: Ns,
    /// When it ends.
    pub finish_ns: Ns,
}

/// Of more tasks than that, which all have to be over before others, each is no edge to each of those.
const MOST_WITHOUT_GATE: usize = 16;

/// When the last task in front of a gate ends, for each memory node that such a task is on.
type Ends = Vec<(MemoryNode, Ns)>;

/// A plan by HEFT.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    /// The upward rank of each task in nanoseconds, in the order in which the tasks were given.
    pub ranks: Vec<f64>,
    /// The tasks in the order in which they were planned: by descending rank.
    pub planned: Vec<Planned>,
}

impl Schedule {
    /// When the last task ends.
    #[must_use]
    pub fn makespan_ns(&self) -> Ns {
        let ends = self.planned.iter().map(|planned| planned.finish_ns);
        ends.max().unwrap_or(0)
    }
}

/// Plans unfinished tasks by HEFT with insertion (Topcuoglu, Hariri and Wu 2002), from the view's time on, for live
/// workers that have nothing else to do.
///
/// The communication between two tasks is the transfer of the handles that one writes and the other reads, one
/// after the other, between their memory nodes; what none of the tasks writes comes from where it is. Execution
/// times that are not known are the mean of the task's other architectures, or else of all tasks, or else 1 ns.
/// What the tasks wait for beside each other is not minded, nor that commuting tasks exclude each other. What a
/// task reads of several handles that the same group of more than 16 tasks has contributed to counts as if it came at
/// the same time. Takes time in proportion to tasks times workers.
///
/// ```
/// use skel_tasks::{Engine, Machine, NewTask, Rates, Work, scheduler};
///
/// let machine = Machine::cores(2)?;
/// let heft = scheduler::parse("heft")?.build(&machine)?;
/// let rates = Rates::new(vec![vec![Some(1.0)]]);
/// let mut engine = Engine::new(machine, heft, Box::new(rates));
/// let kind = engine.kind("step");
/// engine.open_batch();
/// let mut tasks = Vec::new();
/// for elems in [10, 20, 30] {
///     let work = Work { elems };
///     tasks.push(engine.submit(NewTask { work, ..NewTask::new(kind, &[]) }, 0)?);
/// }
/// let plan = scheduler::heft::schedule(&tasks, &engine.view(0));
/// assert_eq!(plan.ranks, [10.0, 20.0, 30.0]);
/// assert_eq!(plan.makespan_ns(), 30);
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[must_use]
pub fn schedule(tasks: &[TaskId], view: &View<'_>) -> Schedule {
    schedule_behind(tasks, view, |_| view.now_ns())
}

/// The same, for workers that are busy until then.
pub(super) fn schedule_behind(
    tasks: &[TaskId],
    view: &View<'_>,
    busy_until_ns: impl Fn(WorkerId) -> Ns,
) -> Schedule {
    schedule_batch(&Batch::new(tasks, view, MOST_WITHOUT_GATE), busy_until_ns)
}

pub(super) fn schedule_batch(
    batch: &Batch<'_>,
    busy_until_ns: impl Fn(WorkerId) -> Ns,
) -> Schedule {
    let (tasks, view) = (batch.tasks, batch.view);
    let (ranks, order) = rank::upward(batch);
    let workers = view.machine().worker_ids();
    let mut slots: Vec<Slots> = workers
        .map(|worker| Slots::new(busy_until_ns(worker)))
        .collect();
    let mut at: Vec<Option<Planned>> = vec![None; tasks.len()];
    let mut gates: Vec<Ends> = vec![Vec::new(); batch.gates.len()];
    let mut planned = Vec::with_capacity(tasks.len());
    for task in order {
        let best = earliest(batch, task, (&at, &gates), &slots);
        if let Some(best) = best {
            pass(batch, task, best, &mut gates);
            let length_ns = best.finish_ns - best.start_ns;
            slots[best.worker.0 as usize].insert(best.start_ns, length_ns);
            planned.push(best);
        }
        at[task as usize] = best;
    }
    Schedule { ranks, planned }
}

/// The gates behind a task learn when it ends, and where.
fn pass(batch: &Batch<'_>, task: u32, planned: Planned, gates: &mut [Ends]) {
    let node = batch.view.machine().node_of(planned.worker);
    for gate in batch
        .out_of(task)
        .iter()
        .filter_map(|edge| batch.gate(edge.to))
    {
        match gates[gate].iter_mut().find(|(other, _)| *other == node) {
            Some((_, end_ns)) => *end_ns = planned.finish_ns.max(*end_ns),
            None => gates[gate].push((node, planned.finish_ns)),
        }
    }
}

/// Where the task ends first; the lowest worker among equals. None if no worker can run it.
fn earliest(
    batch: &Batch<'_>,
    task: u32,
    (at, gates): (&[Option<Planned>], &[Ends]),
    slots: &[Slots],
) -> Option<Planned> {
    let (view, machine) = (batch.view, batch.view.machine());
    let (id, k) = (batch.tasks[task as usize], task as usize);
    let mut best: Option<Planned> = None;
    for class_id in view.able(id) {
        let class = machine.class(class_id);
        // The same for all workers of a class: they share their memory.
        let given = batch.given[k].iter();
        let fetches = given
            .map(|handle| machine.fetch_ns(view.valid(*handle), class.node, view.bytes(*handle)));
        let fetch_ns = fetches.fold(0, Ns::saturating_add);
        let mut ready_ns = view.now_ns().saturating_add(fetch_ns);
        for edges in batch.into(task).chunk_by(|a, b| a.from == b.from) {
            if let Some(gate) = batch.gate(edges[0].from) {
                let there_ns = |(from, end_ns): &(MemoryNode, Ns)| {
                    let data_ns = machine.transfer_ns(*from, class.node, batch.gates[gate]);
                    end_ns.saturating_add(data_ns)
                };
                ready_ns = gates[gate].iter().map(there_ns).fold(ready_ns, Ns::max);
                continue;
            }
            let Some(before) = at[edges[0].from as usize] else {
                continue;
            };
            let from = machine.node_of(before.worker);
            let times = edges.iter();
            let times = times.map(|edge| machine.transfer_ns(from, class.node, edge.bytes));
            let data_ns = times.fold(0, Ns::saturating_add);
            ready_ns = ready_ns.max(before.finish_ns.saturating_add(data_ns));
        }
        let exec_ns = batch.exec_ns(k, class_id);
        for worker in (class.first.0..class.first.0 + class.workers).map(WorkerId) {
            if !view.is_live(worker) {
                continue;
            }
            let start_ns = slots[worker.0 as usize].start_ns(ready_ns, exec_ns);
            let finish_ns = start_ns.saturating_add(exec_ns);
            if best.is_none_or(|best| finish_ns < best.finish_ns) {
                best = Some(Planned {
                    task: id,
                    worker,
                    start_ns,
                    finish_ns,
                });
            }
        }
    }
    best
}
