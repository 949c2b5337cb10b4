//! The study of data locality in which LAHeteroprio was measured, in virtual time: B. Bramas, *Impact study of data
//! locality on task-based applications through the Heteroprio scheduler*, PeerJ Computer Science 5:e190, 2019.
//!
//! An [`Application`] is a graph of tasks in the shape of what was measured, a [`Node`] one of the two machines, as far as
//! the text of the paper tells. A [`Case`] is one on the other. What had to be assumed stands beside each figure.
//!
//! ```
//! use skel_tasks::locality::{Application, Case, Node};
//!
//! let case = Case { application: Application::Stencil, node: Node::K40, gpus: 2 };
//! let row = case.row(&["laheteroprio,affinity=sdh"])?;
//! assert!(row.copied("laheteroprio,affinity=sdh") < Some(0.5));
//! # Ok::<(), skel_tasks::TaskError>(())
//! ```

mod application;
mod machine;
mod study;

pub use application::Application;
pub use machine::Node;
pub use study::{Case, Outcome, Row, rows, table, tiles_table};

/// The schedulers that are compared with Heteroprio: LAHeteroprio with each formula, with the one that it chooses itself,
/// and with blocks of one bucket for GPUs instead of all.
pub const SCHEDULERS: [(&str, &str); 8] = [
    ("auto", "laheteroprio"),
    ("laru", "laheteroprio,affinity=laru"),
    ("mc", "laheteroprio,affinity=mc"),
    ("sdh", "laheteroprio,affinity=sdh"),
    ("sdh2", "laheteroprio,affinity=sdh2"),
    ("sdhb", "laheteroprio,affinity=sdhb"),
    ("smwb", "laheteroprio,affinity=smwb"),
    ("auto, l = 1", "laheteroprio,l=1"),
];
