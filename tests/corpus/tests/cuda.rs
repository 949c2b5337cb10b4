//! The corpus of user functions in CUDA C++, executed on the CPU by a host shim: what a kernel computes
//! is what rustc's function computes, bit for bit, and it traps where that panics.
//!
//! Where NVRTC is there, it compiles every source as well: one of its versions each. (What all of them compile are the
//! sources of `skel-backends/tests/cuda_dialect`.)
//!
//! Transcendentals are the C library's here, as they are rustc's; only where a compiler evaluates one
//! ahead may last bits differ. Without g++, each function is reported as skipped.

use skel_verify::{cuda, launch, libraries};

fn main() {
    cuda::main(skel_corpus::corpus(), compiled);
}

/// Compiles the sources of a kernel with one of the versions of NVRTC that are there.
fn compiled(job: &cuda::Job) -> Result<(), String> {
    use skel_backends::cuda::nvrtc::Options;
    let all = libraries::all();
    let Some(nvrtc) = all.get(job.case.name.len() % all.len().max(1)) else {
        return Ok(());
    };
    for source in launch::sources(&job.kernel, launch::LANES)? {
        let options = Options {
            contract: source.contracts,
            ..Options::ptx(75)
        };
        nvrtc
            .compile(&job.case.name, &source.text, &options)
            .map_err(|error| format!("{error}\n{}", source.text))?;
    }
    Ok(())
}
