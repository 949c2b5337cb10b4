//! What a device is told to do without.

use crate::arithmetic::Remedies;
use std::ffi::OsString;

/// Limits to pretend, for tests of what happens at them: each lowers the device's own. And what can be switched
/// off, so that what it is worth can be measured.
///
/// # Environment
///
/// Devices of the default context take theirs from it:
///
/// | variable | means |
/// |---|---|
/// | `SKEL_WGPU_SUBGROUPS=off` | folds and scans use a work-group's memory alone |
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
}

impl Options {
    /// As the environment says.
    #[must_use]
    pub fn from_env() -> Options {
        Self::from(|name| std::env::var_os(name))
    }

    fn from(variable: impl Fn(&str) -> Option<OsString>) -> Options {
        let is_off = |name: &str| variable(name).is_some_and(|value| value == "off");
        Options {
            without_subgroups: is_off("SKEL_WGPU_SUBGROUPS"),
            ..Options::default()
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_environment_switches_subgroups_off() {
        for (value, off) in [(None, false), (Some("off"), true), (Some("on"), false)] {
            let options = Options::from(|name| {
                assert_eq!(name, "SKEL_WGPU_SUBGROUPS");
                value.map(OsString::from)
            });
            assert_eq!(options.without_subgroups, off);
        }
    }
}
