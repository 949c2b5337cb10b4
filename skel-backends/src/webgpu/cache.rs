//! Kernels compiled so far, by the hash of their IR.

use super::{
    gpu::Gpu,
    limits::{Limits, Prepared},
    strict,
};
use crate::{
    codegen::wgsl::Shader,
    device::blocks::{self, OfKernels},
    dump, trace,
};
use skel_core::{
    Error, Result,
    plan::{BlockConfig, Kernel},
};
use std::sync::Arc;
use wgpu::{BindGroupLayout, BufferBindingType, ComputePipeline, ShaderStages};

/// The compiled kernels of one device.
#[derive(Debug, Default)]
pub(super) struct Cache {
    compiled: OfKernels<Arc<Compiled>>,
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
}

impl Cache {
    /// The kernel, compiled now if it was not before; as usual, if it does not do in the block configuration
    /// that is wanted.
    pub(super) fn get(
        &mut self,
        gpu: &Gpu,
        limits: &Limits,
        kernel: &Kernel,
        wanted: Option<BlockConfig>,
    ) -> Result<Arc<Compiled>> {
        let usual = limits.usual(kernel);
        let block = blocks::chosen(wanted, usual, || limits.block_configs(kernel));
        if let Some(known) = self.compiled.get(&(kernel.hash, block)) {
            return Ok(known.clone());
        }
        let compiled = match self.compile(gpu, limits, kernel, block) {
            Err(Error::Unsupported { .. }) if block != usual => {
                limits.refused.note(kernel.hash, block);
                self.get(gpu, limits, kernel, None)?
            }
            compiled => Arc::new(compiled?),
        };
        let known = (kernel.hash, block);
        self.compiled.insert(known, compiled.clone());
        Ok(compiled)
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
            .map(|shader| compile(gpu, block.lanes, name(kernel), shader))
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

/// What messages call a kernel: its element function.
pub(super) fn name(kernel: &Kernel) -> &'static str {
    kernel.program.function(kernel.map).name
}

fn compile(gpu: &Gpu, lanes: u32, name: &str, shader: &Shader) -> Result<Pipeline> {
    const OPERATION: &str = "kernel compilation";
    let compiled = gpu.scoped(OPERATION, 0, |device, _| {
        let module = strict::module(device, name, &shader.source, lanes)?;
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
                // Every lane writes its own place of the tile before any reads it.
                zero_initialize_workgroup_memory: false,
                ..wgpu::PipelineCompilationOptions::default()
            },
            cache: None,
        });
        Ok::<Pipeline, String>(Pipeline { pipeline, layout })
    })?;
    compiled.map_err(|message| gpu.failed(OPERATION, message))
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
