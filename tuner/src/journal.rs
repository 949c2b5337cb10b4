//! What a tuned program wrote down, and reading it while it is written.

mod follow;

pub use follow::{Follower, repair};
pub use skel::model::journal::{
    ClassJournal, Embedded, EmbeddedState, Hello, InstanceJournal, Journal, LINE_CAP_BYTES, Line,
    Point, Problem, ProblemKind, Split,
};
