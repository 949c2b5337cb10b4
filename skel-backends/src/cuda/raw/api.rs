//! The functions of the driver's library.
#![allow(
    unsafe_code,
    reason = "functions of a library that is opened at run time"
)]

use cudarc::driver::sys::{
    self, CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUevent, CUfunction,
    CUfunction_attribute, CUmodule, CUstream,
};
use std::{
    ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void},
    ptr,
    sync::OnceLock,
};

/// What every function returns. Not an `enum`: newer drivers know codes that we do not.
pub(in crate::cuda) type Status = c_uint;

/// No error.
pub(in crate::cuda) const SUCCESS: Status = 0;

macro_rules! api {
    ($($field:ident: $symbol:literal ($($argument:ty),*);)*) => {
        /// The functions, each found.
        #[derive(Debug)]
        pub(in crate::cuda) struct Api {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> Status,)*
        }

        impl Api {
            /// All functions of the library that is open; the first one that it lacks.
            fn find() -> Result<Api, &'static str> {
                // SAFETY: `is_culib_present` has said that it can be opened; its initialisers are NVIDIA's.
                let library = unsafe { sys::culib() };
                Ok(Api {
                    // SAFETY: the types are those of NVIDIA's documentation, with codes as the numbers
                    // that they are in C; the library stays open until the process ends.
                    $($field: *unsafe { library.get(concat!($symbol, "\0").as_bytes()) }
                        .map_err(|_| $symbol)?,)*
                })
            }
        }
    };
}

api! {
    init: "cuInit"(c_uint);
    driver_version: "cuDriverGetVersion"(*mut c_int);
    error_name: "cuGetErrorName"(Status, *mut *const c_char);
    error_string: "cuGetErrorString"(Status, *mut *const c_char);
    device_count: "cuDeviceGetCount"(*mut c_int);
    device: "cuDeviceGet"(*mut CUdevice, c_int);
    device_name: "cuDeviceGetName"(*mut c_char, c_int, CUdevice);
    device_memory: "cuDeviceTotalMem_v2"(*mut usize, CUdevice);
    device_attribute: "cuDeviceGetAttribute"(*mut c_int, CUdevice_attribute, CUdevice);
    device_bus: "cuDeviceGetPCIBusId"(*mut c_char, c_int, CUdevice);
    context_retain: "cuDevicePrimaryCtxRetain"(*mut CUcontext, CUdevice);
    context_release: "cuDevicePrimaryCtxRelease_v2"(CUdevice);
    context_enter: "cuCtxSetCurrent"(CUcontext);
    context_current: "cuCtxGetCurrent"(*mut CUcontext);
    memory_info: "cuMemGetInfo_v2"(*mut usize, *mut usize);
    allocate: "cuMemAlloc_v2"(*mut CUdeviceptr, usize);
    free: "cuMemFree_v2"(CUdeviceptr);
    host_allocate: "cuMemHostAlloc"(*mut *mut c_void, usize, c_uint);
    host_free: "cuMemFreeHost"(*mut c_void);
    upload: "cuMemcpyHtoDAsync_v2"(CUdeviceptr, *const c_void, usize, CUstream);
    download: "cuMemcpyDtoHAsync_v2"(*mut c_void, CUdeviceptr, usize, CUstream);
    copy: "cuMemcpyDtoDAsync_v2"(CUdeviceptr, CUdeviceptr, usize, CUstream);
    fill: "cuMemsetD8Async"(CUdeviceptr, c_uchar, usize, CUstream);
    stream_create: "cuStreamCreate"(*mut CUstream, c_uint);
    stream_destroy: "cuStreamDestroy_v2"(CUstream);
    stream_wait: "cuStreamWaitEvent"(CUstream, CUevent, c_uint);
    stream_synchronize: "cuStreamSynchronize"(CUstream);
    event_create: "cuEventCreate"(*mut CUevent, c_uint);
    event_destroy: "cuEventDestroy_v2"(CUevent);
    event_record: "cuEventRecord"(CUevent, CUstream);
    event_query: "cuEventQuery"(CUevent);
    event_synchronize: "cuEventSynchronize"(CUevent);
    event_elapsed: "cuEventElapsedTime"(*mut f32, CUevent, CUevent);
    module_load: "cuModuleLoadData"(*mut CUmodule, *const c_void);
    module_unload: "cuModuleUnload"(CUmodule);
    module_function: "cuModuleGetFunction"(*mut CUfunction, CUmodule, *const c_char);
    function_attribute: "cuFuncGetAttribute"(*mut c_int, CUfunction_attribute, CUfunction);
    launch: "cuLaunchKernel"(
        CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream,
        *mut *mut c_void, *mut *mut c_void
    );
}

/// Why CUDA cannot be used at all.
#[derive(Clone, Debug)]
pub(in crate::cuda) enum Unusable {
    /// There is no driver.
    Absent,
    /// There is one, but.
    Broken(String),
}

impl Api {
    /// The driver, opened and initialised once per process.
    pub(in crate::cuda) fn get() -> Result<&'static Api, Unusable> {
        static API: OnceLock<Result<Api, Unusable>> = OnceLock::new();
        API.get_or_init(Api::open).as_ref().map_err(Clone::clone)
    }

    fn open() -> Result<Api, Unusable> {
        // SAFETY: it opens libraries by the names that NVIDIA's driver has, whose initialisers are NVIDIA's.
        if !unsafe { sys::is_culib_present() } {
            return Err(Unusable::Absent);
        }
        let api = Api::find().map_err(|symbol| {
            Unusable::Broken(format!(
                "its driver has no function {symbol}, so it is older than CUDA 12"
            ))
        })?;
        // SAFETY: it takes no flags.
        let status = unsafe { (api.init)(0) };
        match status {
            SUCCESS => Ok(api),
            status => Err(Unusable::Broken(format!(
                "cuInit failed: {}",
                api.describe(status)
            ))),
        }
    }

    /// The version of CUDA that the driver is for: major, minor.
    pub(in crate::cuda) fn version(&self) -> Result<(u32, u32), Status> {
        let mut version = 0;
        // SAFETY: room for a number.
        ok(unsafe { (self.driver_version)(&raw mut version) })?;
        let version = version.unsigned_abs();
        Ok((version / 1000, version % 1000 / 10))
    }

    /// All devices.
    pub(in crate::cuda) fn devices(&self) -> Result<Vec<CUdevice>, Status> {
        let mut count = 0;
        // SAFETY: room for a number.
        ok(unsafe { (self.device_count)(&raw mut count) })?;
        let devices = (0..count).map(|ordinal| {
            let mut device = 0;
            // SAFETY: room for a device, and one of those that there are.
            ok(unsafe { (self.device)(&raw mut device, ordinal) })?;
            Ok(device)
        });
        devices.collect()
    }

    /// What the device is called.
    pub(in crate::cuda) fn name(&self, device: CUdevice) -> Result<String, Status> {
        self.text(self.device_name, device)
    }

    /// Where the device is plugged in: `0000:3b:00.0`.
    pub(in crate::cuda) fn bus(&self, device: CUdevice) -> Result<String, Status> {
        self.text(self.device_bus, device)
    }

    fn text(
        &self,
        function: unsafe extern "C" fn(*mut c_char, c_int, CUdevice) -> Status,
        device: CUdevice,
    ) -> Result<String, Status> {
        let mut bytes = [0_u8; 256];
        // The last zero stays.
        let room = bytes.len() as c_int - 1;
        // SAFETY: as many bytes as it is told.
        ok(unsafe { function(bytes.as_mut_ptr().cast(), room, device) })?;
        let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default();
        Ok(text.to_string_lossy().into_owned())
    }

    /// Bytes of its memory.
    pub(in crate::cuda) fn memory_bytes(&self, device: CUdevice) -> Result<u64, Status> {
        let mut bytes = 0;
        // SAFETY: room for a number.
        ok(unsafe { (self.device_memory)(&raw mut bytes, device) })?;
        Ok(bytes as u64)
    }

    /// An attribute of the device.
    pub(in crate::cuda) fn attribute(
        &self,
        device: CUdevice,
        attribute: CUdevice_attribute,
    ) -> Result<u32, Status> {
        let mut value = 0;
        // SAFETY: room for a number.
        ok(unsafe { (self.device_attribute)(&raw mut value, attribute, device) })?;
        Ok(value.unsigned_abs())
    }

    /// What the driver calls an error, and says of it.
    pub(in crate::cuda) fn describe(&self, status: Status) -> String {
        let text = |function: unsafe extern "C" fn(Status, *mut *const c_char) -> Status| {
            let mut text = ptr::null();
            // SAFETY: room for a pointer; any number is taken.
            let found = unsafe { function(status, &raw mut text) };
            if found != SUCCESS || text.is_null() {
                return None;
            }
            // SAFETY: a text that ends with a zero, a constant of the library, which stays open.
            let text = unsafe { CStr::from_ptr(text) };
            Some(text.to_string_lossy().into_owned())
        };
        match (text(self.error_name), text(self.error_string)) {
            (Some(name), Some(says)) => format!("{name} ({says})"),
            (Some(name), None) => name,
            _ => format!("error {status}"),
        }
    }
}

fn ok(status: Status) -> Result<(), Status> {
    match status {
        SUCCESS => Ok(()),
        status => Err(status),
    }
}
