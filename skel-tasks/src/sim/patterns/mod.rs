//! Programs that are known from the literature: tiled factorisations, stencils, the dependence patterns of Task
//! Bench (Slaughter et al. 2020), and random graphs. [`parse`] makes one from its name.

mod bench;
mod factor;
mod grid;
mod halo;
mod multifrontal;
mod random;
mod rate;

pub use bench::{Dependence, task_bench};
pub use factor::{cholesky, qr};
pub use grid::{gemm, stencil_1d, stencil_2d};
pub use halo::stencil_halo;
pub use multifrontal::multifrontal_qr;
pub use random::random_graph;
pub use rate::rates;

use super::Program;
use crate::BadOption;

/// The names that [`parse`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    let others = [
        "cholesky",
        "qr",
        "multifrontal_qr",
        "gemm",
        "stencil",
        "stencil_2d",
        "stencil_halo",
        "random",
    ];
    let bench = Dependence::ALL.iter().map(|dependence| dependence.name());
    others.into_iter().chain(bench)
}

/// The program of a name. `size` is the number of tiles in each dimension, or of blocks, or of points of Task
/// Bench; stencils and Task Bench have as many steps, and random graphs `size`² tasks.
///
/// ```
/// use skel_tasks::sim::patterns;
///
/// assert_eq!(patterns::parse("cholesky", 4, 0)?.len(), 20);
/// assert!(patterns::parse("choleski", 4, 0).unwrap_err().to_string().contains("cholesky"));
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
///
/// # Errors
/// If the name is unknown, or the size is not from 1 to 1,024.
pub fn parse(name: &str, size: usize, seed: u64) -> Result<Program, BadOption> {
    if !(1..=1_024).contains(&size) {
        return Err(BadOption::new("size", size, "from 1 to 1024"));
    }
    const TILE: u64 = 960;
    const BLOCK_BYTES: u64 = 1 << 20;
    Ok(match name {
        "cholesky" => cholesky(size, TILE),
        "qr" => qr(size, TILE),
        "multifrontal_qr" => multifrontal_qr(4, size, TILE),
        "gemm" => gemm(size, TILE),
        "stencil" => stencil_1d(size, size, BLOCK_BYTES),
        "stencil_2d" => stencil_2d(size, size, BLOCK_BYTES),
        "stencil_halo" => stencil_halo(size, size, BLOCK_BYTES, BLOCK_BYTES / 16),
        "random" => random_graph(size * size, 4 * size, seed),
        _ => {
            let known = Dependence::ALL.iter().find(|it| it.name() == name);
            let Some(dependence) = known else {
                let names: Vec<&str> = names().collect();
                let expected = format!("one of {}", names.join(", "));
                return Err(BadOption::new("pattern", name, expected));
            };
            task_bench(*dependence, size, size, BLOCK_BYTES, seed)
        }
    })
}
