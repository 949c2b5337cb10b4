//! NVIDIA GPUs through CUDA.
//!
//! | module | what it does |
//! |---|---|
//! | [`nvrtc`] | CUDA C++ to PTX or machine code, by NVIDIA's run-time compiler, if it is installed |
//!
//! Nothing of CUDA is needed to build: libraries are opened when they are first used.

pub mod nvrtc;
