//! The corpus of user functions in CUDA C++, executed on the CPU by a host shim: what a kernel computes
//! is what rustc's function computes, bit for bit, and it traps where that panics.
//!
//! Transcendentals are the C library's here, as they are rustc's; only where a compiler evaluates one
//! ahead may last bits differ. Without g++, each function is reported as skipped.

#[path = "../skel-backends/tests/cuda_dialect/bytes.rs"]
mod bytes;
#[path = "corpus/mod.rs"]
mod corpus;
#[path = "common/corpus_cuda.rs"]
mod cuda;
#[path = "../skel-backends/tests/cuda_dialect/launch.rs"]
mod launch;
#[path = "../skel-backends/tests/cuda/shim/mod.rs"]
mod shim;

fn main() {
    cuda::main();
}
