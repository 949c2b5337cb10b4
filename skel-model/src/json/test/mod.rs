//! What is read and written, against a parser of others and against itself.

mod files;
mod mutations;
mod syntax;

use crate::{json::*, *};
use proptest::prelude::*;
use skel_core::plan::BlockConfig;

/// A file in which every field has something of its own.
pub(crate) fn sample_file() -> TuningFile {
    let gpu = UnitId::device("cuda", "NVIDIA \"H200\"\u{1b}[31m", 1);
    let sample = |elems, median_ns| Sample {
        elems,
        median_ns,
        mad_ns: median_ns / 64.0,
        runs: 9,
    };
    let fit = Fit {
        curve: Curve::through(&[(1024.0, 1500.0), (4096.0, 4600.0), (65536.0, 100_000.5)]),
        slope_ns: 1.0 / 3.0,
        latency_ns: 466.7,
        slope_ci: (-0.25, 0.75),
        relative_rms: 0.031,
        r2: -0.5,
        quality: Quality::Good,
    };
    let weak = Fit {
        curve: Curve::line(0.1, 5e4),
        quality: Quality::Weak(Reason::Slope),
        ..fit.clone()
    };
    let shares = vec![(UnitId::Cpu, 0.3), (gpu.clone(), 0.7)];
    let class = ClassModel {
        elems: 65536,
        beside_elems: 7,
        units: vec![
            UnitModel {
                unit: UnitId::Sequential,
                fit: fit.clone(),
                samples: vec![sample(1024, 1500.0)],
                block: None,
            },
            UnitModel {
                unit: gpu.clone(),
                fit: weak,
                samples: vec![sample(1024, 5e4), sample(usize::MAX, 1e-9)],
                block: Some(BlockConfig {
                    lanes: 128,
                    elems_per_lane: u32::MAX,
                }),
            },
        ],
        split_overhead_ns: 2500.0,
        measured: vec![Measured {
            shares: shares.clone(),
            sample: sample(65536, 77.0),
        }],
        best: Some(shares.clone()),
        quality: Quality::Weak(Reason::Busy),
    };
    let instance = InstanceModel {
        key: InstanceKey {
            name: "dot::main".into(),
            pattern: "MapReduce".into(),
            elements: "(f32, f32) -> f32".into(),
            hash: u128::MAX - 5,
        },
        classes: vec![
            class.clone(),
            ClassModel {
                best: None,
                ..class
            },
        ],
        chain: vec![ChainChoice {
            elems: 65536,
            beside_elems: 0,
            shares,
        }],
        read_back: 0.125,
        seed: u64::MAX,
        when_unix_s: 1_700_000_000,
        drift: -0.01,
    };
    let transfer = TransferModel {
        up_latency_ns: 9000.0,
        up_ns_per_byte: 0.018,
        down_latency_ns: 11000.0,
        down_ns_per_byte: 0.02,
    };
    TuningFile {
        tool: "cargo-tune 0.1.0".into(),
        machines: vec![MachineModels {
            fingerprint: Fingerprint {
                cpu: "AMD EPYC 9554".into(),
                threads: 16,
                devices: vec![DeviceFingerprint {
                    id: gpu.clone(),
                    name: "NVIDIA H200".into(),
                    driver: "580.1".into(),
                }],
            },
            transfers: vec![(gpu, transfer)],
            instances: vec![instance],
        }],
    }
}
