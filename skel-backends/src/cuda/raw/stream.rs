//! Queues of the hardware, and events.
#![allow(unsafe_code, reason = "calls of the driver's functions")]

use super::{
    api::{SUCCESS, Status},
    context::Gpu,
};
use cudarc::driver::sys::{CUevent, CUevent_flags_enum, CUresult, CUstream, CUstream_flags_enum};
use skel_core::Result;
use std::{ffi::c_uint, ptr, sync::Arc, time::Duration};

/// A queue: what is in it is done in order.
#[derive(Debug)]
pub(in crate::cuda) struct Stream {
    gpu: Arc<Gpu>,
    raw: CUstream,
}

// SAFETY: handles of the driver may be used by any thread.
unsafe impl Send for Stream {}

impl Stream {
    /// One that waits for no other.
    pub(in crate::cuda) fn new(gpu: &Arc<Gpu>) -> Result<Stream> {
        let flags = CUstream_flags_enum::CU_STREAM_NON_BLOCKING as c_uint;
        let mut raw = ptr::null_mut();
        // SAFETY: room for the handle.
        gpu.check("making a stream", unsafe {
            (gpu.api.stream_create)(&raw mut raw, flags)
        })?;
        let gpu = Arc::clone(gpu);
        Ok(Stream { gpu, raw })
    }

    pub(super) fn raw(&self) -> CUstream {
        self.raw
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// What is queued from now on waits for the event as it is now.
    pub(in crate::cuda) fn wait(&self, event: &Event) -> Result<()> {
        // SAFETY: both handles are of objects that live.
        self.gpu.check("ordering streams", unsafe {
            (self.gpu.api.stream_wait)(self.raw, event.raw, 0)
        })
    }

    /// Waits until all that was queued is done.
    pub(in crate::cuda) fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is of a stream that lives.
        self.gpu.check("waiting for the device", unsafe {
            (self.gpu.api.stream_synchronize)(self.raw)
        })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // SAFETY: it was created, and is destroyed once. It can only fail with the device.
            unsafe { (self.gpu.api.stream_destroy)(self.raw) };
        }
    }
}

/// A mark in a queue.
#[derive(Debug)]
pub(in crate::cuda) struct Event {
    gpu: Arc<Gpu>,
    raw: CUevent,
}

// SAFETY: handles of the driver may be used by any thread.
unsafe impl Send for Event {}

impl Event {
    /// One that is not recorded yet. A thread that waits for it sleeps.
    pub(in crate::cuda) fn new(gpu: &Arc<Gpu>) -> Result<Event> {
        let flags = CUevent_flags_enum::CU_EVENT_BLOCKING_SYNC as c_uint
            | CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as c_uint;
        Event::with(gpu, flags)
    }

    /// One that notes the device's clock.
    pub(in crate::cuda) fn with_time(gpu: &Arc<Gpu>) -> Result<Event> {
        Event::with(gpu, CUevent_flags_enum::CU_EVENT_BLOCKING_SYNC as c_uint)
    }

    fn with(gpu: &Arc<Gpu>, flags: c_uint) -> Result<Event> {
        let mut raw = ptr::null_mut();
        // SAFETY: room for the handle.
        gpu.check("making an event", unsafe {
            (gpu.api.event_create)(&raw mut raw, flags)
        })?;
        let gpu = Arc::clone(gpu);
        Ok(Event { gpu, raw })
    }

    /// Puts it behind all that is in the queue.
    pub(in crate::cuda) fn record(&self, stream: &Stream) -> Result<()> {
        // SAFETY: both handles are of objects that live.
        self.gpu.check("ordering streams", unsafe {
            (self.gpu.api.event_record)(self.raw, stream.raw)
        })
    }

    /// Whether all before it is done.
    pub(in crate::cuda) fn is_done(&self) -> Result<bool> {
        const NOT_READY: Status = CUresult::CUDA_ERROR_NOT_READY as Status;
        // SAFETY: the handle is of an event that lives.
        match unsafe { (self.gpu.api.event_query)(self.raw) } {
            SUCCESS => Ok(true),
            NOT_READY => Ok(false),
            status => self
                .gpu
                .check("waiting for the device", status)
                .map(|()| true),
        }
    }

    /// How long after another one it came; both note the time, and all before them is done.
    pub(in crate::cuda) fn after(&self, earlier: &Event) -> Result<Duration> {
        let mut ms = 0_f32;
        // SAFETY: room for a number, and handles of events that live.
        self.gpu.check("timing", unsafe {
            (self.gpu.api.event_elapsed)(&raw mut ms, earlier.raw, self.raw)
        })?;
        Ok(Duration::try_from_secs_f64(f64::from(ms) / 1e3).unwrap_or_default())
    }

    /// Waits until all before it is done.
    pub(in crate::cuda) fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is of an event that lives.
        self.gpu.check("waiting for the device", unsafe {
            (self.gpu.api.event_synchronize)(self.raw)
        })
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // SAFETY: it was created, and is destroyed once. It can only fail with the device.
            unsafe { (self.gpu.api.event_destroy)(self.raw) };
        }
    }
}
