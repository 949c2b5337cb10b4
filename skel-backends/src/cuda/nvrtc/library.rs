//! The functions of the library.
#![allow(unsafe_code, reason = "a C library")]

use super::NvrtcError;
use std::{
    ffi::{CStr, CString, c_char, c_int},
    mem::ManuallyDrop,
    path::Path,
    ptr,
};

type Handle = *mut std::ffi::c_void;
type Status = c_int;

const SUCCESS: Status = 0;
const ERROR_INVALID_INPUT: Status = 3;
const ERROR_COMPILATION: Status = 6;

/// The functions, as `nvrtc.h` declares them in CUDA 12 and 13.
struct Functions {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status,
    error_string: unsafe extern "C" fn(Status) -> *const c_char,
    num_architectures: unsafe extern "C" fn(*mut c_int) -> Status,
    architectures: unsafe extern "C" fn(*mut c_int) -> Status,
    create: unsafe extern "C" fn(
        *mut Handle,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Status,
    destroy: unsafe extern "C" fn(*mut Handle) -> Status,
    compile: unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> Status,
    log: Output,
    ptx: Output,
    cubin: Output,
}

/// Two functions that give bytes: first how many, then the bytes.
#[derive(Clone, Copy)]
struct Output {
    names: [&'static str; 2],
    size: unsafe extern "C" fn(Handle, *mut usize) -> Status,
    bytes: unsafe extern "C" fn(Handle, *mut c_char) -> Status,
}

/// NVRTC in memory.
pub(super) struct Library {
    functions: Functions,
    /// Never closed: NVRTC keeps state that does not survive it.
    _code: ManuallyDrop<libloading::Library>,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Library")
    }
}

/// A function that failed.
#[derive(Debug)]
pub(super) struct FailedCall {
    function: &'static str,
    status: Status,
    message: String,
}

impl FailedCall {
    /// Whether it is the source that is wrong.
    pub(super) fn is_of_the_source(&self) -> bool {
        self.status == ERROR_COMPILATION
    }

    pub(super) fn of(self, kernel: &str) -> NvrtcError {
        NvrtcError::Failed {
            kernel: kernel.to_owned(),
            function: self.function,
            message: self.message,
        }
    }
}

impl Library {
    pub(super) fn open(path: &Path) -> Result<Library, String> {
        // SAFETY: what runs on opening is what the system's own library, or the one the user named,
        // does at its start; NVRTC's initialisers have no preconditions.
        let code = unsafe { libloading::Library::new(path) }.map_err(|e| e.to_string())?;
        macro_rules! function {
            ($name:literal) => {{
                // SAFETY: the type that it is put into is what NVIDIA's header declares under this
                // name, which has not changed from CUDA 11 to 13.
                let symbol = unsafe { code.get(concat!($name, "\0").as_bytes()) };
                *symbol.map_err(|e| format!("{}: {e}", $name))?
            }};
        }
        macro_rules! output {
            ($size:literal, $bytes:literal) => {
                Output {
                    names: [$size, $bytes],
                    size: function!($size),
                    bytes: function!($bytes),
                }
            };
        }
        let functions = Functions {
            version: function!("nvrtcVersion"),
            error_string: function!("nvrtcGetErrorString"),
            num_architectures: function!("nvrtcGetNumSupportedArchs"),
            architectures: function!("nvrtcGetSupportedArchs"),
            create: function!("nvrtcCreateProgram"),
            destroy: function!("nvrtcDestroyProgram"),
            compile: function!("nvrtcCompileProgram"),
            log: output!("nvrtcGetProgramLogSize", "nvrtcGetProgramLog"),
            ptx: output!("nvrtcGetPTXSize", "nvrtcGetPTX"),
            cubin: output!("nvrtcGetCUBINSize", "nvrtcGetCUBIN"),
        };
        Ok(Library {
            functions,
            _code: ManuallyDrop::new(code),
        })
    }

    pub(super) fn version(&self) -> Result<(u32, u32), String> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both point to integers of ours.
        let status = unsafe { (self.functions.version)(&raw mut major, &raw mut minor) };
        self.check("nvrtcVersion", status)
            .map_err(|call| call.message)?;
        Ok((major.unsigned_abs(), minor.unsigned_abs()))
    }

    pub(super) fn architectures(&self) -> Result<Vec<u32>, FailedCall> {
        let mut count = 0;
        // SAFETY: it points to an integer of ours.
        let status = unsafe { (self.functions.num_architectures)(&raw mut count) };
        self.check("nvrtcGetNumSupportedArchs", status)?;
        let mut all = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: there is room for as many as it has just said.
        let status = unsafe { (self.functions.architectures)(all.as_mut_ptr()) };
        self.check("nvrtcGetSupportedArchs", status)?;
        Ok(all.into_iter().map(c_int::unsigned_abs).collect())
    }

    pub(super) fn program(&self, name: &str, source: &str) -> Result<Program<'_>, FailedCall> {
        const FUNCTION: &str = "nvrtcCreateProgram";
        let name = text(FUNCTION, name)?;
        let source = text(FUNCTION, source)?;
        let mut handle = ptr::null_mut();
        // SAFETY: two texts that end with a zero and live until it returns, no headers, and room for
        // the handle.
        let status = unsafe {
            (self.functions.create)(
                &raw mut handle,
                source.as_ptr(),
                name.as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            )
        };
        self.check(FUNCTION, status)?;
        Ok(Program {
            library: self,
            handle,
        })
    }

    fn check(&self, function: &'static str, status: Status) -> Result<(), FailedCall> {
        if status == SUCCESS {
            return Ok(());
        }
        // SAFETY: it takes any number.
        let text = unsafe { (self.functions.error_string)(status) };
        let message = if text.is_null() {
            format!("error {status}")
        } else {
            // SAFETY: a text that ends with a zero, a constant of the library, which stays open.
            let text = unsafe { CStr::from_ptr(text) };
            text.to_string_lossy().into_owned()
        };
        Err(FailedCall {
            function,
            status,
            message,
        })
    }
}

/// A source on its way.
pub(super) struct Program<'a> {
    library: &'a Library,
    handle: Handle,
}

impl Program<'_> {
    pub(super) fn compile(&self, arguments: &[String]) -> Result<(), FailedCall> {
        const FUNCTION: &str = "nvrtcCompileProgram";
        let arguments: Result<Vec<CString>, FailedCall> =
            arguments.iter().map(|a| text(FUNCTION, a)).collect();
        let arguments = arguments?;
        let pointers: Vec<*const c_char> = arguments.iter().map(|a| a.as_ptr()).collect();
        let count = c_int::try_from(pointers.len()).unwrap_or(0);
        // SAFETY: the handle is of a program that has not been destroyed; as many texts as it is
        // told, which live until it returns.
        let status =
            unsafe { (self.library.functions.compile)(self.handle, count, pointers.as_ptr()) };
        self.library.check(FUNCTION, status)
    }

    pub(super) fn log(&self) -> Result<String, FailedCall> {
        let bytes = self.output(self.library.functions.log)?;
        Ok(String::from_utf8_lossy(&without_zero(bytes)).into_owned())
    }

    /// Text, without the zero at its end.
    pub(super) fn ptx(&self) -> Result<Vec<u8>, FailedCall> {
        self.output(self.library.functions.ptx).map(without_zero)
    }

    pub(super) fn cubin(&self) -> Result<Vec<u8>, FailedCall> {
        self.output(self.library.functions.cubin)
    }

    fn output(&self, output: Output) -> Result<Vec<u8>, FailedCall> {
        let mut size = 0;
        // SAFETY: `self` has a handle that was created and is not destroyed; `size` is room for one number.
        let status = unsafe { (output.size)(self.handle, &raw mut size) };
        self.library.check(output.names[0], status)?;
        let mut bytes = vec![0_u8; size];
        // SAFETY: `self` has a handle that was created and is not destroyed; `bytes` has the size that the
        // library has just stated.
        let status = unsafe { (output.bytes)(self.handle, bytes.as_mut_ptr().cast()) };
        self.library.check(output.names[1], status)?;
        Ok(bytes)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: `create` gave the handle, and it is not used after this, since its owner is being dropped.
        // The call can only fail for an invalid handle.
        unsafe { (self.library.functions.destroy)(&raw mut self.handle) };
    }
}

fn text(function: &'static str, text: &str) -> Result<CString, FailedCall> {
    CString::new(text).map_err(|_| FailedCall {
        function,
        status: ERROR_INVALID_INPUT,
        message: "a text with a zero in it".into(),
    })
}

fn without_zero(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}
