//! The libraries in this process.
#![allow(unsafe_code, reason = "C libraries")]

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
use std::{
    ffi::{CStr, c_char, c_int},
    path::Path,
    ptr,
};

type Set = unsafe extern "C" fn(*const c_char, *const c_char);
type Fail = unsafe extern "C" fn(c_int, *const c_char, u64, c_int);
type Launches = unsafe extern "C" fn(c_int) -> u64;

/// What of ours the driver has besides CUDA's functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Functions {
    set: Set,
    fail: Fail,
    launches: Launches,
}

/// Only of a library that is in the process already.
const RTLD_NOLOAD: c_int = 4;

/// Whether a library of this name is in the process. It must not be in the folder of ours.
pub(super) fn is_loaded(name: &str) -> bool {
    // SAFETY: nothing is loaded, so nothing runs.
    unsafe { Library::open(Some(name), RTLD_NOLOAD | RTLD_NOW | RTLD_LOCAL) }.is_ok()
}

/// Loads it for good.
pub(super) fn load(path: &Path) -> Result<Library, String> {
    // SAFETY: our own libraries, whose initialisers do nothing but set up their statics.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) };
    library.map_err(|e| format!("{}: {e}", path.display()))
}

impl Functions {
    pub(super) fn of(driver: &Library) -> Result<Functions, String> {
        // SAFETY: `state.cpp` defines all with these types.
        let found = unsafe {
            driver.get::<Set>(b"skelShimSet\0").and_then(|set| {
                let fail = driver.get::<Fail>(b"skelShimFail\0")?;
                let launches = driver.get::<Launches>(b"skelShimLaunches\0")?;
                Ok(Functions {
                    set: *set,
                    fail: *fail,
                    launches: *launches,
                })
            })
        };
        found.map_err(|e| e.to_string())
    }

    pub(super) fn set(self, name: &CStr, value: Option<&CStr>) {
        let value = value.map_or(ptr::null(), CStr::as_ptr);
        // SAFETY: texts that end with a zero, or none; both are copied.
        unsafe { (self.set)(name.as_ptr(), value) }
    }

    pub(super) fn fail(self, device: c_int, kind: Option<&CStr>, n: u64, code: c_int) {
        let kind = kind.map_or(ptr::null(), CStr::as_ptr);
        // SAFETY: a text that ends with a zero, or none; it is copied.
        unsafe { (self.fail)(device, kind, n, code) }
    }

    pub(super) fn launches(self, device: c_int) -> u64 {
        // SAFETY: any number is taken.
        unsafe { (self.launches)(device) }
    }
}
