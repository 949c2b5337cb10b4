//! The native function against a device that wgpu reaches.

use crate::report::Report;
use skel_backends::webgpu::{self, WebGpu};
use skel_verify::{Case, device};
use std::cell::RefCell;

/// The first device.
pub(crate) struct Device(RefCell<WebGpu>);

impl Device {
    /// Opens it, or says why not.
    pub(crate) fn open() -> Result<Device, String> {
        let found = webgpu::enumerate()
            .into_iter()
            .find(|found| found.rejected.is_none());
        let found = found.ok_or("no device that wgpu reaches")?;
        let device = webgpu::open(&found).map_err(|error| error.to_string())?;
        Ok(Device(RefCell::new(device)))
    }

    /// Compares one function.
    pub(crate) fn compare(&self, case: &Case, report: &Report) {
        // A branch on the last bit of a sine is no difference that means anything.
        if case.program.is_rounded() {
            let reason = "transcendentals, which are compared one by one elsewhere";
            return report.refused(&case.name, "wgsl", reason);
        }
        match device::check(&mut self.0.borrow_mut(), case) {
            Err(how) => report.differs(&case.name, "wgsl", &how),
            Ok(checked) => match checked.refused {
                Some(reason) => report.refused(&case.name, "wgsl", &reason),
                None => report.agrees(&case.name, "wgsl", checked.elements, checked.traps),
            },
        }
    }
}
