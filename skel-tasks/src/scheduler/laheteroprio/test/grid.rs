//! Where tasks go, the choice of a formula, and which workers are woken.

use super::{BUS, GPU, engine, keeper, machine, next, submit};
use crate::{
    Arch, ArchSet, Configuration as _, Costs, Engine, KindId, Link, Machine, MemoryNode, Mode,
    NewTask, NodeSet, Ns, Scheduler as _, Work, WorkerId,
    scheduler::{Affinity, Block, Buckets, LaHeteroprio, PerArch, laheteroprio::queues::Queues},
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

fn with(affinity: Affinity) -> LaHeteroprio {
    LaHeteroprio {
        affinity,
        ..LaHeteroprio::default()
    }
}

fn nodes<const N: usize>(numbers: [u8; N]) -> NodeSet {
    numbers.into_iter().map(MemoryNode).collect()
}

/// An engine all of whose workers sleep.
fn asleep(machine: Machine, scheduler: &LaHeteroprio) -> Engine {
    let mut engine = engine(machine, scheduler);
    for worker in engine.machine().worker_ids() {
        assert_eq!(engine.next(worker, 0), Ok(None));
    }
    assert_eq!(engine.take_wakes().count(), 0);
    engine
}

#[test]
fn mc_goes_where_reading_is_fastest() {
    let fast = Link {
        latency_ns: 10,
        bytes_per_ns: 1_000.0,
    };
    let machine = Machine::builder()
        .arch("cpu", 1)
        .device("gpu", 1, None, BUS)
        .device("gpu", 1, None, fast)
        .build()
        .unwrap();
    let mut engine = asleep(machine, &with(Affinity::Mc));
    let x = engine.register(1 << 20, Some(MemoryNode(0)));
    let y = engine.register(2 << 20, Some(MemoryNode(1)));
    let mut woken = |accesses: &[_], by| {
        submit(&mut engine, 0, accesses, by);
        engine.take_wakes().collect::<Vec<_>>()
    };
    // The smaller piece goes to the larger one, though the fast GPU would have the first soon.
    let reads = [(x, Mode::Read), (y, Mode::Read)];
    assert_eq!(woken(&reads, Some(0)), [WorkerId(1)]);
    // Reading alone where it is takes nothing; what is only written takes nothing anywhere.
    assert_eq!(woken(&[(x, Mode::Read)], Some(2)), [WorkerId(0)]);
    let writes = engine.register(1 << 30, None);
    submit(&mut engine, 0, &[(writes, Mode::Write)], Some(2));
    assert_eq!(engine.take_wakes().collect::<Vec<_>>(), [WorkerId(2)]);
}

#[test]
fn lists_are_first_in_first_out() {
    let mut engine = engine(machine(1, 1), &with(Affinity::Sdh));
    let t: Vec<_> = (0..100)
        .map(|_| submit(&mut engine, 0, &[], None))
        .collect();
    let taken: Vec<_> = std::iter::from_fn(|| next(&mut engine, 1)).collect();
    assert_eq!(taken, t);
}

#[test]
fn data_that_all_memory_nodes_have_can_be_ignored() {
    // LS_SDHB over θ: 2·(10 + 30) to 3·(10 + 16) with what both have, 1·30 to 2·16 without.
    for (ignores_common, woken) in [(false, 0), (true, 1)] {
        let scheduler = LaHeteroprio {
            ignores_common,
            ..with(Affinity::Sdhb)
        };
        let mut engine = asleep(machine(1, 1), &scheduler);
        let data = [
            (10, nodes([0, 1])),
            (30, nodes([0])),
            (8, nodes([1])),
            (8, nodes([1])),
        ];
        let accesses = data.map(|(bytes, valid)| {
            let handle = engine.register(bytes, Some(MemoryNode(0)));
            engine.saw(handle, valid).unwrap();
            (handle, Mode::Update)
        });
        submit(&mut engine, 0, &accesses, None);
        let found: Vec<_> = engine.take_wakes().collect();
        assert_eq!(found, [WorkerId(woken)]);
    }
}

#[test]
fn slow_factors_count_all_lists_of_a_bucket() {
    let scheduler = LaHeteroprio {
        buckets: Buckets::default().best(0, "gpu").slow(0, "cpu", 2.0),
        ..with(Affinity::LaRu)
    };
    let mut engine = engine(machine(1, 3), &scheduler);
    for by in [0, 1, 2, 3, 0] {
        submit(&mut engine, 0, &[], Some(by));
        assert_eq!(next(&mut engine, 0), None);
    }
    let sixth = submit(&mut engine, 0, &[], Some(0));
    assert!(next(&mut engine, 0).is_some_and(|task| task != sixth));
    assert_eq!(next(&mut engine, 0), None);
}

/// A scheduler by itself, for tasks that an engine under another one keeps.
fn queues(scheduler: &LaHeteroprio, machine: &Machine) -> Queues {
    scheduler.build_queues(machine).unwrap()
}

#[test]
fn differences_between_push_and_pop_are_counted_and_decide() {
    let machine = machine(1, 2);
    let mut queues = queues(&LaHeteroprio::default(), &machine);
    let mut engine = keeper(machine);
    let read = engine.register(100, Some(MemoryNode(1)));
    let written = engine.register(10, Some(MemoryNode(2)));
    let accesses = [(read, Mode::Read), (written, Mode::Update)];
    // SDH: 100 at 1, 10 at 2. SDH2: 100 and 100, so 1. SDHB: 2. SMWB: 10·1.5 at 1, 100 at 2, so 1.
    let task = submit(&mut engine, 0, &accesses, None);
    queues.push(task, None, &engine.view(0));
    assert_eq!(queues.differences(), [0; 4]);
    // What is read gets a copy at 2: now 110 at 2 by SDH, and so by all.
    engine.saw(read, nodes([1, 2])).unwrap();
    assert_eq!(queues.pop(WorkerId(1), &engine.view(0)), Some(task));
    assert_eq!(queues.differences(), [1, 1, 0, 1]);
    // From now on SDHB is the one of the fewest: what is read has moved back, and the written decides.
    engine.saw(read, nodes([1])).unwrap();
    let other = submit(&mut engine, 0, &[(read, Mode::Read)], None);
    queues.push(other, None, &engine.view(0));
    queues.push(task, None, &engine.view(0));
    assert_eq!(queues.pop(WorkerId(2), &engine.view(0)), Some(task));
    assert_eq!(queues.pop(WorkerId(1), &engine.view(0)), Some(other));
    assert_eq!(queues.differences(), [1, 1, 0, 1]);
}

#[test]
fn tasks_that_are_given_up_and_pushed_again_are_no_difference() {
    let machine = machine(1, 1);
    let mut queues = queues(&LaHeteroprio::default(), &machine);
    let mut engine = keeper(machine);
    let x = engine.register(8, Some(MemoryNode(0)));
    let task = submit(&mut engine, 0, &[(x, Mode::Update)], None);
    queues.push(task, None, &engine.view(0));
    engine.saw(x, nodes([1])).unwrap();
    assert_eq!(queues.drain(), [task]);
    assert_eq!(queues.ready(crate::ClassId(0)), 0);
    queues.push(task, None, &engine.view(0));
    assert_eq!(queues.pop(WorkerId(1), &engine.view(0)), Some(task));
    assert_eq!(queues.differences(), [0; 4]);
}

#[test]
fn a_worker_at_the_memory_node_is_woken_before_others() {
    let mut engine = asleep(machine(1, 2), &with(Affinity::Sdh));
    let x = engine.register(8, Some(MemoryNode(2)));
    for expected in [2, 0, 1] {
        // The second GPU first, then, since the task there is its, any other.
        submit(&mut engine, 0, &[(x, Mode::Read)], None);
        assert_eq!(
            engine.take_wakes().collect::<Vec<_>>(),
            [WorkerId(expected)]
        );
    }
}

#[test]
fn no_class_uses_up_what_another_was_to_be_woken_by() {
    let buckets = Buckets::default().best(0, "gpu").slow(0, "cpu", 9.0);
    let scheduler = LaHeteroprio {
        buckets,
        l: PerArch::all(Block::All),
        ..with(Affinity::LaRu)
    };
    let mut engine = asleep(machine(2, 1), &scheduler);
    // One task that CPUs may run, but not yet, and one that is theirs.
    submit(&mut engine, 0, &[], None);
    let only_cpu = ArchSet::only(crate::Arch(0));
    let task = NewTask {
        archs: only_cpu,
        ..NewTask::new(KindId(1), &[])
    };
    engine.submit(task, 0).unwrap();
    let woken: Vec<_> = engine.take_wakes().collect();
    assert_eq!(woken, [WorkerId(2), WorkerId(0)]);
    assert_eq!(engine.machine().arch_of(WorkerId(2)), GPU);
}

/// Times that are unknown until they are said.
struct Later(Arc<AtomicBool>);

impl Costs for Later {
    fn exec_ns(&self, _: KindId, arch: Arch, _: Work) -> Option<Ns> {
        let is_known = self.0.load(Ordering::Relaxed);
        is_known.then_some([10, 20][usize::from(arch.0)])
    }
}

#[test]
fn when_the_best_architecture_becomes_known_one_of_its_workers_is_woken() {
    let machine = Machine::builder()
        .arch("cpu", 1)
        .device("gpu", 2, None, BUS)
        .build()
        .unwrap();
    let is_known = Arc::new(AtomicBool::new(false));
    let built = with(Affinity::LaRu).build(&machine).unwrap();
    let mut engine = Engine::new(machine, built, Box::new(Later(is_known.clone())));
    for worker in 0..3 {
        assert_eq!(next(&mut engine, worker), None);
    }
    assert_eq!(engine.take_wakes().count(), 0);
    let woken = |engine: &mut Engine| {
        submit(engine, 0, &[], Some(1));
        engine.take_wakes().collect::<Vec<_>>()
    };
    assert_eq!(woken(&mut engine), [WorkerId(1)]);
    // Now the CPU is the best one. Two tasks would be enough for a GPU as well, but when the first one is
    // taken, no GPU may take the other, and the CPU would sleep.
    is_known.store(true, Ordering::Relaxed);
    assert_eq!(woken(&mut engine), [WorkerId(0)]);
}
