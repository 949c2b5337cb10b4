//! Work distributions as schedulers: a task goes to the worker in whose share of a step it is.

use super::{Configuration, Hint, Scheduler, per_worker::PerWorker, pool::Pool};
use crate::{
    BadOption, ClassId, Machine, MemoryNode, Ns, TaskId, View, WorkerId,
    distribution::{Allotment, ComputeUnits, Distribution, Scheme, Sizes, StepTimes},
    options::Options,
};
use std::{collections::BTreeMap, sync::Arc};

/// The steps of a [scheme](crate::distribution), as tasks: the items of a step are `items` tasks that were submitted
/// one after the other, or, for 0, all of a batch. Workers are units of one core, or devices, in their order; sizes are
/// the tasks' [`elems`](crate::Work::elems).
///
/// A step is divided when the first of its tasks is ready. If another one is not over by then, as where steps overlap,
/// it is divided as that one was; what a whole step took, the scheme sees when it is over. Tasks that are submitted
/// without a batch, or that their worker cannot run, go to any that can.
///
/// ```
/// use skel_tasks::scheduler::{self, ByScheme, Configuration};
/// use skel_tasks::distribution::GuidedRuntime;
///
/// let made = ByScheme::new(GuidedRuntime::default()).items(16);
/// let text = "guided-runtime,variant=recommended,most=50,items=16";
/// assert_eq!(made.text(), text);
/// assert_eq!(scheduler::parse(text)?.text(), text);
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
#[derive(Clone, Debug)]
pub struct ByScheme {
    scheme: Arc<dyn Scheme>,
    items: usize,
}

impl ByScheme {
    /// Batches are steps.
    #[must_use]
    pub fn new(scheme: impl Scheme + 'static) -> ByScheme {
        ByScheme {
            scheme: Arc::new(scheme),
            items: 0,
        }
    }

    /// So many tasks of a batch are a step; 0: all.
    #[must_use]
    pub fn items(self, items: usize) -> ByScheme {
        ByScheme { items, ..self }
    }

    /// A scheme whose own settings were taken.
    pub(super) fn take(
        scheme: impl Scheme + 'static,
        options: &mut Options<'_>,
    ) -> Result<Box<dyn Configuration>, BadOption> {
        let items = options.take("items", "how many tasks are a step, or 0", 0)?;
        Ok(Box::new(ByScheme::new(scheme).items(items)))
    }
}

impl Configuration for ByScheme {
    fn text(&self) -> String {
        format!("{},items={}", self.scheme.text(), self.items)
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let all: Vec<WorkerId> = machine.worker_ids().collect();
        // Whether the scheme can be, on this machine.
        let (units, _) = units(machine, &all)?;
        self.scheme.build(units, &Sizes::equal(1))?;
        Ok(Box::new(Steps::new(self, machine, all)))
    }
}

/// Workers as units, those of cores first, and which one each of them is.
fn units(machine: &Machine, live: &[WorkerId]) -> Result<(ComputeUnits, Vec<WorkerId>), BadOption> {
    let is_core = |worker: &WorkerId| machine.node_of(*worker) == MemoryNode::HOST;
    let (mut workers, devices): (Vec<_>, Vec<_>) = live.iter().partition(|worker| is_core(worker));
    let units = ComputeUnits::new(workers.len(), 1, devices.len())?;
    workers.extend(devices);
    Ok((units, workers))
}

/// Of one step.
struct Step {
    sizes: Vec<f64>,
    /// Of each item, the unit that has it; none if any takes it. Not known before the first is ready.
    owner: Option<Vec<Option<usize>>>,
    /// Of each item that has ended, on which worker and how long it took.
    ran: Vec<Option<(WorkerId, Ns)>>,
    left: usize,
    tasks: Vec<TaskId>,
}

struct Steps {
    scheme: Arc<dyn Scheme>,
    items: usize,
    /// For items of so many, and these workers.
    distribution: Option<(usize, Box<dyn Distribution>)>,
    workers: Vec<WorkerId>,
    /// Of each worker of the machine, its position among these.
    unit_of: Vec<Option<usize>>,
    /// Whether a worker was lost since.
    is_stale: bool,
    steps: BTreeMap<u64, Step>,
    next_step: u64,
    /// The step that was divided last by asking the distribution, if that has not seen yet what it took.
    asked: Option<u64>,
    /// How it was divided.
    last: Vec<Option<usize>>,
    /// How many of the items without an owner a worker takes at once.
    chunk: usize,
    /// Of each task, by slot, its step and item.
    places: Vec<Option<(TaskId, u64, usize)>>,
    own: PerWorker,
    common: Pool,
}

/// A step that is not over when so many others have begun is not waited for: some of it may have been cancelled.
const OVERLAPPING: u64 = 4;

impl Steps {
    fn new(configuration: &ByScheme, machine: &Machine, workers: Vec<WorkerId>) -> Steps {
        Steps {
            scheme: Arc::clone(&configuration.scheme),
            items: configuration.items,
            distribution: None,
            unit_of: vec![None; machine.workers()],
            workers,
            is_stale: true,
            steps: BTreeMap::new(),
            next_step: 0,
            asked: None,
            last: Vec::new(),
            chunk: 1,
            places: Vec::new(),
            own: PerWorker::new(machine),
            common: Pool::default(),
        }
    }

    fn place(&self, task: TaskId) -> Option<(u64, usize)> {
        let (of, step, item) = (*self.places.get(task.slot())?)?;
        (of == task).then_some((step, item))
    }

    /// Divides a step.
    fn divide(&mut self, number: u64, view: &View<'_>) -> Result<(), BadOption> {
        let Some(Step {
            sizes, owner: None, ..
        }) = self.steps.get(&number)
        else {
            return Ok(());
        };
        let items = sizes.len();
        let known = self.distribution.as_ref().map(|(items, _)| *items);
        if self.is_stale || known != Some(items) {
            let live = view.machine().worker_ids();
            let live: Vec<WorkerId> = live.filter(|worker| view.is_live(*worker)).collect();
            let (units, workers) = units(view.machine(), &live)?;
            let distribution = self
                .scheme
                .build(units, &Sizes::new(sizes.iter().copied())?)?;
            self.unit_of.fill(None);
            for (unit, worker) in workers.iter().enumerate() {
                self.unit_of[worker.0 as usize] = Some(unit);
            }
            (self.distribution, self.workers) = (Some((items, distribution)), workers);
            (self.is_stale, self.asked) = (false, None);
        }
        let is_under_way = |asked: u64| number < asked + OVERLAPPING;
        if !self.asked.is_some_and(is_under_way)
            && let Some((_, distribution)) = &mut self.distribution
        {
            let allotment = distribution.next();
            allotment.check(self.workers.len(), items)?;
            self.last = vec![None; items];
            self.chunk = 1;
            match allotment {
                Allotment::Own(own) => {
                    for (unit, own) in own.into_iter().enumerate() {
                        own.into_iter()
                            .for_each(|item| self.last[item] = Some(unit));
                    }
                }
                Allotment::Claims { chunk } => self.chunk = chunk,
            }
            self.asked = Some(number);
        }
        if let Some(step) = self.steps.get_mut(&number) {
            step.owner = Some(self.last.clone());
        }
        Ok(())
    }

    /// The worker that has the task, if one has that can run it.
    fn owner(&mut self, task: TaskId, view: &View<'_>) -> Option<(WorkerId, usize)> {
        let (number, item) = self.place(task)?;
        // Without a valid allotment, which a scheme of one's own may give, every worker may take it.
        self.divide(number, view).ok()?;
        let unit = (*self.steps.get(&number)?.owner.as_ref()?.get(item)?)?;
        let worker = *self.workers.get(unit)?;
        let can = view.is_live(worker) && view.can_run(task, view.machine().class_of(worker));
        can.then_some((worker, item))
    }

    /// Shows the distribution what the step took that it was asked for, if that is over.
    fn observe(&mut self, number: u64) {
        let Some(step) = self.steps.get(&number).filter(|step| step.left == 0) else {
            return;
        };
        if self.asked == Some(number) {
            let ran = step.ran.iter().map(|ran| {
                let (worker, took_ns) = (*ran)?;
                Some((self.unit_of[worker.0 as usize]?, took_ns))
            });
            // None, if a worker was lost meanwhile.
            let ran: Option<(Vec<usize>, Vec<Ns>)> = ran.collect();
            if let (Some((owner, took_ns)), Some((_, distribution))) = (ran, &mut self.distribution)
            {
                distribution.observe(&StepTimes::new(self.workers.len(), &owner, &took_ns));
            }
            self.asked = None;
        }
        self.steps.remove(&number);
    }
}

impl Scheduler for Steps {
    fn plan(&mut self, tasks: &[TaskId], view: &View<'_>) {
        let items = match self.items {
            0 => tasks.len().max(1),
            items => items,
        };
        for tasks in tasks.chunks(items) {
            let number = self.next_step;
            self.next_step += 1;
            for (item, task) in tasks.iter().enumerate() {
                if task.slot() >= self.places.len() {
                    self.places.resize(task.slot() + 1, None);
                }
                self.places[task.slot()] = Some((*task, number, item));
            }
            let size = |task: &TaskId| view.task(*task).work.elems.max(1) as f64;
            let step = Step {
                sizes: tasks.iter().map(size).collect(),
                owner: None,
                ran: vec![None; tasks.len()],
                left: tasks.len(),
                tasks: tasks.to_vec(),
            };
            self.steps.insert(number, step);
            // Steps of which something was cancelled do not end with their last task.
            let is_over = |step: &Step| !step.tasks.iter().any(|task| view.is_pending(*task));
            while self
                .steps
                .first_key_value()
                .is_some_and(|(_, first)| is_over(first))
            {
                self.steps.pop_first();
            }
        }
    }

    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        match self.owner(task, view) {
            Some((worker, item)) => {
                self.own.push(worker, item as i64, task);
                Hint::worker(worker).and_prefetch(view.machine().node_of(worker))
            }
            None => self.common.push(task, view.able(task).collect()),
        }
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        let class = view.machine().class_of(worker);
        self.own.pop(worker).or_else(|| {
            let mut claimed = None;
            for rank in 0..self.chunk.max(1) {
                let Some(task) = self.common.pop(class) else {
                    break;
                };
                match claimed {
                    None => claimed = Some(task),
                    Some(_) => self.own.push(worker, rank as i64, task),
                }
            }
            claimed
        })
    }

    fn finished(&mut self, task: TaskId, worker: WorkerId, took_ns: Ns, _: &View<'_>) {
        let Some((number, item)) = self.place(task) else {
            return;
        };
        self.places[task.slot()] = None;
        if let Some(step) = self.steps.get_mut(&number) {
            step.ran[item] = Some((worker, took_ns));
            step.left -= 1;
        }
        self.observe(number);
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.is_stale = true;
        let mut all = self.own.drain();
        all.append(&mut self.common.drain());
        all
    }

    fn ready(&self, class: ClassId) -> usize {
        self.own.ready(class) + self.common.ready(class)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{
        KindId, Link, NewTask, Rates, Unknown,
        distribution::{self, Distributor, virtual_time},
        graph::Graph,
        liveness::Liveness,
        scheduler,
        sim::{Program, Report, Simulation},
    };

    const SIZES: [u64; 12] = [70, 12, 33, 91, 8, 54, 26, 77, 41, 19, 63, 5];
    const STEPS: usize = 40;

    /// Two cores, and a device that is four times as fast and has no data to move.
    fn machine() -> Machine {
        let bus = Link {
            latency_ns: 1,
            bytes_per_ns: 1.0,
        };
        let machine = Machine::builder().arch("cpu", 2);
        machine.device("gpu", 1, None, bus).build().unwrap()
    }

    /// Steps, each behind all of the one before, or all at once.
    fn program(follow: bool) -> Program {
        let mut program = Program::new("steps");
        let kind = program.kind("item");
        for k in 0..STEPS * SIZES.len() {
            let before = (k / SIZES.len()).saturating_sub(1) * SIZES.len();
            let mut task = program.task(kind).work(SIZES[k % SIZES.len()]);
            if follow && k >= SIZES.len() {
                for other in before..before + SIZES.len() {
                    task = task.after(other);
                }
            }
            task.add();
        }
        program
    }

    fn run(text: &str, follow: bool) -> Report {
        let rates = Rates::new(vec![vec![Some(4.0), Some(1.0)]]);
        let simulation = Simulation::new(machine(), rates).in_one_batch();
        let text = format!("{text},items={}", SIZES.len());
        let made = scheduler::parse(&text).unwrap();
        simulation.run(&*made, &program(follow)).unwrap()
    }

    #[test]
    fn steps_one_after_the_other_take_what_they_take_without_tasks() {
        // Of workers that are free at the same time, either may claim first.
        for name in distribution::names().filter(|name| *name != "dynamic") {
            let sizes = Sizes::new(SIZES.map(|size| size as f64)).unwrap();
            let scheme = distribution::parse(name).unwrap();
            let mut it = Distributor::new(scheme, "2x1+1".parse().unwrap(), sizes).unwrap();
            let cost_ns = |item: usize, unit| SIZES[item] * if unit < 2 { 4 } else { 1 };
            let mut expected_ns = 0;
            for _ in 0..STEPS {
                let report = virtual_time::step(&mut it, cost_ns).unwrap();
                expected_ns += report.makespan_ns;
            }
            assert_eq!(run(name, true).makespan_ns, expected_ns, "{name}");
        }
    }

    #[test]
    fn measured_schemes_beat_equal_numbers_of_items() {
        let makespan_ns = |name| run(name, true).makespan_ns;
        assert!(makespan_ns("guided-runtime") < makespan_ns("static"));
        assert!(makespan_ns("dynamic") < makespan_ns("static"));
        assert!(makespan_ns("clustered-guided") < makespan_ns("guided-sizes"));
    }

    #[test]
    fn steps_that_overlap_are_divided_too() {
        for name in distribution::names() {
            let report = run(name, false);
            assert!(report.makespan_ns >= report.bounds.area_ns, "{name}");
        }
    }

    /// Otherwise every step after an error would stay, for ever.
    #[test]
    fn steps_of_which_something_was_cancelled_are_forgotten() {
        let (machine, mut graph) = (machine(), Graph::default());
        let all = machine.worker_ids().collect();
        let mut steps = Steps::new(&ByScheme::new(distribution::Static), &machine, all);
        let live = Liveness::new(&machine);
        for _ in 0..3 {
            let mut add = || graph.add(&NewTask::new(KindId(0), &[])).unwrap();
            let tasks = [add(), add(), add()];
            let view = View {
                now_ns: 0,
                machine: &machine,
                graph: &graph,
                costs: &Unknown,
                live: &live,
            };
            steps.plan(&tasks, &view);
            assert_eq!(steps.steps.len(), 1);
            for task in tasks {
                graph.end(task, Some(tasks[0]), &mut Vec::new(), &mut Vec::new());
            }
        }
    }
}
