//! The loop over events.

use super::{
    Bounds, Program, Report, Simulation,
    events::{Event, Events},
    links::Links,
    report::{Cancelled, Cause, Execution, Outcome},
};
use crate::{
    Access, ClassId, Configuration, Engine, Finish, Hint, KindId, Mode, NewTask, Ns, Scheduler,
    TaskError, TaskId, View, WorkerId,
};
use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// A task that a worker has.
struct Placed {
    id: TaskId,
    execution: Execution,
}

struct Worker {
    /// In the order in which they are executed.
    placed: VecDeque<Placed>,
    ahead: usize,
    /// When it has executed all that it has.
    free_ns: Ns,
    busy_ns: Ns,
    waiting_ns: Ns,
    is_lost: bool,
}

pub(super) struct Run<'s> {
    simulation: &'s Simulation,
    program: &'s Program,
    scheduler: String,
    engine: Engine,
    now_ns: Ns,
    events: Events,
    workers: Vec<Worker>,
    links: Links,
    /// Woken, and not yet looked.
    looking: VecDeque<WorkerId>,
    /// Have a task, and take another ahead when all others have looked.
    further: VecDeque<WorkerId>,
    /// Of each slot of the engine, the position of its task.
    positions: Vec<usize>,
    /// Of each position, the engine's number.
    ids: Vec<TaskId>,
    /// Tasks that ended otherwise than by their work: their slots serve others, while they are still causes.
    causes: HashMap<TaskId, usize>,
    /// By position, whether it was executed to its end.
    is_done: Vec<bool>,
    is_waiting: bool,
    pushes: Arc<AtomicU64>,
    after: Vec<TaskId>,
    makespan_ns: Ns,
    evictions: u64,
    executions: Vec<Execution>,
    cancelled: Vec<Cancelled>,
}

impl<'s> Run<'s> {
    pub(super) fn new(
        simulation: &'s Simulation,
        scheduler: &dyn Configuration,
        program: &'s Program,
    ) -> Result<Run<'s>, TaskError> {
        let Simulation {
            machine,
            rates,
            settings,
        } = simulation;
        let costs = match &settings.expected {
            Some(make) => make(),
            None => Box::new(rates.clone()),
        };
        let pushes = Arc::new(AtomicU64::new(0));
        let counted = Counted {
            inner: scheduler.build(machine)?,
            pushes: Arc::clone(&pushes),
        };
        let mut engine = Engine::new(machine.clone(), Box::new(counted), costs);
        for name in program.kinds() {
            engine.kind(name);
        }
        for data in program.all_data() {
            engine.register(data.bytes, data.home);
        }
        let mut events = Events::default();
        for &(worker, at_ns) in &settings.lost {
            events.plan(at_ns, Event::Lose(worker));
        }
        let worker = |id| Worker {
            placed: VecDeque::new(),
            ahead: settings.ahead[usize::from(machine.class_of(id).0)],
            free_ns: 0,
            busy_ns: 0,
            waiting_ns: 0,
            is_lost: false,
        };
        Ok(Run {
            simulation,
            program,
            scheduler: scheduler.text(),
            engine,
            now_ns: 0,
            events,
            workers: machine.worker_ids().map(worker).collect(),
            links: Links::new(machine, program.all_data().len(), settings.is_recorded),
            looking: VecDeque::new(),
            further: VecDeque::new(),
            positions: Vec::new(),
            ids: Vec::with_capacity(program.len()),
            causes: HashMap::new(),
            is_done: vec![false; program.len()],
            is_waiting: false,
            pushes,
            after: Vec::new(),
            makespan_ns: 0,
            evictions: 0,
            executions: Vec::new(),
            cancelled: Vec::new(),
        })
    }

    pub(super) fn run(mut self) -> Result<Report, TaskError> {
        // Workers that have not asked are not known to sleep.
        self.looking.extend(self.simulation.machine.worker_ids());
        self.settle()?;
        self.submit()?;
        self.settle()?;
        while let Some((now_ns, event)) = self.events.next() {
            self.now_ns = now_ns;
            match event {
                Event::Submit => self.submit()?,
                Event::End(worker) => self.end(worker)?,
                Event::Lose(worker) => self.lose(worker)?,
            }
            self.settle()?;
        }
        match self.engine.pending() {
            0 => Ok(self.report()),
            tasks => Err(TaskError::Stuck { tasks }),
        }
    }

    /// Submits until the program waits: for room, or for its own next operation to be over.
    fn submit(&mut self) -> Result<(), TaskError> {
        let settings = &self.simulation.settings;
        let submit_ns = settings.operations.submit_ns;
        self.is_waiting = false;
        if settings.is_batch && self.ids.is_empty() {
            self.engine.open_batch();
            while self.ids.len() < self.program.len() {
                self.submit_one()?;
            }
            let all_ns = submit_ns.saturating_mul(self.ids.len() as u64);
            match all_ns {
                0 => self.engine.close_batch(self.now_ns),
                _ => self.events.plan(all_ns, Event::Submit),
            }
        } else if settings.is_batch {
            self.engine.close_batch(self.now_ns);
        }
        while self.ids.len() < self.program.len() {
            if self.engine.pending() >= settings.most_submitted {
                self.is_waiting = true;
                break;
            }
            self.submit_one()?;
            if submit_ns > 0 {
                let next_ns = self.now_ns.saturating_add(submit_ns);
                self.events.plan(next_ns, Event::Submit);
                break;
            }
        }
        self.take_ended();
        Ok(())
    }

    /// Whether the submitting program has waited, and need not any longer.
    fn has_room(&self) -> bool {
        self.is_waiting && self.engine.pending() < self.simulation.settings.most_submitted
    }

    fn submit_one(&mut self) -> Result<(), TaskError> {
        let position = self.ids.len();
        let Some(task) = self.program.get(position) else {
            return Ok(());
        };
        self.after.clear();
        self.after
            .extend(task.after.iter().map(|before| self.ids[*before]));
        let new = NewTask {
            kind: task.kind,
            accesses: task.accesses,
            after: &self.after,
            priority: task.priority,
            archs: self.simulation.archs(self.program, position),
            work: task.work,
            by: None,
        };
        let id = self.engine.submit(new, self.now_ns)?;
        if self.positions.len() <= id.slot() {
            self.positions.resize(id.slot() + 1, 0);
        }
        self.positions[id.slot()] = position;
        self.ids.push(id);
        // Its slot serves another task if it was cancelled at once.
        self.take_ended();
        Ok(())
    }

    /// Notes cancelled tasks and makes copies ahead, both of which any call may have left.
    fn take_ended(&mut self) {
        for (task, cause) in self.engine.take_cancelled() {
            let position = self.positions[task.slot()];
            self.causes.insert(task, position);
            let cause = self.causes.get(&cause).copied().unwrap_or(position);
            self.cancelled.push(Cancelled {
                task: position,
                cause,
                at_ns: self.now_ns,
            });
        }
        let machine = &self.simulation.machine;
        for transfer in self.engine.take_prefetches() {
            self.links
                .copy(machine, &transfer, self.now_ns, Cause::Prefetch);
        }
    }

    /// Lets those look that are woken, until all are busy or asleep.
    fn settle(&mut self) -> Result<(), TaskError> {
        loop {
            self.looking.extend(self.engine.take_wakes());
            let next = self.looking.pop_front();
            if let Some(worker) = next.or_else(|| self.further.pop_front()) {
                self.look(worker)?;
            } else if self.has_room() {
                self.submit()?;
            } else {
                return Ok(());
            }
        }
    }

    /// The worker takes a task, if it may have one more.
    fn look(&mut self, worker: WorkerId) -> Result<(), TaskError> {
        let it = &self.workers[worker.0 as usize];
        if it.is_lost || it.placed.len() >= it.ahead {
            return Ok(());
        }
        if let Some(task) = self.engine.next(worker, self.now_ns)? {
            self.take(worker, task)?;
            let it = &self.workers[worker.0 as usize];
            if it.placed.len() < it.ahead {
                self.further.push_back(worker);
            }
        }
        self.take_ended();
        Ok(())
    }

    /// Since nothing overtakes on links and workers, the whole course of the task is known at once.
    fn take(&mut self, worker: WorkerId, id: TaskId) -> Result<(), TaskError> {
        let Simulation {
            machine, settings, ..
        } = self.simulation;
        let position = self.positions[id.slot()];
        let taken_ns = self.now_ns.saturating_add(settings.operations.pop_ns);
        // What is copied to a memory needs the room of what leaves it.
        let mut room_ns = taken_ns;
        for transfer in self.engine.transfers() {
            if transfer.evicts {
                let cause = Cause::Evict { task: position };
                let left_ns = self.links.copy(machine, transfer, taken_ns, cause);
                room_ns = room_ns.max(left_ns);
                self.evictions += 1;
            } else {
                let cause = Cause::Fetch { task: position };
                self.links.copy(machine, transfer, room_ns, cause);
            }
        }
        let task = self.program.get(position);
        let (kind, accesses): (KindId, &[Access]) =
            task.map_or((KindId(0), &[]), |task| (task.kind, task.accesses));
        let node = machine.node_of(worker);
        let mut data_ns = room_ns;
        for access in accesses {
            // What only writes waits as well: a copy under way would overwrite what it has written.
            if access.mode != Mode::Reduce {
                data_ns = data_ns.max(self.links.arrives_ns(access.handle, node));
            }
        }
        let arch = machine.arch_of(worker);
        let Some(exec_ns) = self.simulation.exec_ns(self.program, position, arch) else {
            return Err(TaskError::Scheduler { task: id });
        };
        let it = &mut self.workers[worker.0 as usize];
        let could_ns = it.free_ns.max(taken_ns);
        let start_ns = data_ns
            .max(could_ns)
            .saturating_add(settings.operations.launch_ns);
        let end_ns = start_ns.saturating_add(exec_ns);
        it.waiting_ns += data_ns.saturating_sub(could_ns);
        it.free_ns = end_ns;
        it.placed.push_back(Placed {
            id,
            execution: Execution {
                task: position,
                kind,
                worker,
                taken_ns,
                data_ns,
                start_ns,
                end_ns,
                outcome: Outcome::Done,
            },
        });
        self.events.plan(end_ns, Event::End(worker));
        Ok(())
    }

    /// The first task that the worker has is over.
    fn end(&mut self, worker: WorkerId) -> Result<(), TaskError> {
        let it = &mut self.workers[worker.0 as usize];
        // Of a lost worker's tasks, nothing is left.
        let Some(Placed { id, mut execution }) = it.placed.pop_front() else {
            return Ok(());
        };
        let took_ns = execution.end_ns - execution.start_ns;
        it.busy_ns += took_ns;
        let settings = &self.simulation.settings;
        self.makespan_ns = self.now_ns;
        self.is_done[execution.task] = true;
        let mut how = Finish::Done { took_ns };
        if settings.failing.contains(&execution.task) {
            (how, execution.outcome) = (Finish::Failed, Outcome::Failed);
            self.causes.insert(id, execution.task);
        }
        self.record(execution);
        self.pushes.store(0, Ordering::Relaxed);
        self.engine.finished(id, how, worker, self.now_ns)?;
        self.take_ended();
        let push_ns = settings.operations.push_ns;
        if push_ns > 0 {
            let all_ns = push_ns.saturating_mul(self.pushes.load(Ordering::Relaxed));
            let it = &mut self.workers[worker.0 as usize];
            if it.placed.is_empty() {
                it.free_ns = self.now_ns.saturating_add(all_ns);
            }
        }
        if self.has_room() {
            self.submit()?;
        }
        self.look(worker)
    }

    fn record(&mut self, execution: Execution) {
        if self.simulation.settings.is_recorded {
            self.executions.push(execution);
        }
    }

    fn lose(&mut self, worker: WorkerId) -> Result<(), TaskError> {
        let it = &mut self.workers[worker.0 as usize];
        it.is_lost = true;
        let placed = std::mem::take(&mut it.placed);
        self.engine.lost(worker, self.now_ns);
        self.take_ended();
        for Placed { id, mut execution } in placed {
            if execution.start_ns < self.now_ns {
                (execution.end_ns, execution.outcome) = (self.now_ns, Outcome::Lost);
                let it = &mut self.workers[worker.0 as usize];
                it.busy_ns += execution.end_ns - execution.start_ns;
                self.record(execution);
            }
            self.engine
                .finished(id, Finish::Retry, worker, self.now_ns)?;
            self.take_ended();
        }
        Ok(())
    }

    fn report(self) -> Report {
        let (links, copies) = self.links.finish();
        let is_done = self.is_done;
        let bounds = Bounds::new(self.simulation, self.program, |task| is_done[task]);
        let of = |get: fn(&Worker) -> Ns| self.workers.iter().map(get).collect();
        Report {
            program: self.program.name().into(),
            scheduler: self.scheduler,
            machine: self.simulation.machine.clone(),
            kinds: self.program.kinds().to_vec(),
            tasks: is_done.iter().filter(|is_done| **is_done).count(),
            makespan_ns: self.makespan_ns,
            busy_ns: of(|worker| worker.busy_ns),
            waiting_ns: of(|worker| worker.waiting_ns),
            links,
            evictions: self.evictions,
            events: self.events.planned(),
            bounds,
            executions: self.executions,
            copies,
            cancelled: self.cancelled,
        }
    }
}

/// A scheduler whose pushes are counted.
struct Counted {
    inner: Box<dyn Scheduler>,
    pushes: Arc<AtomicU64>,
}

impl Scheduler for Counted {
    fn needs_time(&self) -> bool {
        self.inner.needs_time()
    }

    fn plan(&mut self, tasks: &[TaskId], view: &View<'_>) {
        self.inner.plan(tasks, view);
    }

    fn push(&mut self, task: TaskId, by: Option<WorkerId>, view: &View<'_>) -> Hint {
        self.pushes.fetch_add(1, Ordering::Relaxed);
        self.inner.push(task, by, view)
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        self.inner.pop(worker, view)
    }

    fn finished(&mut self, task: TaskId, worker: WorkerId, took_ns: Ns, view: &View<'_>) {
        self.inner.finished(task, worker, took_ns, view);
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.inner.drain()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.inner.ready(class)
    }
}
