//! Rates of the kinds of tasks that patterns have.

use crate::{Arch, Machine, MemoryNode, Rates, sim::Program};

/// How many units of work per nanosecond a core does, and how many times as fast an accelerator is. For kernels on
/// tiles, these are of the order that is published for 960² doubles on a core and a GPU of that time (Agullo et al.
/// 2016): updates are accelerated much better than factorisations of a tile.
const KERNELS: [(&str, f64, f64); 9] = [
    ("potrf", 8.0, 2.0),
    ("trsm", 9.0, 11.0),
    ("syrk", 9.5, 26.0),
    ("gemm", 10.0, 29.0),
    ("geqrt", 7.0, 2.0),
    ("tsqrt", 7.5, 3.0),
    ("unmqr", 8.5, 16.0),
    ("tsmqr", 9.0, 20.0),
    // Bytes; bounded by memory.
    ("stencil", 5.0, 20.0),
];

/// Times for a pattern on a machine: architectures with memories of their own are accelerators, the others cores.
/// Kinds that no pattern has take 1 ns per unit of work on a core and are 10 times as fast on an accelerator.
///
/// ```
/// use skel_tasks::{Machine, scheduler, sim::{Simulation, patterns}};
///
/// let program = patterns::cholesky(4, 100);
/// let machine = Machine::cores(2)?;
/// let simulation = Simulation::new(machine.clone(), patterns::rates(&program, &machine));
/// let report = simulation.run(&*scheduler::parse("eager")?, &program)?;
/// assert!(report.makespan_ns >= report.bounds.best_ns());
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[must_use]
pub fn rates(program: &Program, machine: &Machine) -> Rates {
    let is_accelerator = |arch: usize| {
        let mut classes = machine.classes().iter();
        classes.any(|class| class.arch == Arch(arch as u8) && class.node != MemoryNode::HOST)
    };
    let kind = |name: &String| {
        let known = KERNELS.iter().find(|(kernel, ..)| kernel == name);
        let (speed, times) = known.map_or((1.0, 10.0), |(_, speed, times)| (*speed, *times));
        let archs = 0..machine.archs().len();
        let rate = |arch| match is_accelerator(arch) {
            true => Some(1.0 / (speed * times)),
            false => Some(1.0 / speed),
        };
        archs.map(rate).collect()
    };
    Rates::new(program.kinds().iter().map(kind).collect())
}
