//! What users ask for: where calls run, and by which number of elements.
//!
//! A [`Target`] is what the user asks for; policies, which turn it into ranges with what is known of the units,
//! are in the crate `skel-model`.

mod partition;
#[cfg(feature = "serde")]
mod serialized;
mod size_plan;
mod target;
mod tasks;

pub use partition::{Share, cut};
pub use size_plan::SizePlan;
pub use target::{Auto, Cpu, Cuda, Device, DeviceChoice, Hybrid, Sequential, Split, Target, Wgpu};
pub use tasks::{AHEAD, Tasks, check_ahead};

/// Position of a unit in its context.
pub type UnitIndex = usize;
