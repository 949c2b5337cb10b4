//! The zones of the NAS multi-zone benchmarks, as items of unlike sizes with known neighbours, and what work
//! distributions make of them on a machine that is not there.
//!
//! [`Mesh`] is geometry alone: how many zones a benchmark and class has, how large they are, and which of them are
//! neighbours (van der Wijngaart and Jin 2003). [`Model`] says what a zone takes on the machine of González and
//! Morancho (2024), and [`evaluate`] runs a [`Scheme`](crate::distribution::Scheme) on it. No equation is solved.
//!
//! ```
//! use skel_tasks::{distribution, npb_mz::{Benchmark, Class, Mesh, Model, evaluate}};
//!
//! let mesh = Mesh::new(Benchmark::Bt, Class::B);
//! let units = "16x1+1".parse()?;
//! let model = Model::paper(&mesh, units);
//! let even = evaluate(&mesh, &model, distribution::parse("static")?)?;
//! let guided = evaluate(&mesh, &model, distribution::parse("clustered-guided")?)?;
//! assert!(guided.computation > 2.0 * even.computation); // speedups over one core
//! # Ok::<(), skel_tasks::BadOption>(())
//! ```

mod benchmark;
mod comparison;
mod evaluate;
mod map;
mod mesh;
mod model;
mod table;
#[cfg(test)]
mod test;

pub use benchmark::{Benchmark, Class};
pub use comparison::{Comparison, beside_paper, beside_paper_svg, beside_paper_table};
pub use evaluate::{Evaluation, evaluate};
pub use map::map_svg;
pub use mesh::{Mesh, Zone};
pub use model::Model;
pub use table::table;
