//! The driver as tests want it: one device, results by value, errors as CUDA's own.
#![allow(unsafe_code, reason = "cudarc's bindings of the driver are all unsafe")]

pub(crate) use cudarc::driver::sys::cudaError_enum as Error;
use cudarc::driver::{result, result::DriverError, sys};
use skel_backends::cuda::nvrtc::{Nvrtc, Options};
use std::{
    ffi::{CStr, CString, c_void},
    ptr,
};

/// Calls of the driver, with its code as the error.
macro_rules! cu {
    ($call:expr) => {{
        // SAFETY: handles and addresses that are wrong are errors of this driver, not crashes; what
        // it is told to read or write in this process lives as long as the caller says.
        code(unsafe { $call })
    }};
}

fn code<T>(result: std::result::Result<T, DriverError>) -> Result<T> {
    result.map_err(|error| error.0)
}

pub(crate) type Result<T> = std::result::Result<T, Error>;
pub(crate) type Address = sys::CUdeviceptr;

/// A device with a context that is current in this thread. The context goes with it.
pub(crate) struct Gpu {
    device: sys::CUdevice,
    context: sys::CUcontext,
}

impl Gpu {
    pub(crate) fn new(number: i32) -> Result<Gpu> {
        code(result::init())?;
        let device = code(result::device::get(number))?;
        let context = cu!(result::primary_ctx::retain(device))?;
        let gpu = Gpu { device, context };
        gpu.enter()?;
        Ok(gpu)
    }

    pub(crate) fn enter(&self) -> Result<()> {
        cu!(result::ctx::set_current(self.context))
    }

    pub(crate) fn alloc(&self, bytes: usize) -> Result<Address> {
        cu!(result::malloc_sync(bytes))
    }

    pub(crate) fn free(&self, address: Address) -> Result<()> {
        cu!(result::free_sync(address))
    }

    pub(crate) fn free_bytes(&self) -> Result<usize> {
        code(result::mem_get_info()).map(|(free, _)| free)
    }

    pub(crate) fn upload<T>(&self, to: Address, from: &[T]) -> Result<()> {
        cu!(result::memcpy_htod_sync(to, from))
    }

    /// New memory with these values.
    pub(crate) fn with<T>(&self, values: &[T]) -> Result<Address> {
        let address = self.alloc(size_of_val(values))?;
        self.upload(address, values)?;
        Ok(address)
    }

    pub(crate) fn download<T: Copy + Default>(&self, from: Address, len: usize) -> Result<Vec<T>> {
        let mut values = vec![T::default(); len];
        cu!(result::memcpy_dtoh_sync(&mut values, from))?;
        Ok(values)
    }

    /// `from` must live until the stream has been waited for.
    pub(crate) fn upload_async<T>(&self, to: Address, from: &[T], on: Stream) -> Result<()> {
        cu!(result::memcpy_htod_async(to, from, on.0))
    }

    /// `to` must live until the stream has been waited for.
    pub(crate) fn download_async<T>(&self, to: &mut [T], from: Address, on: Stream) -> Result<()> {
        cu!(result::memcpy_dtoh_async(to, from, on.0))
    }

    pub(crate) fn kernel(&self, source: &str, name: &str) -> Result<Kernel> {
        self.load(&compile(source), name)
    }

    pub(crate) fn load(&self, image: &[u8], name: &str) -> Result<Kernel> {
        let module = cu!(result::module::load_data(image.as_ptr().cast::<c_void>()))?;
        let name = CString::new(name).expect("no zero in it");
        cu!(result::module::get_function(module, name)).map(Kernel)
    }

    pub(crate) fn synchronize(&self) -> Result<()> {
        code(result::ctx::synchronize())
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        cu!(result::primary_ctx::release(self.device)).expect("it has been retained");
    }
}

/// Machine code of a source.
pub(crate) fn compile(source: &str) -> Vec<u8> {
    let nvrtc = Nvrtc::find().expect("it has been installed");
    let options = Options::cubin(90);
    nvrtc
        .compile("test", source, &options)
        .unwrap_or_else(|e| panic!("{e}"))
}

#[derive(Clone, Copy)]
pub(crate) struct Stream(sys::CUstream);

pub(crate) const DEFAULT: Stream = Stream(ptr::null_mut());

impl Stream {
    /// One that does not wait for the default stream.
    pub(crate) fn new() -> Result<Stream> {
        code(result::stream::create(
            result::stream::StreamKind::NonBlocking,
        ))
        .map(Stream)
    }

    pub(crate) fn blocking() -> Result<Stream> {
        code(result::stream::create(result::stream::StreamKind::Default)).map(Stream)
    }

    pub(crate) fn synchronize(self) -> Result<()> {
        cu!(result::stream::synchronize(self.0))
    }

    pub(crate) fn is_done(self) -> Result<bool> {
        // SAFETY: a handle that is wrong is an error.
        match unsafe { sys::cuStreamQuery(self.0) } {
            Error::CUDA_SUCCESS => Ok(true),
            Error::CUDA_ERROR_NOT_READY => Ok(false),
            error => Err(error),
        }
    }

    pub(crate) fn wait(self, event: Event) -> Result<()> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        cu!(result::stream::wait_event(self.0, event.0, flags))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Event(sys::CUevent);

impl Event {
    pub(crate) fn new() -> Result<Event> {
        code(result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT)).map(Event)
    }

    pub(crate) fn record(self, on: Stream) -> Result<()> {
        cu!(result::event::record(self.0, on.0))
    }

    pub(crate) fn synchronize(self) -> Result<()> {
        cu!(result::event::synchronize(self.0))
    }

    pub(crate) fn elapsed_ms(self, until: Event) -> Result<f32> {
        cu!(result::event::elapsed(self.0, until.0))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Kernel(sys::CUfunction);

/// A parameter of a kernel.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    Address(Address),
    U32(u32),
    F32(f32),
}

impl Kernel {
    pub(crate) fn launch(self, grid: u32, block: u32, on: Stream, args: &mut [Arg]) -> Result<()> {
        let pointer = |arg: &mut Arg| match arg {
            Arg::Address(value) => ptr::from_mut(value).cast::<c_void>(),
            Arg::U32(value) => ptr::from_mut(value).cast(),
            Arg::F32(value) => ptr::from_mut(value).cast(),
        };
        let mut pointers: Vec<*mut c_void> = args.iter_mut().map(pointer).collect();
        cu!(result::launch_kernel(
            self.0,
            (grid, 1, 1),
            (block, 1, 1),
            0,
            on.0,
            &mut pointers
        ))
    }
}

/// Page-locked memory of the host.
pub(crate) struct Pinned {
    memory: *mut f32,
    len: usize,
}

impl Pinned {
    pub(crate) fn new(len: usize) -> Result<Pinned> {
        let memory = cu!(result::malloc_host(len * size_of::<f32>(), 0))?.cast();
        Ok(Pinned { memory, len })
    }

    pub(crate) fn values(&mut self) -> &mut [f32] {
        // SAFETY: it has been allocated with this length, and is borrowed as this value is.
        unsafe { std::slice::from_raw_parts_mut(self.memory, self.len) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        cu!(result::free_host(self.memory.cast())).expect("it has been allocated");
    }
}

/// What CUDA calls an error.
pub(crate) fn name_of(error: Error) -> String {
    let error = DriverError(error);
    let name = error.error_name().map(CStr::to_string_lossy);
    name.map_or_else(|_| String::new(), |name| name.into_owned())
}
