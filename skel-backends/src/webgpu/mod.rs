//! Any GPU that wgpu reaches: through Vulkan, Metal or Direct3D 12.
//!
//! The design is described in the README.md of this folder.
//!
//! | module | what it does |
//! |---|---|
//! | `instance` | the way to the drivers |
//! | `adapters` | which devices there are, and why not the others |
//! | `options` | what is switched off for a device |
//! | `examine` | what a device makes of arithmetic, asked when it is opened |
//! | `limits` | what a device can, and whether a kernel fits it |
//! | `device` | [`WebGpu`], the [`Driver`](crate::device::Driver) |
//! | `memory`, `convert` | arrays, cut into buffers where one would be too large; transfers |
//! | `cache` | kernels compiled so far |
//! | `pipelines` | what drivers have made of them, on disk |
//! | `launch`, `chunk`, `fold`, `scan` | a launch as dispatches over bound parts of the arrays |
//! | `status` | the words in which kernels note traps |
//! | `warm` | kernels that their driver compiles when it first runs them |
//! | `strict`, `float_controls` | modules that compute floats as written |
//! | `gpu`, `error`, `loss` | wgpu's device with every call in an error scope; how it is lost |
//!
//! # Limits
//!
//! All limits are the adapter's own, not the low ones that WebGPU promises everywhere. An array over
//! the size of a buffer is several buffers; a launch over the size of a binding, or over the number
//! of work-groups, is several dispatches. [`Options`] lowers the limits, so that tests see all of
//! that on small inputs; wgpu then enforces the lower ones.

mod adapters;
mod along;
mod cache;
mod chunk;
mod convert;
mod device;
mod error;
mod examine;
mod float_controls;
mod fold;
mod gpu;
mod instance;
mod launch;
mod limits;
mod loss;
mod marks;
mod memory;
mod options;
mod pipelines;
mod pool;
mod scan;
mod status;
mod strict;
mod sweep;
mod warm;

pub use adapters::{Found, enumerate, open, open_with};
pub use device::{Pending, WebGpu};
pub use limits::Limits;
pub use loss::Loss;
pub use memory::Array;
pub use options::Options;
pub use pipelines::PipelinesOnDisk;
