//! A launch, and its dependencies.
#![allow(unsafe_code, reason = "launches of kernels")]

use super::{
    device::CudaGpu,
    memory::{Array, PooledMemory},
    module::Compiled,
    order::Clock,
    params::fill,
    spans::Named,
    streams::Queued,
};
use crate::{
    device::{Launch, LaunchArg},
    numbers::Numbers,
};
use skel_core::Result;
use std::ops::Range;

/// The memory of a kernel besides its arguments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra<'a> {
    pub(super) gathered: Option<&'a PooledMemory>,
    pub(super) partials: Option<&'a PooledMemory>,
    /// Where nodes are listed: in `partials`, or in memory of the host.
    pub(super) listed: Option<u64>,
    pub(super) states: Option<&'a PooledMemory>,
    pub(super) status: Option<&'a PooledMemory>,
}

/// One kernel of a launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage<'a> {
    /// Which of the kernel's functions.
    pub(super) number: usize,
    pub(super) blocks: u32,
    pub(super) numbers: Numbers,
    pub(super) extra: Extra<'a>,
}

impl CudaGpu {
    /// The queue for a launch with these arguments.
    pub(super) fn queue_for(&mut self, launch: &Launch<'_, Array>) -> usize {
        let clock = before(launch, &Extra::default());
        self.streams.for_kernel(&clock)
    }

    /// Queues one of a launch's kernels.
    pub(super) fn stage(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        stage: &Stage<'_>,
    ) -> Result<Queued> {
        let (source, function) = (
            &kernel.prepared.sources[stage.number],
            &kernel.functions[stage.number],
        );
        let mut params = std::mem::take(&mut self.params);
        let filled = fill(&mut params, source, launch, stage);
        let queued = filled
            .map_err(|member| {
                let message = format!("{member:?} of the kernel was not given");
                self.gpu.failed("launch", message)
            })
            .and_then(|()| {
                let after = before(launch, &stage.extra);
                self.streams.queue(queue, &after, |stream| {
                    let work = || {
                        // SAFETY: `fill` wrote the block as the source declares it. Memory that is freed goes to
                        // others only behind what uses it, which `after` notes of this launch. What it lists in memory
                        // of the host has a chunk to itself, see `Chunk::lend`.
                        unsafe { function.launch(stream, stage.blocks, source.lanes, &params) }
                    };
                    let named = || Named {
                        name: launch.kernel.program.function(launch.kernel.map).name,
                        stage: stage.number,
                        range: launch.range.clone(),
                    };
                    self.spans.around((queue, stream), named, work)
                })
            });
        self.params = params;
        let queued = queued?;
        after(launch, &stage.extra, queued);
        Ok(queued)
    }
}

/// What must be done before a launch begins.
fn before(launch: &Launch<'_, Array>, extra: &Extra<'_>) -> Clock {
    let mut clock = Clock::default();
    for (k, arg) in launch.args.iter().enumerate() {
        match arg {
            LaunchArg::In(array) => {
                clock.join(&array.piece.before_read_of(&own_bytes(launch, k, array)));
            }
            LaunchArg::Strided(array, _)
            | LaunchArg::View(array, _)
            | LaunchArg::Window(array, ..) => clock.join(&array.piece.before_read()),
            LaunchArg::StridedMut(array, _) => clock.join(&array.piece.before_write()),
            LaunchArg::Lines(array, _) => {
                clock.join(&array.piece.before_read_of(&own_bytes(launch, k, array)));
            }
            LaunchArg::LinesMut(array, _) => {
                clock.join(&array.piece.before_write_of(&own_bytes(launch, k, array)));
            }
            LaunchArg::InOut(array) | LaunchArg::Out(array) | LaunchArg::Sweep(array, ..) => {
                clock.join(&array.piece.before_write_of(&own_bytes(launch, k, array)));
            }
            LaunchArg::Uniform(_) => {}
        }
    }
    let read = extra.gathered.map(PooledMemory::before_read);
    let written = [extra.partials, extra.states, extra.status];
    let written = written
        .into_iter()
        .flatten()
        .map(PooledMemory::before_write);
    for other in read.into_iter().chain(written) {
        clock.join(&other);
    }
    clock
}

/// Notes what a launch uses.
fn after(launch: &Launch<'_, Array>, extra: &Extra<'_>, queued: Queued) {
    for (k, arg) in launch.args.iter().enumerate() {
        match arg {
            LaunchArg::In(array) => {
                array.piece.reads_of(own_bytes(launch, k, array), queued);
            }
            LaunchArg::Strided(array, _)
            | LaunchArg::View(array, _)
            | LaunchArg::Window(array, ..) => array.piece.reads(queued),
            LaunchArg::StridedMut(array, _) => array.piece.writes(queued),
            LaunchArg::Lines(array, _) => {
                array.piece.reads_of(own_bytes(launch, k, array), queued);
            }
            LaunchArg::LinesMut(array, _) => {
                array.piece.writes_of(own_bytes(launch, k, array), queued);
            }
            LaunchArg::InOut(array) | LaunchArg::Out(array) | LaunchArg::Sweep(array, ..) => {
                array.piece.writes_of(own_bytes(launch, k, array), queued);
            }
            LaunchArg::Uniform(_) => {}
        }
    }
    if let Some(piece) = extra.gathered {
        piece.reads(queued);
    }
    let written = [extra.partials, extra.states, extra.status];
    for piece in written.into_iter().flatten() {
        piece.writes(queued);
    }
}

/// What a launch reads or writes of argument `k`, element by element.
fn own_bytes(launch: &Launch<'_, Array>, k: usize, array: &Array) -> Range<u64> {
    array.bytes_of(launch.places(k))
}
