//! Skeletons: what users call.
//!
//! A skeleton is a plan over one of the patterns of [`crate::plan`]. To add one, write its file
//! here: the equation, an example, its [`Phases`](crate::plan::Phases), and `run`; no unit changes.
//!
//! A skeleton *instance* is a value: it holds user functions by their types, and by value only its
//! name, where it runs, and who executes it.

mod elementwise;
mod fold;
mod instance;
mod map;
mod map_reduce;
mod prefix;
mod reduce;
pub mod scan;
mod trap;

pub use instance::Instance;
pub use map::Map;
pub use map_reduce::MapReduce;
pub use reduce::{Identity, IdentityOf, NoIdentity, Reduce};
pub use scan::Scan;

pub use fold::Operator;
