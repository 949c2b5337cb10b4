//! A CUDA driver and an NVRTC of our own: shared libraries under NVIDIA's names, which are found instead of
//! NVIDIA's when this process opens CUDA. Sources are compiled by g++; kernels run on the CPU.
//!
//! | file | what |
//! |---|---|
//! | `build.rs`, `library.rs` | the libraries, compiled and loaded |
//! | `queue.cpp` | streams: when what runs |
//! | `stream.cpp`, `copy.cpp`, `memory.cpp`, `module.cpp`, `context.cpp`, `devices.cpp`, `errors.cpp` | the driver's interface |
//! | `nvrtc.cpp`, `image.cpp` | NVRTC's interface; from a source to a module |
//! | `state.cpp` | settings, faults, handles |
//! | `arena.cpp` | device memory: addresses that this process cannot touch |
//! | `server.cpp`, `wire.hpp`, `device.cpp` | each device is a process, in which kernels run |
//!
//! It is meant to be unkind. Operations run as late as they may, and in an unusual order that streams and
//! events allow; so what only works by chance does not work here. Fresh memory is full of garbage,
//! page-locked buffers are read when the copy runs, and memory that was freed is closed to kernels. A kernel
//! that does what it must not ends its device's process, and the context has an error that stays, as on a
//! GPU; this process is in no danger.
//!
//! Variables, which [`Driver::set`] also sets:
//!
//! | variable | what | otherwise |
//! |---|---|---|
//! | `SKEL_SHIM_DEVICES` | how many devices there are | 1 |
//! | `SKEL_SHIM_MEMORY` | the bytes of each | 4 GiB |
//! | `SKEL_SHIM_PINNED` | how many bytes can be page-locked | 4 GiB |
//! | `SKEL_SHIM_CAPABILITY` | the compute capability | 90 |
//! | `SKEL_SHIM_MULTIPROCESSORS` | how many a device has | 4 |
//! | `SKEL_SHIM_MAX_THREADS` | how many threads a block of any kernel can have | 1024 |
//! | `SKEL_SHIM_NAME`, `SKEL_SHIM_VERSION` | the devices' name, the driver's version | `CUDA on the CPU`, 12080 |
//! | `SKEL_SHIM_PCI` | the first device's place on the bus | `0000:01:00.0` |
//! | `SKEL_SHIM_OP_NS` | how long each operation takes by the device's clock | what it takes, and half a microsecond |
//! | `SKEL_SHIM_SEED` | in which order things happen; `queue.cpp` lists the kinds | 0 |
//! | `SKEL_SHIM_EAGER` | 1: every operation runs at once | 0 |
//! | `SKEL_SHIM_FAIL` | `launch:3:719,alloc:1:2`: the third launch fails with 719, and so on | |
//! | `SKEL_SHIM_LIMIT_S` | what takes longer is an error | 60 |
//!
//! Not there: graphs, managed memory, textures, dynamic shared memory, peer access by kernels,
//! variables of modules.

mod build;
mod library;

use crate::shim;
use library::{Functions, is_loaded, load};
use std::{ffi::CString, sync::OnceLock};

/// The driver, which is in the process for good.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    functions: Functions,
}

/// What an operation does that shall fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Init,
    Context,
    Alloc,
    HostAlloc,
    Upload,
    Download,
    Copy,
    Memset,
    Launch,
    Module,
    Stream,
    Event,
    Synchronize,
}

/// How it fails: with this number of CUDA's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub i32);

impl Code {
    pub const OUT_OF_MEMORY: Code = Code(2);
    pub const ECC_UNCORRECTABLE: Code = Code(214);
    pub const ILLEGAL_ADDRESS: Code = Code(700);
    pub const LAUNCH_OUT_OF_RESOURCES: Code = Code(701);
    pub const LAUNCH_FAILED: Code = Code(719);
    /// It does not come back, until `SKEL_SHIM_LIMIT_S` is over; then that is an error that stays.
    pub const HANGS: Code = Code(-1);
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Init => "init",
            Kind::Context => "context",
            Kind::Alloc => "alloc",
            Kind::HostAlloc => "host_alloc",
            Kind::Upload => "h2d",
            Kind::Download => "d2h",
            Kind::Copy => "d2d",
            Kind::Memset => "memset",
            Kind::Launch => "launch",
            Kind::Module => "module",
            Kind::Stream => "stream",
            Kind::Event => "event",
            Kind::Synchronize => "synchronize",
        }
    }
}

/// Why there can be no such driver here.
pub fn missing() -> Option<&'static str> {
    static MISSING: OnceLock<Option<String>> = OnceLock::new();
    let why = MISSING.get_or_init(|| shim::build::version().err());
    why.as_deref()
}

/// Loads the libraries, so that `libcuda` and `libnvrtc` are these from now on. It must come before
/// anything in this process asks for CUDA.
pub fn install() -> Result<Driver, String> {
    static INSTALLED: OnceLock<Result<Driver, String>> = OnceLock::new();
    INSTALLED
        .get_or_init(|| {
            let folder = build::libraries()?;
            for name in ["libcuda.so.1", "libcuda.so"] {
                if is_loaded(name) {
                    return Err(format!("another {name} is in this process already"));
                }
            }
            let driver = load(&folder.join("libcuda.so.1"))?;
            let functions = Functions::of(&driver)?;
            let others = ["libcuda.so", "libnvrtc.so.12", "libnvrtc.so.13"];
            let others = others.map(|name| load(&folder.join(name)));
            // Opening one by its name gives the loaded one, as long as it is not closed.
            std::mem::forget(driver);
            for library in others {
                std::mem::forget(library?);
            }
            Ok(Driver { functions })
        })
        .clone()
}

impl Driver {
    /// Sets a variable for this process: how many devices there are before the first use, the seed
    /// and the mode at any time.
    pub fn set(&self, variable: &str, value: &str) {
        self.functions.set(&text(variable), Some(&text(value)));
    }

    /// The environment's value again.
    pub fn unset(&self, variable: &str) {
        self.functions.set(&text(variable), None);
    }

    /// The n-th operation of a kind from now on, 1 being the next one, fails, on a device or on any. A
    /// code that CUDA knows as one that stays comes when the operation runs, others at once.
    pub fn fail(&self, device: Option<u16>, kind: Kind, n: u64, code: Code) {
        let device = device.map_or(-1, i32::from);
        self.functions
            .fail(device, Some(&text(kind.name())), n, code.0);
    }

    /// What was to fail and has not yet, does not.
    pub fn fail_no_more(&self) {
        self.functions.fail(-1, None, 0, 0);
    }

    /// How many kernels a device was asked to launch so far.
    pub fn launches(&self, device: u16) -> u64 {
        self.functions.launches(device.into())
    }
}

fn text(text: &str) -> CString {
    CString::new(text).expect("no zero in it")
}
