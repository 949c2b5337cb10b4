//! Measuring transfers.

use super::{Driver, memory::Memory};
use skel_core::{
    Result,
    frame::{ElementLayout, ErasedArray},
    ir::Ty,
};
use std::time::Duration;

impl<D: Driver> Memory<D> {
    /// Sends so many bytes to an array of its own and gets them back: how long each takes.
    pub(super) fn time_transfer(&mut self, bytes: usize) -> Result<(Duration, Duration)> {
        let layout = ElementLayout::of::<u32>();
        let elements = 0..bytes.div_ceil(layout.size_bytes());
        let mut host = ErasedArray::zeroed(layout, elements.clone())?;
        let driver = self.driver_mut();
        let mut array = driver.allocate(layout, &Ty::U32, elements.clone())?;
        // Memory that was never used is slow at first, here and there.
        driver.upload(&mut array, host.all())?;
        driver.download(&array, host.view_out(elements.clone()))?;
        let begin = driver.clock();
        driver.upload(&mut array, host.all())?;
        driver.wait()?;
        let there = driver.clock();
        driver.download(&array, host.view_out(elements))?;
        let back = driver.clock();
        Ok((there.saturating_sub(begin), back.saturating_sub(there)))
    }
}
