//! Device memory, page-locked host memory, and copies.
#![allow(
    unsafe_code,
    reason = "calls of the driver's functions, and memory that it gives"
)]

use super::{api::Status, context::Gpu, stream::Stream};
use cudarc::driver::sys::{CUdeviceptr, CUresult};
use skel_core::{Result, host_memory};
use std::{
    ptr::{self, NonNull},
    sync::Arc,
};

/// An address in device memory. The host never follows it.
pub(in crate::cuda) type Address = CUdeviceptr;

/// Device memory.
#[derive(Debug)]
pub(in crate::cuda) struct DeviceMemory {
    gpu: Arc<Gpu>,
    address: Address,
    len_bytes: u64,
}

impl DeviceMemory {
    /// So much, or `None` if the device has not.
    pub(in crate::cuda) fn new(gpu: &Arc<Gpu>, len_bytes: u64) -> Result<Option<DeviceMemory>> {
        const NO_MEMORY: Status = CUresult::CUDA_ERROR_OUT_OF_MEMORY as Status;
        let Ok(len) = usize::try_from(len_bytes) else {
            return Ok(None);
        };
        let mut address = 0;
        // SAFETY: room for an address.
        match unsafe { (gpu.api.allocate)(&raw mut address, len) } {
            NO_MEMORY => return Ok(None),
            status => gpu.check("allocation", status)?,
        }
        Ok(Some(DeviceMemory {
            gpu: Arc::clone(gpu),
            address,
            len_bytes,
        }))
    }

    /// Where it begins.
    pub(in crate::cuda) fn address(&self) -> Address {
        self.address
    }

    /// Its size.
    pub(in crate::cuda) fn len_bytes(&self) -> u64 {
        self.len_bytes
    }
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        // Where it fails, the device is gone, and its memory as well.
        if self.gpu.enter().is_ok() {
            // SAFETY: it was allocated, and is freed once. The driver waits for what uses it.
            unsafe { (self.gpu.api.free)(self.address) };
        }
    }
}

/// Host memory that copies read and write while the program goes on. Page-locked, so that the device
/// does it itself, or ordinary, which the driver copies through memory of its own.
#[derive(Debug)]
pub(in crate::cuda) struct HostMemory {
    gpu: Arc<Gpu>,
    bytes: NonNull<u8>,
    len_bytes: usize,
    pinned: bool,
}

// SAFETY: it is a boxed slice of bytes, except for the function that frees it.
unsafe impl Send for HostMemory {}
// SAFETY: safe functions only read the pointer and the length; access to the bytes through a shared reference
// is `unsafe`.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    /// Zeros.
    pub(in crate::cuda) fn new(gpu: &Arc<Gpu>, len_bytes: usize, pinned: bool) -> Result<Self> {
        let bytes = if pinned {
            let mut bytes = ptr::null_mut();
            // SAFETY: room for a pointer.
            let status = unsafe { (gpu.api.host_allocate)(&raw mut bytes, len_bytes, 0) };
            gpu.check("allocation of page-locked memory", status)?;
            // SAFETY: the driver allocated as many bytes as were asked for, and there is no other pointer to
            // them.
            unsafe { ptr::write_bytes(bytes.cast::<u8>(), 0, len_bytes) };
            bytes.cast()
        } else {
            Box::into_raw(host_memory::filled(len_bytes, 0_u8)?.into_boxed_slice()).cast()
        };
        let Some(bytes) = NonNull::new(bytes) else {
            let message = "the driver gave no memory";
            return Err(gpu.failed("allocation of page-locked memory", message));
        };
        Ok(HostMemory {
            gpu: Arc::clone(gpu),
            bytes,
            len_bytes,
            pinned,
        })
    }

    /// Whether copies go on while the program does.
    pub(in crate::cuda) fn is_pinned(&self) -> bool {
        self.pinned
    }

    /// Where a part of it lies for kernels, which see page-locked memory at the address that it has on the host.
    pub(in crate::cuda) fn address(&self, at: usize, len: usize) -> Option<Address> {
        self.pinned.then(|| self.at(at, len) as Address)
    }

    /// A part of it.
    ///
    /// # Safety
    /// No thread and no queued copy writes it during the reference's life.
    pub(in crate::cuda) unsafe fn bytes(&self, at: usize, len: usize) -> &[u8] {
        // SAFETY: `at` asserts that the part lies within the memory, which `new` initialised; the caller
        // states that it is not written meanwhile.
        unsafe { std::slice::from_raw_parts(self.at(at, len), len) }
    }

    /// A part of it, to be written.
    ///
    /// # Safety
    /// No other thread and no queued copy uses it during the reference's life.
    #[allow(clippy::mut_from_ref, reason = "parts of one memory are written apart")]
    pub(in crate::cuda) unsafe fn bytes_mut(&self, at: usize, len: usize) -> &mut [u8] {
        // SAFETY: `at` asserts that the part lies within the memory, which `new` initialised; the caller
        // states that it is not used elsewhere meanwhile.
        unsafe { std::slice::from_raw_parts_mut(self.at(at, len), len) }
    }

    fn at(&self, at: usize, len: usize) -> *mut u8 {
        assert!(at <= self.len_bytes && len <= self.len_bytes - at);
        // SAFETY: within the memory, as was just asserted.
        unsafe { self.bytes.as_ptr().add(at) }
    }

    /// Queues a copy of a part of it to the device.
    ///
    /// # Safety
    /// The part is neither written nor freed before the copy is done.
    pub(in crate::cuda) unsafe fn upload(
        &self,
        stream: &Stream,
        at: usize,
        len: usize,
        to: Address,
    ) -> Result<()> {
        let from = self.at(at, len);
        // SAFETY: `at` asserts that there are `len` bytes, and the caller states that they stay until the
        // copy is done. Writing device memory does not touch the host's.
        self.gpu.check("upload", unsafe {
            (self.gpu.api.upload)(to, from.cast(), len, stream.raw())
        })
    }

    /// Queues a copy from the device to a part of it.
    ///
    /// # Safety
    /// The part is neither used nor freed before the copy is done.
    pub(in crate::cuda) unsafe fn download(
        &self,
        stream: &Stream,
        from: Address,
        at: usize,
        len: usize,
    ) -> Result<()> {
        let to = self.at(at, len);
        // SAFETY: `at` asserts that there is room for `len` bytes, and the caller states that they are
        // neither used nor freed before the copy is done.
        self.gpu.check("download", unsafe {
            (self.gpu.api.download)(to.cast(), from, len, stream.raw())
        })
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        if self.pinned {
            if self.gpu.enter().is_ok() {
                // SAFETY: it was allocated so, and is freed once. It can only fail with the device.
                let _status: Status =
                    unsafe { (self.gpu.api.host_free)(self.bytes.as_ptr().cast()) };
            }
        } else {
            let slice = ptr::slice_from_raw_parts_mut(self.bytes.as_ptr(), self.len_bytes);
            // SAFETY: it was made of such a box, in `new`.
            drop(unsafe { Box::from_raw(slice) });
        }
    }
}

impl Stream {
    /// Queues a copy of so many bytes on the device.
    pub(in crate::cuda) fn copy(&self, to: Address, from: Address, len: usize) -> Result<()> {
        // SAFETY: what is done to device memory does not touch the host's.
        let status = unsafe { (self.gpu().api.copy)(to, from, len, self.raw()) };
        self.gpu().check("copy", status)
    }

    /// Queues that so many bytes become `value`.
    pub(in crate::cuda) fn fill(&self, at: Address, value: u8, len: usize) -> Result<()> {
        // SAFETY: what is done to device memory does not touch the host's.
        let status = unsafe { (self.gpu().api.fill)(at, value, len, self.raw()) };
        self.gpu().check("launch", status)
    }
}
