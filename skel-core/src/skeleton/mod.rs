//! Skeletons: what users call.
//!
//! A skeleton is a plan over one of the patterns of [`crate::plan`]. To add one, write its file
//! here: the equation, an example, its [`Phases`](crate::plan::Phases), and `run`; no unit changes.
//!
//! A skeleton *instance* is a value: it holds user functions by their types, and by value only its
//! name, its target, and its executor.

mod along;
mod axis;
mod blocks;
mod bound;
mod call;
mod components;
mod elementwise;
mod fold;
mod grouped;
mod initial_value;
mod instance;
mod map;
mod map_lines;
mod map_overlap;
mod map_pairs;
mod map_pool;
mod map_reduce;
mod map_reduce_along;
mod neighbourhood;
mod prefix;
mod reduce;
mod reduce_along;
pub mod scan;
mod sweep;
mod swept;
mod trap;
mod value_of;

pub use axis::{AlongAxis, Cols, Rows};
pub use call::Call;
pub use components::{Operators, Packed};
pub use initial_value::{Identity, IdentityOf, Initial, NoIdentity};
pub use instance::Instance;
pub use map::Map;
pub use map_lines::MapLines;
pub use map_overlap::{
    Coloured, Coordinates, Edge, Everywhere, Iterated, MapOverlap, NoPad, Pad, PadValue, Padded,
    Reduced, Stencil, Update,
};
pub use map_pairs::MapPairs;
pub use map_pool::MapPool;
pub use map_reduce::MapReduce;
pub use map_reduce_along::MapReduceAlong;
pub use reduce::Reduce;
pub use reduce_along::{ReduceAlong, TwoReductions};
pub use scan::Scan;
pub use sweep::Sweep;
pub use value_of::ValueOf;

pub use fold::Operator;
