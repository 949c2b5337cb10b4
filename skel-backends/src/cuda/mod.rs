//! NVIDIA GPUs through CUDA.
//!
//! The design is described in the README.md of this folder.
//!
//! Nothing of CUDA is needed to build: libraries are opened when they are first used.
//!
//! | module | what it does |
//! |---|---|
//! | `probe` | which devices there are, and why not the others |
//! | `options` | what can be switched off |
//! | `limits`, `module` | kernels: sources, compiled once for all programs and once for this one |
//! | [`nvrtc`] | CUDA C++ to PTX or machine code, by NVIDIA's run-time compiler, if it is installed |
//! | `device` | [`CudaGpu`], the [`Driver`](crate::device::Driver) |
//! | `launch`, `params`, `fold`, `scan`, `one_pass`, `partial` | a launch as kernels; what they combine |
//! | `status` | the words in which kernels note traps |
//! | `memory` | arrays, the pool that they lie in, transfers |
//! | `streams`, `order` | queues of the hardware, and which waits for which |
//! | `timer`, `spans` | how long the device is at work; in traces, when it ran what |
//! | `raw` | the driver's functions; what is `unsafe` about them |
//!
//! # From the host to the host
//!
//! ```text
//!  Vec ──copy──► page-locked chunk ──uploads────► array ─┐
//!                                                        ├─ kernels (several streams) ─► array
//!  Vec ◄──copy── page-locked chunk ◄──downloads── array ─┘
//! ```
//!
//! Each arrow but the copies is a stream, and goes on while the host does something else: it waits only for a
//! chunk to be free, and for what it wants to read. Every piece of device memory carries the clock of its
//! last write and of the reads since then, also when it has been freed; whatever is queued begins behind the
//! clocks of the memory that it uses, by events between streams. So an upload for the next launch overlaps
//! the kernel of this one, memory is freed without waiting, and no component has to know its users.
//!
//! # Errors
//!
//! After an error that the driver cannot recover from (an illegal address, a device that has gone) nothing is
//! asked of the device any more: everything says what the first such error was. A kernel that does not
//! compile is an error of its own launches, which is repeated without compiling again.

mod along;
mod device;
mod examine;
mod fold;
mod launch;
mod limits;
mod marks;
mod memory;
mod module;
pub mod nvrtc;
mod one_pass;
mod options;
mod order;
mod params;
mod partial;
mod probe;
mod raw;
mod scan;
mod spans;
mod status;
mod streams;
mod sweep;
mod timer;

pub use device::{CudaGpu, Pending};
pub use limits::Limits;
pub use memory::Array;
pub use options::Options;
pub(crate) use probe::is_absent;
pub use probe::{Found, enumerate, open, open_with};
