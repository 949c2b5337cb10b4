//! What holds for all strategies, on any graph and machine, also when a worker is lost.

use super::drive::{BUS, Drive};
use crate::{
    Access, Arch, ArchSet, KindId, Machine, MemoryNode, Mode, NewTask, TaskId, WorkerId, scheduler,
};
use proptest::prelude::*;

const ALL: [&str; 12] = [
    "host",
    "device",
    "percent,device=0.3",
    "percent,static=1",
    "step,step=0.3,samples=1,period=3",
    "hill,samples=1,period=2",
    "adjust,period=2",
    "adjust,period=9ns",
    "greedy,samples=1,every=3",
    "crawler,profile=1,samples=1,step=0.2,period=2",
    "crawler,profile=1,samples=1,step=0.2,period=30ns",
    "ratio,cpu=0.4",
];

#[derive(Clone, Debug)]
struct Task {
    kind: usize,
    archs: u8,
    accesses: Vec<(usize, Mode)>,
}

fn mode() -> impl Strategy<Value = Mode> {
    prop::sample::select(vec![
        Mode::Read,
        Mode::Write,
        Mode::Update,
        Mode::Commute,
        Mode::Reduce,
    ])
}

fn task() -> impl Strategy<Value = Task> {
    let accesses = prop::collection::vec((0..4_usize, mode()), 0..3);
    (0..3_usize, 0..6_u8, accesses).prop_map(|(kind, archs, mut accesses)| {
        accesses.sort_by_key(|(handle, _)| *handle);
        accesses.dedup_by_key(|(handle, _)| *handle);
        Task {
            kind,
            archs,
            accesses,
        }
    })
}

fn machines() -> impl Strategy<Value = Machine> {
    (
        0..3_u32,
        0..2_u32,
        prop::collection::vec(1..3_u32, 0..3),
        any::<bool>(),
    )
        .prop_map(|(cores, others, devices, is_small)| {
            let mut machine = Machine::builder();
            if cores > 0 {
                machine = machine.arch("cpu", cores);
            }
            for workers in &devices {
                // Sometimes with room for two handles only, so that tasks have to be deferred.
                machine = machine.device("gpu", *workers, is_small.then_some(16), BUS);
            }
            if others > 0 || (cores == 0 && devices.is_empty()) {
                machine = machine.arch("dsp", others.max(1));
            }
            machine.build().unwrap()
        })
}

/// Which tasks must be over before a task begins, by the order of their accesses.
fn before(tasks: &[Task], k: usize) -> impl Iterator<Item = usize> + '_ {
    (0..k).filter(move |other| {
        tasks[*other].accesses.iter().any(|(handle, mode)| {
            let own = tasks[k].accesses.iter().find(|(own, _)| own == handle);
            own.is_some_and(|(_, own)| !own.joins(*mode))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn each_task_runs_once_and_in_order_and_nothing_stalls(
        which in 0..ALL.len(),
        machine in machines(),
        tasks in prop::collection::vec(task(), 1..60),
        batches in any::<bool>(),
        lose in prop::option::of((0..40_usize, 0..8_u32)),
    ) {
        let Ok(_) = scheduler::parse(ALL[which]).unwrap().build(&machine) else {
            return Ok(()); // a side that is not there
        };
        let law = |kind: KindId, arch: Arch| u64::from(5 + 3 * kind.0 + 7 * u32::from(arch.0));
        let (archs, workers) = (machine.archs().len() as u8, machine.workers() as u32);
        let mut drive = Drive::new(ALL[which], machine, &law);
        drive.lose = lose.map(|(after, worker)| (after, WorkerId(worker % workers)));
        let kinds = ["a", "b", "c"].map(|name| drive.engine.kind(name));
        let handles: Vec<_> = (0..4).map(|_| drive.engine.register(8, Some(MemoryNode::HOST))).collect();
        let mut ids: Vec<TaskId> = Vec::new();
        let mut pending_order = Vec::new();
        let mut lost_work = false;
        for part in tasks.chunks(if batches { 20 } else { tasks.len() }) {
            if batches {
                drive.engine.open_batch();
            }
            let first = ids.len();
            for (k, task) in part.iter().enumerate() {
                let accesses: Vec<Access> = task.accesses.iter()
                    .map(|(handle, mode)| Access { handle: handles[*handle], mode: *mode })
                    .collect();
                let only = ArchSet::only(Arch(task.archs % archs));
                let new = NewTask {
                    archs: if task.archs < 3 { only } else { ArchSet::ALL },
                    ..NewTask::new(kinds[task.kind], &accesses)
                };
                // After a loss, a task may have no worker any more.
                match drive.engine.submit(new, drive.now_ns) {
                    Ok(id) => {
                        ids.push(id);
                        pending_order.push(first + k);
                    }
                    Err(_) => {
                        prop_assert!(drive.lose.is_none() && lose.is_some());
                        lost_work = true;
                    }
                }
            }
            if batches {
                drive.engine.close_batch(drive.now_ns);
            }
            drive.run();
            lost_work |= drive.engine.take_cancelled().count() > 0;
            prop_assert_eq!(drive.engine.pending(), 0, "stalled under {}", ALL[which]);
        }
        if lost_work {
            return Ok(()); // numbers and tasks no longer go together
        }
        prop_assert_eq!(drive.ran.len(), tasks.len());
        // In the order of their beginnings, and each of them once.
        let begin: Vec<usize> = ids.iter()
            .map(|id| drive.ran.iter().position(|(ran, _)| ran == id).unwrap())
            .collect();
        for k in 0..tasks.len() {
            for other in before(&tasks, k) {
                prop_assert!(begin[other] < begin[k], "{} before {}", k, other);
            }
        }
        prop_assert_eq!(pending_order.len(), tasks.len());
    }
}

#[test]
fn the_same_calls_give_the_same_schedule() {
    let law = |kind: KindId, arch: Arch| u64::from(50 + 31 * kind.0 + 17 * u32::from(arch.0));
    for text in ALL {
        let schedule = || {
            let mut drive = Drive::new(text, super::drive::machine(2, 2), &law);
            (0..20).for_each(|_| {
                drive.round(&[("a", 13), ("b", 7)]);
            });
            (drive.ran, drive.now_ns)
        };
        assert_eq!(schedule(), schedule(), "{text}");
    }
}
