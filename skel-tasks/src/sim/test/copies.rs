//! Copies against a model of what is valid where.

use super::*;
use crate::{
    Arch, ArchSet, HandleId, MemoryNode, Mode,
    sim::report::{Cause, Copied, Execution, Outcome},
};
use std::collections::HashMap;

/// Something that happens to copies.
enum Happens<'r> {
    Ends(&'r Execution),
    Arrives(usize),
    Departs(usize, &'r Copied),
    Starts(&'r Execution),
}

/// The version of what a task that failed has left, or was to write.
const NOTHING: u32 = u32::MAX;

/// Replays a report: which write each memory's copy is of. Copies take what their source has when they begin; each
/// task finds, where it begins, what the last write before it left.
fn is_coherent(program: &Program, report: &Report, what: &str) {
    let mut happens: Vec<(u64, u8, usize, Happens<'_>)> = Vec::new();
    for (k, it) in report.executions.iter().enumerate() {
        happens.push((it.end_ns, 0, k, Happens::Ends(it)));
        happens.push((it.start_ns, 3, k, Happens::Starts(it)));
    }
    // What a task was to write that did not end well may be copied, but not read.
    let is_whole = report.tasks == report.executions.len() && report.cancelled.is_empty();
    for (k, copy) in report.copies.iter().enumerate() {
        happens.push((copy.end_ns, 1, k, Happens::Arrives(k)));
        happens.push((copy.start_ns, 2, k, Happens::Departs(k, copy)));
    }
    happens.sort_by_key(|(ns, rank, k, _)| (*ns, *rank, *k));

    let mut written = vec![0_u32; program.all_data().len()];
    let mut has: HashMap<(HandleId, MemoryNode), u32> = HashMap::new();
    let mut under_way: HashMap<usize, u32> = HashMap::new();
    let mut staged: HashMap<HandleId, u32> = HashMap::new();
    let node = |it: &Execution| report.machine.node_of(it.worker);
    let home = |handle: HandleId, at| program.all_data()[handle.slot()].home == Some(at);
    for (_, _, _, event) in happens {
        match event {
            Happens::Departs(k, copy) => {
                let is_second = k > 0 && {
                    let first = &report.copies[k - 1];
                    first.is_staged && first.handle == copy.handle && first.cause == copy.cause
                };
                let source = match is_second {
                    true => staged.get(&copy.handle),
                    false => has.get(&(copy.handle, copy.from)),
                };
                let version = match source {
                    Some(version) => *version,
                    None if home(copy.handle, copy.from) => 0,
                    None => {
                        assert!(!is_whole, "{what}: nothing to copy {copy:?}");
                        NOTHING
                    }
                };
                under_way.insert(k, version);
            }
            Happens::Arrives(k) => {
                let (copy, version) = (&report.copies[k], under_way[&k]);
                assert_eq!(copy.bytes, program.all_data()[copy.handle.slot()].bytes);
                match copy.is_staged {
                    true => staged.insert(copy.handle, version),
                    false => has.insert((copy.handle, copy.to), version),
                };
            }
            Happens::Starts(it) => {
                let task = program.get(it.task).unwrap();
                for access in task.accesses.iter().filter(|access| access.mode.reads()) {
                    let (handle, at) = (access.handle, node(it));
                    let version = has.get(&(handle, at)).copied();
                    let version = version.or(home(handle, at).then_some(0));
                    assert_eq!(
                        version,
                        Some(written[handle.slot()]),
                        "{what}: {it:?} of {handle}"
                    );
                }
            }
            Happens::Ends(it) => {
                let task = program.get(it.task).unwrap();
                for access in task.accesses.iter().filter(|access| access.mode.writes()) {
                    let version = match it.outcome {
                        Outcome::Done => {
                            written[access.handle.slot()] += 1;
                            written[access.handle.slot()]
                        }
                        Outcome::Failed => NOTHING,
                        // It has left no trace, as its retry supposes.
                        Outcome::Lost => continue,
                    };
                    has.insert((access.handle, node(it)), version);
                }
            }
        }
    }
}

#[test]
fn each_task_finds_what_it_reads_and_bytes_are_conserved() {
    for capacity_bytes in [None, Some(400_000)] {
        let simulation = Simulation::new(machine(capacity_bytes), rates());
        each_run(&simulation, |program, report, what| {
            is_coherent(program, report, what);
            let copied: u64 = report.copies.iter().map(|copy| copy.bytes).sum();
            assert_eq!(copied, report.bytes_moved(), "{what}");
            // Links are FIFO, and make one copy at a time.
            let mut free_ns = HashMap::new();
            for copy in &report.copies {
                let last = free_ns.insert((copy.from, copy.to), copy.end_ns);
                assert!(copy.start_ns >= last.unwrap_or(0), "{what}: {copy:?}");
            }
        });
    }
}

#[test]
fn each_task_finds_what_it_reads_also_when_another_fails_or_a_worker_is_lost() {
    let whole = Simulation::new(machine(Some(400_000)), rates());
    each_run(&whole, |program, report, what| {
        let all = schedulers();
        let same = all.iter().find(|it| it.text() == report.scheduler).unwrap();
        for part in [1, 3, 7] {
            let lost = whole
                .clone()
                .lose(WorkerId(3), report.makespan_ns * part / 10);
            let failing = lost.clone().fail(program.len() * part as usize / 10);
            for simulation in [lost, failing] {
                let report = simulation.run(&**same, program).unwrap();
                is_coherent(program, &report, &format!("{what}, {part}"));
            }
        }
    });
}

/// Passes over tiles that one device updates, in a memory for half of them.
#[test]
fn a_memory_of_half_the_working_set_writes_back_and_ends() {
    let (tiles, passes, bytes) = (16_u64, 4, 1_000_000);
    let machine = Machine::builder()
        .arch("cpu", 1)
        .device("gpu", 1, Some(tiles / 2 * bytes), BUS)
        .build()
        .unwrap();
    let mut program = Program::new("passes");
    let kind = program.kind("update");
    let gpu = ArchSet::only(Arch(1));
    let tile: Vec<_> = (0..tiles)
        .map(|_| program.data_at(bytes, MemoryNode::HOST))
        .collect();
    for _ in 0..passes {
        for &tile in &tile {
            program
                .task(kind)
                .access(tile, Mode::Update)
                .archs(gpu)
                .work(1_000)
                .add();
        }
    }
    let simulation = Simulation::new(machine, Rates::new(vec![vec![Some(1.0); 2]]));
    for scheduler in schedulers() {
        let report = simulation.run(&*scheduler, &program).unwrap();
        let what = scheduler.text();
        laws::is_valid(&program, &report, &what);
        is_coherent(&program, &report, &what);
        assert_eq!(report.tasks as u64, tiles * passes);
        let evicted = report
            .copies
            .iter()
            .filter(|it| matches!(it.cause, Cause::Evict { .. }));
        assert_eq!(evicted.count() as u64, report.evictions);
        assert!(
            report.evictions >= tiles / 2,
            "{what}: {}",
            report.evictions
        );
    }
}
