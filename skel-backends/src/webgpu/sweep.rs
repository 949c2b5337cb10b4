//! Sweeps: a dispatch for each hyperplane of tiles.

use super::{
    cache::Compiled,
    device::WebGpu,
    launch::{Dispatch, Extra, Recorder, grid},
    memory::Array,
};
use crate::{device::Launch, numbers::Numbers, sweep::Tiles};
use skel_core::Result;

impl WebGpu {
    /// Queues the hyperplanes of a sweep, one after the other.
    pub(super) fn sweep(
        &self,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        words: Option<(&wgpu::Buffer, u32)>,
    ) -> Result<()> {
        let Some(order) = launch.sweep() else {
            return Err(self.gpu.failed("launch", "a sweep of nothing"));
        };
        let tiles = Tiles::new(order, kernel.prepared.block.lanes);
        let mut recorder = Recorder::new(&self.gpu, &self.limits, &self.blocks);
        for plane in 0..tiles.planes() {
            let rows = tiles.launch(plane);
            let groups = u32::try_from(rows.groups()).unwrap_or(u32::MAX);
            let [planes_of_tiles, rows_of_tiles] = rows.counts;
            let numbers = Numbers {
                hyperplane: plane,
                tiles: [planes_of_tiles, rows_of_tiles, tiles.counts[2]],
                first_tiles: rows.first,
                ..Numbers::default()
            };
            let extra = Extra {
                status: words,
                ..Extra::default()
            };
            let dispatch = Dispatch {
                stage: 0,
                chunk: &launch.range,
                numbers,
                extra,
                groups: grid(groups, self.limits.groups),
            };
            recorder.dispatch(kernel, launch, dispatch)?;
        }
        recorder.submit().map(|_| ())
    }
}
