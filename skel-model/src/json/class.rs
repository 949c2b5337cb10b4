//! What was measured of an instance.

use crate::{
    ChainChoice, ClassModel, Curve, Fit, InstanceKey, InstanceModel, Measured, Sample, UnitModel,
    json::{
        Fields, Json, Malformed, entries,
        field::shown,
        float, integer,
        units::{LARGEST, MAX_UNITS, quality, quality_to_json, shares, shares_to_json, unit},
    },
};
use skel_core::plan::BlockConfig;

/// How many points a curve may have, and a unit samples.
const MAX_POINTS: usize = 4096;
/// How many classes an instance may have, and choices for chains.
const MAX_CLASSES: usize = 4096;

fn time(json: &Json) -> Result<f64, Malformed> {
    float(0.0..=LARGEST)(json)
}

fn elems(json: &Json) -> Result<usize, Malformed> {
    integer(u64::MAX)(json)
}

impl Sample {
    /// As in tuning files and journals.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("elems", self.elems.into()),
            ("median_ns", self.median_ns.into()),
            ("mad_ns", self.mad_ns.into()),
            ("runs", self.runs.into()),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or a time is negative or none.
    pub fn from_json(json: &Json) -> Result<Sample, Malformed> {
        let fields = Fields::of(json)?;
        Ok(Sample {
            elems: fields.get("elems", elems)?,
            median_ns: fields.get("median_ns", time)?,
            mad_ns: fields.get("mad_ns", time)?,
            runs: fields.get("runs", integer(u32::MAX.into()))?,
        })
    }
}

/// Pairs of numbers.
fn pair(json: &Json, range: &std::ops::RangeInclusive<f64>) -> Result<(f64, f64), Malformed> {
    match json.as_list() {
        Some([a, b]) => Ok((float(range.clone())(a)?, float(range.clone())(b)?)),
        _ => Err(Malformed::misfit("a pair of numbers", shown(json))),
    }
}

fn pair_to_json((a, b): (f64, f64)) -> Json {
    Json::list([bounded(a), bounded(b)])
}

/// Statistics of few samples may be infinite, which JSON cannot say.
fn bounded(number: f64) -> f64 {
    number.clamp(-LARGEST, LARGEST)
}

impl Curve {
    /// As in tuning files and journals: the points where its pieces begin, and the slope after the last.
    pub fn to_json(&self) -> Json {
        Json::object([
            (
                "points",
                Json::list(self.points().map(|(n, t)| Json::list([n, t]))),
            ),
            ("last_slope_ns", self.last_slope_ns().into()),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or falls, or a number is negative or none.
    pub fn from_json(json: &Json) -> Result<Curve, Malformed> {
        let fields = Fields::of(json)?;
        // Elements may be as many as an address can count, which is more than the longest time.
        let points = fields.get("points", |json| {
            entries(json, MAX_POINTS, |point| pair(point, &(0.0..=1e20)))
        })?;
        let found = || format!("{} points that are not", points.len());
        let wrong = Malformed::misfit(
            "points from no elements on, whose elements increase and whose times do not fall",
            found(),
        );
        let last_slope_ns = fields.get("last_slope_ns", time)?;
        Curve::from_parts(points, last_slope_ns).ok_or(wrong.inside("points"))
    }
}

impl Fit {
    /// As in tuning files and journals.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("slope_ns", self.slope_ns.into()),
            ("latency_ns", self.latency_ns.into()),
            ("slope_ci_ns", pair_to_json(self.slope_ci)),
            ("relative_rms", bounded(self.relative_rms).into()),
            ("r2", bounded(self.r2).into()),
            ("quality", quality_to_json(self.quality)),
            ("curve", self.curve.to_json()),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or numbers are out of range.
    pub fn from_json(json: &Json) -> Result<Fit, Malformed> {
        let fields = Fields::of(json)?;
        Ok(Fit {
            curve: fields.get("curve", Curve::from_json)?,
            slope_ns: fields.get("slope_ns", time)?,
            latency_ns: fields.get("latency_ns", time)?,
            slope_ci: fields.get("slope_ci_ns", |json| pair(json, &(-LARGEST..=LARGEST)))?,
            relative_rms: fields.get("relative_rms", time)?,
            r2: fields.get("r2", float(-LARGEST..=1.0))?,
            quality: fields.get("quality", quality)?,
        })
    }
}

/// A block configuration, as in tuning files and journals.
pub fn block_to_json(block: &BlockConfig) -> Json {
    Json::object([
        ("lanes", u64::from(block.lanes).into()),
        ("elems_per_lane", u64::from(block.elems_per_lane).into()),
    ])
}

/// A block configuration of a tuning file or journal.
///
/// # Errors
/// [`Malformed`] if it is something else. (What a device does not offer, it does not launch.)
pub fn block_from_json(json: &Json) -> Result<BlockConfig, Malformed> {
    let fields = Fields::of(json)?;
    let number = |name| fields.get(name, integer(u32::MAX.into()));
    Ok(BlockConfig {
        lanes: number("lanes")?,
        elems_per_lane: number("elems_per_lane")?,
    })
}

impl UnitModel {
    /// As in tuning files and journals.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("unit", self.unit.to_string().into()),
            ("fit", self.fit.to_json()),
            (
                "samples",
                Json::list(self.samples.iter().map(Sample::to_json)),
            ),
            (
                "block",
                self.block.map_or(Json::Null, |block| block_to_json(&block)),
            ),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or numbers are out of range.
    pub fn from_json(json: &Json) -> Result<UnitModel, Malformed> {
        let fields = Fields::of(json)?;
        Ok(UnitModel {
            unit: fields.get("unit", unit)?,
            fit: fields.get("fit", Fit::from_json)?,
            samples: fields.get("samples", |json| {
                entries(json, MAX_POINTS, Sample::from_json)
            })?,
            block: fields.maybe("block", block_from_json)?,
        })
    }
}

impl Measured {
    /// As in tuning files and journals.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("shares", shares_to_json(&self.shares)),
            ("sample", self.sample.to_json()),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or numbers are out of range.
    pub fn from_json(json: &Json) -> Result<Measured, Malformed> {
        let fields = Fields::of(json)?;
        Ok(Measured {
            shares: fields.get("shares", shares)?,
            sample: fields.get("sample", Sample::from_json)?,
        })
    }
}

impl ClassModel {
    /// As in tuning files and journals.
    pub fn to_json(&self) -> Json {
        let best = self.best.as_deref();
        Json::object([
            ("elems", self.elems.into()),
            ("beside_elems", self.beside_elems.into()),
            ("quality", quality_to_json(self.quality)),
            ("split_overhead_ns", self.split_overhead_ns.into()),
            ("best", best.map_or(Json::Null, shares_to_json)),
            (
                "units",
                Json::list(self.units.iter().map(UnitModel::to_json)),
            ),
            (
                "measured",
                Json::list(self.measured.iter().map(Measured::to_json)),
            ),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or numbers are out of range.
    pub fn from_json(json: &Json) -> Result<ClassModel, Malformed> {
        let fields = Fields::of(json)?;
        Ok(ClassModel {
            elems: fields.get("elems", elems)?,
            beside_elems: fields.get("beside_elems", elems)?,
            units: fields.get("units", |json| {
                entries(json, MAX_UNITS, UnitModel::from_json)
            })?,
            split_overhead_ns: fields.get("split_overhead_ns", time)?,
            measured: fields.get("measured", |json| {
                entries(json, MAX_POINTS, Measured::from_json)
            })?,
            best: fields.maybe("best", shares)?,
            quality: fields.get("quality", quality)?,
        })
    }
}

impl ChainChoice {
    /// As in tuning files.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("elems", self.elems.into()),
            ("beside_elems", self.beside_elems.into()),
            ("shares", shares_to_json(&self.shares)),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or numbers are out of range.
    pub fn from_json(json: &Json) -> Result<ChainChoice, Malformed> {
        let fields = Fields::of(json)?;
        Ok(ChainChoice {
            elems: fields.get("elems", elems)?,
            beside_elems: fields.get("beside_elems", elems)?,
            shares: fields.get("shares", shares)?,
        })
    }
}

impl InstanceModel {
    /// As in tuning files.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("key", self.key.to_json()),
            ("when_unix_s", self.when_unix_s.into()),
            ("seed", self.seed.into()),
            ("drift", bounded(self.drift).into()),
            ("read_back", self.read_back.into()),
            (
                "chain",
                Json::list(self.chain.iter().map(ChainChoice::to_json)),
            ),
            (
                "classes",
                Json::list(self.classes.iter().map(ClassModel::to_json)),
            ),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or numbers are out of range.
    pub fn from_json(json: &Json) -> Result<InstanceModel, Malformed> {
        let fields = Fields::of(json)?;
        Ok(InstanceModel {
            key: fields.get("key", InstanceKey::from_json)?,
            classes: fields.get("classes", |json| {
                entries(json, MAX_CLASSES, ClassModel::from_json)
            })?,
            chain: fields.get("chain", |json| {
                entries(json, MAX_CLASSES, ChainChoice::from_json)
            })?,
            read_back: fields.get("read_back", float(0.0..=1.0))?,
            seed: fields.get("seed", integer(u64::MAX))?,
            when_unix_s: fields.get("when_unix_s", integer(u64::MAX))?,
            drift: fields.get("drift", float(-LARGEST..=LARGEST))?,
        })
    }
}
