//! What is switched off for a device.

use crate::{arithmetic::Remedies, setting::WGPU_SUBGROUPS};
use skel_core::{Result, setting::environment};
use std::ffi::OsString;

/// Limits to pretend, for tests of what happens at them: each lowers the device's own. And what can be switched
/// off, so that what it is worth can be measured.
///
/// Devices of the default context take theirs from variables of the environment, `SKEL_WGPU_…`: see
/// `docs/environment.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Storage buffers that a kernel can bind.
    pub max_storage_buffers: Option<u32>,
    /// Bytes of a buffer that a kernel can bind.
    pub max_binding_bytes: Option<u64>,
    /// Bytes of a buffer.
    pub max_buffer_bytes: Option<u64>,
    /// Work-groups of a dispatch, in each dimension.
    pub max_workgroups_per_dimension: Option<u32>,
    /// Invocations of a work-group; a power of two.
    pub lanes: Option<u32>,
    /// As if there were no `f64`.
    pub without_f64: bool,
    /// Operations that are computed by integers even if the driver is right.
    pub remedies: Remedies,
    /// As if no lanes could pass each other values: folds and scans use a work-group's memory alone.
    pub without_subgroups: bool,
    /// Pipelines are kept on disk even if the driver has added nothing to them, as Mesa's software device does, so that
    /// tests without a GPU see files.
    pub keeps_all_pipelines: bool,
}

impl Options {
    /// As the environment says.
    ///
    /// # Errors
    /// [`skel_core::Error::BadSetting`] if it says what it cannot.
    pub fn from_env() -> Result<Options> {
        Self::from(&environment)
    }

    fn from(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Options> {
        Ok(Options {
            without_subgroups: WGPU_SUBGROUPS.read(variable)? == Some(false),
            ..Options::default()
        })
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_environment_switches_subgroups_off() {
        let read = |value: Option<&str>| {
            Options::from(&|name| {
                assert_eq!(name, "SKEL_WGPU_SUBGROUPS");
                value.map(OsString::from)
            })
        };
        for (value, off) in [(None, false), (Some("off"), true), (Some("on"), false)] {
            assert_eq!(read(value).unwrap().without_subgroups, off);
        }
        let error = read(Some("of")).unwrap_err().to_string();
        assert!(error.contains("SKEL_WGPU_SUBGROUPS is `of`"), "{error}");
    }
}
