//! Folds of rows and columns: elementwise launches that keep nodes of the tree over each value's leaves.

use super::{
    cache::{self, Compiled},
    chunk,
    fold::Scratch,
    gpu::Gpu,
    launch::{Blocks, Dispatch, Extra, NodeNumbers, Numbers, Recorder, grid},
    limits::Limits,
    memory::Array,
};
use crate::{along::Leaves, codegen::wgsl::stored_bytes, device::Launch};
use skel_core::{Error, Result, space::Along};
use wgpu::Buffer;

/// Steps of a fold that one dispatch takes at most: so many leaves of any kind. Mesa's software device ends all loops
/// of an invocation after 65,535 rounds, and others do not like to be busy for long.
const MOST_TURNS: usize = 1 << 15;

/// Bytes of a table of nodes for which more dispatches are taken instead.
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
    let stage = usize::from(leaves.by_lanes);
    if let (true, Some(reason)) = (leaves.by_lanes, &kernel.prepared.no_rows) {
        return Err(Error::Unsupported {
            unit: gpu.name.clone(),
            instance: cache::name(launch.kernel).to_owned(),
            reason: reason.clone(),
        });
    }
    let shader = &kernel.prepared.shaders[stage];
    let rows_log2 = leaves.rows_log2(shader.of_group, launch.range.len());
    let values_per_group = match leaves.by_lanes {
        true => 1 << rows_log2,
        false => u64::from(shader.lanes),
    };
    let nodes_bytes = u64::from(leaves.levels()) * stored_bytes(launch.kernel.result_ty());
    let most_bytes = limits.binding_bytes.min(limits.buffer_bytes);
    if nodes_bytes > most_bytes {
        return Err(Error::OutOfMemory {
            device: gpu.name.clone(),
            needed_bytes: nodes_bytes,
            available_bytes: most_bytes,
        });
    }
    let groups = u64::from(limits.groups);
    let most = most_bytes.min(MOST_TABLE_BYTES).checked_div(nodes_bytes);
    let most = most.unwrap_or(u64::MAX).max(1);
    let most = most.min(values_per_group * groups * groups);
    let chunks = chunk::chunks(limits, launch, usize::try_from(most).unwrap_or(usize::MAX));
    let longest = chunks.iter().map(|chunk| chunk.len() as u64).max();
    let table = scratch.table(gpu, (nodes_bytes * longest.unwrap_or(0)).max(256))?;
    let (status, status_at) = words.map_or((None, 0), |(buffer, at)| (Some(buffer), at));
    let mut recorder = Recorder::new(gpu, limits, blocks);
    for chunk in chunks {
        let numbers = Numbers {
            count: chunk.len() as u32,
            first: (chunk.start - launch.range.start) as u32,
            status: status_at,
            leaves: Some(leaves),
            nodes: NodeNumbers {
                level: rows_log2,
                ..NodeNumbers::default()
            },
            ..Numbers::default()
        };
        let groups = chunk.len().div_ceil(values_per_group as usize);
        let extra = Extra {
            status,
            partials: Some(&table),
            ..Extra::default()
        };
        for start in (0..leaves.depth).step_by(MOST_TURNS) {
            let end = leaves.depth.min(start + MOST_TURNS);
            let turns = (start as u32, end as u32);
            let dispatch = Dispatch {
                stage,
                chunk: &chunk,
                numbers: Numbers { turns, ..numbers },
                extra,
                groups: grid(groups as u32, limits.groups),
            };
            recorder.dispatch(kernel, launch, dispatch)?;
        }
    }
    recorder.submit().map(|_| ())
}
