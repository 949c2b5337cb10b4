//! What is switched off for a device.

use crate::arithmetic::Remedies;

/// Limits to pretend, for tests of what happens at them: each lowers the device's own. And what can be switched
/// off, so that what it is worth can be measured.
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
    /// A type and an operation, as Rust spells them, that count as wrong even if the driver is right, whatever remedy
    /// there is; so that tests see what becomes of the type.
    pub found_wrong: Option<(&'static str, &'static str)>,
    /// Pipelines are kept on disk even if the driver has added nothing to them, as Mesa's software device does, so that
    /// tests without a GPU see files.
    pub keeps_all_pipelines: bool,
}
