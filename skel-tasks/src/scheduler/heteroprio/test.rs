//! Heteroprio by itself and under the engine, on machines where each answer is known.

use crate::{
    Access, Arch, ArchSet, BadOption, Costs, Engine, Finish, KindId, Link, Machine, Mode, NewTask,
    Rates, TaskId, Unknown, Work, WorkerId,
    scheduler::{self, Buckets, Heteroprio},
};
use crate::{Configuration, MemoryNode};

const BUS: Link = Link {
    latency_ns: 1_000,
    bytes_per_ns: 10.0,
};

/// CPUs are workers 0 and up, GPUs those behind.
fn machine(cpus: u32, gpus: u32) -> Machine {
    let gpu = |builder: crate::MachineBuilder, _| builder.device("gpu", 1, None, BUS);
    let cpu = Machine::builder().arch("cpu", cpus);
    (0..gpus).fold(cpu, gpu).build().unwrap()
}

fn engine(machine: Machine, buckets: Buckets, costs: impl Costs + 'static) -> Engine {
    let built = Heteroprio { buckets }.build(&machine).unwrap();
    Engine::new(machine, built, Box::new(costs))
}

fn submit(engine: &mut Engine, kind: u32, archs: ArchSet) -> TaskId {
    let task = NewTask {
        archs,
        work: Work { elems: 1 },
        ..NewTask::new(KindId(kind), &[])
    };
    engine.submit(task, 0).unwrap()
}

fn next(engine: &mut Engine, worker: u32) -> Option<TaskId> {
    engine.next(WorkerId(worker), 0).unwrap()
}

/// The paper's example: four kinds, of which the GPU has three, in the order 3, 2, 0.
fn four_buckets() -> Buckets {
    Buckets::default()
        .order("cpu", &[0, 1, 2, 3])
        .order("gpu", &[3, 2, 0])
}

#[test]
fn each_architecture_looks_at_buckets_in_its_own_order() {
    let mut engine = engine(machine(1, 1), four_buckets(), Unknown);
    let all: Vec<TaskId> = (0..8)
        .map(|k| submit(&mut engine, k % 4, ArchSet::ALL))
        .collect();
    let by_gpu: Vec<_> = std::iter::from_fn(|| next(&mut engine, 1)).collect();
    assert_eq!(by_gpu, [all[3], all[7], all[2], all[6], all[0], all[4]]);
    let by_cpu: Vec<_> = std::iter::from_fn(|| next(&mut engine, 0)).collect();
    assert_eq!(by_cpu, [all[1], all[5]]);
}

#[test]
fn a_cpu_leaves_five_tasks_to_three_gpus_twice_as_fast_and_shares_six() {
    let said = Buckets::default().best(0, "gpu").slow(0, "cpu", 2.0);
    let learned = Rates::new(vec![vec![Some(20.0), Some(10.0)]]);
    let engines = [
        engine(machine(1, 3), said, Unknown),
        engine(machine(1, 3), Buckets::default(), learned),
    ];
    for mut engine in engines {
        for _ in 0..5 {
            submit(&mut engine, 0, ArchSet::ALL);
            assert_eq!(next(&mut engine, 0), None);
        }
        submit(&mut engine, 0, ArchSet::ALL);
        assert!(next(&mut engine, 0).is_some());
        assert_eq!(next(&mut engine, 0), None);
        // The best architecture is kept from nothing.
        assert!((0..5).all(|k| next(&mut engine, 1 + k % 3).is_some()));
    }
}

#[test]
fn a_restrained_worker_goes_on_to_the_next_bucket() {
    let buckets = four_buckets().best(0, "gpu").slow(0, "cpu", 2.0);
    let mut engine = engine(machine(1, 1), buckets, Unknown);
    let kept = submit(&mut engine, 0, ArchSet::ALL);
    let other = submit(&mut engine, 2, ArchSet::ALL);
    assert_eq!(next(&mut engine, 0), Some(other));
    assert_eq!(next(&mut engine, 0), None);
    assert_eq!(next(&mut engine, 1), Some(kept));
}

#[test]
fn lost_gpus_leave_their_tasks_to_the_cpus() {
    let buckets = Buckets::default().best(0, "gpu").slow(0, "cpu", 100.0);
    let mut engine = engine(machine(1, 2), buckets, Unknown);
    let task = submit(&mut engine, 0, ArchSet::ALL);
    assert_eq!(next(&mut engine, 0), None);
    engine.lost(WorkerId(1), 0);
    assert_eq!(next(&mut engine, 0), None);
    engine.lost(WorkerId(2), 0);
    assert_eq!(next(&mut engine, 0), Some(task));
}

#[test]
fn tasks_of_an_unlisted_bucket_are_run_by_what_can() {
    let buckets = Buckets::default().order("cpu", &[0]).order("gpu", &[0]);
    let mut engine = engine(machine(1, 1), buckets.kind(KindId(0), 1), Unknown);
    let behind = submit(&mut engine, 0, ArchSet::only(Arch(1)));
    assert_eq!(next(&mut engine, 0), None);
    assert_eq!(next(&mut engine, 1), Some(behind));
}

#[test]
fn tasks_of_a_bucket_go_only_to_architectures_that_can_run_them() {
    let mut engine = engine(machine(1, 1), Buckets::default(), Unknown);
    let gpu = submit(&mut engine, 0, ArchSet::only(Arch(1)));
    let cpu = submit(&mut engine, 0, ArchSet::only(Arch(0)));
    assert_eq!(next(&mut engine, 0), Some(cpu));
    assert_eq!(next(&mut engine, 0), None);
    assert_eq!(next(&mut engine, 1), Some(gpu));
}

#[test]
fn orders_follow_from_acceleration() {
    // Accelerations of the GPU: 2, 8, 4; and a kind that it has not.
    let rates = [(2.0, Some(1.0)), (8.0, Some(1.0)), (4.0, Some(1.0))];
    let of = |(cpu, gpu)| vec![Some(cpu), gpu];
    let rates = Rates::new(rates.into_iter().chain([(1.0, None)]).map(of).collect());
    let mut engine = engine(machine(1, 1), Buckets::default(), rates);
    let t: Vec<TaskId> = (0..9)
        .map(|k| submit(&mut engine, k % 3, ArchSet::ALL))
        .collect();
    let only_cpu = submit(&mut engine, 3, ArchSet::only(Arch(0)));
    // The CPU takes what no other can, then what the GPU gains least by, if three are enough for both.
    assert_eq!(next(&mut engine, 0), Some(only_cpu));
    assert_eq!(next(&mut engine, 0), Some(t[0]));
    let by_gpu: Vec<_> = std::iter::from_fn(|| next(&mut engine, 1)).collect();
    assert_eq!(
        by_gpu,
        [t[1], t[4], t[7], t[2], t[5], t[8], t[3], t[6]],
        "most accelerated first"
    );
}

#[test]
fn without_known_times_the_first_kind_is_first() {
    let mut engine = engine(machine(1, 1), Buckets::default(), Unknown);
    let t: Vec<TaskId> = [5, 2, 5, 2]
        .into_iter()
        .map(|kind| submit(&mut engine, kind, ArchSet::ALL))
        .collect();
    let taken: Vec<_> = [0, 1, 0, 1].map(|worker| next(&mut engine, worker)).into();
    assert_eq!(taken, [t[0], t[2], t[1], t[3]].map(Some));
}

#[test]
fn a_woken_worker_that_may_not_take_does_not_keep_others_asleep() {
    let buckets = Buckets::default().best(0, "gpu").slow(0, "cpu", 1.5);
    let mut engine = engine(machine(1, 1), buckets, Unknown);
    let x = engine.register(8, Some(MemoryNode::HOST));
    assert_eq!((next(&mut engine, 0), next(&mut engine, 1)), (None, None));
    let reads = [Access {
        handle: x,
        mode: Mode::Read,
    }];
    engine.submit(NewTask::new(KindId(0), &reads), 0).unwrap();
    // The CPU is not asked at all; the GPU is.
    assert_eq!(engine.take_wakes().collect::<Vec<_>>(), [WorkerId(1)]);
    assert!(next(&mut engine, 1).is_some());
}

#[test]
fn text_says_all_and_bad_settings_are_named() {
    let text = "heteroprio,kinds=0:1/4:0,order=cpu:0+1/gpu:1,best=1:gpu,slow=1:cpu:2.5";
    assert_eq!(scheduler::parse(text).unwrap().text(), text);
    let build = |text: &str| -> Result<(), BadOption> {
        scheduler::parse(text)?.build(&machine(1, 1)).map(drop)
    };
    assert_eq!(build(text), Ok(()));
    for (options, what) in [
        ("order=cpu:0+0", "`order` is `bucket 0 for cpu, twice`"),
        ("order=cpu:0/cpu:1", "`order` is `cpu, twice`"),
        ("order=tpu:0", "`order` is `tpu`; expected one of cpu, gpu"),
        ("order=cpu", "expected ARCH:BUCKET+BUCKET, separated by /"),
        ("kinds=0:9999", "`kinds` is `9999`; expected buckets from 0"),
        ("kinds=1:0/1:1", "`kinds` is `kind 1, twice`"),
        ("best=0:fpga", "`best` is `fpga`; expected one of cpu, gpu"),
        ("best=0:cpu/0:gpu", "`best` is `bucket 0, twice`"),
        ("slow=0:cpu:-1", "`slow` is `-1`; expected a factor"),
        ("slow=0:cpu:NaN", "`slow` is `NaN`"),
        (
            "slow=0:cpu:2/0:cpu:3",
            "`slow` is `bucket 0 for cpu, twice`",
        ),
        ("s=1", "one of the options kinds, order, best, slow"),
    ] {
        let error = build(&format!("heteroprio,{options}")).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn a_finished_task_makes_room_for_none_that_is_kept() {
    // 2 tasks, 1 GPU, factor 2: the CPU takes one, and the other is the GPU's, even after it is done.
    let buckets = Buckets::default().best(0, "gpu").slow(0, "cpu", 2.0);
    let mut engine = engine(machine(1, 1), buckets, Unknown);
    let t = [0, 1].map(|_| submit(&mut engine, 0, ArchSet::ALL));
    assert_eq!(next(&mut engine, 0), Some(t[0]));
    let done = Finish::Done { took_ns: 1 };
    engine.finished(t[0], done, WorkerId(0), 0).unwrap();
    assert_eq!(next(&mut engine, 0), None);
    assert_eq!(next(&mut engine, 1), Some(t[1]));
}
