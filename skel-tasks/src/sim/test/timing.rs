//! Times in closed form.

use super::*;
use crate::{Arch, ArchSet, MemoryNode, Mode, WorkerId, sim::Operations, sim::report::Cause};

const LINK: Link = Link {
    latency_ns: 100,
    bytes_per_ns: 1.0,
};

fn eager() -> Box<dyn Configuration> {
    scheduler::parse("eager").unwrap()
}

fn one_rate() -> Rates {
    Rates::new(vec![vec![Some(1.0); 4]])
}

#[test]
fn a_chain_on_two_devices_waits_for_each_copy_and_both_links() {
    let builder = Machine::builder().device("left", 1, None, LINK);
    let machine = builder.device("right", 1, None, LINK).build().unwrap();
    let mut program = Program::new("ping pong");
    let kind = program.kind("step");
    let x = program.data_at(400, MemoryNode::HOST);
    for k in 0..4 {
        let side = ArchSet::only(Arch(k % 2));
        program.task(kind).updates(x).archs(side).work(1_000).add();
    }
    let report = Simulation::new(machine, one_rate())
        .run(&*eager(), &program)
        .unwrap();
    // A hop takes 100 + 400. From the host one, then three times two.
    let starts: Vec<u64> = report.executions.iter().map(|it| it.start_ns).collect();
    assert_eq!(starts, [500, 2_500, 4_500, 6_500]);
    assert_eq!((report.makespan_ns, report.bytes_moved()), (7_500, 7 * 400));
    assert_eq!(
        report.copies.iter().filter(|copy| copy.is_staged).count(),
        3
    );
    assert_eq!(report.waiting_ns, [500 + 1_000, 1_000 + 1_000]);
    assert_eq!(report.bounds.critical_path_ns, 4_000);
}

#[test]
fn copies_for_the_next_task_are_made_while_one_executes() {
    let machine = Machine::builder()
        .device("gpu", 1, None, LINK)
        .build()
        .unwrap();
    let mut program = Program::new("stream");
    let kind = program.kind("step");
    for _ in 0..10 {
        let x = program.data_at(400, MemoryNode::HOST);
        program.task(kind).reads(x).work(500).add();
    }
    let simulation = Simulation::new(machine, one_rate());
    let makespan_ns =
        |simulation: &Simulation| simulation.run(&*eager(), &program).unwrap().makespan_ns;
    // Alone: copy and step, ten times. Two ahead: all copies but the first are hidden.
    assert_eq!(
        makespan_ns(&simulation.clone().ahead(ClassId(0), 1)),
        10_000
    );
    assert_eq!(makespan_ns(&simulation), 500 + 5_000);
}

#[test]
fn a_link_makes_one_copy_at_a_time_and_directions_are_independent() {
    let machine = Machine::builder()
        .device("gpu", 2, None, LINK)
        .build()
        .unwrap();
    let mut program = Program::new("link");
    let kind = program.kind("step");
    let x = [0, 1].map(|_| program.data_at(400, MemoryNode::HOST));
    program.task(kind).reads(x[0]).work(10).add();
    program.task(kind).reads(x[1]).work(10).add();
    let report = Simulation::new(machine, one_rate())
        .run(&*eager(), &program)
        .unwrap();
    let times: Vec<_> = report
        .copies
        .iter()
        .map(|it| (it.start_ns, it.end_ns))
        .collect();
    assert_eq!(times, [(0, 500), (500, 1_000)]);
    assert_eq!(
        (report.makespan_ns, report.links[0].busy_ns),
        (1_010, 1_000)
    );
}

#[test]
fn data_under_way_for_another_task_is_waited_for_and_not_copied_again() {
    let machine = Machine::builder()
        .device("gpu", 2, None, LINK)
        .build()
        .unwrap();
    let mut program = Program::new("shared");
    let kind = program.kind("step");
    let x = program.data_at(400, MemoryNode::HOST);
    (0..2).for_each(|_| _ = program.task(kind).reads(x).work(10).add());
    let report = Simulation::new(machine, one_rate())
        .run(&*eager(), &program)
        .unwrap();
    assert_eq!(report.copies.len(), 1);
    let starts: Vec<u64> = report.executions.iter().map(|it| it.start_ns).collect();
    assert_eq!(starts, [500, 500]);
}

#[test]
fn prefetches_go_over_links_before_the_worker_takes_the_task() {
    let machine = Machine::builder()
        .device("gpu", 1, None, LINK)
        .build()
        .unwrap();
    let mut program = Program::new("ahead");
    let kind = program.kind("step");
    for _ in 0..4 {
        let x = program.data_at(400, MemoryNode::HOST);
        program.task(kind).reads(x).work(100).add();
    }
    let simulation = Simulation::new(machine, one_rate()).ahead(ClassId(0), 1);
    let report = simulation.run(&InTurn, &program).unwrap();
    assert!(
        report
            .copies
            .iter()
            .all(|copy| copy.cause == Cause::Prefetch)
    );
    // The last pushed is taken first, and its copy is the last.
    assert_eq!(report.makespan_ns, 2_000 + 400);
}

#[test]
fn operations_have_their_times() {
    let mut program = Program::new("operations");
    let kind = program.kind("step");
    (0..3).for_each(|_| _ = program.task(kind).work(100).add());
    let of = |submit_ns, push_ns, pop_ns, launch_ns| {
        let operations = Operations {
            submit_ns,
            push_ns,
            pop_ns,
            launch_ns,
        };
        let simulation = Simulation::new(Machine::cores(1).unwrap(), one_rate());
        let report = simulation.operations(operations).run(&*eager(), &program);
        report.unwrap().makespan_ns
    };
    assert_eq!(of(0, 0, 0, 0), 300);
    assert_eq!(of(1_000, 0, 0, 0), 2_100);
    assert_eq!(of(0, 0, 7, 5), 3 * 112);
    assert_eq!(of(10, 0, 0, 0), 300);
    // In a chain, each end but the last makes one task ready.
    let x = program.data(8);
    let mut chain = Program::new("chain");
    let (kind, _) = (chain.kind("step"), chain.data(8));
    (0..3).for_each(|_| _ = chain.task(kind).writes(x).work(100).add());
    let operations = Operations {
        push_ns: 9,
        ..Operations::default()
    };
    let simulation = Simulation::new(Machine::cores(1).unwrap(), one_rate());
    let report = simulation
        .operations(operations)
        .run(&*eager(), &chain)
        .unwrap();
    assert_eq!(report.makespan_ns, 300 + 2 * 9);
}

#[test]
fn workers_have_names_by_their_architecture() {
    let program = Program::new("nothing");
    let report = Simulation::new(machine(None), rates())
        .run(&*eager(), &program)
        .unwrap();
    let names: Vec<String> = (0..5).map(|k| report.worker_name(WorkerId(k))).collect();
    assert_eq!(names, ["cpu0", "cpu1", "cpu2", "gpu0", "gpu1"]);
    assert_eq!((report.makespan_ns, report.efficiency()), (0, 1.0));
}

#[test]
fn contributions_run_together_and_commuting_tasks_one_at_a_time() {
    for (mode, makespan_ns) in [(Mode::Reduce, 100 + 100), (Mode::Commute, 4 * 100 + 100)] {
        let mut program = Program::new("modes");
        let kind = program.kind("step");
        let x = program.data_at(8, MemoryNode::HOST);
        for _ in 0..4 {
            program.task(kind).access(x, mode).work(100).add();
        }
        program.task(kind).reads(x).work(100).add();
        let simulation = Simulation::new(Machine::cores(4).unwrap(), one_rate());
        let report = simulation.run(&*eager(), &program).unwrap();
        assert_eq!(report.makespan_ns, makespan_ns, "{mode:?}");
    }
}
