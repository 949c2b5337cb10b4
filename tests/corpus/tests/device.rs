//! The corpus of user functions on a device: what it computes is what rustc's function computes.
//!
//! Exact for integers, `bool`, and float arithmetic; within the bounds of `docs/language.md` for
//! transcendentals, measured in units in the last place. Without a device that wgpu reaches, each
//! function is reported as skipped.

fn main() {
    skel_verify::device::main(skel_corpus::corpus());
}
