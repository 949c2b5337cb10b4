//! HEFT on the example of its paper, and by plan.

use super::{graph::Batch, plan::schedule_batch, schedule};
use crate::scheduler::test::Bench;
use crate::{
    Arch, Costs, Finish, HandleId, KindId, Link, Machine, MemoryNode, Mode, Ns, Rates, TaskId,
    Work, WorkerId,
};

/// Times are those of the paper, times this.
const SCALE: u64 = 1_000;

/// The execution time of each task, by processor (Topcuoglu, Hariri and Wu 2002, figure 2).
const EXEC: [[u64; 3]; 10] = [
    [14, 16, 9],
    [13, 19, 18],
    [11, 13, 19],
    [13, 8, 17],
    [12, 13, 10],
    [13, 16, 9],
    [7, 15, 11],
    [5, 11, 14],
    [18, 12, 20],
    [21, 7, 16],
];

/// From, to, and how long the communication takes.
const EDGES: [(usize, usize, u64); 15] = [
    (1, 2, 18),
    (1, 3, 12),
    (1, 4, 9),
    (1, 5, 11),
    (1, 6, 14),
    (2, 8, 19),
    (2, 9, 16),
    (3, 7, 23),
    (4, 8, 27),
    (4, 9, 23),
    (5, 9, 13),
    (6, 8, 15),
    (7, 10, 17),
    (8, 10, 11),
    (9, 10, 13),
];

/// The tasks of the paper; elements are the number of the task.
#[derive(Debug)]
struct Paper;

impl Costs for Paper {
    fn exec_ns(&self, _: KindId, arch: Arch, work: Work) -> Option<Ns> {
        let task = EXEC.get(work.elems as usize - 1)?;
        Some(SCALE * task.get(usize::from(arch.0))?)
    }
}

/// Three processors with a memory each, all linked.
fn machine() -> Machine {
    let link = Link {
        latency_ns: 0,
        bytes_per_ns: 1.0,
    };
    let builder = Machine::builder()
        .device("p1", 1, None, link)
        .device("p2", 1, None, link)
        .device("p3", 1, None, link);
    let pairs = [(1, 2), (1, 3), (2, 3)];
    let linked = pairs.into_iter().fold(builder, |builder, (a, b)| {
        builder.link(MemoryNode(a), MemoryNode(b), link)
    });
    linked.build().unwrap()
}

/// An open batch with the paper's tasks.
fn paper() -> (Bench, Vec<TaskId>) {
    let mut bench = Bench::with_costs(machine(), "heft", Box::new(Paper));
    let handles: Vec<HandleId> = EDGES
        .iter()
        .map(|(_, _, time)| bench.engine.register(time * SCALE, None))
        .collect();
    bench.engine.open_batch();
    let tasks = (1..=10).map(|number| {
        let mut draft = bench.task().elems(number as u64);
        for ((from, to, _), handle) in EDGES.iter().zip(&handles) {
            if *to == number {
                draft = draft.on(*handle, Mode::Read);
            }
            if *from == number {
                draft = draft.on(*handle, Mode::Write);
            }
        }
        draft.submit()
    });
    let tasks = tasks.collect();
    (bench, tasks)
}

#[test]
fn the_papers_ranks_and_schedule() {
    let (bench, tasks) = paper();
    let plan = schedule(&tasks, &bench.engine.view(0));
    let expected = [
        108.0, 77.0, 80.0, 80.0, 69.0, 63.333, 42.667, 35.667, 44.333, 14.667,
    ];
    for (rank, expected) in plan.ranks.iter().zip(expected) {
        assert!((rank / SCALE as f64 - expected).abs() < 1e-3, "{rank}");
    }
    // Figure 3 of the paper: task, processor, start and end.
    let number = |task| tasks.iter().position(|other| *other == task).unwrap() + 1;
    let planned = plan.planned.iter().map(|planned| {
        let times = (planned.start_ns / SCALE, planned.finish_ns / SCALE);
        (number(planned.task), planned.worker.0 + 1, times)
    });
    let planned: Vec<_> = planned.collect();
    assert_eq!(
        planned,
        [
            (1, 3, (0, 9)),
            (3, 3, (9, 28)),
            (4, 2, (18, 26)),
            (2, 1, (27, 40)),
            (5, 3, (28, 38)),
            (6, 2, (26, 42)),
            (9, 2, (56, 68)),
            (7, 3, (38, 49)),
            (8, 1, (57, 62)),
            (10, 2, (73, 80)),
        ]
    );
    assert_eq!(plan.makespan_ns(), 80 * SCALE);
}

#[test]
fn workers_take_what_was_planned_for_them() {
    let (mut bench, tasks) = paper();
    let plan = schedule(&tasks, &bench.engine.view(0));
    bench.engine.close_batch(0);
    let mut left: Vec<_> = plan.planned.clone();
    left.sort_by_key(|planned| planned.start_ns);
    for planned in left {
        // The others find nothing: they are not planned for this task.
        let task = bench.engine.next(planned.worker, planned.start_ns);
        assert_eq!(task, Ok(Some(planned.task)));
        let done = Finish::Done { took_ns: 1 };
        let end_ns = planned.finish_ns;
        bench
            .engine
            .finished(planned.task, done, planned.worker, end_ns)
            .unwrap();
    }
    assert_eq!(bench.engine.pending(), 0);
}

#[test]
fn idle_slots_are_filled() {
    // One core and a GPU. The chain keeps the core waiting for the GPU; the short one fits in between.
    let bus = Link {
        latency_ns: 0,
        bytes_per_ns: 1.0,
    };
    let machine = Machine::builder()
        .arch("cpu", 1)
        .device("gpu", 1, None, bus);
    let kinds = vec![
        vec![Some(10.0), None],
        vec![None, Some(10.0)],
        vec![Some(1.0), Some(60.0)],
    ];
    let rates = Box::new(Rates::new(kinds));
    let mut bench = Bench::with_costs(machine.build().unwrap(), "heft", rates);
    let x = bench.engine.register(8, None);
    let only = |arch| crate::ArchSet::only(Arch(arch));
    let (cpu, gpu) = (KindId(0), KindId(1));
    bench.engine.open_batch();
    let first = bench
        .task()
        .kind(cpu)
        .archs(only(0))
        .elems(5)
        .on(x, Mode::Write);
    let first = first.submit();
    let middle = bench
        .task()
        .kind(gpu)
        .archs(only(1))
        .elems(5)
        .on(x, Mode::Update);
    let middle = middle.submit();
    let last = bench
        .task()
        .kind(cpu)
        .archs(only(0))
        .elems(5)
        .on(x, Mode::Update);
    let last = last.submit();
    let short = bench.task().kind(KindId(2)).elems(1).submit();
    let plan = schedule(&[first, middle, last, short], &bench.engine.view(0));
    let short = plan.planned.iter().find(|planned| planned.task == short);
    let short = short.unwrap();
    assert_eq!((short.worker, short.start_ns), (WorkerId(0), 50));
    assert_eq!(plan.planned.last().unwrap().task, short.task);
    assert_eq!(plan.makespan_ns(), 50 + 8 + 50 + 8 + 50);
}

#[test]
fn what_is_not_planned_goes_where_it_ends_first_and_lost_workers_get_nothing() {
    let (mut bench, tasks) = paper();
    bench.engine.close_batch(0);
    // The first task was planned for the third processor.
    bench.engine.lost(WorkerId(2), 0);
    assert_eq!(bench.take(WorkerId(0)), Some(tasks[0]));
    let single = bench.task().elems(10).submit();
    assert_eq!(bench.take(WorkerId(1)), Some(single));
}

/// Two cores and two GPUs, on which `KindId(0)` takes other times.
fn unlike() -> Bench {
    let bus = Link {
        latency_ns: 5,
        bytes_per_ns: 2.0,
    };
    let machine = Machine::builder()
        .arch("cpu", 2)
        .device("gpu", 1, None, bus)
        .device("other gpu", 1, None, bus);
    let rates = Rates::new(vec![vec![Some(7.0), Some(2.0), Some(3.0)]]);
    Bench::with_costs(machine.build().unwrap(), "heft", Box::new(rates))
}

/// An open batch: `before` tasks contribute to each of two handles, `behind` read one of them, and `last` updates both.
fn through_two_handles(bench: &mut Bench, before: u64, behind: u64) -> Vec<TaskId> {
    let handles = [100, 40].map(|bytes| bench.engine.register(bytes, Some(MemoryNode::HOST)));
    bench.engine.open_batch();
    let mut tasks = Vec::new();
    for k in 0..2 * before {
        let to = handles[k as usize % 2];
        let draft = bench.task().elems(1 + k * 7 % 13);
        tasks.push(draft.on(to, Mode::Reduce).submit());
    }
    for k in 0..behind {
        let from = handles[k as usize % 2];
        let draft = bench.task().elems(1 + k * 5 % 11);
        tasks.push(draft.on(from, Mode::Read).submit());
    }
    let last = bench.task().elems(3).on(handles[0], Mode::Update);
    tasks.push(last.on(handles[1], Mode::Update).submit());
    tasks
}

#[test]
fn gates_change_no_plan() {
    for (before, behind) in [(1, 1), (3, 9), (20, 30), (50, 7)] {
        let mut bench = unlike();
        let tasks = through_two_handles(&mut bench, before, behind);
        let view = bench.engine.view(0);
        let plan = |most| {
            let batch = Batch::new(&tasks, &view, most);
            (batch.gates.len(), schedule_batch(&batch, |_| 0))
        };
        let (none, direct) = plan(usize::MAX);
        let (gates, gated) = plan(2);
        assert_eq!(
            (none, gates > 0),
            (0, before > 2),
            "{before} before {behind}"
        );
        assert_eq!(direct, gated, "{before} before {behind}");
        assert_eq!(direct.planned.len(), tasks.len());
        let view = bench.engine.view(0);
        assert_eq!(schedule(&tasks, &view), direct);
    }
}

#[test]
fn many_tasks_before_many_others_have_few_edges() {
    let (before, behind) = (2000, 3000);
    let mut bench = unlike();
    let tasks = through_two_handles(&mut bench, before, behind);
    let view = bench.engine.view(0);
    let edges = Batch::new(&tasks, &view, 16).edges() as u64;
    // Two for each way to a gate and from it: of order, and of data; and the last task's.
    assert!(edges <= 4 * (2 * before + behind) + 100, "{edges}");
}
