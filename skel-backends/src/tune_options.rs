//! What tuning does, and how much of it.

use crate::positions::FIRST_DEVICE;
use skel_core::{Error, Result, schedule::UnitIndex, setting::shown};
use skel_model::UnitId;
use std::{ops::RangeInclusive, time::Duration};

/// What tuning does. [`Options::default`] suits most programs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// At how many sizes each unit is measured, for calls of one size class.
    pub points: usize,
    /// How often each point is measured: at least, and at most.
    pub samples: RangeInclusive<usize>,
    /// How long all of it may take, about. What is not measured then is left out.
    pub budget: Duration,
    /// What the order of measurements is drawn from.
    pub seed: u64,
    /// Calls of so many elements are measured, others are not.
    pub elems: RangeInclusive<usize>,
    /// The units to measure; all, if none is named.
    pub units: Vec<UnitId>,
    /// Whether predicted splits are measured as well, as they are.
    pub verify: bool,
    /// Whether whole calls are measured with shares from 0 to 1, in steps of 5 %.
    pub oracle: bool,
    /// Arguments and outputs are copied, so that the program's own stay as they are: how many bytes of
    /// copies there may be. Calls that need more are not measured.
    pub copies_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            points: 8,
            samples: 5..=50,
            budget: Duration::from_mins(1),
            seed: 1,
            elems: 1..=usize::MAX,
            units: Vec::new(),
            verify: true,
            oracle: false,
            copies_bytes: 4 << 30,
        }
    }
}

impl Options {
    /// Fewer points and runs: for a first look.
    #[must_use]
    pub fn quick() -> Self {
        Options {
            points: 5,
            samples: 3..=10,
            budget: Duration::from_secs(10),
            ..Options::default()
        }
    }

    /// Whether the unit of this name, at this position of its context, is to be measured.
    pub(crate) fn wants(&self, index: UnitIndex, id: &UnitId) -> bool {
        let mut units = self.units.iter();
        self.units.is_empty() || units.any(|wanted| Self::is_meant(wanted, index, id))
    }

    /// Whether this is the unit of this name, at this position of its context.
    pub(crate) fn is_meant(wanted: &UnitId, index: UnitIndex, id: &UnitId) -> bool {
        let number = index.checked_sub(FIRST_DEVICE);
        let by_number = number.map(|k| UnitId::device(BY_NUMBER, "", k));
        wanted == id || Some(wanted) == by_number.as_ref()
    }

    /// What `SKEL_TUNE_OPTIONS` says: `points=8,samples=5..50,budget_ms=60000,seed=1,quick=1,
    /// units=cpu;mock:a#0,min_elems=1,max_elems=100,verify=0,oracle=1,copies_bytes=1000`. What it does not
    /// mention is as by default.
    ///
    /// # Errors
    /// [`Error::BadSetting`] with the first part that is no such thing.
    pub fn parse(text: &str) -> Result<Self> {
        let mut options = Options::default();
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let bad = |expected: &'static str| Error::BadSetting {
                name: "SKEL_TUNE_OPTIONS",
                found: shown(part.as_ref()),
                expected,
            };
            const NUMBER: &str = "a number after the equals sign";
            let (name, value) = part.split_once('=').ok_or_else(|| bad("name=value"))?;
            let number = || value.parse::<u64>().map_err(|_| bad(NUMBER));
            let count = || value.parse::<usize>().map_err(|_| bad(NUMBER));
            match name {
                "points" => options.points = count()?.clamp(1, 64),
                "samples" => {
                    let (least, most) = value.split_once("..").unwrap_or((value, value));
                    let parse = |text: &str| text.parse::<usize>().map_err(|_| bad("5..50"));
                    let (least, most) = (parse(least)?.max(1), parse(most)?.max(1));
                    options.samples = least.min(most)..=most;
                }
                "budget_ms" => options.budget = Duration::from_millis(number()?),
                "seed" => options.seed = number()?,
                "quick" if value == "1" => {
                    let Options {
                        points,
                        samples,
                        budget,
                        ..
                    } = Options::quick();
                    options = Options {
                        points,
                        samples,
                        budget,
                        ..options
                    };
                }
                "quick" => {}
                "verify" => options.verify = value != "0",
                "oracle" => options.oracle = value != "0",
                "copies_bytes" => options.copies_bytes = number()?,
                "min_elems" => options.elems = count()?.max(1)..=*options.elems.end(),
                "max_elems" => options.elems = *options.elems.start()..=count()?,
                "units" => {
                    let unit = |text: &str| {
                        let text = decoded(text.trim());
                        let number = text.strip_prefix("device:").and_then(|k| k.parse().ok());
                        match number {
                            Some(k) => Ok(UnitId::device(BY_NUMBER, "", k)),
                            None => text.parse().map_err(|_| bad("seq, cpu or devices")),
                        }
                    };
                    options.units = value.split(';').map(unit).collect::<Result<_>>()?;
                }
                _ => return Err(bad("a known name before the equals sign")),
            }
        }
        Ok(options)
    }
}

/// Stands for the API where a device is named by its number.
const BY_NUMBER: &str = "device";

/// Names of devices may have what stands between options; it is written as in addresses of the web.
fn decoded(unit: &str) -> String {
    let unit = unit.replace("%2C", ",").replace("%3B", ";");
    unit.replace("%25", "%")
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn what_is_not_said_is_as_by_default() {
        assert_eq!(Options::parse("").unwrap(), Options::default());
        let some =
            Options::parse("points=3, samples=2..9,units=cpu;mock:a#1,max_elems=10").unwrap();
        assert_eq!((some.points, some.samples), (3, 2..=9));
        assert_eq!(some.units, [UnitId::Cpu, UnitId::device("mock", "a", 1)]);
        let odd = Options::parse("units=wgpu:x (8%2C 9%25)#0").unwrap();
        assert_eq!(odd.units, [UnitId::device("wgpu", "x (8, 9%)", 0)]);
        let second = Options::parse("units=device:1").unwrap();
        let other = UnitId::device("cuda", "x", 0);
        assert!(second.wants(FIRST_DEVICE + 1, &other) && !second.wants(FIRST_DEVICE, &other));
        assert_eq!(some.elems, 1..=10);
        assert_eq!(some.budget, Options::default().budget);
        assert_eq!(
            Options::parse("quick=1,seed=7").unwrap().points,
            Options::quick().points
        );
    }

    #[test]
    fn nonsense_is_named() {
        for part in [
            "points",
            "points=x",
            "what=1",
            "samples=a..b",
            "units=gpu",
            "seed=-1",
        ] {
            let error = Options::parse(&format!("verify=1,{part}"))
                .unwrap_err()
                .to_string();
            assert!(
                error.contains(part) && error.contains("SKEL_TUNE_OPTIONS"),
                "{error}"
            );
        }
    }
}
