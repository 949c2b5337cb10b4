//! Runs user functions from values of the IR: natively, and on the units that translate them; and says
//! whether they agree.
//!
//! | module | does |
//! |---|---|
//! | `run` | a user function as a [`Case`]: its IR, and a way to call what rustc made of it |
//! | `kernel` | a case as a kernel |
//! | `lanes` | a block of elements by both faces that the CPU has of a function with loops |
//! | `lines` | lines of containers |
//! | `near` | containers and neighbourhoods for windows and pools |
//! | `stream` | generators of random numbers |
//! | `values` | random arguments, many of them at the edges of their types |
//! | `sweep` | arguments of all magnitudes, and how near devices must come |
//! | `agree` | what counts as the same |
//! | [`device`] | a case on the first device that wgpu reaches |
//! | [`cuda`] | cases in CUDA C++ on the host shim |
//! | [`shim`] | compiles CUDA C++ with g++ and executes it on the CPU |
//! | [`driver`] | a CUDA driver and an NVRTC of our own, which run kernels on the CPU |
//! | [`libraries`] | the versions of NVRTC that tests compile with |

#![allow(missing_docs, reason = "for the tests of this workspace only")]
#![allow(
    clippy::missing_panics_doc,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "tests fail by panicking"
)]

mod agree;
pub mod cuda;
#[cfg(feature = "wgpu")]
pub mod device;
#[cfg(all(feature = "cuda", target_os = "linux"))]
pub mod driver;
mod kernel;
mod lanes;
#[cfg(feature = "cuda")]
pub mod libraries;
mod lines;
pub mod near;
mod precision;
mod run;
pub mod shim;
mod stream;
mod sweep;
mod tables;
mod values;

pub use agree::{Checked, message, same_cause};
pub use cuda::{bytes, launch};
pub use lanes::{Block, LANES, compare as compare_lanes};
pub use run::{Case, Native, ToValue, case};
pub use skel_core::{Element, ir::Value};
pub use stream::changed;
pub use sweep::{Bound, Sweep};
pub use tables::Table;
pub use values::Random;

use std::path::PathBuf;

/// The folder for what tests leave to later runs: `target/tmp`.
fn temporary() -> PathBuf {
    // target/PROFILE/deps/this
    let this = std::env::current_exe().expect("a test knows where it is");
    let target = this.ancestors().find(|folder| {
        let name = folder.file_name();
        name.is_some_and(|name| name == "debug" || name == "release")
    });
    let target = target.and_then(|profile| profile.parent());
    target.map_or_else(std::env::temp_dir, |target| target.join("tmp"))
}
