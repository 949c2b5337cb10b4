//! NVIDIA's driver, as far as it is used: all that is `unsafe` about it but the memory that asynchronous
//! copies read and write, which is `memory::staging`'s.
//!
//! | module | what it does |
//! |---|---|
//! | `api` | the library's functions |
//! | `context` | a device, and what its errors mean |
//! | `memory` | device memory, page-locked host memory, and copies between them |
//! | `module` | kernels: loaded, launched |
//! | `stream` | queues, and events to order them by |
//!
//! The library is found, and its types are named, as the crate `cudarc` does it. Its functions are looked
//! up here: `cudarc` panics where one is missing, and takes error codes that it does not know for
//! values of a Rust `enum`, which newer drivers would make undefined behaviour.

pub(super) mod api;
pub(super) mod context;
pub(super) mod memory;
pub(super) mod module;
pub(super) mod stream;

pub(super) use api::Api;
pub(super) use context::Gpu;
pub(super) use memory::{DeviceMemory, HostMemory};
pub(super) use module::{Function, Module};
pub(super) use stream::{Event, Stream};
