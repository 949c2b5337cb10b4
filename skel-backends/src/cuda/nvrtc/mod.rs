//! NVRTC, NVIDIA's run-time compiler of CUDA C++.
//!
//! | module | what it does |
//! |---|---|
//! | `find` | where the library may be |
//! | `library` | its functions; all that is `unsafe` |
//!
//! The library is opened by name or path (crate `libloading`), and thirteen of its functions are used.
//! The bindings of the crate `cudarc` would do as well, but they panic where the library is missing,
//! look for the versions of one major release only, and have no way to get at machine code.
//!
//! A source must not include anything: NVRTC comes without headers.
//!
//! ```no_run
//! use skel_backends::cuda::nvrtc::{Nvrtc, Options};
//!
//! let nvrtc = Nvrtc::find()?;
//! let kernel = "extern \"C\" __global__ void twice(float *x) { x[threadIdx.x] *= 2.0f; }";
//! let ptx = nvrtc.compile("twice", kernel, &Options::ptx(75))?;
//! # Ok::<(), skel_backends::cuda::nvrtc::NvrtcError>(())
//! ```

mod find;
mod library;

use crate::kernel_cache::{KernelCache, KernelKey};
use library::{FailedCall, Library};
use std::path::{Path, PathBuf};

/// NVRTC, opened. It stays open until the process ends.
#[derive(Debug)]
pub struct Nvrtc {
    library: Library,
    path: PathBuf,
    version: (u32, u32),
}

/// What to make of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The compute capability, ten times the major number and the minor one: 75 is 7.5.
    pub capability: u32,
    /// PTX, or machine code for devices of just this capability.
    pub output: Output,
    /// Whether `a * b + c` may be rounded once. Without it results have the bits of the CPU's.
    pub contract: bool,
}

/// What a source is compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Text that the driver compiles further, for devices of this capability and later ones.
    Ptx,
    /// Machine code.
    Cubin,
}

impl Options {
    /// PTX, with every operation rounded by itself.
    pub fn ptx(capability: u32) -> Options {
        Options {
            capability,
            output: Output::Ptx,
            contract: false,
        }
    }

    /// Machine code, likewise.
    pub fn cubin(capability: u32) -> Options {
        Options {
            output: Output::Cubin,
            ..Options::ptx(capability)
        }
    }

    /// The target, as the compiler calls it: `compute_75` for PTX, `sm_75` for machine code.
    pub fn architecture(&self) -> String {
        let kind = match self.output {
            Output::Ptx => "compute",
            Output::Cubin => "sm",
        };
        format!("{kind}_{}", self.capability)
    }

    /// As the compiler takes them.
    pub fn arguments(&self) -> Vec<String> {
        // All but the second are defaults today. They carry our numeric contract, so they are spelled.
        vec![
            format!("--gpu-architecture={}", self.architecture()),
            format!("--fmad={}", self.contract),
            "--ftz=false".into(),
            "--prec-div=true".into(),
            "--prec-sqrt=true".into(),
            "--std=c++17".into(),
        ]
    }
}

/// Why there is no compiler, or no compiled kernel.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NvrtcError {
    /// NVRTC is nowhere to be found.
    #[error(
        "NVRTC is not installed: none of {tried} can be opened; install the CUDA toolkit or the Python package nvidia-cuda-nvrtc, or name the library in SKEL_NVRTC"
    )]
    NotFound {
        /// Names and paths that were tried.
        tried: String,
    },
    /// A library that was named cannot be opened, or is not NVRTC.
    #[error("{} is no NVRTC that can be used: {message}", path.display())]
    Unusable {
        /// The library.
        path: PathBuf,
        /// What the system says.
        message: String,
    },
    /// The source is not a program that it takes.
    #[error("{kernel} does not compile:\n{log}")]
    Compile {
        /// What the source is called.
        kernel: String,
        /// What the compiler says, with lines of the source.
        log: String,
    },
    /// A function of the library failed otherwise.
    #[error("{kernel}: {function} failed: {message}")]
    Failed {
        /// What the source is called.
        kernel: String,
        /// The function.
        function: &'static str,
        /// What the library calls it.
        message: String,
    },
}

impl Nvrtc {
    /// Opens the library that the variable `SKEL_NVRTC` names, and only that; without it, one of
    /// CUDA 13 or 12 that is installed.
    pub fn find() -> Result<Nvrtc, NvrtcError> {
        find::find()
    }

    /// Opens this library.
    pub fn open(path: &Path) -> Result<Nvrtc, NvrtcError> {
        let unusable = |message| NvrtcError::Unusable {
            path: path.to_owned(),
            message,
        };
        let library = Library::open(path).map_err(unusable)?;
        let version = library.version().map_err(unusable)?;
        Ok(Nvrtc {
            library,
            path: path.to_owned(),
            version,
        })
    }

    /// What was opened: a path, or a name that the system resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of CUDA that it belongs to: major, minor.
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// The capabilities that it compiles for, ascending.
    pub fn capabilities(&self) -> Result<Vec<u32>, NvrtcError> {
        let mut all = self
            .library
            .architectures()
            .map_err(|call| call.of("NVRTC"))?;
        all.sort_unstable();
        Ok(all)
    }

    /// As [`compile`], unless the cache has what it would give. `driver` is that of the device, with its version:
    /// nothing is taken over from another one.
    ///
    /// [`compile`]: Nvrtc::compile
    pub fn compile_once(
        &self,
        cache: &KernelCache,
        driver: &str,
        kernel: &str,
        source: &str,
        options: &Options,
    ) -> Result<Vec<u8>, NvrtcError> {
        let (major, minor) = self.version;
        let key = KernelKey {
            compiler: &format!("NVRTC {major}.{minor} {}", self.path.display()),
            driver,
            architecture: &options.architecture(),
            options: &options.arguments(),
            source,
        };
        cache.get_or_compile(&key, || self.compile(kernel, source, options))
    }

    /// Compiles a source. `kernel` is what messages call it.
    pub fn compile(
        &self,
        kernel: &str,
        source: &str,
        options: &Options,
    ) -> Result<Vec<u8>, NvrtcError> {
        let failed = |call: FailedCall| call.of(kernel);
        let name = format!("{kernel}.cu");
        let program = self.library.program(&name, source).map_err(failed)?;
        if let Err(call) = program.compile(&options.arguments()) {
            if !call.is_of_the_source() {
                return Err(failed(call));
            }
            return Err(NvrtcError::Compile {
                kernel: kernel.to_owned(),
                log: program.log().map_err(failed)?.trim().to_owned(),
            });
        }
        match options.output {
            Output::Ptx => program.ptx(),
            Output::Cubin => program.cubin(),
        }
        .map_err(failed)
    }
}
