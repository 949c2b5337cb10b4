//! Machines, transfers, and files of models.

use crate::{InstanceModel, UnitId};

/// What moving bytes between the host and a device takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TransferModel {
    /// Of one upload.
    pub up_latency_ns: f64,
    /// Per byte that is uploaded.
    pub up_ns_per_byte: f64,
    /// Of one download.
    pub down_latency_ns: f64,
    /// Per byte that is downloaded.
    pub down_ns_per_byte: f64,
}

/// What a device is recognised by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceFingerprint {
    /// Which one.
    pub id: UnitId,
    /// Its name.
    pub name: String,
    /// Its driver and version.
    pub driver: String,
}

/// What a machine is recognised by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The name of the processor.
    pub cpu: String,
    /// The threads of the CPU unit.
    pub threads: usize,
    /// The devices.
    pub devices: Vec<DeviceFingerprint>,
}

/// All models of one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineModels {
    /// Which machine.
    pub fingerprint: Fingerprint,
    /// Per device.
    pub transfers: Vec<(UnitId, TransferModel)>,
    /// Per instance.
    pub instances: Vec<InstanceModel>,
}

/// A file of models.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningFile {
    /// What wrote it, and its version.
    pub tool: String,
    /// By machine.
    pub machines: Vec<MachineModels>,
}

impl TuningFile {
    /// What the format is called.
    pub const SCHEMA: &'static str = "skel.tune/1";
}
