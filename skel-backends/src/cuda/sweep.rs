//! Sweeps: a launch for each hyperplane of tiles.

use super::{
    device::CudaGpu,
    launch::{Extra, Stage},
    memory::{Array, PooledMemory},
    module::Compiled,
};
use crate::{device::Launch, numbers::Numbers, sweep::Tiles};
use skel_core::Result;

impl CudaGpu {
    /// Queues the hyperplanes of a sweep, one after the other.
    pub(super) fn sweep(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        status: Option<&PooledMemory>,
    ) -> Result<()> {
        let Some(order) = launch.sweep() else {
            return Err(self.gpu.failed("launch", "a sweep of nothing"));
        };
        let tiles = Tiles::new(order, kernel.prepared.form.block.lanes);
        for plane in 0..tiles.planes() {
            let rows = tiles.launch(plane);
            let stage = Stage {
                number: 0,
                // `check` refuses more.
                blocks: u32::try_from(rows.groups()).unwrap_or(u32::MAX),
                numbers: Numbers {
                    hyperplane: plane,
                    tiles: [rows.counts[0], rows.counts[1], tiles.counts[2]],
                    first_tiles: rows.first,
                    ..Numbers::default()
                },
                extra: Extra {
                    status,
                    ..Extra::default()
                },
            };
            self.stage(queue, kernel, launch, &stage)?;
        }
        Ok(())
    }
}
