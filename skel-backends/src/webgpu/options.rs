//! What a device is told to do without.

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
/// | `SKEL_WGPU_SUBGROUPS=on` | they use subgroups, also on software devices |
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
    /// Whether lanes of a subgroup pass each other values in folds and scans, on a device that can; if nothing is
    /// said, where that is worth it.
    pub subgroups: Option<bool>,
}

impl Options {
    /// As the environment says.
    #[must_use]
    pub fn from_env() -> Options {
        Self::from(|name| std::env::var_os(name))
    }

    fn from(variable: impl Fn(&str) -> Option<OsString>) -> Options {
        let subgroups = match variable("SKEL_WGPU_SUBGROUPS") {
            Some(value) if value == "off" => Some(false),
            Some(value) if value == "on" => Some(true),
            _ => None,
        };
        Options {
            subgroups,
            ..Options::default()
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_environment_says_whether_there_are_subgroups() {
        for (value, subgroups) in [
            (None, None),
            (Some("off"), Some(false)),
            (Some("on"), Some(true)),
            // What says nothing is not taken for a word.
            (Some("perhaps"), None),
        ] {
            let options = Options::from(|name| {
                assert_eq!(name, "SKEL_WGPU_SUBGROUPS");
                value.map(OsString::from)
            });
            assert_eq!(options.subgroups, subgroups);
        }
    }
}
