//! The threads at the seats of a job, in every order they may run in: `cargo xtask loom`.
//!
//! A thread that sleeps for ever while there is something to do is a deadlock, which loom reports. What tasks add to is
//! read and written without any order of its own, so of two that do not come surely one after the other, one is lost.

use super::{
    seats::{Seats, Thread, Work, serve},
    team::machine,
};
use loom::{
    model::Builder,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    thread,
};
use skel_tasks::{
    Access, ClassId, Engine, Finish, HandleId, Hint, KindId, MemoryNode, Mode, NewTask, Scheduler,
    TaskId, View, WorkerId,
};
use std::{collections::VecDeque, sync::Arc};

/// Gives tasks to the workers in turn as they become ready, so that what comes next is another thread's.
struct InTurn {
    queues: Vec<VecDeque<TaskId>>,
    next: usize,
}

impl Scheduler for InTurn {
    fn measures(&self) -> bool {
        false
    }

    fn push(&mut self, task: TaskId, _: Option<WorkerId>, _: &View<'_>) -> Hint {
        let worker = self.next % self.queues.len();
        self.next += 1;
        self.queues[worker].push_back(task);
        Hint::worker(WorkerId(worker as u32))
    }

    fn pop(&mut self, worker: WorkerId, _: &View<'_>) -> Option<TaskId> {
        self.queues[worker.0 as usize].pop_front()
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.queues
            .iter_mut()
            .flat_map(|queue| queue.drain(..))
            .collect()
    }

    fn ready(&self, _: ClassId) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }
}

/// What is under the lock: an engine, as in a job.
struct State {
    engine: Engine,
    /// What a task that has been done submits, once: its worker alone knows of it until then.
    behind: Option<HandleId>,
    /// The engine is not to be asked any more.
    fault: bool,
    /// How many pieces each seat has.
    at_once: Vec<usize>,
}

/// A job whose tasks each add 1 to a cell, by the order of its handle.
struct Adds {
    seats: Seats<State>,
    room: Vec<usize>,
    cells: Vec<AtomicU32>,
    /// The task in this cell is a scheduler's fault.
    faulty: Option<usize>,
}

struct Piece {
    task: TaskId,
    cell: usize,
}

impl Adds {
    /// Cores with one seat each, a device that has two pieces at once, and tasks that add to the cells of these numbers in
    /// this order.
    fn new(cores: usize, device: bool, cells: &[usize], behind: bool) -> Adds {
        let devices = device.then_some(("a device", None));
        let machine = machine(cores, devices.into_iter()).unwrap();
        let queues = vec![VecDeque::new(); machine.workers()];
        let scheduler = Box::new(InTurn { queues, next: 0 });
        let costs = Box::new(super::Measured::default());
        let mut engine = Engine::new(machine, scheduler, costs);
        let kind = engine.kind("adds");
        let count = cells.iter().max().map_or(0, |most| most + 1);
        let handles: Vec<HandleId> = (0..count)
            .map(|_| engine.register(1, Some(MemoryNode::HOST)))
            .collect();
        engine.open_batch();
        for cell in cells {
            submit(&mut engine, kind, handles[*cell], None);
        }
        engine.close_batch(0);
        let mut room = vec![1; cores];
        room.extend(device.then_some(2));
        let state = State {
            engine,
            behind: behind.then(|| handles[0]),
            fault: false,
            at_once: vec![0; room.len()],
        };
        Adds {
            seats: Seats::new(room.len(), state),
            room,
            cells: (0..count).map(|_| AtomicU32::new(0)).collect(),
            faulty: None,
        }
    }

    fn sums(&self) -> Vec<u32> {
        self.cells.iter().map(|cell| cell.load(Relaxed)).collect()
    }
}

fn submit(engine: &mut Engine, kind: KindId, handle: HandleId, by: Option<WorkerId>) {
    let mode = Mode::Update;
    let accesses = [Access { handle, mode }];
    let new = NewTask {
        by,
        ..NewTask::new(kind, &accesses)
    };
    engine.submit(new, 0).unwrap();
}

impl Work for Adds {
    type State = State;
    type Piece = Piece;
    type Outcome = Piece;

    fn seats(&self) -> &Seats<State> {
        &self.seats
    }

    fn room(&self, seat: usize) -> usize {
        self.room[seat]
    }

    fn is_over(state: &State) -> bool {
        state.fault || state.engine.pending() == 0
    }

    fn take(&self, state: &mut State, seat: usize) -> Vec<Piece> {
        if Self::is_over(state) {
            return Vec::new();
        }
        let task = state.engine.next(WorkerId(seat as u32), 0).unwrap();
        let piece = task.map(|task| {
            state.at_once[seat] += 1;
            assert!(state.at_once[seat] <= self.room[seat]);
            let handle = state.engine.view(0).accesses(task)[0].handle;
            let cell = handle.slot();
            Piece { task, cell }
        });
        piece.into_iter().collect()
    }

    fn wakes(&self, state: &mut State) -> bool {
        state.engine.take_wakes().count() > 0
    }

    fn wants(&self, _: &State, _: &Piece) -> bool {
        true
    }

    fn compute(&self, _: usize, piece: Piece, _: bool) -> Piece {
        let cell = &self.cells[piece.cell];
        cell.store(cell.load(Relaxed) + 1, Relaxed);
        piece
    }

    fn note(&self, state: &mut State, seat: usize, piece: Piece) {
        let worker = WorkerId(seat as u32);
        state.at_once[seat] -= 1;
        state.fault |= self.faulty == Some(piece.cell);
        if let Some(handle) = state.behind.take() {
            let kind = state.engine.view(0).task(piece.task).kind;
            submit(&mut state.engine, kind, handle, Some(worker));
        }
        let done = Finish::Done { took_ns: 0 };
        state.engine.finished(piece.task, done, worker, 0).unwrap();
    }
}

/// Every order in which a thread is interrupted so often, at most, while it could go on. The caller has the first seat, and
/// the other threads these; all end when the job is over.
fn every_order(
    interruptions: usize,
    job: impl Fn() -> Adds + Send + Sync + 'static,
    others: &'static [(usize, Thread)],
    expected: &'static [u32],
) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(interruptions);
    builder.max_branches = 20_000;
    builder.check(move || {
        let job = Arc::new(job());
        let start = |(seat, thread): &(usize, Thread)| {
            let (job, seat, thread) = (Arc::clone(&job), *seat, *thread);
            thread::spawn(move || serve(&*job, seat, thread))
        };
        let threads: Vec<_> = others.iter().map(start).collect();
        serve(&*job, 0, Thread::Caller);
        assert!(Adds::is_over(&job.seats.lock()));
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(job.sums(), expected);
    });
}

#[test]
fn independent_pieces_are_all_computed() {
    let job = || Adds::new(2, false, &[0, 1, 2], false);
    every_order(3, job, &[(1, Thread::Own)], &[1, 1, 1]);
}

/// One after the other, on whichever thread.
#[test]
fn pieces_that_follow_each_other_see_what_is_before_them() {
    let job = || Adds::new(2, false, &[0, 0, 0], false);
    every_order(3, job, &[(1, Thread::Own)], &[3]);
}

/// As a chunk of a scan does that gives the next ones what they begin with.
#[test]
fn a_piece_that_another_one_brings_is_computed() {
    let job = || Adds::new(2, false, &[1, 2], true);
    every_order(3, job, &[(1, Thread::Own)], &[1, 1, 1]);
}

/// The caller does all that they leave.
#[test]
fn helpers_may_leave() {
    let job = || Adds::new(3, false, &[0, 0, 1], false);
    every_order(2, job, &[(1, Thread::Helper), (2, Thread::Helper)], &[2, 1]);
}

#[test]
fn two_threads_may_want_one_seat() {
    let job = || Adds::new(2, false, &[0, 1, 2, 3], false);
    every_order(
        2,
        job,
        &[(1, Thread::Helper), (1, Thread::Own)],
        &[1, 1, 1, 1],
    );
}

/// Each of its threads has one.
#[test]
fn a_device_that_has_two_pieces_at_once() {
    let job = || Adds::new(1, true, &[0, 1, 1], false);
    every_order(2, job, &[(1, Thread::Own), (1, Thread::Own)], &[1, 2]);
}

/// Threads that sleep are told.
#[test]
fn a_fault_ends_the_job_for_all() {
    let job = || Adds {
        faulty: Some(0),
        ..Adds::new(2, true, &[0, 0], false)
    };
    every_order(3, job, &[(1, Thread::Own), (2, Thread::Own)], &[1]);
}
