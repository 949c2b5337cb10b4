//! A driver in virtual time: workers ask when they have not asked before, have just finished, or are woken.

use crate::{
    Arch, ClassId, Engine, Finish, KindId, Link, Machine, NewTask, Ns, TaskId, Unknown, WorkerId,
    scheduler,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// How long a task of this kind takes on a class of workers.
pub(super) type Law<'l> = &'l dyn Fn(KindId, Arch) -> Ns;

pub(super) const BUS: Link = Link {
    latency_ns: 10,
    bytes_per_ns: 1.0,
};

pub(super) fn machine(cores: u32, devices: u32) -> Machine {
    let host = Machine::builder().arch("cpu", cores);
    let all = (0..devices).fold(host, |machine, _| machine.device("gpu", 1, None, BUS));
    all.build().unwrap()
}

/// When it ends, in which order they began, where, what, and how long it is executed.
type Running = (Ns, usize, WorkerId, TaskId, Ns);

pub(super) struct Drive<'l> {
    pub(super) engine: Engine,
    pub(super) now_ns: Ns,
    /// Each task that was run, and where, in the order of their beginnings.
    pub(super) ran: Vec<(TaskId, ClassId)>,
    law: Law<'l>,
    running: BinaryHeap<Reverse<Running>>,
    began: bool,
    /// Lose this worker once so many tasks have begun.
    pub(super) lose: Option<(usize, WorkerId)>,
}

impl<'l> Drive<'l> {
    pub(super) fn new(text: &str, machine: Machine, law: Law<'l>) -> Drive<'l> {
        let scheduler = scheduler::parse(text).unwrap().build(&machine).unwrap();
        Drive {
            engine: Engine::new(machine, scheduler, Box::new(Unknown)),
            now_ns: 0,
            ran: Vec::new(),
            law,
            running: BinaryHeap::new(),
            began: false,
            lose: None,
        }
    }

    /// Submits so many tasks of each kind without data, in turn, and runs them; how long that was.
    pub(super) fn round(&mut self, kinds: &[(&str, usize)]) -> Ns {
        let since_ns = self.now_ns;
        for k in 0..kinds.iter().map(|(_, count)| *count).max().unwrap_or(0) {
            for (name, _) in kinds.iter().filter(|(_, count)| k < *count) {
                let kind = self.engine.kind(name);
                self.engine
                    .submit(NewTask::new(kind, &[]), self.now_ns)
                    .unwrap();
            }
        }
        self.run();
        self.now_ns - since_ns
    }

    fn ask(&mut self, worker: WorkerId) {
        let Some(task) = self.engine.next(worker, self.now_ns).unwrap() else {
            return;
        };
        let machine = self.engine.machine();
        let (class, arch) = (machine.class_of(worker), machine.arch_of(worker));
        let copies = self.engine.transfers().iter();
        let copies_ns: Ns = copies
            .map(|copy| machine.transfer_ns(copy.from, copy.to, copy.bytes))
            .sum();
        let kind = self.engine.view(0).task(task).kind;
        let took_ns = (self.law)(kind, arch);
        let end_ns = self.now_ns + copies_ns + took_ns;
        self.running
            .push(Reverse((end_ns, self.ran.len(), worker, task, took_ns)));
        self.ran.push((task, class));
    }

    fn wake(&mut self) {
        loop {
            let woken: Vec<WorkerId> = self.engine.take_wakes().collect();
            if woken.is_empty() {
                return;
            }
            woken.into_iter().for_each(|worker| self.ask(worker));
        }
    }

    /// Until nothing runs any more.
    pub(super) fn run(&mut self) {
        if !std::mem::replace(&mut self.began, true) {
            self.engine
                .machine()
                .worker_ids()
                .for_each(|worker| self.ask(worker));
        }
        self.wake();
        while let Some(Reverse((now_ns, _, worker, task, took_ns))) = self.running.pop() {
            self.now_ns = now_ns;
            let is_lost = !self.engine.view(now_ns).is_live(worker);
            let how = if is_lost {
                Finish::Retry
            } else {
                Finish::Done { took_ns }
            };
            if is_lost {
                self.ran.retain(|(other, _)| *other != task);
            }
            self.engine.finished(task, how, worker, now_ns).unwrap();
            if let Some((_, lost)) = self.lose.take_if(|(after, _)| self.ran.len() >= *after) {
                self.engine.lost(lost, now_ns);
            }
            self.ask(worker);
            self.wake();
        }
    }

    /// Of so many tasks that ran last, how many ran on devices.
    pub(super) fn on_devices(&self, last: usize) -> usize {
        let tasks = &self.ran[self.ran.len() - last..];
        tasks.iter().filter(|(_, class)| class.0 > 0).count()
    }
}
