//! CUDA C++ on the CPU: kernels, as they would go to NVRTC, compiled by g++ and run by a small
//! program of our own.
//!
//! | file | what |
//! |---|---|
//! | `cuda_host.hpp`, `cuda_math.hpp` | what a source finds declared |
//! | `block.cpp`, `fiber.hpp` | threads as fibers: barriers, warps, orders |
//! | `runner.cpp`, `process.rs` | launches over a pipe |
//! | `build.rs` | a batch of sources as one program |
//!
//! What is wrong with a kernel is the error of its launch: an access outside of a buffer, undefined
//! behaviour, a barrier that some threads do not reach. Then the program has ended, and the next
//! launch begins another; so the test's own process is in no danger.
//!
//! One kernel: `extern "C" __global__ void skel_kernel(const Params params)`, with `struct Params`,
//! and nothing included. Blocks may wait for other blocks, in loops with an atomic, a fence, `__ldcg`,
//! `__ldcv` or `__nanosleep` in them; 64 are begun at a time. Not there: dynamic shared memory,
//! textures, cooperative groups.

pub(crate) mod build;
mod process;

use process::Runner;
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

pub use build::missing;

/// Sanitizers cost a factor of two or three, and the machine may be busy.
const LIMIT_S: u32 = 120;

/// In which order blocks run, and threads between two barriers. Each order also fills `__shared__`
/// memory with other garbage before every block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From the first to the last.
    Ascending,
    /// From the last to the first.
    Descending,
    /// By chance, with this seed; again after every barrier.
    Shuffled(u64),
    /// By chance, with this seed, blocks among each other as well: at an atomic, a fence, `__ldcg`, `__ldcv` or
    /// `__nanosleep` another block may go on, or begin.
    Interleaved(u64),
}

impl Order {
    /// Some of each kind: what one hides, another shows.
    pub const ALL: [Order; 6] = [
        Order::Ascending,
        Order::Descending,
        Order::Shuffled(1),
        Order::Shuffled(2),
        Order::Interleaved(1),
        Order::Interleaved(2),
    ];
}

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The name that the source was compiled under.
    pub kernel: &'a str,
    /// Numbers of blocks.
    pub grid: [u32; 3],
    /// Numbers of threads in a block.
    pub block: [u32; 3],
    /// The bytes of `Params`.
    pub params: &'a [u8],
    /// Where in them pointers stand, as `(offset, number of the buffer)`. What stands there, eight
    /// bytes, is the offset from the start of the buffer.
    pub pointers: &'a [(usize, usize)],
    pub order: Order,
}

/// Several kernels in one program.
#[derive(Debug)]
pub struct Shim {
    numbers: HashMap<String, u32>,
    program: PathBuf,
    folder: PathBuf,
    idle: Mutex<Vec<Runner>>,
    /// A launch that takes longer is an error.
    pub limit_s: u32,
}

impl Shim {
    /// Compiles sources, each under a name. What g++ says is the error.
    pub fn compile(sources: &[(&str, &str)]) -> Result<Shim, String> {
        Shim::compile_with(&[], sources)
    }

    /// With more options for g++.
    pub fn compile_with(options: &[&str], sources: &[(&str, &str)]) -> Result<Shim, String> {
        let mut numbers = HashMap::new();
        for ((name, _), number) in sources.iter().zip(0..) {
            if numbers.insert((*name).to_owned(), number).is_some() {
                return Err(format!("two sources are named {name}"));
            }
        }
        let folder = build::folder()?;
        let shim = |program| Shim {
            numbers,
            program,
            folder: folder.clone(),
            idle: Mutex::default(),
            limit_s: LIMIT_S,
        };
        match build::program(&folder, options, sources) {
            Ok(program) => Ok(shim(program)),
            Err(error) => {
                // What the folder holds is of no use; that g++ failed is what matters.
                drop(shim(PathBuf::new()));
                Err(error)
            }
        }
    }

    /// Runs a kernel and changes the buffers as it does; an error leaves them as they were. May be
    /// called from several threads at once.
    pub fn launch(&self, launch: &Launch<'_>, buffers: &mut [Vec<u8>]) -> Result<(), String> {
        let kernel = launch.kernel;
        let number = *self
            .numbers
            .get(kernel)
            .ok_or_else(|| format!("no source is named {kernel}"))?;
        let idle = self.idle().pop();
        let mut runner = match idle {
            Some(runner) => runner,
            None => Runner::start(&self.program, &self.folder)?,
        };
        match runner.launch(number, self.limit_s, launch, buffers) {
            Ok(()) => {
                self.idle().push(runner);
                Ok(())
            }
            Err(error) => Err(format!("{kernel} ({:?}): {error}", launch.order)),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Runner>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shim {
    fn drop(&mut self) {
        self.idle().clear();
        if let Err(error) = std::fs::remove_dir_all(&self.folder) {
            eprintln!("warning: {} stays behind: {error}", self.folder.display());
        }
    }
}
