//! Fields of a line, of the type that they must have.

use serde_json::Value;
use skel::model::{DeviceFingerprint, Fingerprint, InstanceKey, TransferModel, UnitId};

pub(super) type Result<T> = std::result::Result<T, String>;

pub(super) fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str> {
    let field = value[name].as_str();
    field.ok_or_else(|| format!("`{name}` must be a string"))
}

pub(super) fn list<'a>(value: &'a Value, name: &str) -> Result<&'a Vec<Value>> {
    let field = value[name].as_array();
    field.ok_or_else(|| format!("`{name}` must be a list"))
}

pub(super) fn count(value: &Value, name: &str) -> Result<usize> {
    let field = value[name].as_u64().and_then(|n| usize::try_from(n).ok());
    field.ok_or_else(|| format!("`{name}` must be a number of things"))
}

/// A time, or another number that is neither negative nor beyond all measure.
pub(super) fn amount(value: &Value, name: &str) -> Result<f64> {
    sound(value).ok_or_else(|| format!("`{name}` must be a number, and not a negative one"))
}

fn sound(value: &Value) -> Option<f64> {
    value.as_f64().filter(|x| (0.0..=1e30).contains(x))
}

/// Times of runs, at least one.
pub(super) fn times(value: &Value, name: &str) -> Result<Vec<f64>> {
    let times = list(value, name)?.iter().map(sound);
    let times: Option<Vec<f64>> = times.collect();
    times
        .filter(|times| !times.is_empty())
        .ok_or_else(|| format!("`{name}` must be times of runs"))
}

pub(super) fn unit(value: &Value) -> Result<UnitId> {
    let text = value.as_str().ok_or("a unit must be a string")?;
    text.parse::<UnitId>().map_err(|e| e.to_string())
}

pub(super) fn units(value: &Value, name: &str) -> Result<Vec<UnitId>> {
    list(value, name)?.iter().map(unit).collect()
}

pub(super) fn shares(value: &Value, name: &str) -> Result<Vec<(UnitId, f64)>> {
    let one = |pair: &Value| match pair.as_array().map(Vec::as_slice) {
        Some([id, share]) => {
            let share = share.as_f64().filter(|s| (0.0..=1.0).contains(s));
            Ok((unit(id)?, share.ok_or("a share must lie between 0 and 1")?))
        }
        _ => Err(format!("`{name}` must be pairs of a unit and its share")),
    };
    list(value, name)?.iter().map(one).collect()
}

pub(super) fn key(value: &Value) -> Result<InstanceKey> {
    let hash = text(value, "hash")?;
    Ok(InstanceKey {
        name: text(value, "name")?.into(),
        pattern: text(value, "pattern")?.into(),
        elements: text(value, "elements")?.into(),
        hash: u128::from_str_radix(hash, 16).map_err(|e| format!("`hash`: {e}"))?,
    })
}

pub(super) fn fingerprint(value: &Value) -> Result<Fingerprint> {
    let device = |value: &Value| {
        Ok(DeviceFingerprint {
            id: unit(&value["id"])?,
            name: text(value, "name")?.into(),
            driver: text(value, "driver")?.into(),
        })
    };
    Ok(Fingerprint {
        cpu: text(value, "cpu")?.into(),
        threads: count(value, "threads")?,
        devices: list(value, "devices")?
            .iter()
            .map(device)
            .collect::<Result<_>>()?,
    })
}

pub(super) fn transfer(value: &Value) -> Result<TransferModel> {
    let field = |name: &str| amount(&value[name], name);
    Ok(TransferModel {
        up_latency_ns: field("up_latency_ns")?,
        up_ns_per_byte: field("up_ns_per_byte")?,
        down_latency_ns: field("down_latency_ns")?,
        down_ns_per_byte: field("down_ns_per_byte")?,
    })
}

pub(super) fn class(value: &Value) -> Result<skel::model::ClassModel> {
    Ok(skel::model::ClassModel {
        elems: count(value, "elems")?,
        beside_elems: count(value, "beside_elems")?,
        units: Vec::new(),
        split_overhead_ns: amount(&value["split_overhead_ns"], "split_overhead_ns")?,
        measured: Vec::new(),
        best: None,
        quality: skel::model::Quality::Good,
    })
}
