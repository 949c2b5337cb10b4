//! Folds of rows and columns: elementwise launches that keep nodes of the tree over each value's leaves.

use super::{
    cache::{self, Compiled},
    chunk,
    fold::Scratch,
    gpu::Gpu,
    launch::{Blocks, Dispatch, Extra, Recorder, grid},
    limits::Limits,
    memory::Array,
};
use crate::{
    along::{Leaves, Most},
    codegen::wgsl::stored_bytes,
    device::Launch,
    numbers::{NodeNumbers, Numbers},
};
use skel_core::{Error, Result, space::Along};
use std::ops::Range;
use wgpu::Buffer;

/// Elements of a span at most. Mesa's software device ends all loops of an invocation after 65,535 rounds, and others do
/// not like to be busy for long.
const MOST_SPAN: usize = 1 << 15;

/// Threads, and groups of lanes, that keep a device busy; and a device made of software, to which each costs something.
const THREADS: [usize; 2] = [1 << 17, 1 << 12];
const GROUPS: [usize; 2] = [1 << 10, 1 << 5];

/// Bytes of nodes for which more dispatches, or fewer spans, are taken instead.
const MOST_TABLE_BYTES: u64 = 32 << 20;

/// Queues all chunks of a launch.
pub(super) fn launch(
    gpu: &Gpu,
    limits: &Limits,
    blocks: &Blocks,
    scratch: &mut Scratch,
    kernel: &Compiled,
    launch: &Launch<'_, Array>,
    (along, words): (Along, Option<(&Buffer, u32)>),
) -> Result<()> {
    let leaves = Leaves::new(launch.kernel, along);
    let shader = usize::from(leaves.by_lanes);
    if let (true, Some(reason)) = (leaves.by_lanes, &kernel.prepared.no_rows) {
        return Err(Error::Unsupported {
            unit: gpu.name.clone(),
            instance: cache::name(launch.kernel).to_owned(),
            reason: reason.clone(),
        });
    }
    let shaders = &kernel.prepared.shaders;
    let rows_log2 = leaves.rows_log2(shaders[shader].of_group, launch.range.len());
    let lanes = shaders[0].lanes as usize;
    let values_per_group = match leaves.by_lanes {
        true => 1 << rows_log2,
        false => lanes,
    };
    let nodes = Nodes::new(limits, &leaves, stored_bytes(launch.kernel.result_ty()));
    let groups = (limits.groups as usize).saturating_pow(2);
    let most_values = groups.saturating_mul(values_per_group);
    let longest = nodes.longest(gpu, limits, launch.range.len().min(most_values))?;
    let chunks = chunk::chunks(limits, launch, longest);
    let longest = chunks.iter().map(Range::len).max().unwrap_or(0);
    let table = scratch.table(gpu, nodes.needed_bytes(longest).max(256))?;
    let mut recorder = Recorder::new(gpu, limits, blocks);
    for chunk in chunks {
        for pass in leaves.passes(chunk.len(), nodes.most).0 {
            let (stage, level, spans_per_group) = match leaves.by_lanes && !pass.joining {
                true => (shader, rows_log2, 1),
                false => {
                    let level = lanes.min(chunk.len().next_power_of_two()).ilog2();
                    (0, level, lanes >> level)
                }
            };
            let of_values = grid(chunk.len().div_ceil(1 << level) as u32, limits.groups);
            for span in (0..pass.spans).step_by(spans_per_group * limits.groups as usize) {
                let of_spans = (pass.spans - span).div_ceil(spans_per_group) as u32;
                let numbers = Numbers {
                    count: chunk.len(),
                    along: Some(pass),
                    slot: span,
                    nodes: NodeNumbers {
                        level,
                        ..NodeNumbers::default()
                    },
                    ..Numbers::default()
                };
                let dispatch = Dispatch {
                    stage,
                    chunk: &chunk,
                    numbers,
                    extra: Extra {
                        status: words,
                        partials: Some(&table),
                        ..Extra::default()
                    },
                    groups: [of_values[0], of_values[1], of_spans.min(limits.groups)],
                };
                recorder.dispatch(kernel, launch, dispatch)?;
            }
        }
    }
    recorder.submit().map(|_| ())
}

/// What the nodes of a launch take.
struct Nodes<'a> {
    leaves: &'a Leaves,
    most: Most,
    node_bytes: u64,
}

impl<'a> Nodes<'a> {
    fn new(limits: &Limits, leaves: &'a Leaves, node_bytes: u64) -> Nodes<'a> {
        let wanted = if leaves.by_lanes { GROUPS } else { THREADS };
        let wanted = wanted[usize::from(limits.is_software())];
        // Each has a few levels of nodes beside its own.
        let fit = MOST_TABLE_BYTES / 8 / node_bytes.max(1);
        let most = Most {
            slots: wanted.min(usize::try_from(fit).unwrap_or(usize::MAX)),
            span: MOST_SPAN,
        };
        Nodes {
            leaves,
            most,
            node_bytes,
        }
    }

    fn needed_bytes(&self, values: usize) -> u64 {
        let (_, nodes) = self.leaves.passes(values, self.most);
        (nodes as u64).saturating_mul(self.node_bytes)
    }

    /// Values of a chunk of `values` or fewer, whose nodes have room.
    fn longest(&self, gpu: &Gpu, limits: &Limits, values: usize) -> Result<usize> {
        let available_bytes = limits.binding_bytes.min(limits.buffer_bytes);
        let mut longest = values;
        while longest > 1 && self.needed_bytes(longest) > available_bytes.min(MOST_TABLE_BYTES) {
            longest = longest.div_ceil(2);
        }
        match self.needed_bytes(longest) {
            needed_bytes if needed_bytes > available_bytes => Err(Error::OutOfMemory {
                device: gpu.name.clone(),
                needed_bytes,
                available_bytes,
            }),
            _ => Ok(longest),
        }
    }
}
