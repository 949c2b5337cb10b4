//! The engine by itself, under the plainest scheduler.

use crate::{
    Access, Arch, ArchSet, Engine, Finish, HandleId, Link, Machine, MemoryNode, Mode, NewTask,
    TaskError, TaskId, Unknown, WorkerId, scheduler,
};

const ONE: WorkerId = WorkerId(0);
const DONE: Finish = Finish::Done { took_ns: 1 };

fn engine(machine: Machine) -> Engine {
    let eager = scheduler::parse("eager").unwrap().build(&machine).unwrap();
    Engine::new(machine, eager, Box::new(Unknown))
}

fn submit(engine: &mut Engine, accesses: &[(HandleId, Mode)]) -> TaskId {
    let kind = engine.kind("task");
    let accesses: Vec<Access> = accesses
        .iter()
        .map(|&(handle, mode)| Access { handle, mode })
        .collect();
    engine.submit(NewTask::new(kind, &accesses), 0).unwrap()
}

/// All that a worker can take now.
fn take_all(engine: &mut Engine) -> Vec<TaskId> {
    std::iter::from_fn(|| engine.next(ONE, 0).unwrap()).collect()
}

#[test]
fn readers_run_together_and_a_writer_waits_for_all_of_them() {
    let mut engine = engine(Machine::cores(1).unwrap());
    let x = engine.register(8, None);
    let w = submit(&mut engine, &[(x, Mode::Write)]);
    let r: Vec<_> = (0..3)
        .map(|_| submit(&mut engine, &[(x, Mode::Read)]))
        .collect();
    let u = submit(&mut engine, &[(x, Mode::Update)]);
    assert_eq!(take_all(&mut engine), [w]);
    engine.finished(w, DONE, ONE, 0).unwrap();
    assert_eq!(take_all(&mut engine), r);
    for task in &r {
        assert_eq!(take_all(&mut engine), []);
        engine.finished(*task, DONE, ONE, 0).unwrap();
    }
    assert_eq!(take_all(&mut engine), [u]);
    assert_eq!(
        engine.unregister(x),
        Err(TaskError::InUse {
            handle: x,
            tasks: 1
        })
    );
    engine.finished(u, DONE, ONE, 0).unwrap();
    assert_eq!((engine.pending(), engine.unregister(x)), (0, Ok(())));
    assert_eq!(
        engine.unregister(x),
        Err(TaskError::UnknownHandle {
            kind: String::new(),
            handle: x
        })
    );
}

#[test]
fn commuting_tasks_run_one_at_a_time_in_any_order() {
    let mut engine = engine(Machine::cores(1).unwrap());
    let (x, y) = (
        engine.register(8, Some(MemoryNode::HOST)),
        engine.register(8, None),
    );
    let slow = submit(&mut engine, &[(y, Mode::Write)]);
    let first = submit(&mut engine, &[(y, Mode::Read), (x, Mode::Commute)]);
    let second = submit(&mut engine, &[(x, Mode::Commute)]);
    let third = submit(&mut engine, &[(x, Mode::Commute)]);
    let last = submit(&mut engine, &[(x, Mode::Read)]);
    // The second need not wait for the first, which waits for the slow one.
    assert_eq!(take_all(&mut engine), [slow, second]);
    engine.finished(slow, DONE, ONE, 0).unwrap();
    assert_eq!(take_all(&mut engine), []);
    engine.finished(second, DONE, ONE, 0).unwrap();
    assert_eq!(take_all(&mut engine), [third]);
    engine.finished(third, DONE, ONE, 0).unwrap();
    assert_eq!(take_all(&mut engine), [first]);
    engine.finished(first, DONE, ONE, 0).unwrap();
    assert_eq!(take_all(&mut engine), [last]);
}

#[test]
fn what_reads_what_was_not_written_is_cancelled_and_a_new_write_heals() {
    let mut engine = engine(Machine::cores(1).unwrap());
    let (x, y) = (engine.register(8, None), engine.register(8, None));
    let w = submit(&mut engine, &[(x, Mode::Write)]);
    let copy = submit(&mut engine, &[(x, Mode::Read), (y, Mode::Write)]);
    let reads_y = submit(&mut engine, &[(y, Mode::Read)]);
    let again = submit(&mut engine, &[(x, Mode::Write)]);
    let reads_x = submit(&mut engine, &[(x, Mode::Read)]);
    assert_eq!(take_all(&mut engine), [w]);
    engine.finished(w, Finish::Failed, ONE, 0).unwrap();
    let cancelled: Vec<_> = engine.take_cancelled().collect();
    assert_eq!(cancelled, [(copy, w), (reads_y, w)]);
    assert_eq!(take_all(&mut engine), [again]);
    engine.finished(again, DONE, ONE, 0).unwrap();
    assert_eq!(take_all(&mut engine), [reads_x]);
}

#[test]
fn a_batch_may_order_its_tasks_and_names_cycles() {
    let mut engine = engine(Machine::cores(1).unwrap());
    engine.open_batch();
    let t: Vec<_> = (0..3).map(|_| submit(&mut engine, &[])).collect();
    engine.depend(t[0], t[1]).unwrap();
    engine.depend(t[1], t[2]).unwrap();
    assert_eq!(
        engine.depend(t[2], t[0]),
        Err(TaskError::Cycle {
            path: vec![t[2], t[1], t[0]]
        })
    );
    assert_eq!(
        engine.depend(t[0], t[0]),
        Err(TaskError::Cycle { path: vec![t[0]] })
    );
    assert_eq!(take_all(&mut engine), []);
    engine.close_batch(0);
    for task in t.iter().rev() {
        assert_eq!(take_all(&mut engine), [*task]);
        engine.finished(*task, DONE, ONE, 0).unwrap();
    }
    assert_eq!(
        engine.depend(t[0], t[1]),
        Err(TaskError::UnknownTask { task: t[0] })
    );
}

#[test]
fn bad_tasks_are_refused_and_leave_no_trace() {
    let bus = Link {
        latency_ns: 1,
        bytes_per_ns: 1.0,
    };
    let machine = Machine::builder()
        .device("gpu", 1, Some(100), bus)
        .build()
        .unwrap();
    let (mut engine, kind) = (engine(machine), crate::KindId(0));
    engine.kind("task");
    let (x, big) = (engine.register(8, None), engine.register(200, None));
    let mut error = |task: NewTask<'_>| engine.submit(task, 0).unwrap_err();
    let access = |handle, mode| Access { handle, mode };
    assert_eq!(
        error(NewTask::new(kind, &[access(x, Mode::Read)])),
        TaskError::ReadBeforeWrite {
            kind: "task".into(),
            handle: x
        }
    );
    assert_eq!(
        error(NewTask::new(
            kind,
            &[access(x, Mode::Write), access(x, Mode::Write)]
        )),
        TaskError::Conflict {
            kind: "task".into(),
            handle: x
        }
    );
    let none = ArchSet::only(Arch(7));
    assert_eq!(
        error(NewTask {
            archs: none,
            ..NewTask::new(kind, &[])
        })
        .to_string(),
        "no worker of the machine can run `task`: it has no implementation for them, or is for other units"
    );
    assert_eq!(
        error(NewTask::new(
            kind,
            &[access(big, Mode::Write), access(x, Mode::Write)]
        )),
        TaskError::WorkingSet {
            needed_bytes: 208,
            capacity_bytes: 100
        }
    );
    let foreign = TaskId {
        slot: 9,
        generation: 0,
    };
    let after = NewTask {
        after: &[foreign],
        ..NewTask::new(kind, &[])
    };
    assert_eq!(error(after), TaskError::UnknownTask { task: foreign });
    assert_eq!((engine.pending(), engine.unregister(x)), (0, Ok(())));
}

#[test]
fn a_lost_workers_tasks_run_elsewhere_or_end() {
    let bus = Link {
        latency_ns: 1,
        bytes_per_ns: 1.0,
    };
    let machine = Machine::builder()
        .arch("cpu", 1)
        .device("gpu", 1, None, bus)
        .build()
        .unwrap();
    let (mut engine, gpu) = (engine(machine), WorkerId(1));
    let x = engine.register(8, None);
    let kind = engine.kind("task");
    let only_gpu = NewTask {
        archs: ArchSet::only(Arch(1)),
        ..NewTask::new(kind, &[])
    };
    let running = submit(&mut engine, &[(x, Mode::Write)]);
    assert_eq!(engine.next(gpu, 0), Ok(Some(running)));
    let waits = engine.submit(only_gpu, 0).unwrap();
    let behind = engine
        .submit(
            NewTask {
                after: &[waits],
                ..NewTask::new(kind, &[])
            },
            0,
        )
        .unwrap();
    engine.lost(gpu, 0);
    assert_eq!(
        engine.take_cancelled().collect::<Vec<_>>(),
        [(waits, waits), (behind, waits)]
    );
    assert_eq!(engine.running(gpu), [running]);
    engine.finished(running, Finish::Retry, gpu, 0).unwrap();
    assert_eq!(engine.next(gpu, 0), Ok(None));
    assert_eq!(engine.next(ONE, 0), Ok(Some(running)));
    assert!(engine.submit(only_gpu, 0).is_err());
}

#[test]
fn what_a_memory_cannot_hold_runs_elsewhere_or_ends() {
    let bus = Link {
        latency_ns: 1,
        bytes_per_ns: 1.0,
    };
    let machine = Machine::builder()
        .arch("cpu", 1)
        .device("gpu", 1, Some(100), bus)
        .build()
        .unwrap();
    let (mut engine, gpu) = (engine(machine), WorkerId(1));
    let large = engine.register(101, None);
    let task = submit(&mut engine, &[(large, Mode::Write)]);
    // The GPU, whose memory is too small, leaves it to the core.
    assert_eq!(engine.next(gpu, 0), Ok(None));
    assert_eq!(engine.next(ONE, 0), Ok(Some(task)));
    engine.finished(task, DONE, ONE, 0).unwrap();
    let task = submit(&mut engine, &[(large, Mode::Write)]);
    engine.lost(ONE, 0);
    let cancelled: Vec<_> = engine.take_cancelled().collect();
    assert_eq!((cancelled, engine.pending()), (vec![(task, task)], 0));
}

#[test]
fn memory_nodes_that_are_not_there_hold_nothing() {
    let mut engine = engine(Machine::cores(1).unwrap());
    let x = engine.register(8, Some(MemoryNode(9)));
    let kind = engine.kind("task");
    let read = [Access {
        handle: x,
        mode: Mode::Read,
    }];
    let refused = engine.submit(NewTask::new(kind, &read), 0);
    let kind = "task".into();
    assert_eq!(refused, Err(TaskError::ReadBeforeWrite { kind, handle: x }));
    let y = engine.register(8, Some(MemoryNode::HOST));
    engine
        .saw(y, [MemoryNode(9)].into_iter().collect())
        .unwrap();
    let read = submit(&mut engine, &[(y, Mode::Read)]);
    assert_eq!(take_all(&mut engine), [read]);
}

#[test]
fn a_worker_that_leaves_after_a_task_is_woken_for_the_next_one() {
    let mut engine = engine(Machine::cores(1).unwrap());
    let task = submit(&mut engine, &[]);
    assert_eq!(engine.next(ONE, 0), Ok(Some(task)));
    engine.finished(task, DONE, ONE, 0).unwrap();
    // It counts as awake: it is expected to ask.
    submit(&mut engine, &[]);
    assert_eq!(engine.take_wakes().count(), 0);
    engine.leave(ONE);
    assert_eq!(engine.take_wakes().collect::<Vec<_>>(), [ONE]);
    assert_eq!(take_all(&mut engine).len(), 1);
    engine.leave(ONE);
    submit(&mut engine, &[]);
    assert_eq!(engine.take_wakes().collect::<Vec<_>>(), [ONE]);
}

#[test]
fn what_is_split_off_is_as_the_rest_was() {
    let mut engine = engine(Machine::cores(1).unwrap());
    let (x, y) = (
        engine.register(8, Some(MemoryNode::HOST)),
        engine.register(8, Some(MemoryNode::HOST)),
    );
    let whole = submit(&mut engine, &[(x, Mode::Update)]);
    let reads = submit(&mut engine, &[(x, Mode::Read)]);
    let end = engine.split(x, 4).unwrap();
    let writes = submit(&mut engine, &[(end, Mode::Write)]);
    let other = submit(&mut engine, &[(x, Mode::Update)]);
    let failed = submit(&mut engine, &[(y, Mode::Update)]);
    let last = engine.split(y, 4).unwrap();
    let innocent = submit(&mut engine, &[(x, Mode::Read)]);
    let doomed = submit(&mut engine, &[(end, Mode::Read), (last, Mode::Read)]);
    let heals = submit(&mut engine, &[(last, Mode::Write)]);
    // Both parts wait for what was submitted for the whole.
    assert_eq!(take_all(&mut engine), [whole, failed]);
    engine.finished(whole, DONE, ONE, 0).unwrap();
    assert_eq!(take_all(&mut engine), [reads]);
    engine.finished(reads, DONE, ONE, 0).unwrap();
    // And then not for each other.
    assert_eq!(take_all(&mut engine), [writes, other]);
    engine.finished(other, DONE, ONE, 0).unwrap();
    assert_eq!(take_all(&mut engine), [innocent]);
    // A task that fails poisons what was split off while it ran.
    engine.finished(failed, Finish::Failed, ONE, 0).unwrap();
    engine.finished(writes, DONE, ONE, 0).unwrap();
    assert!(engine.take_cancelled().eq([(doomed, failed)]));
    assert_eq!(take_all(&mut engine), [heals]);
    engine.finished(heals, DONE, ONE, 0).unwrap();
    submit(&mut engine, &[(last, Mode::Read)]);
    let still = submit(&mut engine, &[(y, Mode::Read)]);
    assert!(engine.take_cancelled().eq([(still, failed)]));
    assert_eq!(
        engine.unregister(end),
        Ok(()),
        "no task that is left uses it"
    );
}

#[test]
fn a_retired_workers_own_tasks_run_anywhere_now_and_later() {
    let bus = Link {
        latency_ns: 0,
        bytes_per_ns: 1.0,
    };
    let machine = Machine::builder().arch("cpu", 1);
    let mut engine = engine(machine.device("gpu", 1, None, bus).build().unwrap());
    let kind = engine.kind("own");
    let own = NewTask {
        archs: ArchSet::only(Arch(1)),
        ..NewTask::new(kind, &[])
    };
    let before = engine.submit(own, 0).unwrap();
    let behind = NewTask {
        after: &[before],
        ..own
    };
    let behind = engine.submit(behind, 0).unwrap();
    assert_eq!(engine.next(ONE, 0).unwrap(), None);
    engine.retired(WorkerId(1), 0);
    let later = engine.submit(own, 0).unwrap();
    for task in [before, later, behind] {
        assert_eq!(engine.next(ONE, 0).unwrap(), Some(task));
        engine.finished(task, DONE, ONE, 0).unwrap();
    }
    assert_eq!(engine.pending(), 0);
}

#[test]
fn what_a_task_reads_is_summed_up_to_the_most_there_is() {
    let slow = Link {
        latency_ns: 1,
        bytes_per_ns: 1e-18,
    };
    let machine = Machine::builder().arch("cpu", 1);
    let machine = machine.device("gpu", 1, None, slow);
    let machine = machine.device("gpu", 1, Some(1 << 40), slow);
    let mut engine = engine(machine.build().unwrap());
    let [x, y] = [(); 2].map(|()| engine.register(u64::MAX / 2 + 1, Some(MemoryNode::HOST)));
    let task = submit(&mut engine, &[(x, Mode::Read), (y, Mode::Read)]);
    let (view, most) = (engine.view(0), u64::MAX);
    assert_eq!(view.missing_bytes(task, MemoryNode(1)), most);
    assert_eq!(view.transfer_ns(task, MemoryNode(1)), most);
    assert_eq!(view.transfer_ns(task, MemoryNode::HOST), 0);
    let between = engine
        .machine()
        .transfer_ns(MemoryNode(1), MemoryNode(2), 1 << 60);
    assert_eq!(between, most);
    // It has no room on the second one.
    assert_eq!(view.able(task).count(), 2);
}
