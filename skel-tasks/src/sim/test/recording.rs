//! What is recorded of a run is the program that ran.

use crate::{
    Access, Costs, Engine, Finish, HandleId, Machine, MemoryNode, NewTask, TaskId, Unknown,
    WorkerId, scheduler,
    sim::{
        Program, Recorder, Recording, Simulation,
        patterns::{self, rates},
        report::Outcome,
    },
};

/// Runs a program on one core, task after task, each in the time that its rate says; `fails` does its task.
fn run(program: &Program, fails: Option<usize>) -> Recording {
    let machine = Machine::cores(1).unwrap();
    let eager = scheduler::parse("eager").unwrap();
    let scheduler = eager.build(&machine).unwrap();
    let mut engine = Engine::new(machine.clone(), scheduler, Box::new(Unknown));
    let mut recorder = Recorder::new(program.name(), &machine, eager.text());
    let rates = rates(program, &machine);
    // Handles of data that is gone take slots, so that those of the program are others.
    let gone = engine.register(1, Some(MemoryNode::HOST));
    recorder.registered(gone, 1);
    engine.unregister(gone).unwrap();
    let mut register = |data: &crate::sim::Data| {
        let handle = engine.register(data.bytes, Some(MemoryNode::HOST));
        recorder.registered(handle, data.bytes);
        handle
    };
    let handles: Vec<HandleId> = program.all_data().iter().map(&mut register).collect();
    let mut tasks: Vec<TaskId> = Vec::new();
    for task in program.tasks() {
        let name = &program.kinds()[task.kind.0 as usize];
        let access = |access: &Access| Access {
            handle: handles[access.handle.slot()],
            mode: access.mode,
        };
        let accesses: Vec<Access> = task.accesses.iter().map(access).collect();
        let after: Vec<TaskId> = task.after.iter().map(|before| tasks[*before]).collect();
        let new = NewTask {
            after: &after,
            work: task.work,
            priority: task.priority,
            ..NewTask::new(engine.kind(name), &accesses)
        };
        let id = engine.submit(new, 0).unwrap();
        recorder.submitted(id, name, &new);
        tasks.push(id);
    }
    // The run began long after the clock.
    let mut now_ns = 1_000_000;
    while let Some(id) = engine.next(WorkerId(0), now_ns).unwrap() {
        let position = tasks.iter().position(|task| *task == id).unwrap();
        let task = program.get(position).unwrap();
        let took_ns = rates.exec_ns(task.kind, crate::Arch(0), task.work).unwrap();
        let (how, outcome) = match fails == Some(position) {
            true => (Finish::Failed, Outcome::Failed),
            false => (Finish::Done { took_ns }, Outcome::Done),
        };
        recorder.executed(id, WorkerId(0), now_ns, now_ns + took_ns, outcome);
        now_ns += took_ns;
        engine.finished(id, how, WorkerId(0), now_ns).unwrap();
        for (task, cause) in engine.take_cancelled() {
            recorder.cancelled(task, cause, now_ns);
        }
    }
    assert_eq!(engine.pending(), 0);
    recorder.recording()
}

fn edges(program: &Program) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    program.edges(|before, task| edges.push((before, task)));
    edges
}

#[test]
fn the_recorded_program_is_the_one_that_ran_and_takes_its_time_again() {
    for program in [
        patterns::cholesky(5, 100),
        patterns::stencil_1d(6, 4, 1 << 16),
    ] {
        let recording = run(&program, None);
        assert_eq!(edges(&recording.program), edges(&program));
        let report = &recording.report;
        assert_eq!((report.tasks, report.idle_ns()), (program.len(), 0));
        assert_eq!(report.bounds.area_ns, report.makespan_ns);
        assert_eq!(report.executions[0].start_ns, 0);
        let simulation = Simulation::new(report.machine.clone(), recording.rates());
        let again = simulation.run(&*scheduler::parse("eager").unwrap(), &recording.program);
        let again = again.unwrap();
        // Rates are means: of each task a nanosecond may be lost.
        let difference_ns = again.makespan_ns.abs_diff(report.makespan_ns);
        assert!(difference_ns <= program.len() as u64, "{difference_ns} ns");
    }
}

#[test]
fn what_failed_and_was_cancelled_is_recorded_as_such() {
    let mut program = Program::new("three");
    let (kind, x) = (program.kind("step"), program.data_at(8, MemoryNode::HOST));
    for _ in 0..3 {
        program.task(kind).updates(x).work(10).add();
    }
    let report = run(&program, Some(1)).report;
    assert_eq!(report.tasks, 1);
    assert_eq!(report.executions[1].outcome, Outcome::Failed);
    let [cancelled] = report.cancelled[..] else {
        panic!("{:?}", report.cancelled);
    };
    assert_eq!((cancelled.task, cancelled.cause), (2, 1));
    assert!(report.svg(400).contains("<svg"));
}

/// As long as nothing is known of it: a program with tasks that never ran can be simulated.
#[test]
fn a_kind_of_which_none_was_done_takes_no_time() {
    let mut program = Program::new("one fails");
    let kinds = ["fine", "fails"].map(|name| program.kind(name));
    for kind in kinds {
        program.task(kind).work(100).add();
    }
    let recording = run(&program, Some(1));
    let simulation = Simulation::new(Machine::cores(4).unwrap(), recording.rates());
    let report = simulation
        .run(&scheduler::Eager, &recording.program)
        .unwrap();
    assert_eq!(report.executions.len(), 2);
    let fine = recording
        .report
        .executions
        .iter()
        .find(|it| it.kind == kinds[0]);
    let fine = fine.unwrap();
    assert_eq!(report.makespan_ns, fine.end_ns - fine.start_ns);
}
