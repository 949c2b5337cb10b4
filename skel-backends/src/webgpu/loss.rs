//! Losing a device, for tests of what happens then.

use super::WebGpu;

/// Loses a device, as a driver does that crashes, or a cable that is pulled: what runs there fails, now and
/// later.
///
/// ```
/// use skel::{Context, Error, prelude::*, unit::DeviceUnit, webgpu};
///
/// // Where there is no device, there is none to lose.
/// let found = webgpu::enumerate().into_iter().find(|found| found.rejected.is_none());
/// if let Some(found) = found {
///     let device = webgpu::open(&found)?;
///     let loss = device.loss();
///     let context = Context::builder().unit(DeviceUnit::new(device)?).build()?;
///     loss.now();
///     let double = map!(|x: u32| 2 * x).within(context);
///     // The CPU does all of it; a call that names the device gets an error.
///     let y = double.clone().on(Hybrid::ratio(0.5)).run((&[1, 2],))?;
///     assert_eq!(y.host()?[..], [2, 4]);
///     let failed = double.on(Device(0)).run((&[1, 2],));
///     assert!(matches!(failed, Err(Error::DeviceLost { .. })));
/// }
/// # skel::Result::Ok(())
/// ```
#[derive(Clone, Debug)]
pub struct Loss(wgpu::Device);

impl Loss {
    /// Now.
    pub fn now(&self) {
        self.0.destroy();
    }
}

impl WebGpu {
    /// What loses this device.
    #[must_use]
    pub fn loss(&self) -> Loss {
        Loss(self.gpu.device.clone())
    }
}
