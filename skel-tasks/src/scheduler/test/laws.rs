//! What holds for every scheduler: each task runs once, none before those that it has to wait for, and nothing
//! stalls, though workers ask only when they were woken, have ended a task, or have never asked.

use crate::{
    Access, Arch, ArchSet, Engine, Finish, HandleId, KindId, Link, Machine, MemoryNode, Mode,
    NewTask, Rates, TaskId, Work, WorkerId, scheduler,
};
use proptest::prelude::*;
use std::{collections::BTreeMap, ops::Range};

const HANDLES: usize = 4;

#[derive(Clone, Debug)]
struct Job {
    accesses: BTreeMap<usize, Mode>,
    archs: u8,
    priority: i32,
    elems: u64,
    kind: u32,
}

#[derive(Clone, Debug)]
struct Case {
    cores: u32,
    gpus: Vec<u32>,
    capacity_bytes: Option<u64>,
    jobs: Vec<Job>,
    /// How many jobs are submitted before the first runs, in one batch or not; the others come while they run.
    before: usize,
    batch: bool,
    /// After how many steps which worker is lost.
    lost: Option<(usize, u32)>,
    /// Whether tasks fail and are cancelled now and then.
    faults: bool,
    /// Whether handles are split now and then, and some jobs access a part.
    splits: bool,
    seed: u64,
}

fn case() -> impl Strategy<Value = Case> {
    let mode = prop_oneof![
        Just(Mode::Read),
        Just(Mode::Write),
        Just(Mode::Update),
        Just(Mode::Commute),
        Just(Mode::Reduce)
    ];
    let accesses = proptest::collection::btree_map(0..HANDLES, mode, 0..3);
    let job = (accesses, 0_u8..5, -2..3, 0_u64..50, 0_u32..2);
    let job = job.prop_map(|(accesses, archs, priority, elems, kind)| Job {
        accesses,
        archs,
        priority,
        elems,
        kind,
    });
    let jobs = proptest::collection::vec(job, 1..40);
    let gpus = proptest::collection::vec(1_u32..3, 0..3);
    let machine = (1_u32..4, gpus, proptest::option::of(20_u64..45));
    let lost = proptest::option::of((0_usize..40, 0_u32..8));
    let rest = (
        0_usize..40,
        any::<bool>(),
        lost,
        any::<bool>(),
        any::<bool>(),
        any::<u64>(),
    );
    (machine, jobs, rest).prop_map(|((cores, gpus, capacity_bytes), jobs, rest)| {
        let (before, batch, lost, faults, splits, seed) = rest;
        Case {
            cores,
            gpus,
            capacity_bytes,
            jobs,
            before,
            batch,
            lost,
            faults,
            splits,
            seed,
        }
    })
}

fn bytes_of(handle: u64) -> u64 {
    10 + 5 * handle
}

struct Driver<'c> {
    case: &'c Case,
    engine: Engine,
    /// The parts of each, in order, each with the byte at which it begins.
    handles: Vec<Vec<(u64, HandleId)>>,
    /// Of each worker, whether it may ask, and what it runs.
    may_ask: Vec<bool>,
    runs: Vec<Option<TaskId>>,
    /// By job; what could not be submitted has no accesses.
    ids: Vec<TaskId>,
    accesses: Vec<BTreeMap<usize, (Mode, Range<u64>)>>,
    /// How often each may begin, and has.
    allowed: Vec<u32>,
    begun: Vec<u32>,
    is_over: Vec<bool>,
    now_ns: u64,
    state: u64,
}

impl<'c> Driver<'c> {
    /// Nothing where the scheduler has no use for the machine.
    fn new(case: &'c Case, text: &str) -> Option<Driver<'c>> {
        let bus = Link {
            latency_ns: 7,
            bytes_per_ns: 1.0,
        };
        let cores = Machine::builder().arch("cpu", case.cores);
        let gpus = case.gpus.iter();
        let machine = gpus
            .fold(cores, |builder, workers| {
                builder.device("gpu", *workers, case.capacity_bytes, bus)
            })
            .build()
            .unwrap();
        let workers = machine.workers();
        let built = scheduler::parse(text).unwrap().build(&machine).ok()?;
        let rates = Rates::new(vec![vec![Some(3.0), Some(1.0)], vec![Some(2.0), None]]);
        let mut engine = Engine::new(machine, built, Box::new(rates));
        for kind in ["zero", "one"] {
            engine.kind(kind);
        }
        let handles = (0..HANDLES as u64)
            .map(|k| vec![(0, engine.register(bytes_of(k), Some(MemoryNode::HOST)))])
            .collect();
        Some(Driver {
            case,
            engine,
            handles,
            may_ask: vec![true; workers],
            runs: vec![None; workers],
            ids: Vec::new(),
            accesses: Vec::new(),
            allowed: Vec::new(),
            begun: Vec::new(),
            is_over: Vec::new(),
            now_ns: 0,
            state: case.seed,
        })
    }

    fn submit(&mut self) {
        let job = &self.case.jobs[self.ids.len()];
        let (mut accesses, mut ranges) = (Vec::new(), BTreeMap::new());
        for (&handle, &mode) in &job.accesses {
            let parts = self.parts(handle);
            for &(_, handle) in &self.handles[handle][parts.clone()] {
                accesses.push(Access { handle, mode });
            }
            let begin = |part: usize| {
                let begins = self.handles[handle].get(part).map(|(begin, _)| *begin);
                begins.unwrap_or_else(|| bytes_of(handle as u64))
            };
            ranges.insert(handle, (mode, begin(parts.start)..begin(parts.end)));
        }
        let archs = match job.archs {
            0 => ArchSet::only(Arch(0)),
            1 if !self.case.gpus.is_empty() => ArchSet::only(Arch(1)),
            _ => ArchSet::ALL,
        };
        let kind = KindId(job.kind);
        let task = NewTask {
            priority: job.priority,
            archs,
            work: Work { elems: job.elems },
            ..NewTask::new(kind, &accesses)
        };
        let submitted = self.engine.submit(task, self.now_ns);
        // The workers or the memory for it may be lost.
        if let Ok(id) = submitted {
            self.ids.push(id);
            self.accesses.push(ranges);
        } else if let Ok(id) = self.engine.submit(NewTask::new(kind, &[]), self.now_ns) {
            self.ids.push(id);
            self.accesses.push(BTreeMap::new());
        } else {
            return;
        }
        self.allowed.push(1);
        self.begun.push(0);
        self.is_over.push(false);
    }

    fn draw(&mut self, below: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % below
    }

    /// The parts of a handle that a job accesses: all, or some.
    fn parts(&mut self, handle: usize) -> Range<usize> {
        if self.case.splits && self.draw(2) == 0 {
            self.split(handle);
        }
        let all = self.handles[handle].len();
        match self.case.splits && self.draw(2) == 0 {
            true => {
                let first = self.draw(all);
                first..first + 1 + self.draw(all - first)
            }
            false => 0..all,
        }
    }

    /// Splits one of the parts of a handle.
    fn split(&mut self, handle: usize) {
        let at = self.draw(self.handles[handle].len());
        let (begin, part) = self.handles[handle][at];
        let next = self.handles[handle].get(at + 1);
        let end = next.map_or(bytes_of(handle as u64), |(begin, _)| *begin);
        if end - begin > 1 {
            let bytes = 1 + self.draw((end - begin - 1) as usize) as u64;
            let rest = self.engine.split(part, bytes).unwrap();
            self.handles[handle].insert(at + 1, (end - bytes, rest));
        }
    }

    /// Whether two jobs must not be under way together.
    fn conflict(&self, a: usize, b: usize) -> bool {
        self.accesses[a].iter().any(|(handle, (mode, range))| {
            let joins = matches!(mode, Mode::Read | Mode::Commute | Mode::Reduce);
            let other = self.accesses[b].get(handle);
            let meets = |other: &Range<u64>| range.start < other.end && other.start < range.end;
            other.is_some_and(|(other, its)| meets(its) && !(joins && mode == other))
        })
    }

    /// Whether two jobs may come in any order, but not be under way together.
    fn take_turns(&self, a: usize, b: usize) -> bool {
        self.accesses[a].iter().any(|(handle, (mode, range))| {
            let other = self.accesses[b].get(handle);
            let meets = |other: &Range<u64>| range.start < other.end && other.start < range.end;
            other.is_some_and(|(other, its)| {
                meets(its) && (*mode, *other) == (Mode::Commute, Mode::Commute)
            })
        })
    }

    fn begin(&mut self, worker: usize, task: TaskId) {
        let job = self.ids.iter().rposition(|id| *id == task).unwrap();
        for running in self.runs.iter().flatten() {
            let running = self.ids.iter().rposition(|id| id == running).unwrap();
            assert!(!self.take_turns(running, job), "job {job} with {running}");
        }
        self.begun[job] += 1;
        assert!(self.begun[job] <= self.allowed[job], "job {job} runs twice");
        for before in (0..job).filter(|before| !self.is_over[*before]) {
            assert!(!self.conflict(before, job), "job {job} before {before}");
        }
        self.runs[worker] = Some(task);
    }

    fn end(&mut self, worker: usize, how: Finish) {
        let task = self.runs[worker].take().unwrap();
        let job = self.ids.iter().rposition(|id| *id == task).unwrap();
        match how {
            Finish::Retry => self.allowed[job] += 1,
            Finish::Done { .. } | Finish::Failed => self.is_over[job] = true,
        }
        let worker = WorkerId(worker as u32);
        self.engine
            .finished(task, how, worker, self.now_ns)
            .unwrap();
    }

    fn lose(&mut self, worker: usize) {
        self.engine.lost(WorkerId(worker as u32), self.now_ns);
        if self.runs[worker].is_some() {
            self.end(worker, Finish::Retry);
        }
        self.may_ask[worker] = false;
    }

    /// One worker asks, or ends its task; false if none can.
    fn step(&mut self) -> bool {
        let ready = |w: &usize| self.may_ask[*w] || self.runs[*w].is_some();
        let able: Vec<usize> = (0..self.runs.len()).filter(ready).collect();
        if able.is_empty() {
            return false;
        }
        let worker = able[self.draw(able.len())];
        self.now_ns += self.draw(40) as u64;
        if self.runs[worker].is_some() {
            let how = match self.case.faults && self.draw(16) == 0 {
                true => Finish::Failed,
                false => Finish::Done { took_ns: 30 },
            };
            self.end(worker, how);
            self.may_ask[worker] = true;
        } else {
            let task = self.engine.next(WorkerId(worker as u32), self.now_ns);
            self.may_ask[worker] = false;
            self.settle_cancelled(); // what it has begun may have waited for those
            if let Some(task) = task.unwrap() {
                self.begin(worker, task);
            }
        }
        true
    }

    fn settle_cancelled(&mut self) {
        for (task, _) in self.engine.take_cancelled() {
            let job = self.ids.iter().rposition(|id| *id == task).unwrap();
            assert!(!self.is_over[job], "job {job} is over twice");
            self.is_over[job] = true;
        }
    }

    /// What a critical section leaves to be done.
    fn settle(&mut self) {
        self.settle_cancelled();
        for worker in self.engine.take_wakes() {
            assert_eq!(self.runs[worker.0 as usize], None, "a busy worker is woken");
            self.may_ask[worker.0 as usize] = true;
        }
        self.engine.take_prefetches();
    }

    fn run(mut self) {
        let jobs = self.case.jobs.len();
        let before = self.case.before.min(jobs);
        if self.case.batch {
            self.engine.open_batch();
        }
        (0..before).for_each(|_| self.submit());
        self.engine.close_batch(0);
        self.settle();
        for k in 0.. {
            if let Some((at, worker)) = self.case.lost
                && at == k
            {
                self.lose(worker as usize % self.runs.len());
                self.settle();
            }
            if self.case.faults && !self.ids.is_empty() && self.draw(16) == 0 {
                // Those that run or are over say so.
                let job = self.draw(self.ids.len());
                let task = self.ids[job];
                _ = self.engine.cancel(task);
            }
            let stepped = self.step();
            self.settle();
            let left = self.ids.len() < jobs;
            if left && (!stepped || self.draw(3) == 0) {
                let known = self.ids.len();
                self.submit();
                self.settle();
                if self.ids.len() == known {
                    break; // no worker is left
                }
            } else if !stepped && !left {
                break;
            }
        }
        assert_eq!(self.engine.pending(), 0, "stalled: {:?}", self.is_over);
        assert!(self.is_over.iter().all(|is_over| *is_over));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 500 }))]

    #[test]
    fn every_scheduler_keeps_the_laws(case in case()) {
        for name in scheduler::names() {
            if let Some(driver) = Driver::new(&case, name) {
                driver.run();
            }
        }
        for text in ["random,seed=9", "dmdar,prefetch=false,window=3", "dmdas,prefetch=false"] {
            Driver::new(&case, text).expect("any machine will do").run();
        }
    }
}
