//! What fails, and what is wrong from the beginning.

use super::*;
use crate::{
    Arch, ArchSet, MemoryNode, TaskError, WorkerId,
    sim::Operations,
    sim::report::Outcome,
    sim::report::{comparison_svg, table},
};

#[test]
fn a_lost_workers_tasks_run_elsewhere() {
    let whole = Simulation::new(machine(Some(400_000)), rates());
    for at_part in [1, 3, 9] {
        for worker in [0, 3, 4] {
            each_run(&whole, |program, report, what| {
                let at_ns = report.makespan_ns * at_part / 10;
                let less = whole.clone().lose(WorkerId(worker), at_ns);
                let all = schedulers();
                let same = all.iter().find(|it| it.text() == report.scheduler).unwrap();
                let report = less.run(&**same, program).unwrap();
                laws::is_valid(program, &report, what);
                assert_eq!(report.tasks, program.len(), "{what}");
                assert!(report.makespan_ns >= report.bounds.best_ns(), "{what}");
                let its = report.executions.iter().filter(|it| it.worker.0 == worker);
                for it in its {
                    assert!(it.end_ns <= at_ns, "{what}: {it:?}");
                }
                let lost = report
                    .executions
                    .iter()
                    .filter(|it| it.outcome == Outcome::Lost);
                assert!(lost.count() <= 1);
            });
        }
    }
}

#[test]
fn tasks_that_no_worker_is_left_for_are_cancelled_with_what_reads_theirs() {
    let mut program = Program::new("only gpu");
    let (kind, x) = (program.kind("step"), program.data(8));
    let first = program
        .task(kind)
        .writes(x)
        .work(100)
        .archs(ArchSet::only(Arch(1)))
        .add();
    let second = program.task(kind).reads(x).work(100).add();
    let free = program.task(kind).work(100).add();
    let rates = Rates::new(vec![vec![Some(1.0); 2]]);
    let mut simulation = Simulation::new(machine(None), rates);
    for worker in [3, 4] {
        simulation = simulation.lose(WorkerId(worker), 50);
    }
    for scheduler in schedulers() {
        let report = simulation.run(&*scheduler, &program).unwrap();
        let cancelled: Vec<_> = report
            .cancelled
            .iter()
            .map(|it| (it.task, it.cause))
            .collect();
        assert_eq!(cancelled, [(first, first), (second, first)]);
        assert!(report.executions.iter().any(|it| it.task == free));
    }
}

/// Which tasks cannot have what they read, by a walk over the program.
fn cancelled_by(program: &Program, failed: usize) -> Vec<usize> {
    let mut is_missing = vec![false; program.all_data().len()];
    let mut is_over = vec![false; program.len()];
    for (position, task) in program.tasks().enumerate() {
        let misses =
            |access: &crate::Access| access.mode.reads() && is_missing[access.handle.slot()];
        is_over[position] = position == failed
            || task.accesses.iter().any(misses)
            || task.after.iter().any(|before| is_over[*before]);
        for access in task.accesses.iter().filter(|access| access.mode.writes()) {
            is_missing[access.handle.slot()] = is_over[position];
        }
    }
    let all = (0..program.len()).filter(|task| is_over[*task] && *task != failed);
    all.collect()
}

/// Tasks that commute update: of those, it depends on the schedule which come before the failing one.
fn ordered(program: &Program) -> Program {
    let mut same = Program::new(program.name());
    program.kinds().iter().for_each(|kind| _ = same.kind(kind));
    for data in program.all_data() {
        match data.home {
            Some(home) => same.data_at(data.bytes, home),
            None => same.data(data.bytes),
        };
    }
    for task in program.tasks() {
        let mut new = same.task(task.kind).work(task.work.elems);
        for access in task.accesses {
            new = match access.mode {
                crate::Mode::Commute => new.updates(access.handle),
                mode => new.access(access.handle, mode),
            };
        }
        new = task
            .after
            .iter()
            .fold(new, |new, before| new.after(*before));
        new.add();
    }
    same
}

#[test]
fn a_failing_task_cancels_exactly_what_needs_its_data() {
    let simulation = Simulation::new(machine(None), rates());
    each_run(&simulation.clone(), |program, report, what| {
        let program = &ordered(program);
        let failed = program.len() / 4;
        let all = schedulers();
        let same = all.iter().find(|it| it.text() == report.scheduler).unwrap();
        // All are submitted before the first one ends, so that `after` finds what it names unfinished.
        let failing = simulation.clone().fail(failed);
        let report = failing.run(&**same, program).unwrap();
        laws::is_valid(program, &report, what);
        let mut cancelled: Vec<usize> = report.cancelled.iter().map(|it| it.task).collect();
        cancelled.sort_unstable();
        assert_eq!(cancelled, cancelled_by(program, failed), "{what}");
        assert!(report.cancelled.iter().all(|it| it.cause == failed));
        assert_eq!(report.tasks + cancelled.len(), program.len());
    });
}

#[test]
fn what_cannot_be_is_named() {
    let simulation = Simulation::new(machine(None), rates());
    let eager = scheduler::parse("eager").unwrap();
    let mut program = Program::new("one");
    let kind = program.kind("step");
    program.task(kind).work(1).add();
    let error = |simulation: Simulation, program: &Program| {
        simulation.run(&*eager, program).unwrap_err().to_string()
    };
    for (bad, what) in [
        (simulation.clone().noise(1.0, 0), "`noise` is `1`"),
        (simulation.clone().noise(f64::NAN, 0), "`noise` is `NaN`"),
        (
            simulation.clone().most_submitted(0),
            "`most_submitted` is `0`",
        ),
        (simulation.clone().ahead(ClassId(1), 0), "`ahead` is `0`"),
        (
            simulation.clone().ahead(ClassId(9), 1),
            "`ahead of class` is `9`",
        ),
        (
            simulation.clone().lose(WorkerId(5), 0),
            "`lose worker` is `5`",
        ),
        (simulation.clone().fail(1), "`fail task` is `1`"),
    ] {
        let found = error(bad, &program);
        assert!(found.contains(what), "{found}");
    }
    let mut early = Program::new("early");
    let kind = early.kind("step");
    early.task(kind).after(0).add();
    assert!(error(simulation.clone(), &early).contains("task 0 waits for task 0"));
    let mut lost = Program::new("lost");
    lost.data_at(8, MemoryNode(77));
    assert!(error(simulation.clone(), &lost).contains("memory node 77, of 3"));
    let mut foreign = Program::new("foreign");
    let (kind, x) = (foreign.kind("step"), Program::new("other").data(8));
    foreign.task(kind).writes(x).add();
    let found = simulation.run(&*eager, &foreign).unwrap_err();
    let of_task = |kind| TaskError::UnknownHandle { kind, handle: x };
    assert_eq!(found, of_task("step".into()));
    assert!(found.to_string().contains("of a task `step`"));
    let mut kinds = Program::new("kinds");
    (0..4).for_each(|k| _ = kinds.kind(&format!("kind{k}")));
    kinds.task(crate::KindId(3)).add();
    assert!(error(simulation.clone(), &kinds).contains("can run `kind3`"));
    kinds.task(crate::KindId(4)).add();
    assert!(error(simulation, &kinds).contains("of no kind"));
}

#[test]
fn times_without_end_do_not_overflow() {
    let mut program = Program::new("endless");
    let kind = program.kind("step");
    let x = program.data_at(u64::MAX, MemoryNode::HOST);
    (0..3).for_each(|_| _ = program.task(kind).updates(x).work(u64::MAX).add());
    let rates = Rates::new(vec![vec![Some(1e9); 2]]);
    let operations = Operations {
        pop_ns: u64::MAX,
        ..Operations::default()
    };
    let simulation = Simulation::new(machine(None), rates).operations(operations);
    for scheduler in schedulers() {
        assert_eq!(simulation.run(&*scheduler, &program).unwrap().tasks, 3);
    }
    // Several such at once, over links that never end, directly and by way of the host.
    let mut program = Program::new("several");
    let kind = program.kind("step");
    let x: Vec<_> = (0..3)
        .map(|_| program.data_at(u64::MAX / 2 + 1, MemoryNode::HOST))
        .collect();
    for k in 0..6 {
        let task = program.task(kind).reads(x[k % 3]).reads(x[(k + 1) % 3]);
        task.updates(x[(k + 2) % 3]).work(u64::MAX).add();
    }
    for (latency_ns, bytes_per_ns) in [(1, 1e-18), (u64::MAX, 1.0)] {
        let never = Link {
            latency_ns,
            bytes_per_ns,
        };
        let machine = Machine::builder().arch("cpu", 2);
        let machine = machine.device("gpu", 1, None, never);
        let machine = machine.device("other", 1, None, never).build().unwrap();
        let rates = Rates::new(vec![vec![Some(1e9); 3]]);
        let simulation = Simulation::new(machine, rates).operations(operations);
        for scheduler in schedulers() {
            let report = simulation.run(&*scheduler, &program).unwrap();
            assert_eq!(report.tasks, 6);
            let shown = [
                report.svg(900),
                report.chrome(&program),
                report.paje(),
                report.trace(),
                comparison_svg(std::slice::from_ref(&report), 900),
                table(std::slice::from_ref(&report)),
            ];
            assert!(shown.iter().all(|shown| !shown.is_empty()));
        }
    }
}

/// What the smaller memory has no room for runs on the larger one, and no task is kept for ever.
#[test]
fn memories_of_different_sizes_share_tasks_that_fit_one_of_them() {
    let machine = Machine::builder()
        .device("gpu", 1, Some(50), BUS)
        .device("gpu", 1, Some(100), BUS)
        .build()
        .unwrap();
    let mut program = Program::new("sizes");
    let kind = program.kind("step");
    for k in 0..20 {
        let x = program.data_at(if k % 3 == 0 { 80 } else { 30 }, MemoryNode::HOST);
        program.task(kind).updates(x).work(100).add();
    }
    for most in [1, 4_096] {
        let simulation = Simulation::new(machine.clone(), Rates::new(vec![vec![Some(1.0)]]));
        let useful = schedulers().into_iter();
        // Some need cores.
        for scheduler in useful.filter(|scheduler| scheduler.build(&machine).is_ok()) {
            let report = simulation
                .clone()
                .most_submitted(most)
                .run(&*scheduler, &program);
            assert_eq!(
                report.map(|report| report.tasks),
                Ok(20),
                "{}",
                scheduler.text()
            );
        }
    }
}

#[derive(Debug)]
struct Keeps;

impl Configuration for Keeps {
    fn text(&self) -> String {
        "keeps".into()
    }

    fn build(&self, _: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(Kept::default()))
    }
}

#[derive(Default)]
struct Kept {
    tasks: Vec<TaskId>,
}

impl Scheduler for Kept {
    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        self.tasks.push(task);
        Hint::any(view.able(task).collect())
    }

    fn pop(&mut self, _: WorkerId, _: &View<'_>) -> Option<TaskId> {
        None
    }

    fn drain(&mut self) -> Vec<TaskId> {
        std::mem::take(&mut self.tasks)
    }

    fn ready(&self, _: ClassId) -> usize {
        self.tasks.len()
    }
}

#[test]
fn a_scheduler_that_keeps_tasks_is_an_error_and_not_an_endless_run() {
    let mut program = Program::new("kept");
    let kind = program.kind("step");
    (0..3).for_each(|_| _ = program.task(kind).work(1).add());
    let simulation = Simulation::new(machine(None), rates());
    let error = simulation.run(&Keeps, &program).unwrap_err();
    assert_eq!(error, TaskError::Stuck { tasks: 3 });
}

/// Rates from which no time follows.
#[test]
fn tasks_take_times_that_can_be() {
    let mut program = Program::new("one task");
    let kind = program.kind("step");
    program.task(kind).work(1 << 40).add();
    let run = |rate| {
        let simulation = Simulation::new(Machine::cores(1).unwrap(), Rates::new(vec![vec![rate]]));
        simulation.run(&*schedulers()[0], &program)
    };
    assert_eq!(run(Some(0.0)).unwrap().makespan_ns, 0);
    assert_eq!(run(Some(2.0)).unwrap().makespan_ns, 2 << 40);
    for rate in [f64::NAN, -1.0, f64::INFINITY] {
        let error = run(Some(rate)).unwrap_err();
        assert!(
            matches!(error, TaskError::BadProgram { .. }),
            "{rate}: {error}"
        );
    }
}
