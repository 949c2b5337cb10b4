//! Launches: from a kernel and its arguments to dispatches in the queue.

use super::{
    cache::{self, Compiled},
    chunk,
    convert::Conversion,
    gpu::Gpu,
    limits::Limits,
    memory::Array,
};
use crate::{
    codegen::wgsl::{Binding, Member},
    device::{Launch, LaunchArg},
    numbers::Numbers,
};
use skel_core::{
    Error, Result,
    frame::View,
    ir::{TrapKind, Ty},
    plan::Kernel,
};
use std::{fmt::Debug, num::NonZeroU64, ops::Range};
use wgpu::{BindGroupEntry, BindingResource, Buffer, BufferBinding, BufferUsages, SubmissionIndex};

/// Dispatches of one submission: each has its own block of numbers.
const BLOCKS: u64 = 16;

/// Where dispatches find their blocks of numbers. Written before each submission, in the queue's
/// order; so one buffer serves all.
#[derive(Debug)]
pub(super) struct Blocks {
    buffer: Buffer,
    stride_bytes: u64,
}

impl Blocks {
    pub(super) fn new(gpu: &Gpu, limits: &Limits) -> Result<Blocks> {
        Self::with_stride(gpu, limits.uniform_alignment.max(256))
    }

    fn with_stride(gpu: &Gpu, stride_bytes: u64) -> Result<Blocks> {
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let buffer = gpu.buffer("parameters", stride_bytes * BLOCKS, usage)?;
        Ok(Blocks {
            buffer,
            stride_bytes,
        })
    }

    /// Makes sure that blocks of `len_bytes` fit.
    pub(super) fn fit(&mut self, gpu: &Gpu, len_bytes: u64) -> Result<()> {
        if len_bytes > self.stride_bytes {
            // A multiple of the alignment, since both are powers of two.
            *self = Self::with_stride(gpu, len_bytes.next_power_of_two())?;
        }
        Ok(())
    }
}

/// Dispatches on their way to the queue.
pub(super) struct Recorder<'a> {
    gpu: &'a Gpu,
    limits: &'a Limits,
    blocks: &'a Blocks,
    encoder: wgpu::CommandEncoder,
    recorded: u64,
}

/// The buffers that a dispatch binds besides its arguments.
#[derive(Clone, Copy, Default)]
pub(super) struct Extra<'a> {
    pub(super) gathered: Option<&'a Buffer>,
    pub(super) partials: Option<&'a Buffer>,
    /// And where in them the launch's status words begin.
    pub(super) status: Option<(&'a Buffer, u32)>,
}

/// One dispatch of a kernel.
pub(super) struct Dispatch<'a> {
    /// Which of the kernel's entry points.
    pub(super) stage: usize,
    /// The elements that its arguments are bound for.
    pub(super) chunk: &'a Range<usize>,
    pub(super) numbers: Numbers,
    pub(super) extra: Extra<'a>,
    /// Work-groups along each dimension.
    pub(super) groups: [u32; 3],
}

impl<'a> Recorder<'a> {
    pub(super) fn new(gpu: &'a Gpu, limits: &'a Limits, blocks: &'a Blocks) -> Recorder<'a> {
        let encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        Recorder {
            gpu,
            limits,
            blocks,
            encoder,
            recorded: 0,
        }
    }

    /// Records a dispatch of `kernel`.
    pub(super) fn dispatch(
        &mut self,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        dispatch: Dispatch<'_>,
    ) -> Result<()> {
        if self.recorded == BLOCKS {
            self.submit()?;
        }
        let offset = self.recorded * self.blocks.stride_bytes;
        self.recorded += 1;
        let block = self.block(kernel, launch, &dispatch)?;
        let mut resources = vec![BindingResource::Buffer(BufferBinding {
            buffer: &self.blocks.buffer,
            offset,
            size: NonZeroU64::new(block.len() as u64),
        })];
        for binding in &kernel.prepared.shaders[dispatch.stage].bindings {
            let resource = self.resource(*binding, kernel, launch, &dispatch);
            resources.push(resource.ok_or_else(|| self.missing(binding))?);
        }
        let entries: Vec<BindGroupEntry<'_>> = (0..)
            .zip(resources)
            .map(|(binding, resource)| BindGroupEntry { binding, resource })
            .collect();
        let pipeline = &kernel.pipelines[dispatch.stage];
        let encoder = &mut self.encoder;
        let blocks = &self.blocks.buffer;
        self.gpu.scoped("launch", 0, |device, queue| {
            queue.write_buffer(blocks, offset, &block);
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.layout,
                entries: &entries,
            });
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline.pipeline);
            pass.set_bind_group(0, &group, &[]);
            let [x, y, z] = dispatch.groups;
            pass.dispatch_workgroups(x, y, z);
        })
    }

    /// What a kernel binds.
    fn resource<'r>(
        &self,
        binding: Binding,
        kernel: &'r Compiled,
        launch: &'r Launch<'_, Array>,
        dispatch: &Dispatch<'r>,
    ) -> Option<BindingResource<'r>> {
        let extra = &dispatch.extra;
        let constants = &kernel.pipelines[dispatch.stage].constants;
        let whole = match binding {
            Binding::Gathered => return extra.gathered.map(Buffer::as_entire_binding),
            Binding::Partials => return extra.partials.map(Buffer::as_entire_binding),
            Binding::Status => return extra.status.map(|(words, _)| words.as_entire_binding()),
            Binding::Constants => return constants.as_ref().map(Buffer::as_entire_binding),
            Binding::Argument(k, _) => {
                let (part, _) = chunk::bound(self.limits, launch, k, dispatch.chunk)?;
                return Some(BindingResource::Buffer(part));
            }
            Binding::View(k) => match launch.args.get(k)? {
                LaunchArg::View(array, _) => array,
                _ => window(launch, k)?,
            },
            Binding::Line(k, _) => line(launch, k)?,
            Binding::Sweep(k) => swept(launch, k)?,
        };
        Some(BindingResource::Buffer(chunk::whole(whole)))
    }

    /// Records a copy of the bytes from `offset` on to the beginning of another buffer.
    pub(super) fn copy(
        &mut self,
        from: &Buffer,
        offset: u64,
        to: &Buffer,
        len_bytes: u64,
    ) -> Result<()> {
        let encoder = &mut self.encoder;
        self.gpu.scoped("launch", 0, |_, _| {
            encoder.copy_buffer_to_buffer(from, offset, to, 0, len_bytes)
        })
    }

    /// Queues what was recorded so far.
    pub(super) fn submit(&mut self) -> Result<SubmissionIndex> {
        self.recorded = 0;
        let encoder = &mut self.encoder;
        let submission = self.gpu.scoped("launch", 0, |device, queue| {
            let next = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            queue.submit([std::mem::replace(encoder, next).finish()])
        })?;
        self.gpu.submitted(submission.clone(), 0)?;
        Ok(submission)
    }

    /// The block of numbers, as the shader lays it out.
    fn block(
        &self,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        dispatch: &Dispatch<'_>,
    ) -> Result<Vec<u8>> {
        let layout = &kernel.prepared.shaders[dispatch.stage].params;
        let mut block = vec![0; layout.size_bytes()];
        for (member, ty, at) in &layout.members {
            let word = match *member {
                Member::Uniform(k) => {
                    let bytes = self.uniform(launch, k, ty)?;
                    block[*at..*at + bytes.len()].copy_from_slice(&bytes);
                    continue;
                }
                Member::Pad(k) => {
                    if let Some(pad) = launch.pad(k) {
                        let bytes = self.value(launch, pad, ty)?;
                        block[*at..*at + bytes.len()].copy_from_slice(&bytes);
                    }
                    continue;
                }
                Member::Nothing => Some(0),
                Member::Status => dispatch.extra.status.map(|(_, at)| at),
                Member::Beginning(k) => window(launch, k).map(|array| array.window.start as u32),
                Member::Offset(k) => self.offset(launch, k, dispatch.chunk),
                // `check` saw that these fit; what may be negative is modulo 2^32, and a stride of neighbourhoods that
                // is larger is never taken.
                Member::Number(number) => (dispatch.numbers)
                    .of(number, launch, dispatch.chunk)
                    .map(|number| number as u32),
            };
            let word = word.ok_or_else(|| self.missing(member))?;
            block[*at..*at + 4].copy_from_slice(&word.to_le_bytes());
        }
        Ok(block)
    }

    /// Where the chunk begins in what is bound of argument `k`.
    fn offset(&self, launch: &Launch<'_, Array>, k: usize, chunk: &Range<usize>) -> Option<u32> {
        match line(launch, k).or_else(|| swept(launch, k)) {
            Some(array) => {
                let offset = launch.offsets.get(k).copied().unwrap_or(0);
                Some(offset.wrapping_sub(array.window.start) as u32)
            }
            None => chunk::bound(self.limits, launch, k, chunk).map(|(_, at)| at),
        }
    }

    /// A kernel wants what its launch has not.
    fn missing(&self, what: &impl Debug) -> Error {
        let message = format!("{what:?} of the kernel was not given");
        self.gpu.failed("launch", message)
    }

    fn uniform(&self, launch: &Launch<'_, Array>, k: usize, ty: &Ty) -> Result<Vec<u8>> {
        let Some(LaunchArg::Uniform(view)) = launch.args.get(k) else {
            return Err(self
                .gpu
                .failed("launch", format!("argument {k} should be one value")));
        };
        self.value(launch, *view, ty)
    }

    /// One value, as the shader lays it out.
    fn value(&self, launch: &Launch<'_, Array>, view: View<'_>, ty: &Ty) -> Result<Vec<u8>> {
        let device = Conversion::of(ty).to_device(view.bytes());
        let too_wide = || {
            let what = match ty {
                Ty::Usize => match view.slice::<usize>(view.window()).first() {
                    Some(value) => format!("the uniform value {value}"),
                    None => "a uniform value".into(),
                },
                _ => "a uniform value".into(),
            };
            narrow(self.gpu, launch.kernel, what)
        };
        let device = device.map_err(|why| why.into_error(too_wide))?;
        Ok(device.into_owned())
    }
}

/// The array of which argument `k` is a line for each element.
fn line<'l>(launch: &'l Launch<'_, Array>, k: usize) -> Option<&'l Array> {
    match launch.args.get(k)? {
        LaunchArg::Lines(array, _) => Some(array),
        LaunchArg::LinesMut(array, _) => Some(array),
        _ => None,
    }
}

/// The container that is swept, if argument `k` is.
fn swept<'l>(launch: &'l Launch<'_, Array>, k: usize) -> Option<&'l Array> {
    match launch.args.get(k)? {
        LaunchArg::Sweep(array, ..) => Some(array),
        _ => None,
    }
}

/// The container of which argument `k` sees neighbourhoods.
fn window<'l>(launch: &'l Launch<'_, Array>, k: usize) -> Option<&'l Array> {
    match launch.args.get(k)? {
        LaunchArg::Window(array, ..) => Some(array),
        _ => None,
    }
}

/// A `usize` that does not fit this device's 32 bits.
pub(super) fn narrow(gpu: &Gpu, kernel: &Kernel, what: String) -> Error {
    Error::Unsupported {
        unit: gpu.name.clone(),
        instance: cache::name(kernel).to_owned(),
        reason: format!("{what}: {}", TrapKind::Narrow.message()),
    }
}

/// Work-groups for `groups` in all: in two dimensions where one does not suffice. A few too many, for
/// which the kernel looks.
pub(super) fn grid(groups: u32, most: u32) -> [u32; 3] {
    if groups <= most {
        [groups.max(1), 1, 1]
    } else {
        [most, groups.div_ceil(most), 1]
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn grids_cover_all_groups_within_the_limit() {
        for groups in [1, 2, 3, 4, 5, 15, 16] {
            let [x, y, _] = grid(groups, 4);
            assert!(x <= 4 && y <= 4 && x * y >= groups, "{groups}: {x} × {y}");
        }
        assert_eq!(grid(65_535, 65_535), [65_535, 1, 1]);
        assert_eq!(grid(65_536, 65_535), [65_535, 2, 1]);
    }
}
