//! The threads of a graph and those that submit and wait, in every order they may run in: `cargo xtask loom`.
//!
//! A thread that sleeps for ever while there is something to do is a deadlock, which loom reports. What tasks add to is read
//! and written without any order of its own, so of two that do not come surely one after the other, one is lost.

use super::{
    admission::Submission,
    body::{Body, Ends, Failed, Outcome},
    shared::{Limits, Shared},
    times::Models,
};
use crate::{
    Context,
    positions::{FIRST_DEVICE, SEQUENTIAL},
    task::machine,
};
use loom::{
    model::Builder,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    thread,
};
use skel_core::{Error, Result};
use skel_tasks::{Access, ArchSet, HandleId, Mode, TaskId, Work};
use std::sync::Arc;

/// What tasks of a model share. A thread sees what another has added only if that came surely before.
#[derive(Default)]
struct Data(AtomicU32);

impl Data {
    fn new() -> Arc<Data> {
        Arc::default()
    }

    fn add(&self) {
        self.0.store(self.get() + 1, Relaxed);
    }

    fn get(&self) -> u32 {
        self.0.load(Relaxed)
    }
}

/// Adds to some of it.
struct Adds {
    to: Vec<Arc<Data>>,
    outcome: Arc<Outcome<()>>,
}

impl Body for Adds {
    fn number(&mut self) {}

    fn run(&mut self, _: &dyn Fn() -> String) -> std::result::Result<(), Failed> {
        self.to.iter().for_each(|data| data.add());
        self.outcome.set(Ok(()));
        Ok(())
    }

    fn cancel(&mut self, error: Error) {
        self.outcome.set(Err(error));
    }
}

/// A graph of some cores and perhaps a device that is given two tasks at once, without its threads.
fn graph(context: &Context, cores: usize, device: bool, most: usize) -> Arc<Shared> {
    let devices = device.then_some(("a device", None));
    let machine = machine(cores, devices.into_iter()).unwrap();
    let mut units = vec![SEQUENTIAL; cores];
    units.extend(device.then_some(FIRST_DEVICE));
    let scheduler = skel_tasks::scheduler::parse("eager").unwrap();
    let scheduler = scheduler.build(&machine).unwrap();
    let models = Models::open(None, context, &machine);
    let limits = Limits {
        most,
        resume: most - 1,
    };
    let shared = Shared::new(
        context.clone(),
        (units, 2),
        machine,
        scheduler,
        limits,
        models,
        None,
    );
    Arc::new(shared)
}

fn start(
    shared: &Arc<Shared>,
    seats: impl IntoIterator<Item = usize>,
) -> Vec<thread::JoinHandle<()>> {
    let start = |seat| {
        let shared = Arc::clone(shared);
        thread::spawn(move || shared.serve(seat))
    };
    seats.into_iter().map(start).collect()
}

fn end(shared: &Shared, threads: Vec<thread::JoinHandle<()>>) {
    shared.close();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(shared.lock().engine.pending(), 0);
}

/// A task that adds to these, each with the handle that orders it.
fn submit(shared: &Shared, to: &[(HandleId, &Arc<Data>)]) -> Result<(TaskId, Arc<Outcome<()>>)> {
    let outcome = Outcome::pending();
    let access = |handle| Access {
        handle,
        mode: Mode::Update,
    };
    let accesses: Vec<Access> = to.iter().map(|(handle, _)| access(*handle)).collect();
    let body = Adds {
        to: to.iter().map(|(_, data)| Arc::clone(data)).collect(),
        outcome: Arc::clone(&outcome),
    };
    let task = shared.submit(Submission {
        kind: "adds",
        accesses: &accesses,
        ranges: &[],
        after: &[],
        priority: 0,
        archs: ArchSet::ALL,
        work: Work::default(),
        body: Box::new(body),
    })?;
    Ok((task, outcome))
}

/// Every order in which a thread is interrupted so often, at most, while it could go on.
fn every_order(interruptions: usize, model: impl Fn(&Context) + Send + Sync + 'static) {
    let context = Context::builder().build().unwrap();
    let mut builder = Builder::new();
    builder.preemption_bound = Some(interruptions);
    builder.max_branches = 20_000;
    builder.check(move || model(&context));
}

/// The thread that submits waits for both, and works.
#[test]
fn independent_tasks_all_run() {
    every_order(3, |context| {
        let shared = graph(context, 2, false, 9);
        let threads = start(&shared, 0..2);
        let data = [Data::new(), Data::new()];
        for data in &data {
            submit(&shared, &[(shared.register(1, None), data)]).unwrap();
        }
        shared
            .wait_for(|state| state.engine.pending() == 0)
            .unwrap();
        assert_eq!(data.map(|data| data.get()), [1, 1]);
        end(&shared, threads);
    });
}

/// One after the other, on whichever thread.
#[test]
fn tasks_that_update_the_same_data_take_turns() {
    every_order(3, |context| {
        let shared = graph(context, 2, false, 9);
        let threads = start(&shared, 0..2);
        let (data, handle) = (Data::new(), shared.register(1, None));
        submit(&shared, &[(handle, &data)]).unwrap();
        let (last, ends) = submit(&shared, &[(handle, &data)]).unwrap();
        shared.wait_for_task(last, &*ends).unwrap();
        assert_eq!(data.get(), 2);
        end(&shared, threads);
    });
}

/// Nothing waits: the threads do all that is left.
#[test]
fn a_graph_that_is_closed_runs_what_it_has() {
    every_order(3, |context| {
        let shared = graph(context, 2, false, 9);
        let threads = start(&shared, 0..2);
        let (data, other) = (Data::new(), Data::new());
        let handle = shared.register(1, None);
        submit(&shared, &[(handle, &data)]).unwrap();
        submit(
            &shared,
            &[(handle, &data), (shared.register(1, None), &other)],
        )
        .unwrap();
        end(&shared, threads);
        assert_eq!((data.get(), other.get()), (2, 1));
    });
}

/// Submitting waits for room, and works meanwhile.
#[test]
fn a_full_graph_lets_go_on_when_there_is_room() {
    every_order(3, |context| {
        let shared = graph(context, 1, false, 1);
        let threads = start(&shared, 0..1);
        let (data, handle) = (Data::new(), shared.register(1, None));
        for _ in 0..3 {
            submit(&shared, &[(handle, &data)]).unwrap();
        }
        end(&shared, threads);
        assert_eq!(data.get(), 3);
    });
}

/// Two threads wait, each for its own task.
#[test]
fn threads_that_wait_for_different_tasks_all_go_on() {
    every_order(3, |context| {
        let shared = graph(context, 1, false, 9);
        let threads = start(&shared, 0..1);
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let data = Data::new();
                let (task, ends) = submit(&shared, &[(shared.register(1, None), &data)]).unwrap();
                shared.wait_for_task(task, &*ends).unwrap();
                assert_eq!(data.get(), 1);
            })
        };
        let data = Data::new();
        let (task, ends) = submit(&shared, &[(shared.register(1, None), &data)]).unwrap();
        shared.wait_for_task(task, &*ends).unwrap();
        assert_eq!(data.get(), 1);
        other.join().unwrap();
        end(&shared, threads);
    });
}

/// It runs or does not, and a thread that waits for it goes on.
#[test]
fn a_task_that_is_cancelled_meanwhile_is_over_once() {
    every_order(3, |context| {
        let shared = graph(context, 1, false, 9);
        let threads = start(&shared, 0..1);
        let data = Data::new();
        let handle = shared.register(1, None);
        let (first, ends) = submit(&shared, &[(handle, &data)]).unwrap();
        let cancels = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.cancel(first).is_ok())
        };
        shared.wait_for_task(first, &*ends).unwrap();
        let _cancelled = cancels.join().unwrap();
        assert_eq!(data.get(), u32::from(!ends.has_failed()));
        end(&shared, threads);
    });
}

/// What is left is cancelled by the worker that would have taken it, and the others' threads end all the same.
#[test]
fn a_graph_that_is_closed_ends_though_its_last_task_is_cancelled() {
    every_order(3, |context| {
        let shared = graph(context, 2, false, 9);
        let threads = start(&shared, 0..2);
        let (data, handle) = (Data::new(), shared.register(1, None));
        submit(&shared, &[(handle, &data)]).unwrap();
        let (last, ends) = submit(&shared, &[(shared.register(1, None), &data)]).unwrap();
        let cancelled = shared.cancel(last).is_ok();
        end(&shared, threads);
        assert_eq!(cancelled, ends.has_failed());
    });
}

/// Two threads of one device, and a core.
#[test]
fn a_device_that_is_given_two_at_once() {
    every_order(2, |context| {
        let shared = graph(context, 1, true, 9);
        let threads = start(&shared, [0, 1, 1]);
        let (data, handle) = (Data::new(), shared.register(1, None));
        let other = Data::new();
        submit(&shared, &[(handle, &data)]).unwrap();
        submit(&shared, &[(shared.register(1, None), &other)]).unwrap();
        submit(&shared, &[(handle, &data)]).unwrap();
        end(&shared, threads);
        assert_eq!((data.get(), other.get()), (2, 1));
    });
}
