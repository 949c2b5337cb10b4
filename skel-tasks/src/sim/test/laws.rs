//! What holds of every run.

use super::*;
use crate::sim::report::Outcome;

/// Each task once, none before what it waits for has ended, none beside another on its worker.
pub(super) fn is_valid(program: &Program, report: &Report, what: &str) {
    let mut at = vec![None; program.len()];
    let done = report
        .executions
        .iter()
        .filter(|it| it.outcome == Outcome::Done);
    for it in done {
        assert!(
            at[it.task].replace(*it).is_none(),
            "{what}: twice {}",
            it.task
        );
    }
    program.edges(|before, task| {
        if let (Some(before), Some(task)) = (at[before], at[task]) {
            assert!(
                before.end_ns <= task.start_ns,
                "{what}: {before:?} {task:?}"
            );
        }
    });
    let mut by_worker = report.executions.clone();
    by_worker.sort_by_key(|it| (it.worker, it.start_ns, it.end_ns));
    for pair in by_worker
        .windows(2)
        .filter(|pair| pair[0].worker == pair[1].worker)
    {
        assert!(pair[0].end_ns <= pair[1].start_ns, "{what}: {pair:?}");
    }
    let busy: u64 = report
        .executions
        .iter()
        .map(|it| it.end_ns - it.start_ns)
        .sum();
    assert_eq!(report.busy_ns.iter().sum::<u64>(), busy, "{what}");
}

#[test]
fn each_task_runs_once_in_order_and_no_run_beats_the_bounds() {
    let variants = [
        Simulation::new(machine(None), rates()),
        Simulation::new(machine(None), rates())
            .noise(0.3, 5)
            .most_submitted(10),
        Simulation::new(machine(None), rates()).in_one_batch(),
        Simulation::new(machine(Some(400_000)), rates()).expect(|| Box::new(crate::Unknown)),
    ];
    for simulation in &variants {
        each_run(simulation, |program, report, what| {
            is_valid(program, report, what);
            assert_eq!(
                (report.tasks, report.cancelled.len()),
                (program.len(), 0),
                "{what}"
            );
            assert!(report.makespan_ns >= report.bounds.best_ns(), "{what}");
            assert!(report.bounds.best_ns() > 0 && report.efficiency() <= 1.0);
            let all_ns = report.makespan_ns * report.busy_ns.len() as u64;
            assert_eq!(
                report.idle_ns() + report.busy_ns.iter().sum::<u64>(),
                all_ns
            );
        });
    }
}

#[test]
fn operations_cost_time_and_change_no_law() {
    let operations = crate::sim::Operations {
        submit_ns: 50,
        push_ns: 20,
        pop_ns: 10,
        launch_ns: 30,
    };
    for batch in [false, true] {
        let mut simulation = Simulation::new(machine(None), rates()).operations(operations);
        if batch {
            simulation = simulation.in_one_batch();
        }
        each_run(&simulation, |program, report, what| {
            is_valid(program, report, what);
            assert_eq!(report.tasks, program.len());
            let last = report
                .executions
                .iter()
                .find(|it| it.task + 1 == program.len());
            assert!(
                last.unwrap().start_ns >= 50 * (program.len() as u64 - 1),
                "{what}"
            );
        });
    }
}

#[test]
fn eager_keeps_grahams_bound_on_equal_workers() {
    for seed in 0..20 {
        let program = patterns::random_graph(200, 5 + seed as usize, seed);
        let rates = Rates::new(vec![vec![Some(3.0)]; 3]);
        for m in [1, 2, 3, 7] {
            let simulation = Simulation::new(Machine::cores(m).unwrap(), rates.clone());
            let eager = scheduler::parse("eager").unwrap();
            let report = simulation.run(&*eager, &program).unwrap();
            let (work, m) = (report.busy_ns.iter().sum::<u64>() as f64, f64::from(m));
            // Commuting tasks exclude each other, of which Graham's list scheduling knows nothing: their sum is
            // a path as well.
            let path = excluded_path_ns(&program, 3.0);
            let bound = work / m + (1.0 - 1.0 / m) * path;
            assert!(
                report.makespan_ns as f64 <= bound + 1.0,
                "seed {seed}, {m} workers"
            );
            assert!(report.makespan_ns as f64 >= work / m - 1.0);
        }
    }
}

/// The longest path if the tasks that commute on a handle came one after the other.
fn excluded_path_ns(program: &Program, rate: f64) -> f64 {
    let time = |task: usize| program.get(task).unwrap().work.elems as f64 * rate;
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); program.len()];
    program.edges(|first, second| before[second].push(first));
    let mut chains = std::collections::HashMap::new();
    for (position, task) in program.tasks().enumerate() {
        for access in task
            .accesses
            .iter()
            .filter(|it| it.mode == crate::Mode::Commute)
        {
            if let Some(last) = chains.insert(access.handle, position) {
                before[position].push(last);
            }
        }
    }
    let mut ends = Vec::new();
    for (task, before) in before.iter().enumerate() {
        let start = before.iter().map(|k| ends[*k]).fold(0.0, f64::max);
        ends.push(start + time(task));
    }
    ends.into_iter().fold(0.0, f64::max)
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_gives_others() {
    let program = patterns::random_graph(300, 20, 3);
    let of = |seed| Simulation::new(machine(Some(400_000)), rates()).noise(0.2, seed);
    for scheduler in schedulers() {
        let run = |seed| of(seed).run(&*scheduler, &program).unwrap();
        let (one, two) = (run(1), run(1));
        assert_eq!(one.trace(), two.trace());
        assert_eq!(one, two);
        assert_ne!(one.trace(), run(2).trace());
    }
}

#[test]
fn the_area_bound_is_the_fractional_optimum() {
    // Two kinds, one worker each: by hand, 60 of `a` on cpu, and 20 of `b` on gpu, and the rest shared.
    let mut program = Program::new("area");
    let (a, b) = (program.kind("a"), program.kind("b"));
    (0..10).for_each(|_| _ = program.task(a).work(10).add());
    (0..10).for_each(|_| _ = program.task(b).work(10).add());
    let gpu = |machine: crate::MachineBuilder| machine.device("gpu", 1, None, BUS);
    let two = gpu(Machine::builder().arch("cpu", 1)).build().unwrap();
    let rates = Rates::new(vec![
        vec![Some(1.0), Some(1.0), Some(1e9)],
        vec![Some(4.0), Some(1.0), Some(1e9)],
    ]);
    let eager = scheduler::parse("eager").unwrap();
    let report = Simulation::new(two, rates.clone())
        .run(&*eager, &program)
        .unwrap();
    assert_eq!(report.bounds.area_ns, 100);
    // A third architecture that helps nothing: the bound of many is close.
    let three = gpu(Machine::builder().arch("cpu", 1))
        .arch("slow", 1)
        .build()
        .unwrap();
    let report = Simulation::new(three, rates)
        .fail(0)
        .run(&*eager, &program)
        .unwrap();
    assert!(
        (95..=100).contains(&report.bounds.area_ns),
        "{:?}",
        report.bounds
    );
}
