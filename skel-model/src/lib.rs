//! Performance models and policies of [`skel`](https://docs.rs/skel-hybrid): how long calls take, measured and
//! predicted, and which unit takes which elements.
//!
//! The design is described in the README.md of this folder.
//!
//! | module | what |
//! |---|---|
//! | [`stats`] | medians, and how sure one is of them |
//! | [`curve`] | time over a number of elements, monotone |
//! | [`fit`](mod@fit) | curves from measured points |
//! | [`class`] | models of an instance, by size class |
//! | [`Evidence`] | runs of one size class, and the model that follows |
//! | [`decide`](mod@decide) | what a model decides, and how sure it is |
//! | [`journal`] | what a tuned program wrote down |
//! | [`json`] | all of it as JSON, read strictly |
//! | [`machine`] | units, machines, transfers, files of models |
//! | [`chain`] | shares chosen together for many calls |
//! | [`record`] | calls that a program made, with their data flow |
//! | [`store`] | files of models, and finding them again |
//! | [`policy`] | ranges for units: single, static, adaptive, by water filling |
//! | [`disk`] | what is kept on disk between runs |
//!
//! All of it but [`disk`] and [`store`], which read and write files, is pure: no thread, no clock. Times are numbers of
//! nanoseconds, as `f64`. A model may come from a foreign file: whatever is in it, predictions are numbers, and only
//! speed depends on them.

pub mod chain;
pub mod class;
pub mod curve;
pub mod decide;
pub mod disk;
mod evidence;
pub mod fit;
pub mod journal;
pub mod json;
pub mod machine;
pub mod policy;
mod read_back;
pub mod record;
mod sizes;
pub mod stats;
pub mod store;
mod unit_id;

pub use class::{
    ChainChoice, ClassModel, InstanceKey, InstanceModel, Measured, UnitModel, size_class,
};
pub use curve::Curve;
pub use decide::{Decision, Verdict};
pub use evidence::{Evidence, Measurement, Point};
pub use fit::{Fit, Quality, Reason, Sample, fit};
pub use machine::{DeviceFingerprint, Fingerprint, MachineModels, TransferModel, TuningFile};
pub use read_back::read_back;
pub use record::{Event, RecordedCall, RecordedOperand, RecordedRole};
pub use sizes::{SizedCurve, Sizes};
pub use unit_id::{BadUnitId, UnitId};
