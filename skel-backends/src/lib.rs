//! The units of [`skel`]: the CPU, devices, and the executor that drives several at once.
//!
//! | module | what |
//! |---|---|
//! | [`Unit`], [`device`] | what an executor knows of a unit; how a driver becomes one |
//! | [`cpu`] | the CPU's cores |
//! | [`arithmetic`] | whether a device computes as Rust does |
//! | [`codegen`] | IR to WGSL and to CUDA C++ |
//! | `webgpu` | devices that wgpu reaches |
//! | `cuda` | NVIDIA GPUs |
//! | [`kernel_cache`] | compiled kernels on disk |
//! | [`mock`] | a device for tests |
//! | [`setting`] | the variables of the environment |
//! | `task`, [`task_graph`] | calls as tasks, and graphs of tasks |
//! | [`steps`] | time steps over uneven items |
//! | `hybrid`, [`Context`] | pieces on several units at once; which units, and which of them gets what |
//! | [`observe()`] | what ran where |
//!
//! [`skel`]: https://docs.rs/skel-hybrid

#![deny(clippy::print_stderr, clippy::print_stdout)]

// What only devices ask for is there without them, for the tests and tools that name it.
mod along;
#[cfg_attr(
    not(any(feature = "wgpu", feature = "cuda")),
    allow(dead_code, reason = "only drivers ask for it")
)]
pub mod arithmetic;
mod chunked;
mod clock;
pub mod codegen;
mod context;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
mod current_task;
pub mod device;
#[cfg(any(feature = "wgpu", feature = "cuda"))]
mod dump;
mod exit;
mod finally;
mod fork;
mod health;
mod hybrid;
#[cfg_attr(
    not(any(feature = "wgpu", feature = "cuda")),
    allow(dead_code, reason = "only drivers ask for it")
)]
pub mod kernel_cache;
pub mod mock;
#[cfg(any(feature = "wgpu", feature = "cuda"))]
mod numbers;
mod observe;
mod partials;
mod positions;
mod recent;
#[cfg_attr(
    not(any(feature = "wgpu", feature = "cuda")),
    allow(dead_code, reason = "only drivers ask for it")
)]
pub mod setting;
pub mod steps;
#[cfg_attr(
    not(any(feature = "wgpu", feature = "cuda")),
    allow(dead_code, reason = "only drivers ask for it")
)]
mod sweep;
mod sync;
mod task;
pub mod task_graph;
mod tiling;
mod trace;
mod tune;
mod tune_options;
mod unit;
mod watchdog;
#[cfg(feature = "wgpu")]
pub mod webgpu;

pub use context::{Context, ContextBuilder, DefaultContext, DeviceReport};
pub use current_task::ItemId;
pub use health::Health;
#[doc(hidden)]
pub use observe::refused_by_devices;
pub use observe::{CallReport, Part, observe};
pub use tune::{Options as TuningOptions, Tuned, embed, tune};
pub use unit::{Running, Traffic, Unit};
pub use watchdog::Watchdog;
