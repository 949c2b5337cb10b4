//! Units and what they take a part of.

use crate::{
    DeviceFingerprint, Fingerprint, InstanceKey, Quality, Reason, TransferModel, UnitId,
    json::{Fields, Json, Malformed, entries, field::shown, float, text},
};

/// Thirty years, and no time is longer; nor is any factor or number of times larger.
pub(super) const LARGEST: f64 = 1e18;
/// How many units one machine may have.
pub(super) const MAX_UNITS: usize = 256;

/// What a unit is called.
pub(super) fn unit(json: &Json) -> Result<UnitId, Malformed> {
    let parsed = text(json)?.parse();
    parsed.map_err(|_| Malformed::misfit("`seq`, `cpu` or `<api>:<name>#<number>`", shown(json)))
}

/// Pairs of a unit and something else, as `[["cpu", 0.3], ["mock:a#0", 0.7]]`.
pub(super) fn by_unit<T>(
    json: &Json,
    read: impl Fn(&Json) -> Result<T, Malformed>,
) -> Result<Vec<(UnitId, T)>, Malformed> {
    entries(json, MAX_UNITS, |entry| match entry.as_list() {
        Some([of, value]) => Ok((
            unit(of).map_err(|e| e.inside("[0]"))?,
            read(value).map_err(|e| e.inside("[1]"))?,
        )),
        _ => Err(Malformed::misfit("a unit and a value", shown(entry))),
    })
}

pub(super) fn by_unit_to_json<T>(pairs: &[(UnitId, T)], write: impl Fn(&T) -> Json) -> Json {
    let pairs = pairs.iter();
    Json::list(pairs.map(|(unit, value)| Json::List(vec![unit.to_string().into(), write(value)])))
}

/// Shares from 0 to 1, which together are about everything.
pub(crate) fn shares(json: &Json) -> Result<Vec<(UnitId, f64)>, Malformed> {
    let shares = by_unit(json, float(0.0..=1.0))?;
    let sum: f64 = shares.iter().map(|(_, share)| share).sum();
    // The writer may round them.
    if !(0.9..=1.1).contains(&sum) {
        return Err(Malformed::misfit(
            "shares of 1 in all",
            format!("shares of {sum:?} in all"),
        ));
    }
    let twice = |k: usize| shares[..k].iter().any(|(unit, _)| *unit == shares[k].0);
    if let Some(k) = (0..shares.len()).find(|k| twice(*k)) {
        let found = format!("{} twice", shares[k].0);
        return Err(Malformed::misfit("each unit once", found));
    }
    Ok(shares)
}

pub(super) fn shares_to_json(shares: &[(UnitId, f64)]) -> Json {
    by_unit_to_json(shares, |share| Json::Float(*share))
}

impl InstanceKey {
    /// As in tuning files and journals.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("name", self.name.as_str().into()),
            ("pattern", self.pattern.as_str().into()),
            ("elements", self.elements.as_str().into()),
            ("hash", format!("{:032x}", self.hash).into()),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else.
    pub fn from_json(json: &Json) -> Result<InstanceKey, Malformed> {
        let fields = Fields::of(json)?;
        let string = |json| text(json).map(String::from);
        Ok(InstanceKey {
            name: fields.get("name", string)?,
            pattern: fields.get("pattern", string)?,
            elements: fields.get("elements", string)?,
            hash: fields.get("hash", hash)?,
        })
    }
}

fn hash(json: &Json) -> Result<u128, Malformed> {
    let digits = text(json)?;
    // What `from_str_radix` takes beyond digits is a sign.
    let plain = digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let parsed = u128::from_str_radix(digits, 16).ok().filter(|_| plain);
    parsed.ok_or_else(|| Malformed::misfit("32 hexadecimal digits", shown(json)))
}

impl TransferModel {
    /// As in tuning files and journals.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("up_latency_ns", self.up_latency_ns.into()),
            ("up_ns_per_byte", self.up_ns_per_byte.into()),
            ("down_latency_ns", self.down_latency_ns.into()),
            ("down_ns_per_byte", self.down_ns_per_byte.into()),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or a number is negative or not a time.
    pub fn from_json(json: &Json) -> Result<TransferModel, Malformed> {
        let fields = Fields::of(json)?;
        let time = |name| fields.get(name, float(0.0..=LARGEST));
        Ok(TransferModel {
            up_latency_ns: time("up_latency_ns")?,
            up_ns_per_byte: time("up_ns_per_byte")?,
            down_latency_ns: time("down_latency_ns")?,
            down_ns_per_byte: time("down_ns_per_byte")?,
        })
    }
}

impl DeviceFingerprint {
    /// As in tuning files and journals.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("id", self.id.to_string().into()),
            ("name", self.name.as_str().into()),
            ("driver", self.driver.as_str().into()),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else.
    pub fn from_json(json: &Json) -> Result<DeviceFingerprint, Malformed> {
        let fields = Fields::of(json)?;
        Ok(DeviceFingerprint {
            id: fields.get("id", unit)?,
            name: fields.get("name", text)?.into(),
            driver: fields.get("driver", text)?.into(),
        })
    }
}

impl Fingerprint {
    /// As in tuning files and journals.
    pub fn to_json(&self) -> Json {
        let devices = self.devices.iter();
        Json::object([
            ("cpu", self.cpu.as_str().into()),
            ("threads", self.threads.into()),
            (
                "devices",
                Json::list(devices.map(DeviceFingerprint::to_json)),
            ),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else.
    pub fn from_json(json: &Json) -> Result<Fingerprint, Malformed> {
        let fields = Fields::of(json)?;
        Ok(Fingerprint {
            cpu: fields.get("cpu", text)?.into(),
            threads: fields.get("threads", super::integer(1 << 20))?,
            devices: fields.get("devices", |json| {
                entries(json, MAX_UNITS, DeviceFingerprint::from_json)
            })?,
        })
    }
}

const REASONS: [(Reason, &str); 7] = [
    (Reason::FewSamples, "few-samples"),
    (Reason::Residuals, "residuals"),
    (Reason::Slope, "slope"),
    (Reason::Drift, "drift"),
    (Reason::Busy, "busy"),
    (Reason::Budget, "budget"),
    (Reason::WrongResult, "wrong-result"),
];

pub(super) fn quality_to_json(quality: Quality) -> Json {
    let Quality::Weak(reason) = quality else {
        return "good".into();
    };
    let name = REASONS.iter().find(|(known, _)| *known == reason);
    // One without a name is not read again, and the tests say so.
    let name = name.map_or("", |(_, name)| name);
    format!("weak: {name}").into()
}

pub(super) fn quality(json: &Json) -> Result<Quality, Malformed> {
    let text = text(json)?;
    if text == "good" {
        return Ok(Quality::Good);
    }
    let reason = text.strip_prefix("weak: ");
    let found = REASONS.iter().find(|(_, name)| Some(*name) == reason);
    let weak = found.map(|(reason, _)| Quality::Weak(*reason));
    weak.ok_or_else(|| Malformed::misfit("`good`, or `weak: ` with a reason", shown(json)))
}
