//! Programs that are known from the literature.

mod random;
pub use random::random_graph;
