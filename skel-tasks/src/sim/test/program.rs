//! Programs and patterns.

use super::*;
use crate::{Mode, sim::patterns::Dependence};

fn edges(program: &Program) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    program.edges(|before, task| edges.push((before, task)));
    edges.sort_unstable();
    edges.dedup();
    edges
}

#[test]
fn edges_follow_from_modes() {
    let mut program = Program::new("modes");
    let (kind, x) = (program.kind("step"), program.data(8));
    for mode in [
        Mode::Write,
        Mode::Read,
        Mode::Read,
        Mode::Commute,
        Mode::Commute,
        Mode::Update,
        Mode::Update,
    ] {
        program.task(kind).access(x, mode).add();
    }
    program.task(kind).after(0).add();
    let expected = [
        (0, 1),
        (0, 2),
        (0, 7),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 5),
        (4, 5),
        (5, 6),
    ];
    assert_eq!(edges(&program), expected);
}

#[test]
fn what_was_described_and_not_added_leaves_nothing() {
    let mut program = Program::new("dropped");
    let (kind, x) = (program.kind("step"), program.data(8));
    let first = program.task(kind).writes(x).add();
    drop(program.task(kind).reads(x).after(first));
    let second = program.task(kind).updates(x).add();
    let task = program.get(second).unwrap();
    assert_eq!(
        (task.accesses.len(), task.after.len(), program.len()),
        (1, 0, 2)
    );
    assert!(program.get(2).is_none());
}

/// Pairs by a formula that is written down in the papers, not by the code that makes the accesses.
#[test]
fn task_benchs_patterns_have_their_edges() {
    let (width, steps) = (8_usize, 4_usize);
    let count = |dependence| {
        let program = patterns::task_bench(dependence, width, steps, 8, 1);
        let edges = edges(&program);
        let step = |task: usize| task / width;
        assert!(edges.iter().all(|(a, b)| step(*a) + 1 == step(*b)));
        edges.len()
    };
    assert_eq!(count(Dependence::NoComm), 3 * 8);
    assert_eq!(count(Dependence::Stencil1d), 3 * (8 + 7 + 7));
    assert_eq!(count(Dependence::Dom), 3 * (8 + 7));
    assert_eq!(count(Dependence::AllToAll), 3 * 64);
    assert_eq!(count(Dependence::Nearest), 3 * (8 + 2 * 7 + 2 * 6));
    // Of 5 points, two are one at this width.
    assert_eq!(count(Dependence::Spread), 3 * 8 * 4);
    // At distances 1, 2 and 4.
    assert_eq!(count(Dependence::Fft), 3 * 8 + 2 * (7 + 6 + 4));
    let random = |seed| {
        edges(&patterns::task_bench(
            Dependence::RandomNearest,
            8,
            4,
            8,
            seed,
        ))
    };
    assert_eq!(random(1), random(1));
    assert_ne!(random(1), random(2));
    let tree = patterns::task_bench(Dependence::Tree, 6, 4, 8, 0);
    assert_eq!(tree.len(), 1 + 2 + 4 + 6);
    assert!(
        edges(&tree).contains(&(5, 11)),
        "point 4 of step 3 on point 2 of step 2"
    );
}

#[test]
fn all_patterns_run_under_all_schedulers_and_keep_the_bounds() {
    for name in patterns::names() {
        let program = patterns::parse(name, 5, 3).unwrap();
        let machine = machine(Some(200 << 20));
        let simulation = Simulation::new(machine.clone(), patterns::rates(&program, &machine));
        for scheduler in schedulers() {
            let report = simulation.run(&*scheduler, &program).unwrap();
            laws::is_valid(&program, &report, name);
            assert_eq!(
                report.tasks,
                program.len(),
                "{name} under {}",
                scheduler.text()
            );
            assert!(report.makespan_ns >= report.bounds.best_ns(), "{name}");
        }
    }
    assert!(patterns::parse("cholesky", 0, 0).is_err());
    assert!(patterns::parse("cholesky", 1_025, 0).is_err());
}

/// The longest paths of the papers: 3 kernels per column, and 1 + 3 (n − 1) of QR's first kinds.
#[test]
fn factorisations_have_their_longest_paths() {
    let machine = Machine::cores(1_000).unwrap();
    for n in 1..8_usize {
        let longest = |program: &Program| {
            let ones = (0..program.kinds().len())
                .map(|_| vec![Some(1e-18)])
                .collect();
            let mut depth = vec![0_usize; program.len()];
            program.edges(|before, task| depth[task] = depth[task].max(depth[before] + 1));
            let simulation = Simulation::new(machine.clone(), Rates::new(ones));
            assert!(simulation.run(&InTurn, program).is_ok());
            depth.iter().max().map_or(0, |depth| depth + 1)
        };
        assert_eq!(longest(&patterns::cholesky(n, 10)), 3 * n - 2);
        assert_eq!(longest(&patterns::gemm(n, 10)), n);
        assert_eq!(longest(&patterns::stencil_2d(3, n, 8)), n);
    }
}
