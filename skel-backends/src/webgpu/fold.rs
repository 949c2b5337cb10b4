//! Folds: a value of each leaf of tiles, and the nodes of the tree over them.

use super::{
    cache::Compiled,
    chunk,
    convert::Conversion,
    gpu::{Gpu, Mapping, map},
    launch::{Blocks, Dispatch, Extra, Recorder, grid},
    limits::Limits,
    memory::Array,
};
use crate::{
    codegen::wgsl::stored_bytes,
    device::Launch,
    numbers::{NodeNumbers, Numbers},
    partials,
    tiling::Tiling,
};
use skel_core::{
    Error, Result,
    frame::{ElementLayout, MAX_PARTIAL_BYTES, Partial, Spine},
    ir::Ty,
    plan::{Grouping, Phases},
};
use std::{fmt, ops::Range};
use wgpu::{Buffer, BufferUsages};

/// Elements that a lane folds, before more groups are taken; usually.
pub(super) const LEAST_PER_LANE: u32 = 8;

/// Bytes of the largest value on the device, where each of its scalars has 4 at least.
const MOST_VALUE_BYTES: u64 = 4 * MAX_PARTIAL_BYTES as u64;

/// The nodes of a launch on their way to the host.
pub struct Value {
    pub(super) buffer: Buffer,
    pub(super) mapping: Mapping,
    pub(super) ty: Ty,
    pub(super) layout: ElementLayout,
    pub(super) phases: &'static dyn Phases,
    pub(super) tiling: Tiling,
    pub(super) leaves: u64,
    /// What precedes them, of scans.
    pub(super) carry: Spine,
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({}, {:?})", self.ty, self.tiling)
    }
}

/// Buffers that folds use and leave to the next one; in the queue's order that is safe.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    table: Option<Buffer>,
    /// Read already, to be used again.
    readable: Vec<Buffer>,
}

impl Scratch {
    pub(super) fn table(&mut self, gpu: &Gpu, len_bytes: u64) -> Result<Buffer> {
        match &self.table {
            Some(buffer) if buffer.size() >= len_bytes => Ok(buffer.clone()),
            _ => {
                let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
                let buffer = gpu.buffer("nodes", len_bytes, usage)?;
                Ok(self.table.insert(buffer).clone())
            }
        }
    }

    /// A buffer for so many bytes to be read.
    pub(super) fn readable(&mut self, gpu: &Gpu, len_bytes: u64) -> Result<Buffer> {
        match self.readable.pop() {
            Some(buffer) if buffer.size() >= len_bytes => Ok(buffer),
            _ => gpu.buffer(
                "fold value",
                len_bytes.max(MOST_VALUE_BYTES),
                BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            ),
        }
    }

    /// Waits for the nodes, and joins them with what precedes them.
    pub(super) fn spine(&mut self, gpu: &Gpu, value: Value) -> Result<Spine> {
        let (each, count) = (stored_bytes(&value.ty), value.tiling.count(value.leaves));
        let Value {
            buffer,
            mapping,
            ty,
            layout,
            phases,
            tiling,
            leaves,
            carry,
        } = value;
        let values = gpu.read(
            "reduction",
            &buffer,
            count as u64 * each,
            mapping,
            |bytes| {
                let bytes = Conversion::of(&ty).to_host(bytes)?;
                let values = bytes.chunks(layout.size_bytes()).map(|bytes| {
                    let fits = bytes.len() == layout.size_bytes() && layout.is_valid(bytes);
                    fits.then(|| Partial::from_bytes(layout, bytes))
                });
                Ok::<_, Error>(values.collect::<Option<Vec<Partial>>>())
            },
        )??;
        self.readable.push(buffer);
        let values = values.filter(|values| values.len() == count);
        let values = values.ok_or_else(|| {
            gpu.failed("reduction", format!("its result is no value of type {ty}"))
        })?;
        partials::join(phases, carry, tiling.spine(leaves, &values))
    }
}

/// How a launch is cut: its tiling; chunks, each with the leaves before it; all leaves.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) tiling: Tiling,
    pub(super) chunks: Vec<(Range<usize>, u64)>,
    pub(super) leaves: u64,
}

/// Cuts a launch at tiles; where arguments do not allow that, it has tiles of its own.
pub(super) fn cut(
    limits: &Limits,
    launch: &Launch<'_, Array>,
    tiling: Tiling,
    most_tiles: usize,
) -> Cut {
    let grouping = launch.kernel.grouping;
    let groups = limits.groups as usize;
    // In two dimensions, each with so many.
    let reach = groups
        .saturating_mul(groups)
        .saturating_mul(most_tiles * grouping.tile_elems());
    let chunks_of = |tiling: &Tiling| match tiling.tiles {
        Some(_) => {
            let most = reach.max(1) >> (most_tiles.ilog2() - tiling.level.min(most_tiles.ilog2()));
            chunk::chunks_of(limits, launch, most, tiling.leaf_elems(grouping))
        }
        None => Some(chunk::chunks(limits, launch, reach)),
    };
    let own = Tiling::own(tiling.level);
    let all = [tiling, tiling.of_single_tiles(), own];
    let found = all
        .into_iter()
        .find_map(|tiling| Some((tiling, chunks_of(&tiling)?)));
    let (tiling, chunks) = found.unwrap_or((own, Vec::new()));
    let (mut leaves, mut placed) = (0, Vec::with_capacity(chunks.len()));
    for chunk in chunks {
        let of_chunk = chunk.len().div_ceil(tiling.leaf_elems(grouping)) as u64;
        placed.push((chunk, leaves));
        leaves += of_chunk;
    }
    Cut {
        tiling,
        chunks: placed,
        leaves,
    }
}

impl Cut {
    /// Bytes of the table of nodes, if it can be bound.
    pub(super) fn table_bytes(&self, gpu: &Gpu, limits: &Limits, ty: &Ty) -> Result<u64> {
        let needed_bytes = self.tiling.places(self.leaves) * stored_bytes(ty);
        let available_bytes = limits.binding_bytes.min(limits.buffer_bytes);
        match needed_bytes <= available_bytes {
            true => Ok(needed_bytes),
            false => Err(Error::OutOfMemory {
                device: gpu.name.clone(),
                needed_bytes,
                available_bytes,
            }),
        }
    }

    /// What all its kernels know.
    pub(super) fn numbers(&self, grouping: Grouping) -> NodeNumbers {
        NodeNumbers::new(&self.tiling, self.leaves, grouping)
    }

    /// Records the kernel that gives a value of each leaf, or of each tile.
    pub(super) fn leaves(
        &self,
        recorder: &mut Recorder<'_>,
        limits: &Limits,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        (table, status): (&Buffer, Option<(&Buffer, u32)>),
        level: u32,
    ) -> Result<()> {
        let grouping = launch.kernel.grouping;
        let of_group = grouping.tile_elems() << level;
        for (chunk, slot) in &self.chunks {
            let numbers = Numbers {
                count: chunk.len(),
                slot: *slot as usize,
                nodes: NodeNumbers {
                    level,
                    ..self.numbers(grouping)
                },
                ..Numbers::default()
            };
            let extra = Extra {
                partials: Some(table),
                status,
                ..Extra::default()
            };
            let groups = grid(chunk.len().div_ceil(of_group) as u32, limits.groups);
            let dispatch = Dispatch {
                stage: 0,
                chunk,
                numbers,
                extra,
                groups,
            };
            recorder.dispatch(kernel, launch, dispatch)?;
        }
        Ok(())
    }

    /// Records the kernels that give the nodes above the leaves, and list those that make up the launch.
    pub(super) fn nodes(
        &self,
        recorder: &mut Recorder<'_>,
        limits: &Limits,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        (table, status): (&Buffer, Option<(&Buffer, u32)>),
    ) -> Result<()> {
        let reach = kernel.prepared.shaders[1].of_group.ilog2();
        // In two dimensions, each with so many.
        let most = u64::from(limits.groups).pow(2).max(1);
        for pass in self.tiling.passes(self.leaves, reach) {
            let nodes = NodeNumbers {
                level: pass.level,
                to_leaf: pass.to_leaf,
                ..self.numbers(launch.kernel.grouping)
            };
            for from in (0..pass.groups).step_by(usize::try_from(most).unwrap_or(usize::MAX)) {
                let groups = most.min(pass.groups - from) as u32;
                let dispatch = Dispatch {
                    stage: 1,
                    chunk: &launch.range,
                    numbers: Numbers {
                        slot: from as usize,
                        nodes,
                        ..Numbers::default()
                    },
                    extra: Extra {
                        partials: Some(table),
                        status,
                        ..Extra::default()
                    },
                    groups: grid(groups, limits.groups),
                };
                recorder.dispatch(kernel, launch, dispatch)?;
            }
        }
        Ok(())
    }

    /// Records the copy of the nodes that make up the launch, and submits.
    pub(super) fn read(
        &self,
        gpu: &Gpu,
        recorder: &mut Recorder<'_>,
        launch: &Launch<'_, Array>,
        (table, readable): (&Buffer, Buffer),
        carry: Spine,
    ) -> Result<Value> {
        let ty = launch.kernel.result_ty().clone();
        let size = stored_bytes(&ty);
        let len_bytes = self.tiling.count(self.leaves) as u64 * size;
        // A single leaf is the only node.
        let from = if self.leaves > 1 {
            (2 * self.leaves + self.tiling.carry_places()) * size
        } else {
            0
        };
        recorder.copy(table, from, &readable, len_bytes)?;
        let submission = recorder.submit()?;
        let mapping = gpu.scoped("reduction", 0, |_, _| map(&readable, len_bytes, submission))?;
        Ok(Value {
            buffer: readable,
            mapping,
            layout: layout(gpu, launch)?,
            ty,
            phases: launch.phases,
            tiling: self.tiling,
            leaves: self.leaves,
            carry,
        })
    }
}

/// The layout of what is combined, on the host.
pub(super) fn layout(gpu: &Gpu, launch: &Launch<'_, Array>) -> Result<ElementLayout> {
    let layout = launch.phases.partial_layout();
    layout.ok_or_else(|| gpu.failed("launch", "the plan has no partials"))
}

/// Queues a fold.
pub(super) fn launch(
    gpu: &Gpu,
    limits: &Limits,
    blocks: &Blocks,
    scratch: &mut Scratch,
    kernel: &Compiled,
    launch: &Launch<'_, Array>,
    status: Option<(&Buffer, u32)>,
) -> Result<Value> {
    let of_group = kernel.prepared.shaders[0].of_group;
    let tiling = Tiling::new(
        launch.kernel,
        &launch.space,
        &launch.range,
        of_group.ilog2(),
    );
    let cut = cut(limits, launch, tiling, of_group as usize);
    let ty = launch.kernel.result_ty();
    let table = scratch.table(gpu, cut.table_bytes(gpu, limits, ty)?)?;
    let len_bytes = cut.tiling.count(cut.leaves) as u64 * stored_bytes(ty);
    let readable = scratch.readable(gpu, len_bytes)?;
    let mut recorder = Recorder::new(gpu, limits, blocks);
    let to = (&table, status);
    cut.leaves(&mut recorder, limits, kernel, launch, to, cut.tiling.level)?;
    if cut.leaves > 1 {
        cut.nodes(&mut recorder, limits, kernel, launch, to)?;
    }
    cut.read(gpu, &mut recorder, launch, (&table, readable), Spine::EMPTY)
}
