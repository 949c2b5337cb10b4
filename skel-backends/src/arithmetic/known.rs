//! What was found out before: by this process, or by an earlier one, which keeps it beside compiled kernels.

use super::{Arithmetic, Remedies};
use crate::{
    kernel_cache::{KernelCache, KernelKey},
    setting,
};
use skel_core::{
    Result,
    unit::{UnitInfo, UnitKind},
};
use std::{
    collections::HashMap,
    fmt::Write,
    sync::{Mutex, OnceLock, PoisonError},
};

/// What a finding is about: the device and its place, its driver and version, and the question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DeviceIdentity {
    device: String,
    /// Where it is plugged in: of GPUs that are alike, one may be broken. Empty if that is not known.
    place: String,
    /// Whether there is one of it at most: of software, every device is the same.
    is_unique: bool,
    driver: String,
    questions: String,
}

impl DeviceIdentity {
    /// Of a device at this place (empty if unknown) that is asked these questions.
    pub(crate) fn of(info: &UnitInfo, place: &str, questions: &str) -> DeviceIdentity {
        let mut driver = format!("{} {}", info.api, info.driver);
        let is_software = info.kind == UnitKind::SoftwareDevice;
        if is_software {
            driver.push_str(&host());
        }
        DeviceIdentity {
            device: info.name.clone(),
            place: place.to_owned(),
            is_unique: is_software || !place.is_empty(),
            driver,
            questions: questions.to_owned(),
        }
    }

    /// What the device is called.
    #[cfg(feature = "wgpu")]
    pub(crate) fn device(&self) -> &str {
        &self.device
    }

    /// Its driver with its version, and of a software device the processor.
    #[cfg(feature = "wgpu")]
    pub(crate) fn driver(&self) -> &str {
        &self.driver
    }
}

/// What the code of a software device depends on besides its version: the processor, and the variables by
/// which Mesa chooses instructions.
fn host() -> String {
    let mut all = String::new();
    #[cfg(target_arch = "x86_64")]
    for (has, name) in [
        (is_x86_feature_detected!("sse4.1"), "sse4.1"),
        (is_x86_feature_detected!("avx"), "avx"),
        (is_x86_feature_detected!("avx2"), "avx2"),
        (is_x86_feature_detected!("fma"), "fma"),
        (is_x86_feature_detected!("f16c"), "f16c"),
        (is_x86_feature_detected!("avx512f"), "avx512f"),
        (is_x86_feature_detected!("avx512dq"), "avx512dq"),
        (is_x86_feature_detected!("avx512vl"), "avx512vl"),
    ] {
        if has {
            all.push(' ');
            all.push_str(name);
        }
    }
    for (name, value) in setting::of_drivers() {
        // Writing to a string cannot fail.
        let _ = write!(all, " {name}={value}");
    }
    all
}

/// What is known of the device; `ask` is called if nothing is.
///
/// Only findings without anything wrong are kept on disk: a driver that failed once, for whatever reason, is
/// asked again by the next process. Where it is not known which device failed, it is asked again by this one.
///
/// # Errors
/// Those of `ask`.
pub(crate) fn known_or(
    identity: &DeviceIdentity,
    ask: impl FnOnce() -> Result<Arithmetic>,
) -> Result<Arithmetic> {
    static KNOWN: OnceLock<Mutex<HashMap<DeviceIdentity, Arithmetic>>> = OnceLock::new();
    let known = KNOWN.get_or_init(Mutex::default);
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(arithmetic) = lock().get(identity) {
        return Ok(arithmetic.clone());
    }
    let key = KernelKey {
        compiler: "arithmetic",
        driver: &identity.driver,
        architecture: &format!("{} {}", identity.device, identity.place),
        options: &[],
        source: &identity.questions,
    };
    let files = KernelCache::of_user();
    let kept = files.get(&key).and_then(|bytes| decode(&bytes));
    let arithmetic = match kept {
        Some(arithmetic) => arithmetic,
        None => {
            let arithmetic = ask()?;
            if arithmetic.wrong.is_empty() {
                files.put(&key, encode(&arithmetic).as_bytes());
            }
            arithmetic
        }
    };
    if identity.is_unique || arithmetic.wrong.is_empty() {
        lock().insert(identity.clone(), arithmetic.clone());
    }
    Ok(arithmetic)
}

/// The types of which properties are noted.
const TYPES: [&str; 2] = ["f32", "f64"];

/// As the text of a file, of a finding without anything wrong.
pub(super) fn encode(arithmetic: &Arithmetic) -> String {
    let mut text = format!("remedies {}\n", arithmetic.remedies.bits());
    for (what, types) in [
        ("flushes", &arithmetic.flushes),
        ("contracts", &arithmetic.contracts),
    ] {
        for ty in types {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{what} {ty}");
        }
    }
    text
}

/// What a file says; `None` if it is none of ours.
pub(super) fn decode(bytes: &[u8]) -> Option<Arithmetic> {
    let mut lines = std::str::from_utf8(bytes).ok()?.lines();
    let bits = lines.next()?.strip_prefix("remedies ")?.parse().ok()?;
    let mut arithmetic = Arithmetic {
        remedies: Remedies::from_bits(bits)?,
        ..Arithmetic::default()
    };
    for line in lines {
        let (what, name) = line.split_once(' ')?;
        let ty = TYPES.into_iter().find(|ty| *ty == name)?;
        match what {
            "flushes" => arithmetic.flushes.push(ty),
            "contracts" => arithmetic.contracts.push(ty),
            _ => return None,
        }
    }
    Some(arithmetic)
}
