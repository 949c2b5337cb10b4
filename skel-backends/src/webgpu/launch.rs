//! Launches: from a kernel and its arguments to dispatches in the queue.

use super::{
    cache::{self, Compiled},
    chunk,
    convert::Conversion,
    gpu::Gpu,
    limits::Limits,
    memory::Array,
    strided, window,
};
use crate::{
    along::Pass,
    codegen::wgsl::{Binding, Member},
    device::{Launch, LaunchArg},
};
use skel_core::{
    Error, Result,
    frame::View,
    ir::{TrapKind, Ty},
    plan::Kernel,
    space::{Lines, Shape},
};
use std::{num::NonZeroU64, ops::Range};
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
    pub(super) status: Option<&'a Buffer>,
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

/// The numbers of a dispatch that its arguments do not give.
#[derive(Clone, Copy, Default)]
pub(super) struct Numbers {
    pub(super) count: u32,
    pub(super) first: u32,
    pub(super) status: u32,
    pub(super) slot: u32,
    pub(super) carried: u32,
    pub(super) nodes: NodeNumbers,
    /// What a fold of rows or columns does.
    pub(super) along: Option<Pass>,
    /// The hyperplane of a sweep, the rows of tiles that are launched for it, and how many tiles each has.
    pub(super) hyperplane: u32,
    pub(super) tiles: [u32; 3],
    pub(super) first_tiles: [u32; 2],
}

/// The numbers of folds and scans: those of a [`crate::tiling::Tiling`].
#[derive(Clone, Copy, Default)]
pub(super) struct NodeNumbers {
    pub(super) level: u32,
    pub(super) width: u32,
    pub(super) first_leaf: u32,
    pub(super) leaves: u32,
    pub(super) to_leaf: u32,
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
        let Dispatch {
            stage,
            chunk,
            numbers,
            extra,
            groups,
        } = dispatch;
        if self.recorded == BLOCKS {
            self.submit()?;
        }
        let offset = self.recorded * self.blocks.stride_bytes;
        self.recorded += 1;
        let block = self.block(kernel, stage, launch, chunk, numbers)?;
        let bindings = &kernel.prepared.shaders[stage].bindings;
        let mut resources = vec![BindingResource::Buffer(BufferBinding {
            buffer: &self.blocks.buffer,
            offset,
            size: NonZeroU64::new(block.len() as u64),
        })];
        for binding in bindings {
            let resource =
                match *binding {
                    Binding::Argument(k, _) => chunk::bound(self.limits, launch, k, chunk)
                        .map(|(binding, _)| BindingResource::Buffer(binding)),
                    Binding::View(k) => match launch.args.get(k) {
                        Some(LaunchArg::View(array, _) | LaunchArg::Window(array, ..)) => {
                            Some(BindingResource::Buffer(chunk::whole(array)))
                        }
                        _ => None,
                    },
                    Binding::Line(k, _) => line(launch, k)
                        .map(|(array, _)| BindingResource::Buffer(chunk::whole(array))),
                    Binding::Sweep(k) => swept(launch, k)
                        .map(|(array, _)| BindingResource::Buffer(chunk::whole(array))),
                    Binding::Gathered => extra.gathered.map(Buffer::as_entire_binding),
                    Binding::Partials => extra.partials.map(Buffer::as_entire_binding),
                    Binding::Status => extra.status.map(Buffer::as_entire_binding),
                    Binding::Constants => kernel.pipelines[stage]
                        .constants
                        .as_ref()
                        .map(Buffer::as_entire_binding),
                };
            resources.push(resource.ok_or_else(|| {
                self.gpu
                    .failed("launch", format!("{binding:?} of the kernel was not given"))
            })?);
        }
        let entries: Vec<BindGroupEntry<'_>> = (0..)
            .zip(resources)
            .map(|(binding, resource)| BindGroupEntry { binding, resource })
            .collect();
        let pipeline = &kernel.pipelines[stage];
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
            let [x, y, z] = groups;
            pass.dispatch_workgroups(x, y, z);
        })
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
        stage: usize,
        launch: &Launch<'_, Array>,
        chunk: &Range<usize>,
        numbers: Numbers,
    ) -> Result<Vec<u8>> {
        let layout = &kernel.prepared.shaders[stage].params;
        let mut block = vec![0; layout.size_bytes()];
        let pass = numbers.along.unwrap_or_default();
        for (member, ty, at) in &layout.members {
            let (space, rows) = (
                launch.space.arguments(),
                launch.space.arguments().row_elems() as u32,
            );
            let word = match *member {
                Member::Count => numbers.count,
                Member::First => numbers.first,
                Member::Status => numbers.status,
                Member::Level => numbers.nodes.level,
                Member::TileWidth => match numbers.along {
                    Some(pass) => pass.width as u32,
                    None => numbers.nodes.width,
                },
                Member::FirstLeaf => numbers.nodes.first_leaf,
                Member::Leaves => numbers.nodes.leaves,
                Member::ToLeaf => numbers.nodes.to_leaf,
                Member::Slot => numbers.slot,
                Member::Carried => numbers.carried,
                // `check` saw that these fit.
                Member::Base => chunk.start as u32,
                Member::Columns => rows,
                Member::Rows => space.extents()[2] as u32,
                Member::Planes => space.extents()[1] as u32,
                Member::PerRow => match space {
                    Shape::D1(_) => 1,
                    Shape::D2(..) | Shape::D3(..) | Shape::D4(..) => rows,
                },
                Member::Nothing => 0,
                Member::Seed => launch.space.stream().seed as u32,
                Member::SeedHigh => (launch.space.stream().seed >> 32) as u32,
                Member::Call => launch.space.stream().call,
                Member::Window(k, number) => {
                    window::of(launch, k).map_or(0, |(near, _)| window::number(near, number))
                }
                // Fits, as all places of the container do.
                Member::Beginning(k) => window::beginning(launch, k) as u32,
                Member::Pad(k) => {
                    let near = window::of(launch, k).and_then(|(_, pad)| pad);
                    if let Some(pad) = near.or_else(|| swept(launch, k).and_then(|(_, pad)| pad)) {
                        let bytes = self.value(launch, pad, ty)?;
                        block[*at..*at + bytes.len()].copy_from_slice(&bytes);
                    }
                    continue;
                }
                Member::Extent(k, dimension) => extent(launch, k, dimension),
                Member::Stride(k) => extent(launch, k, 1),
                Member::BindingOffset(k) if let Some(array) = of_whole(launch, k) => {
                    let offset = launch.offsets.get(k).copied().unwrap_or(0);
                    offset.wrapping_sub(array.window.start) as u32
                }
                Member::Hyperplane => numbers.hyperplane,
                Member::Tiles(d) => numbers.tiles[d],
                Member::FirstTile(d) => numbers.first_tiles[d],
                Member::BindingOffset(k) => {
                    chunk::bound(self.limits, launch, k, chunk).map_or(0, |(_, at)| at)
                }
                Member::Pitch(k, d) => strided::pitch(launch, k, d),
                Member::StridedExtent(k, d) => strided::span(launch, k, d),
                Member::Depth => pass.depth as u32,
                Member::LeafElems => pass.leaf as u32,
                Member::Spans => pass.spans as u32,
                Member::SpanElems => pass.span as u32,
                Member::Joining => u32::from(pass.joining),
                Member::FromNode => pass.from as u32,
                Member::ToNode => pass.to as u32,
                Member::TableNode => pass.table as u32,
                Member::PlacesPerValue => strided::places_apart(launch, 1, 0),
                Member::PlacesPerStep => strided::places_apart(launch, 0, 1),
                Member::Uniform(k) => {
                    let bytes = self.uniform(launch, k, ty)?;
                    block[*at..*at + bytes.len()].copy_from_slice(&bytes);
                    continue;
                }
            };
            block[*at..*at + 4].copy_from_slice(&word.to_le_bytes());
        }
        Ok(block)
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

/// An extent of the container that argument `k` is, as the function sees it; of a column, also how
/// many columns there are, and of a line how far its elements lie apart.
fn extent(launch: &Launch<'_, Array>, k: usize, dimension: usize) -> u32 {
    if let Some((_, lines)) = line(launch, k) {
        // `check_whole` saw that all elements fit one buffer.
        return match dimension {
            0 => lines.len() as u32,
            _ => lines.stride() as u32,
        };
    }
    // `check_whole` saw that all elements fit one buffer.
    launch.view_extent(k, dimension).unwrap_or(0) as u32
}

/// The array of which argument `k` is a line for each element, and how those lie.
fn line<'l>(launch: &'l Launch<'_, Array>, k: usize) -> Option<(&'l Array, Lines)> {
    match launch.args.get(k)? {
        LaunchArg::Lines(array, lines) => Some((array, *lines)),
        LaunchArg::LinesMut(array, lines) => Some((array, *lines)),
        _ => None,
    }
}

/// The container that is swept, if argument `k` is, and what lies beyond its edges.
fn swept<'l>(launch: &'l Launch<'_, Array>, k: usize) -> Option<(&'l Array, Option<View<'l>>)> {
    match launch.args.get(k)? {
        LaunchArg::Sweep(array, _, pad) => Some((array, *pad)),
        _ => None,
    }
}

/// The array of argument `k`, if all of it is bound to be read and written at random.
fn of_whole<'l>(launch: &'l Launch<'_, Array>, k: usize) -> Option<&'l Array> {
    let line = line(launch, k).map(|(array, _)| array);
    line.or_else(|| swept(launch, k).map(|(array, _)| array))
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
