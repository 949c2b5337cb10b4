//! Kernels compiled so far, by the hash of their IR.

use super::{
    limits::{Limits, Prepared, SourceForm},
    nvrtc::{Nvrtc, NvrtcError, Options, Output},
    raw::{Function, Gpu, Module},
};
use crate::{
    codegen::cuda::Source,
    device::{
        Compilation,
        blocks::{self, OfKernels},
    },
    dump,
    kernel_cache::KernelCache,
    trace,
};
use skel_core::{
    Error, Result,
    plan::{BlockConfig, Kernel},
};
use std::{
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
};

const OPERATION: &str = "kernel compilation";

/// The compiler of this process, found once; why there is none.
pub(super) fn compiler() -> std::result::Result<&'static Nvrtc, &'static NvrtcError> {
    static FOUND: OnceLock<std::result::Result<Nvrtc, NvrtcError>> = OnceLock::new();
    FOUND.get_or_init(Nvrtc::find).as_ref()
}

/// What to compile for devices of this capability: machine code where the compiler knows them, so that the
/// driver need not be as new as the compiler is; else PTX for the latest ones before them.
pub(super) fn output_for(
    known: &[u32],
    capability: u32,
) -> std::result::Result<(u32, Output), String> {
    if known.contains(&capability) {
        return Ok((capability, Output::Cubin));
    }
    let before = known.iter().filter(|known| **known < capability).max();
    match before {
        Some(known) => Ok((*known, Output::Ptx)),
        None => Err(format!(
            "NVRTC compiles for compute capability {} and later, and this device has {}",
            known.iter().min().map_or("none".into(), |c| dotted(*c)),
            dotted(capability)
        )),
    }
}

/// A compute capability as it is written.
pub(super) fn dotted(capability: u32) -> String {
    format!("{}.{}", capability / 10, capability % 10)
}

/// Compiles for one device.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    nvrtc: &'static Nvrtc,
    driver: String,
    disk: KernelCache,
    target: (u32, Output),
    /// What does not compile is not tried again. Clones share it, so that a thread that compiles leaves what it
    /// made here.
    compiled: Arc<Mutex<OfKernels<Result<Arc<Compiled>>, SourceForm>>>,
}

/// A kernel, ready to be launched.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) prepared: Arc<Prepared>,
    /// As the sources.
    pub(super) functions: Vec<Function>,
}

impl Compiled {
    /// How many threads a block has of which the device has registers for fewer, and for how many.
    fn too_wide(&self) -> Result<Option<(u32, u32)>> {
        for (source, function) in self.prepared.sources.iter().zip(&self.functions) {
            let most = function.most_threads()?;
            if source.lanes > most {
                return Ok(Some((source.lanes, most)));
            }
        }
        Ok(None)
    }
}

impl Compiler {
    pub(super) fn new(nvrtc: &'static Nvrtc, target: (u32, Output), driver: &str) -> Compiler {
        Compiler {
            nvrtc,
            driver: driver.to_owned(),
            disk: KernelCache::of_user(),
            target,
            compiled: Arc::default(),
        }
    }

    fn known(&self) -> MutexGuard<'_, OfKernels<Result<Arc<Compiled>>, SourceForm>> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a kernel was found not to compile.
    pub(super) fn refuses(&self, kernel: u64) -> bool {
        let known = self.known();
        let mut of_it = known.iter().filter(|((of, _), _)| *of == kernel);
        of_it.any(|(_, made)| matches!(made, Err(Error::Unsupported { .. })))
    }

    /// The work that makes a kernel, if that is not done.
    pub(super) fn compilation(
        &self,
        gpu: &Arc<Gpu>,
        limits: &Arc<Limits>,
        kernel: &Arc<Kernel>,
        wanted: Option<BlockConfig>,
        one_pass: bool,
    ) -> Option<Compilation> {
        let form = form(limits, kernel, wanted, one_pass);
        if self.known().contains_key(&(kernel.hash, form)) {
            return None;
        }
        let (compiler, gpu) = (self.clone(), Arc::clone(gpu));
        let (limits, kernel) = (Arc::clone(limits), Arc::clone(kernel));
        Some(Compilation::new(move || {
            let get = || compiler.get(&gpu, &limits, &kernel, wanted, one_pass);
            // A launch finds the result, or compiles again and reports the error.
            let _kept = gpu.enter().and_then(|()| get());
        }))
    }

    /// The kernel, compiled now if it was not before; in several passes, or as usual, if it does not do in one, or
    /// in the block configuration that is wanted.
    pub(super) fn get(
        &self,
        gpu: &Arc<Gpu>,
        limits: &Limits,
        kernel: &Kernel,
        wanted: Option<BlockConfig>,
        one_pass: bool,
    ) -> Result<Arc<Compiled>> {
        let form = form(limits, kernel, wanted, one_pass);
        if let Some(known) = self.known().get(&(kernel.hash, form)) {
            return known.clone();
        }
        let compiled = match self.fitting(gpu, limits, kernel, form) {
            Err(Error::Unsupported { .. }) if one_pass => {
                self.get(gpu, limits, kernel, wanted, false)
            }
            Err(Error::Unsupported { .. }) if form.block != limits.usual(kernel) => {
                limits.refuse(kernel, form.block);
                self.get(gpu, limits, kernel, None, false)
            }
            compiled => compiled.map(Arc::new),
        };
        // A device that is gone has nothing to do with the kernel.
        gpu.alive()?;
        if let Err(Error::OutOfMemory { .. }) = compiled {
            // Nor has memory, which may be there again.
            return compiled;
        }
        self.known().insert((kernel.hash, form), compiled.clone());
        compiled
    }

    /// The kernel, in blocks of no more threads than the device has registers for. Only the usual ones become
    /// narrower: others are not what was asked for then.
    fn fitting(
        &self,
        gpu: &Arc<Gpu>,
        limits: &Limits,
        kernel: &Kernel,
        mut form: SourceForm,
    ) -> Result<Compiled> {
        let is_usual = form.block == limits.usual(kernel);
        loop {
            let compiled = self.compile(gpu, limits, kernel, form)?;
            let Some((lanes, most)) = compiled.too_wide()? else {
                return Ok(compiled);
            };
            if !is_usual || form.block.lanes == 1 {
                return Err(Error::Unsupported {
                    unit: gpu.name().to_owned(),
                    instance: kernel.program.function(kernel.map).name.to_owned(),
                    reason: format!(
                        "the device has registers for blocks of {most} threads of its kernel, not of {lanes}"
                    ),
                });
            }
            form.block.lanes /= 2;
        }
    }

    fn compile(
        &self,
        gpu: &Arc<Gpu>,
        limits: &Limits,
        kernel: &Kernel,
        form: SourceForm,
    ) -> Result<Compiled> {
        let name = kernel.program.function(kernel.map).name;
        let _traced = trace::compile(name);
        let prepared = limits
            .prepare(kernel, form)
            .map_err(|reason| Error::Unsupported {
                unit: gpu.name().to_owned(),
                instance: name.to_owned(),
                reason,
            })?;
        let texts = prepared.sources.iter().map(|source| source.text.as_str());
        dump::kernel(kernel, texts, "cu");
        let images = self.images(name, &prepared.sources).into_iter();
        let functions = images.map(|image| {
            let image = image.map_err(|error| gpu.failed(OPERATION, error.to_string()))?;
            Module::load(gpu, &image)?.into_function(c"skel_kernel")
        });
        // What does not compile, will not later, either; the device is none the worse for it.
        let functions = functions
            .collect::<Result<_>>()
            .map_err(|error| match error {
                Error::Device { message, .. } => Error::Unsupported {
                    unit: gpu.name().to_owned(),
                    instance: name.to_owned(),
                    reason: format!("its kernel does not compile: {message}"),
                },
                other => other,
            });
        Ok(Compiled {
            functions: functions?,
            prepared,
        })
    }

    /// The stages, compiled at the same time.
    fn images(
        &self,
        name: &str,
        sources: &[Source],
    ) -> Vec<std::result::Result<Vec<u8>, NvrtcError>> {
        let (nvrtc, disk, driver) = (self.nvrtc, &self.disk, &self.driver);
        let (capability, output) = self.target;
        let compile = move |source: &Source| {
            let options = Options {
                capability,
                output,
                contract: source.contracts,
            };
            nvrtc.compile_once(disk, driver, name, &source.text, &options)
        };
        match sources {
            [source] => vec![compile(source)],
            sources => thread::scope(|scope| {
                // A system that has no thread to give has this one.
                let started = |source| {
                    let compile = move || compile(source);
                    thread::Builder::new()
                        .spawn_scoped(scope, compile)
                        .map_err(|_| source)
                };
                let threads: Vec<_> = sources.iter().map(started).collect();
                let image = |thread: std::result::Result<thread::ScopedJoinHandle<'_, _>, _>| {
                    match thread {
                        Err(source) => compile(source),
                        Ok(thread) => thread.join().unwrap_or_else(|_| {
                            Err(NvrtcError::Failed {
                                kernel: name.to_owned(),
                                function: "nvrtcCompileProgram",
                                message: "its thread panicked".into(),
                            })
                        }),
                    }
                };
                threads.into_iter().map(image).collect()
            }),
        }
    }
}

/// What to compile.
fn form(
    limits: &Limits,
    kernel: &Kernel,
    wanted: Option<BlockConfig>,
    one_pass: bool,
) -> SourceForm {
    let offered = || limits.block_configs(kernel);
    let block = blocks::chosen(wanted, limits.usual(kernel), offered);
    SourceForm { block, one_pass }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn machine_code_where_it_can_be() {
        let known = [75, 80, 90];
        assert_eq!(output_for(&known, 90), Ok((90, Output::Cubin)));
        // Later devices, and those between: PTX that the driver goes on with.
        assert_eq!(output_for(&known, 120), Ok((90, Output::Ptx)));
        assert_eq!(output_for(&known, 89), Ok((80, Output::Ptx)));
        let old = output_for(&known, 61).unwrap_err();
        assert!(old.contains("7.5") && old.contains("6.1"), "{old}");
        assert!(output_for(&[], 90).is_err());
    }
}
