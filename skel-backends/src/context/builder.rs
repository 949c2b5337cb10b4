//! Contexts of given units.

use super::{Context, devices::Devices};
use crate::{
    device::{DeviceUnit, Driver},
    unit::Unit,
};
use skel_core::Result;
use std::sync::Arc;

/// Builds a [`Context`] of the CPU and given devices. See [`Context::builder`].
#[derive(Default)]
pub struct ContextBuilder {
    devices: Vec<Arc<dyn Unit>>,
}

impl ContextBuilder {
    /// Adds a device, over any driver. The same hardware may be added twice, as two devices.
    #[must_use]
    pub fn unit<D: Driver>(mut self, device: DeviceUnit<D>) -> Self {
        self.devices.push(Arc::new(device));
        self
    }

    /// The context. `Hybrid` uses all its devices, software ones among them.
    ///
    /// # Errors
    /// None today; a context that must allocate would report it here.
    pub fn build(self) -> Result<Context> {
        Ok(Context::new(Devices::given(self.devices), Ok(None)))
    }
}
