//! wgpu with kernels written by hand: buffers and bind groups are made once.

use std::{error::Error, sync::mpsc::channel};
use wgpu::{BindGroup, Buffer, BufferUsages, ComputePipeline, MapMode, PollType, util::DeviceExt};

/// A device of wgpu.
pub(super) struct Hand {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

/// A dispatch that is ready to be queued.
pub(super) struct Step {
    pipeline: ComputePipeline,
    group: BindGroup,
    groups: [u32; 2],
}

impl Hand {
    /// The device that has this name.
    pub(super) fn open(name: &str) -> Result<Hand, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let adapter = adapters
            .into_iter()
            .find(|adapter| adapter.get_info().name == name)
            .ok_or_else(|| format!("wgpu has no device {name}"))?;
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        Ok(Hand { device, queue })
    }

    /// A buffer that holds these bytes.
    pub(super) fn buffer(&self, contents: &[u8]) -> Buffer {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        (self.device).create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: None,
            contents,
            usage,
        })
    }

    /// A kernel, with all that it needs to run.
    pub(super) fn step(
        &self,
        source: &str,
        entry: &str,
        constants: &[(&str, f64)],
        buffers: &[(u32, &Buffer)],
        groups: [u32; 2],
    ) -> Step {
        let module = (self.device).create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline = (self.device).create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        });
        let entries: Vec<_> = buffers
            .iter()
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        Step {
            pipeline,
            group,
            groups,
        }
    }

    /// Runs the steps one after the other, copies the first bytes of a buffer if wanted, and waits.
    pub(super) fn run(&self, steps: &[Step], copy: Option<(&Buffer, &Buffer)>) {
        let mut encoder =
            (self.device).create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for step in steps {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&step.pipeline);
            pass.set_bind_group(0, &step.group, &[]);
            pass.dispatch_workgroups(step.groups[0], step.groups[1], 1);
        }
        if let Some((from, to)) = copy {
            encoder.copy_buffer_to_buffer(from, 0, to, 0, to.size().min(from.size()));
        }
        let submission = self.queue.submit([encoder.finish()]);
        let until = PollType::Wait {
            submission_index: Some(submission),
            timeout: None,
        };
        self.device.poll(until).expect("a device that answers");
    }

    /// A buffer of so many bytes, to be read on the host.
    pub(super) fn readable(&self, size: u64) -> Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// What is in a readable buffer.
    pub(super) fn read(&self, buffer: &Buffer) -> Vec<u8> {
        let (tell, told) = channel();
        buffer.map_async(MapMode::Read, .., move |result| {
            // The receiver waits below.
            let _ = tell.send(result);
        });
        self.device
            .poll(PollType::wait_indefinitely())
            .expect("a device that answers");
        told.recv()
            .expect("wgpu calls back")
            .expect("a buffer that can be mapped");
        let bytes = buffer
            .get_mapped_range(..)
            .expect("a buffer that is mapped")
            .to_vec();
        buffer.unmap();
        bytes
    }

    /// Steps of these groups, in two dimensions if one does not hold them.
    pub(super) fn grid(groups: usize) -> [u32; 2] {
        let rows = groups.div_ceil(65_535).max(1);
        [groups.div_ceil(rows) as u32, rows as u32]
    }
}
