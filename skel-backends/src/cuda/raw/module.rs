//! Kernels: loaded and launched.
#![allow(unsafe_code, reason = "calls of the driver's functions")]

use super::{context::Gpu, stream::Stream};
use cudarc::driver::sys::{CUfunction, CUfunction_attribute, CUmodule};
use skel_core::Result;
use std::{ffi::CStr, ptr, sync::Arc};

/// Machine code or PTX, loaded.
#[derive(Debug)]
pub(in crate::cuda) struct Module {
    gpu: Arc<Gpu>,
    raw: CUmodule,
}

// SAFETY: handles of the driver may be used by any thread.
unsafe impl Send for Module {}
// SAFETY: handles of the driver may be used by several threads at once: the driver locks what it must.
unsafe impl Sync for Module {}

impl Module {
    /// Loads what NVRTC gave.
    pub(in crate::cuda) fn load(gpu: &Arc<Gpu>, image: &[u8]) -> Result<Module> {
        // PTX is a text that must end with a zero; behind machine code one more byte does no harm.
        let mut image = image.to_vec();
        image.push(0);
        let mut raw = ptr::null_mut();
        // SAFETY: room for the handle, and an image that ends where it says itself or with a zero.
        gpu.check("loading a kernel", unsafe {
            (gpu.api.module_load)(&raw mut raw, image.as_ptr().cast())
        })?;
        let gpu = Arc::clone(gpu);
        Ok(Module { gpu, raw })
    }

    /// A kernel of it, which keeps it.
    pub(in crate::cuda) fn into_function(self, name: &CStr) -> Result<Function> {
        let mut raw = ptr::null_mut();
        // SAFETY: room for the handle, a module that is loaded, a text that ends with a zero.
        self.gpu.check("loading a kernel", unsafe {
            (self.gpu.api.module_function)(&raw mut raw, self.raw, name.as_ptr())
        })?;
        Ok(Function { module: self, raw })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // SAFETY: it was loaded, and is unloaded once. It can only fail with the device.
            unsafe { (self.gpu.api.module_unload)(self.raw) };
        }
    }
}

/// A kernel that takes one block of parameters, by value.
#[derive(Debug)]
pub(in crate::cuda) struct Function {
    module: Module,
    raw: CUfunction,
}

// SAFETY: handles of the driver may be used by any thread.
unsafe impl Send for Function {}
// SAFETY: handles of the driver may be used by several threads at once: the driver locks what it must.
unsafe impl Sync for Function {}

impl Function {
    /// How many threads a block can have, at most: each needs its registers.
    pub(in crate::cuda) fn most_threads(&self) -> Result<u32> {
        const WHICH: CUfunction_attribute =
            CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
        let gpu = &self.module.gpu;
        let mut most = 0;
        // SAFETY: room for a number, and a function of a module that is loaded.
        gpu.check("loading a kernel", unsafe {
            (gpu.api.function_attribute)(&raw mut most, WHICH, self.raw)
        })?;
        Ok(most.unsigned_abs())
    }

    /// Queues the kernel: so many blocks, so many threads in each.
    ///
    /// # Safety
    /// The block of parameters is as the kernel declares it, and what it points to lives until the kernel
    /// is done. (That is device memory, so what a kernel does wrong there harms results, not the host.)
    pub(in crate::cuda) unsafe fn launch(
        &self,
        stream: &Stream,
        blocks: u32,
        threads: u32,
        params: &[u64],
    ) -> Result<()> {
        let mut pointers = [params.as_ptr().cast_mut().cast()];
        // SAFETY: one pointer for the one parameter, which the driver copies before it returns. The caller
        // states that the parameters are those of the kernel, and that what they point to lives until the
        // kernel is done.
        self.module.gpu.check("launch", unsafe {
            (self.module.gpu.api.launch)(
                self.raw,
                blocks,
                1,
                1,
                threads,
                1,
                1,
                0,
                stream.raw(),
                pointers.as_mut_ptr(),
                ptr::null_mut(),
            )
        })
    }
}
