//! Devices that are opened when they are first used, through one API or another.

use super::{
    bounded,
    devices::{DeviceReport, TimeLimits},
};
use crate::unit::Unit;
use skel_core::{Error, Result, unit::UnitInfo};
use std::sync::{Arc, OnceLock};

/// A device that is opened when it is first used. What failed once is not tried again.
pub(super) struct Lazy {
    info: UnitInfo,
    open: Arc<Open>,
    /// Another way to the same device, where this one fails.
    instead: Option<(UnitInfo, Arc<Open>)>,
    unit: OnceLock<Result<Opened>>,
}

/// A device that has been opened.
#[derive(Clone)]
pub(super) struct Opened {
    pub(super) unit: Arc<dyn Unit>,
    /// Why it was the other way, if it was.
    failed: Option<String>,
}

/// Why the other API is not used for a device.
pub(super) const BY_CUDA: &str = "it is driven through CUDA (SKEL_CUDA=off leaves it to wgpu)";

/// Opens a device.
type Open = dyn Fn() -> Result<Arc<dyn Unit>> + Send + Sync;

/// Opens a device, and waits for that no longer than it may take.
fn within(limits: TimeLimits, device: &str, open: &Arc<Open>) -> Result<Arc<dyn Unit>> {
    let open = Arc::clone(open);
    let opened = bounded::within(
        limits.opening(),
        format!("skel opens {device}"),
        move || open(),
    );
    opened.unwrap_or_else(|unanswered| {
        Err(Error::Device {
            device: device.to_owned(),
            operation: "opening the device",
            message: unanswered.to_string(),
        })
    })
}

impl Lazy {
    /// One that is not opened yet.
    #[cfg(any(feature = "wgpu", feature = "cuda", test))]
    pub(super) fn new(info: UnitInfo, open: Box<Open>) -> Self {
        Lazy {
            info,
            open: Arc::from(open),
            instead: None,
            unit: OnceLock::new(),
        }
    }

    /// Opens it so, where the first way fails.
    #[cfg(any(feature = "wgpu", test))]
    pub(super) fn or_else(&mut self, info: UnitInfo, open: Box<Open>) {
        self.instead = Some((info, Arc::from(open)));
    }

    /// Opens it, unless it is open: through the first API, or else through the other one.
    pub(super) fn opened_now(&self, limits: TimeLimits) -> &Result<Opened> {
        let watched = |unit: Arc<dyn Unit>, failed| {
            limits.impose(&*unit);
            Opened { unit, failed }
        };
        self.unit.get_or_init(|| {
            let open = |info: &UnitInfo, open| within(limits, &info.name, open);
            let error = match open(&self.info, &self.open) {
                Ok(unit) => return Ok(watched(unit, None)),
                Err(error) => error,
            };
            let instead = self.instead.as_ref();
            match instead.map(|(info, other)| open(info, other)) {
                Some(Ok(unit)) => Ok(watched(unit, Some(error.without_device()))),
                _ => Err(error),
            }
        })
    }

    /// What opening it gave, if it was opened.
    pub(super) fn known(&self) -> Option<&Result<Opened>> {
        self.unit.get()
    }

    /// Whether it must be opened to know what drives it.
    pub(super) fn has_two_ways(&self) -> bool {
        self.instead.is_some()
    }

    /// Why it was opened the other way, if it was.
    fn failed(&self) -> Option<&str> {
        self.unit.get()?.as_ref().ok()?.failed.as_deref()
    }

    /// What it says of itself, as it is driven.
    pub(super) fn info(&self) -> &UnitInfo {
        match (&self.instead, self.failed()) {
            (Some((info, _)), Some(_)) => info,
            _ => &self.info,
        }
    }

    /// The way to it that is not taken, with the reason.
    pub(super) fn other_way(&self) -> Option<DeviceReport> {
        let (other, _) = self.instead.as_ref()?;
        let (info, reason) = match self.failed() {
            Some(failed) => (&self.info, failed),
            None => (other, BY_CUDA),
        };
        Some(DeviceReport {
            index: None,
            info: info.clone(),
            rejected: Some(reason.to_owned()),
            overdue: Vec::new(),
        })
    }

    /// Whether this API drives it, as far as that is known before it is opened.
    pub(super) fn is_driven_by(&self, api: &str) -> bool {
        self.info().api.starts_with(api)
    }

    pub(super) fn opened(unit: Arc<dyn Unit>) -> Self {
        let info = unit.info().clone();
        let opened = Opened {
            unit: Arc::clone(&unit),
            failed: None,
        };
        Lazy {
            info,
            open: Arc::new(move || Ok(Arc::clone(&unit))),
            instead: None,
            unit: OnceLock::from(Ok(opened)),
        }
    }
}
