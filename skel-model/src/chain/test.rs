//! Against sums by hand, a simulation of single elements, and all combinations.

use crate::{
    ClassModel, Curve, Fit, InstanceKey, Quality, RecordedCall, RecordedOperand, RecordedRole,
    Sizes, UnitModel, chain::*,
};

mod chosen;
mod elements;
mod hostile;

/// The CPU, and two devices.
fn unit(k: usize) -> UnitId {
    match k {
        0 => UnitId::Cpu,
        k => UnitId::device("mock", "a", k - 1),
    }
}

/// A slope and a latency per unit, where there is a model, for calls of `elems` elements.
fn model(
    name: &str,
    elems: usize,
    laws: &[Option<(f64, f64)>],
    split_overhead_ns: f64,
) -> InstanceModel {
    let of = |(k, law): (usize, &Option<(f64, f64)>)| {
        let (slope_ns, latency_ns) = (*law)?;
        let fit = Fit {
            curve: Curve::line(slope_ns, latency_ns),
            slope_ns,
            latency_ns,
            slope_ci: (slope_ns, slope_ns),
            relative_rms: 0.0,
            r2: 1.0,
            quality: Quality::Good,
        };
        Some(UnitModel {
            unit: unit(k),
            fit,
            samples: Vec::new(),
            block: None,
        })
    };
    let class = ClassModel {
        elems,
        beside_elems: 0,
        units: laws.iter().enumerate().filter_map(of).collect(),
        split_overhead_ns,
        measured: Vec::new(),
        best: None,
        quality: Quality::Good,
    };
    InstanceModel {
        key: key(name),
        classes: vec![class],
        chain: Vec::new(),
        read_back: 0.0,
        seed: 1,
        when_unix_s: 0,
        drift: 0.0,
    }
}

fn key(name: &str) -> InstanceKey {
    InstanceKey {
        name: name.into(),
        pattern: "Map".into(),
        elements: "f32".into(),
        hash: 7,
    }
}

fn call(name: &str, elems: usize, operands: &[(u64, RecordedRole)]) -> Event {
    let operand = |(buffer, role): &(u64, RecordedRole)| RecordedOperand {
        buffer: *buffer,
        role: *role,
        elems,
        bytes_per_elem: 4,
    };
    Event::Call(RecordedCall {
        id: key(name).id(),
        elems,
        beside_elems: 0,
        operands: operands.iter().map(operand).collect(),
    })
}

fn transfers(transfer: TransferModel) -> Vec<(UnitId, TransferModel)> {
    vec![(unit(1), transfer), (unit(2), transfer)]
}
