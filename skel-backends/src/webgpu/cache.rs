//! Kernels compiled so far, by the hash of their IR.

use super::{
    gpu::Gpu,
    limits::{Limits, Prepared},
    pipelines::Making,
    strict, warm,
};
use crate::{
    codegen::wgsl::{Binding, Shader},
    device::{
        Compilation,
        blocks::{self, OfKernels},
    },
    dump, trace,
};
use skel_core::{
    Error, Result,
    plan::{BlockConfig, Kernel},
};
use std::sync::{Arc, Mutex, PoisonError};
use wgpu::{
    BindGroupLayout, Buffer, BufferBindingType, BufferUsages, ComputePipeline, ShaderStages,
};

/// The compiled kernels of one device, and those that do not compile. Clones share them, so that a thread that
/// compiles leaves what it made here.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    compiled: Arc<Mutex<OfKernels<Result<Arc<Compiled>>>>>,
}

/// A kernel, ready to be dispatched.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) prepared: Arc<Prepared>,
    /// As [`Prepared::shaders`].
    pub(super) pipelines: Vec<Pipeline>,
}

/// One entry point.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) pipeline: ComputePipeline,
    pub(super) layout: BindGroupLayout,
    /// What is bound as [`Binding::Constants`].
    pub(super) constants: Option<Buffer>,
}

impl Cache {
    /// What has been made of a kernel, if it was compiled.
    fn known(&self, kernel: u64, block: BlockConfig) -> Option<Result<Arc<Compiled>>> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let known = compiled.get(&(kernel, block))?.clone();
        if matches!(&known, Err(error) if !matches!(error, Error::Unsupported { .. })) {
            // A device that is gone, or memory, has nothing to do with the kernel: reported once.
            compiled.remove(&(kernel, block));
        }
        Some(known)
    }

    /// Whether a kernel was found not to compile.
    pub(super) fn refuses(&self, kernel: u64) -> bool {
        let compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let mut of_it = compiled.iter().filter(|((of, _), _)| *of == kernel);
        of_it.any(|(_, made)| matches!(made, Err(Error::Unsupported { .. })))
    }

    /// The work that makes a kernel, if that is not done.
    pub(super) fn compilation(
        &self,
        gpu: &Gpu,
        limits: &Arc<Limits>,
        kernel: &Arc<Kernel>,
        wanted: Option<BlockConfig>,
    ) -> Option<Compilation> {
        let key = (kernel.hash, block(limits, kernel, wanted));
        let compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if compiled.contains_key(&key) {
            return None;
        }
        let (cache, gpu) = (self.clone(), gpu.clone());
        let (limits, kernel) = (Arc::clone(limits), Arc::clone(kernel));
        let exclusive = limits.compiles_late();
        let work = Compilation::new(move || {
            let made = cache.make(&gpu, &limits, &kernel, wanted);
            let mut compiled = cache
                .compiled
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            compiled.insert(key, made);
        });
        Some(work.exclusive(exclusive))
    }

    /// The kernel, compiled now if it was not before; as usual, if it does not do in the block configuration
    /// that is wanted.
    pub(super) fn get(
        &self,
        gpu: &Gpu,
        limits: &Limits,
        kernel: &Kernel,
        wanted: Option<BlockConfig>,
    ) -> Result<Arc<Compiled>> {
        let block = block(limits, kernel, wanted);
        if let Some(known) = self.known(kernel.hash, block) {
            return known;
        }
        let made = self.make(gpu, limits, kernel, wanted);
        if matches!(made, Ok(_) | Err(Error::Unsupported { .. })) {
            let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
            compiled.insert((kernel.hash, block), made.clone());
        }
        made
    }

    fn make(
        &self,
        gpu: &Gpu,
        limits: &Limits,
        kernel: &Kernel,
        wanted: Option<BlockConfig>,
    ) -> Result<Arc<Compiled>> {
        let block = block(limits, kernel, wanted);
        match self.compile(gpu, limits, kernel, block) {
            Err(Error::Unsupported { .. }) if block != limits.usual(kernel) => {
                limits.refused.note(kernel.hash, block);
                self.get(gpu, limits, kernel, None)
            }
            compiled => compiled.map(Arc::new),
        }
    }

    fn compile(
        &self,
        gpu: &Gpu,
        limits: &Limits,
        kernel: &Kernel,
        block: BlockConfig,
    ) -> Result<Compiled> {
        let _traced = trace::compile(name(kernel));
        let prepared = limits
            .prepare(kernel, block)
            .map_err(|reason| Error::Unsupported {
                unit: gpu.name.clone(),
                instance: name(kernel).to_owned(),
                reason,
            })?;
        let sources = prepared.shaders.iter().map(|s| s.source.as_str());
        dump::kernel(kernel, sources, "wgsl");
        let pipelines: Result<Vec<Pipeline>> = prepared
            .shaders
            .iter()
            .map(|shader| {
                let pipeline = compile(gpu, shader.lanes, name(kernel), shader)?;
                if limits.compiles_late() {
                    warm::up(gpu, shader, &pipeline)?;
                }
                Ok(pipeline)
            })
            .collect();
        // What does not compile, will not later, either; the device is none the worse for it.
        let pipelines = pipelines.map_err(|error| match error {
            Error::Device { message, .. } => Error::Unsupported {
                unit: gpu.name.clone(),
                instance: name(kernel).to_owned(),
                reason: format!("its kernel does not compile: {message}"),
            },
            other => other,
        });
        Ok(Compiled {
            prepared,
            pipelines: pipelines?,
        })
    }
}

/// The block configuration to compile for.
fn block(limits: &Limits, kernel: &Kernel, wanted: Option<BlockConfig>) -> BlockConfig {
    let offered = || limits.block_configs(kernel);
    blocks::chosen(wanted, limits.usual(kernel), offered)
}

/// What messages call a kernel: its element function.
pub(super) fn name(kernel: &Kernel) -> &'static str {
    kernel.program.function(kernel.map).name
}

pub(super) const OPERATION: &str = "kernel compilation";

fn compile(gpu: &Gpu, lanes: u32, name: &str, shader: &Shader) -> Result<Pipeline> {
    let constants = constants(gpu, shader)?;
    let making = gpu.pipelines.begin(gpu, &shader.source);
    let compiled = gpu.scoped(OPERATION, 0, |device, _| {
        let module = strict::module(gpu, name, &shader.source, lanes)?;
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(name),
            entries: &entries(shader),
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(name),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Every place is written before any lane reads it.
                zero_initialize_workgroup_memory: false,
                ..wgpu::PipelineCompilationOptions::default()
            },
            cache: making.as_ref().map(Making::cache),
        });
        Ok::<Pipeline, String>(Pipeline {
            pipeline,
            layout,
            constants,
        })
    })?;
    let pipeline = compiled.map_err(|message| gpu.failed(OPERATION, message))?;
    if let Some(making) = &making {
        gpu.pipelines.end(making, &shader.source);
    }
    Ok(pipeline)
}

/// The constants that a kernel reads, in memory of the device's.
fn constants(gpu: &Gpu, shader: &Shader) -> Result<Option<Buffer>> {
    if !shader.bindings.contains(&Binding::Constants) {
        return Ok(None);
    }
    let words = shader.constants.iter();
    let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
    let size_bytes = bytes.len() as u64;
    let buffer = gpu.scoped("allocation", size_bytes, |device, _| {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("constants"),
            size: size_bytes,
            usage: BufferUsages::STORAGE,
            mapped_at_creation: true,
        });
        let mut view = buffer.get_mapped_range_mut(..)?;
        view.copy_from_slice(&bytes);
        drop(view);
        buffer.unmap();
        Ok::<Buffer, wgpu::MapRangeError>(buffer)
    })?;
    buffer
        .map(Some)
        .map_err(|error| gpu.failed("allocation", error.to_string()))
}

fn entries(shader: &Shader) -> Vec<wgpu::BindGroupLayoutEntry> {
    let storage = shader
        .bindings
        .iter()
        .map(|binding| BufferBindingType::Storage {
            read_only: !binding.is_written(),
        });
    std::iter::once(BufferBindingType::Uniform)
        .chain(storage)
        .zip(0..)
        .map(|(ty, binding)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect()
}
