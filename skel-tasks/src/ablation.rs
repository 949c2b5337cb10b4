//! What optimisations of a runtime for devices are worth, one after the other, as laws of a simulated device: Thomadakis
//! and Chrisochoides, *Runtime support for CPU-GPU high-performance computing on distributed memory platforms*, 2024
//! (PREMA).
//!
//! The program is theirs: a hundred times, two matrices of `n`² doubles are copied to a GPU and multiplied there, and
//! nothing is copied back. What is taken from them is the bus of 10 GB/s, and the kernel's speed, which follows from one
//! of their figures. The latency of a copy and of a launch, what an allocation takes and what pageable memory gives are
//! assumed. So their other figures can be compared with what comes out.
//!
//! ```
//! use skel_tasks::ablation::{Switches, multiply};
//!
//! let (plain, pinned) = (Switches::default(), Switches { pinned: true, ..Switches::default() });
//! let [before, after] = [plain, pinned].map(|switches| multiply(512, switches).unwrap().makespan_ns);
//! assert!(before > after * 3 / 2);
//! ```

use crate::{
    ClassId, Link, Machine, MemoryNode, Ns, Rates, TaskError, scheduler,
    sim::{Operations, Program, Report, Simulation},
};
use std::fmt::Write;

const MULTIPLICATIONS: usize = 100;
/// Of pinned memory: the paper's.
const PINNED_BYTES_PER_NS: f64 = 10.0;
/// Of pageable memory, which the driver copies once more. Assumed.
const PAGEABLE_BYTES_PER_NS: f64 = 4.2;
/// Of each copy. Assumed.
const COPY_NS: Ns = 10_000;
/// Of each kernel. Assumed.
const LAUNCH_NS: Ns = 5_000;
/// Of each of a multiplication's three matrices, where there is no pool: allocated and freed. Assumed.
const ALLOCATION_NS: Ns = 6_000;
/// A kernel that takes as long as its data's copies for n = 1,024, where streams double the speed.
const FLOPS_PER_NS: f64 = 1_280.0;

/// Which optimisations are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// Host memory is page-locked.
    pub pinned: bool,
    /// Device memory comes from a pool.
    pub pool: bool,
    /// The next multiplication's data is copied while this one is computed: a stream for copies, another one for kernels.
    pub streams: bool,
}

impl Switches {
    /// In the order in which the paper adds them, each with those before.
    #[must_use]
    pub fn one_by_one() -> [Switches; 4] {
        let of = |count: usize| Switches {
            pinned: count > 0,
            pool: count > 1,
            streams: count > 2,
        };
        std::array::from_fn(of)
    }
}

/// The multiplications, one after the other, on one GPU.
///
/// # Errors
/// None that is known of.
pub fn multiply(n: u64, switches: Switches) -> Result<Report, TaskError> {
    let bus = Link {
        latency_ns: COPY_NS,
        bytes_per_ns: match switches.pinned {
            true => PINNED_BYTES_PER_NS,
            false => PAGEABLE_BYTES_PER_NS,
        },
    };
    let machine = Machine::builder().device("gpu", 1, None, bus).build()?;
    let mut program = Program::new(format!("products of {n} × {n} doubles"));
    let kind = program.kind("product");
    let bytes = n * n * 8;
    for _ in 0..MULTIPLICATIONS {
        let [a, b] = [(); 2].map(|()| program.data_at(bytes, MemoryNode::HOST));
        let c = program.data(bytes);
        program
            .task(kind)
            .reads(a)
            .reads(b)
            .writes(c)
            .work(2 * n * n * n)
            .add();
    }
    let allocations_ns = if switches.pool { 0 } else { 3 * ALLOCATION_NS };
    let rates = Rates::new(vec![vec![Some(1.0 / FLOPS_PER_NS)]]);
    Simulation::new(machine, rates)
        .operations(Operations {
            launch_ns: LAUNCH_NS + allocations_ns,
            ..Operations::default()
        })
        .ahead(ClassId(0), if switches.streams { 2 } else { 1 })
        .run(&*scheduler::parse("eager")?, &program)
}

/// By how much an optimisation is faster than all before it, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// Page-locked memory.
    pub pinned: f64,
    /// A pool.
    pub pool: f64,
    /// Streams.
    pub streams: f64,
}

/// What each is worth for a size of matrices.
///
/// # Errors
/// As [`multiply`].
pub fn gains(n: u64) -> Result<Gains, TaskError> {
    let mut times_ns = [0.0; 4];
    for (time_ns, switches) in times_ns.iter_mut().zip(Switches::one_by_one()) {
        *time_ns = multiply(n, switches)?.makespan_ns as f64;
    }
    let gain = |k: usize| 100.0 * (times_ns[k] / times_ns[k + 1] - 1.0);
    Ok(Gains {
        pinned: gain(0),
        pool: gain(1),
        streams: gain(2),
    })
}

/// What the paper measured on a V100, by size.
pub const PAPER: [(u64, Gains); 6] = [
    (64, gains_of(30.0, 60.0, 10.0)),
    (128, gains_of(90.0, 25.0, 75.0)),
    (256, gains_of(120.0, 12.0, 50.0)),
    (512, gains_of(145.0, 6.0, 50.0)),
    (768, gains_of(70.0, 0.0, 85.0)),
    (1_024, gains_of(70.0, 0.0, 100.0)),
];

const fn gains_of(pinned: f64, pool: f64, streams: f64) -> Gains {
    Gains {
        pinned,
        pool,
        streams,
    }
}

/// Both beside each other, in Markdown.
///
/// # Errors
/// As [`multiply`].
pub fn table() -> Result<String, TaskError> {
    let mut text = String::from(
        "| n | pinned | the paper | pool | the paper | streams | the paper |\n|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (n, paper) in PAPER {
        let here = gains(n)?;
        let _ = write!(text, "| {n} |");
        for (here, paper) in [
            (here.pinned, paper.pinned),
            (here.pool, paper.pool),
            (here.streams, paper.streams),
        ] {
            let _ = write!(text, " {here:.0} % | {paper:.0} % |");
        }
        text.push('\n');
    }
    Ok(text)
}
