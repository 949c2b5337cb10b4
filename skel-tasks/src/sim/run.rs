//! The loop over events.

use super::{
    Bounds, Program, Report, Simulation,
    events::{Event, Events},
    links::Links,
    report::{Cancelled, Cause, Execution},
};
use crate::{Configuration, Engine, Ns, TaskError, TaskId, WorkerId};
use std::collections::{HashMap, VecDeque};

/// A task that a worker has.
pub(super) struct Placed {
    pub(super) id: TaskId,
    pub(super) execution: Execution,
}

pub(super) struct Worker {
    /// In the order in which they are executed.
    pub(super) placed: VecDeque<Placed>,
    pub(super) ahead: usize,
    /// When it has executed all that it has.
    pub(super) free_ns: Ns,
    pub(super) busy_ns: Ns,
    pub(super) waiting_ns: Ns,
    pub(super) is_lost: bool,
}

pub(super) struct Run<'s> {
    pub(super) simulation: &'s Simulation,
    pub(super) program: &'s Program,
    pub(super) scheduler: String,
    pub(super) engine: Engine,
    pub(super) now_ns: Ns,
    pub(super) events: Events,
    pub(super) workers: Vec<Worker>,
    pub(super) links: Links,
    /// Woken, and not yet looked.
    pub(super) looking: VecDeque<WorkerId>,
    /// Have a task, and take another ahead when all others have looked.
    pub(super) further: VecDeque<WorkerId>,
    /// Of each slot of the engine, the position of its task.
    pub(super) positions: Vec<usize>,
    /// Of each position, the engine's number.
    pub(super) ids: Vec<TaskId>,
    /// Tasks that ended otherwise than by their work: their slots serve others, while they are still causes.
    pub(super) causes: HashMap<TaskId, usize>,
    /// By position, whether it was executed to its end.
    pub(super) is_done: Vec<bool>,
    pub(super) is_waiting: bool,
    pub(super) after: Vec<TaskId>,
    pub(super) makespan_ns: Ns,
    pub(super) evictions: u64,
    pub(super) executions: Vec<Execution>,
    pub(super) cancelled: Vec<Cancelled>,
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
        let mut engine = Engine::new(machine.clone(), scheduler.build(machine)?, costs);
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
            tasks => Err(self.engine.fault().unwrap_or(TaskError::Stuck { tasks })),
        }
    }

    /// Notes cancelled tasks and makes copies ahead, both of which any call may have left.
    pub(super) fn take_ended(&mut self) {
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

    fn report(self) -> Report {
        let (links, copies) = self.links.finish();
        let is_done = self.is_done;
        let (machine, program) = (&self.simulation.machine, self.program);
        let exec_ns = |task, arch| self.simulation.exec_ns(program, task, arch);
        let bounds = Bounds::new(machine, program, exec_ns, |task| is_done[task]);
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
