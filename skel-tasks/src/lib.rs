//! Dataflow tasks on machines of unlike workers: dependencies that follow from what tasks access, and the
//! schedulers of the literature. Pure: no thread, no clock, no lock, no random numbers but seeded ones. Threads
//! drive it with real time, a heap of events with virtual time; the simulated code is the code that runs.
//!
//! ```text
//! submit ─► order: modes → groups ─► counter 0 ─► Scheduler::push ─► whom to wake, what to prefetch
//! worker ─► next: Scheduler::pop ─► planned copies, room in memory ─► run
//!        ◄───────── finished: counters of what waited ─► push ◄───────┘
//! ```
//!
//! The [`Engine`] owns the graph, the plan of copies, the books of memories, and a [`Scheduler`]. The plan only
//! chooses: where it is wrong, time is lost, never a result.
//!
//! ```
//! use skel_tasks::{Access, Engine, Finish, Machine, Mode, NewTask, Unknown, scheduler};
//!
//! let machine = Machine::cores(2)?;
//! let scheduler = scheduler::parse("eager")?.build(&machine)?;
//! let mut engine = Engine::new(machine, scheduler, Box::new(Unknown));
//! let (kind, x) = (engine.kind("step"), engine.register(8, None));
//! let writes = engine.submit(NewTask::new(kind, &[Access { handle: x, mode: Mode::Write }]), 0)?;
//! let reads = engine.submit(NewTask::new(kind, &[Access { handle: x, mode: Mode::Read }]), 0)?;
//!
//! let (one, two) = (skel_tasks::WorkerId(0), skel_tasks::WorkerId(1));
//! assert_eq!(engine.next(one, 0)?, Some(writes));
//! assert_eq!(engine.next(two, 0)?, None); // what reads waits for what writes
//! engine.finished(writes, Finish::Done { took_ns: 5 }, one, 5)?;
//! assert_eq!(engine.next(two, 5)?, Some(reads));
//! # Ok::<(), skel_tasks::TaskError>(())
//! ```

pub mod ablation;
mod access;
mod cost;
pub mod distribution;
mod engine;
mod error;
mod graph;
mod id;
mod liveness;
pub mod locality;
mod machine;
pub mod model;
pub mod npb_mz;
mod options;
pub mod scheduler;
mod settings;
pub mod sim;
mod split_mix;
mod svg;
mod view;

pub use access::{Access, Mode};
pub use cost::{Costs, Rates, Unknown, Work};
pub use engine::{Engine, Finish, Transfer};
pub use error::{BadOption, TaskError};
pub use graph::{NewTask, TaskInfo};
pub use id::{
    Arch, ArchSet, ClassId, ClassSet, HandleId, KindId, MemoryNode, NodeSet, Ns, TaskId, WorkerId,
};
pub use machine::{Class, Link, Machine, MachineBuilder, NodeInfo};
pub use scheduler::{Configuration, Hint, Scheduler, Wake};
#[doc(hidden)]
pub use split_mix::SplitMix;
pub use view::View;
