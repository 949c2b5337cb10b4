//! Kernels that their driver compiles when it first runs them.
//!
//! Mesa's software device translates a kernel when its pipeline is made, and makes machine code of it, which takes
//! most of the time, when its queue first runs it. So it is run once over no elements where others wait for
//! compilers, and not where a call waits for its results.

use super::{
    cache::{OPERATION, Pipeline},
    gpu::Gpu,
};
use crate::codegen::wgsl::Shader;
use skel_core::Result;
use std::{
    sync::mpsc::{RecvTimeoutError, channel},
    time::Duration,
};
use wgpu::{BindGroupEntry, Buffer, BufferUsages};

/// A buffer of which nothing is read.
const BYTES: u64 = 256;

/// How often the queue is asked whether it is done, at first and later.
const PAUSES: [Duration; 2] = [Duration::from_micros(100), Duration::from_millis(5)];

/// Runs the kernel over no elements, and waits for that, without a lock that others would have to wait for.
pub(super) fn up(gpu: &Gpu, shader: &Shader, pipeline: &Pipeline) -> Result<()> {
    let block = (shader.params.size_bytes() as u64).max(BYTES);
    let mut buffers = vec![gpu.buffer("nothing", block, BufferUsages::UNIFORM)?];
    for _ in &shader.bindings {
        buffers.push(gpu.buffer("nothing", BYTES, BufferUsages::STORAGE)?);
    }
    let resources = buffers.iter().map(Buffer::as_entire_binding);
    let entries: Vec<BindGroupEntry<'_>> = (0..)
        .zip(resources)
        .map(|(binding, resource)| BindGroupEntry { binding, resource })
        .collect();
    let (sender, done) = channel();
    gpu.scoped(OPERATION, 0, |device, queue| {
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.layout,
            entries: &entries,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(0, 0, 0);
        drop(pass);
        queue.submit([encoder.finish()]);
        queue.on_submitted_work_done(move || {
            // The receiver is gone where the device was lost.
            let _unheard = sender.send(());
        });
    })?;
    let [mut pause, longest] = PAUSES;
    loop {
        match done.recv_timeout(pause) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        pause = (pause * 2).min(longest);
        // Each asks the queue, and says if the device is gone.
        gpu.scoped(OPERATION, 0, |_, _| ())?;
    }
}
