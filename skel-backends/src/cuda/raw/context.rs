//! A device and its context.
#![allow(unsafe_code, reason = "calls of the driver's functions")]

use super::api::{Api, SUCCESS, Status};
use cudarc::driver::sys::{CUcontext, CUdevice, CUresult};
use skel_core::{Error, Result};
use std::{
    ptr,
    sync::{Arc, OnceLock},
};

/// A device with its primary context, which all users of the device in a process share.
#[derive(Debug)]
pub(in crate::cuda) struct Gpu {
    pub(super) api: &'static Api,
    device: CUdevice,
    context: CUcontext,
    name: String,
    /// Why it is gone for good.
    lost: OnceLock<String>,
}

// SAFETY: handles of the driver may be used by any thread.
unsafe impl Send for Gpu {}
// SAFETY: handles of the driver may be used by several threads at once: the driver locks what it must.
unsafe impl Sync for Gpu {}

impl Gpu {
    /// Opens the device.
    pub(in crate::cuda) fn open(
        api: &'static Api,
        device: CUdevice,
        name: String,
    ) -> Result<Arc<Gpu>> {
        let mut context = ptr::null_mut();
        // SAFETY: room for the handle.
        let status = unsafe { (api.context_retain)(&raw mut context, device) };
        let gpu = Gpu {
            api,
            device,
            context,
            name,
            lost: OnceLock::new(),
        };
        if status != SUCCESS {
            let error = gpu.failed("opening the device", api.describe(status));
            // There is nothing to release.
            std::mem::forget(gpu);
            return Err(error);
        }
        Ok(Arc::new(gpu))
    }

    /// Works on the device, on a thread that may have another library's device current: that one is restored
    /// afterwards.
    pub(in crate::cuda) fn visit<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<R> {
        let mut others = ptr::null_mut();
        // SAFETY: room for the handle.
        self.check("entering its context", unsafe {
            (self.api.context_current)(&raw mut others)
        })?;
        self.enter()?;
        let result = work();
        // SAFETY: it was this thread's context before, or is none.
        let left = unsafe { (self.api.context_enter)(others) };
        self.check("leaving its context", left)?;
        result
    }

    /// Makes this thread work on the device.
    pub(in crate::cuda) fn enter(&self) -> Result<()> {
        // SAFETY: the context is retained until `self` is dropped.
        self.check("entering its context", unsafe {
            (self.api.context_enter)(self.context)
        })
    }

    /// What the device is called.
    pub(in crate::cuda) fn name(&self) -> &str {
        &self.name
    }

    /// An error of this device; if it is gone, that: all else follows from it.
    pub(in crate::cuda) fn failed(
        &self,
        operation: &'static str,
        message: impl Into<String>,
    ) -> Error {
        if let Some(reason) = self.lost.get() {
            return self.gone(reason);
        }
        Error::Device {
            device: self.name.clone(),
            operation,
            message: message.into(),
        }
    }

    /// Says why, if the device is gone.
    pub(in crate::cuda) fn alive(&self) -> Result<()> {
        match self.lost.get() {
            Some(reason) => Err(self.gone(reason)),
            None => Ok(()),
        }
    }

    fn gone(&self, reason: &str) -> Error {
        Error::DeviceLost {
            device: self.name.clone(),
            reason: reason.to_owned(),
        }
    }

    /// Bytes of free device memory, as far as the driver tells.
    pub(in crate::cuda) fn free_bytes(&self) -> u64 {
        let (mut free, mut total) = (0, 0);
        // SAFETY: room for two numbers.
        let status = unsafe { (self.api.memory_info)(&raw mut free, &raw mut total) };
        if status == SUCCESS { free as u64 } else { 0 }
    }

    /// What a status means. The first one that says that the context is broken for good is kept: what
    /// comes later are its consequences.
    pub(super) fn check(&self, operation: &'static str, status: Status) -> Result<()> {
        if status == SUCCESS {
            return Ok(());
        }
        let message = self.api.describe(status);
        if is_final(status) {
            let reason = self.lost.get_or_init(|| format!("{operation}: {message}"));
            return Err(self.gone(reason));
        }
        if status == NO_MEMORY {
            return Err(Error::OutOfMemory {
                device: self.name.clone(),
                needed_bytes: 0,
                available_bytes: self.free_bytes(),
            });
        }
        Err(self.failed(operation, message))
    }
}

const NO_MEMORY: Status = CUresult::CUDA_ERROR_OUT_OF_MEMORY as Status;

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: it was retained once. A failure here cannot be reported.
        unsafe { (self.api.context_release)(self.device) };
    }
}

/// Whether nothing works on this device any more after the error. All that the driver's documentation
/// says to leave the process in an inconsistent state, and what a device that has gone away gives.
fn is_final(status: Status) -> bool {
    const DEVICE_UNAVAILABLE: Status = 46;
    const CONTAINED: Status = 721;
    const TENSOR_CORE_LEAK: Status = 722;
    let known = [
        CUresult::CUDA_ERROR_DEINITIALIZED,
        CUresult::CUDA_ERROR_ECC_UNCORRECTABLE,
        CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE,
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
        CUresult::CUDA_ERROR_LAUNCH_TIMEOUT,
        CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED,
        CUresult::CUDA_ERROR_ASSERT,
        CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR,
        CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION,
        CUresult::CUDA_ERROR_MISALIGNED_ADDRESS,
        CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE,
        CUresult::CUDA_ERROR_INVALID_PC,
        CUresult::CUDA_ERROR_LAUNCH_FAILED,
        CUresult::CUDA_ERROR_EXTERNAL_DEVICE,
        CUresult::CUDA_ERROR_UNKNOWN,
    ];
    let others = [DEVICE_UNAVAILABLE, CONTAINED, TENSOR_CORE_LEAK];
    known.map(|code| code as Status).contains(&status) || others.contains(&status)
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn what_a_caller_did_wrong_is_not_the_end_of_the_device() {
        for code in [
            CUresult::CUDA_ERROR_INVALID_VALUE,
            CUresult::CUDA_ERROR_OUT_OF_MEMORY,
            CUresult::CUDA_ERROR_INVALID_IMAGE,
            CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU,
            CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
            CUresult::CUDA_ERROR_NOT_READY,
        ] {
            assert!(!is_final(code as Status), "{code:?}");
        }
        assert!(is_final(700) && is_final(719) && is_final(214));
    }
}
