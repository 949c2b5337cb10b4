//! Targets: where an instance runs.

use super::{Share, Tasks};
use crate::{Error, Result};
use std::{fmt, str::FromStr};

/// Where an instance runs. Made from [`Auto`], [`Sequential`], [`Cpu`], [`Cuda`], [`Wgpu`], [`Device`],
/// [`Hybrid`] and [`Tasks`], or parsed from what [`Target::TEXTS`] says.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// Wherever it runs best, as far as is known.
    #[default]
    Auto,
    /// The calling thread.
    Sequential,
    /// All CPU cores.
    Cpu,
    /// One device.
    Device(DeviceChoice),
    /// The CPU and all devices at once.
    Hybrid(Split),
    /// In chunks, which the cores and devices take one after the other.
    Tasks(Tasks),
}

/// Which device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceChoice {
    /// By its number in `skel::devices()`.
    Index(usize),
    /// The first one that wgpu drives; a real GPU before a software device.
    Wgpu,
    /// The first one that CUDA drives.
    Cuda,
}

/// How a call is shared between units.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Split {
    /// The CPU's share; the rest in equal parts for the devices.
    Ratio(f64),
    /// A share for the CPU and for each device in turn; only the proportions count.
    Shares(Vec<f64>),
    /// As the instance's model says; without one, as [`Auto`] would.
    Tuned,
    /// As the calls themselves show: see `skel_model::policy::Adaptive`.
    Adaptive,
}

impl Target {
    /// What is parsed as a target, for messages and tables.
    pub const TEXTS: &str = crate::error::TARGETS;
}

impl Split {
    /// The shares of the CPU and of `devices` devices, as exact fractions; all for the CPU where a model
    /// or calls decide.
    ///
    /// # Errors
    /// [`Error::BadRatio`] for a ratio that is not from 0 to 1, and for shares that are negative, no
    /// numbers, or all zero.
    pub fn shares(&self, devices: usize) -> Result<Vec<Share>> {
        match self {
            Split::Ratio(ratio) => Ok(Share::from_ratio(*ratio)?.and_rest(devices)),
            Split::Shares(shares) => {
                let bad = shares.iter().find(|s| !s.is_finite() || **s < 0.0);
                if let Some(bad) = bad {
                    return Err(Error::BadRatio {
                        what: "share",
                        found: bad.to_string(),
                        expected: "a finite number that is not negative",
                    });
                }
                // Relative to the largest, so that no sum can overflow.
                let largest = shares.iter().copied().fold(0.0, f64::max);
                if largest == 0.0 {
                    return Err(Error::BadRatio {
                        what: "shares",
                        found: format!("{shares:?}"),
                        expected: "a list with at least one positive number",
                    });
                }
                shares
                    .iter()
                    .map(|s| Share::from_ratio(s / largest))
                    .collect()
            }
            Split::Tuned | Split::Adaptive => Ok(vec![Share::ALL]),
        }
    }
}

/// Wherever it runs best, as far as is known: never an error for want of a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Auto;
/// On the calling thread alone.
#[derive(Clone, Copy, Debug)]
pub struct Sequential;
/// On all CPU cores: the threads of the current rayon pool.
#[derive(Clone, Copy, Debug)]
pub struct Cpu;
/// On the first device that wgpu drives; an error if there is none.
#[derive(Clone, Copy, Debug)]
pub struct Wgpu;
/// On the first GPU that CUDA drives; an error if there is none.
#[derive(Clone, Copy, Debug)]
pub struct Cuda;
/// On the device of this number in `skel::devices()`; an error if there is none.
#[derive(Clone, Copy, Debug)]
pub struct Device(pub usize);
/// On the CPU and all devices, at the same time.
#[derive(Clone, Debug)]
pub struct Hybrid(Split);

impl Hybrid {
    /// `cpu` of the elements, from 0 to 1, for the CPU; the rest in equal parts for the devices.
    /// Checked when the instance runs.
    #[must_use]
    pub fn ratio(cpu: f64) -> Hybrid {
        Hybrid(Split::Ratio(cpu))
    }

    /// As the instance's performance model says: see `skel::tuning`. An instance that was not tuned runs as
    /// by [`Auto`].
    #[must_use]
    pub fn tuned() -> Hybrid {
        Hybrid(Split::Tuned)
    }

    /// In equal parts at first, and then as calls show: what each unit took for its part says how large it is
    /// to be in the next call of the same instance and about the same size. Some calls are enough; then
    /// shares stay, until the machine changes. Units that do not pay get nothing. What cannot be cut (a sweep) goes to one
    /// unit: each is tried, and the fastest is gone on with. Calls wait for their devices.
    #[must_use]
    pub fn adaptive() -> Hybrid {
        Hybrid(Split::Adaptive)
    }

    /// The first share for the CPU, the next ones for the devices in turn, one for each. Only their
    /// proportions count. Checked when the instance runs.
    #[must_use]
    pub fn shares(shares: impl Into<Vec<f64>>) -> Hybrid {
        Hybrid(Split::Shares(shares.into()))
    }
}

macro_rules! target_from {
    ($($from:ty, |$value:pat_param| $target:expr;)*) => { $(
        impl From<$from> for Target {
            fn from($value: $from) -> Target {
                $target
            }
        }
    )* };
}
target_from! {
    Auto, |_| Target::Auto;
    Sequential, |_| Target::Sequential;
    Cpu, |_| Target::Cpu;
    Wgpu, |_| Target::Device(DeviceChoice::Wgpu);
    Cuda, |_| Target::Device(DeviceChoice::Cuda);
    Device, |Device(index)| Target::Device(DeviceChoice::Index(index));
    Hybrid, |Hybrid(split)| Target::Hybrid(split);
    Tasks, |tasks| Target::Tasks(tasks);
    &Target, |target| target.clone();
}

impl FromStr for Target {
    type Err = Error;

    fn from_str(name: &str) -> Result<Target> {
        let unknown = || Error::UnknownBackend { name: name.into() };
        match name.split_once(':') {
            None => match name {
                "auto" => Ok(Target::Auto),
                "seq" => Ok(Target::Sequential),
                "cpu" => Ok(Target::Cpu),
                "wgpu" => Ok(Wgpu.into()),
                "cuda" => Ok(Cuda.into()),
                "tasks" => Ok(Tasks::default().into()),
                _ => Err(unknown()),
            },
            Some(("tasks", tasks)) => Ok(Tasks::parse(tasks)?.into()),
            Some(("device", index)) => Ok(Device(index.parse().map_err(|_| unknown())?).into()),
            Some(("hybrid", list)) if list.starts_with('[') => {
                let inner = list
                    .strip_prefix('[')
                    .and_then(|list| list.strip_suffix(']'));
                let shares = inner.ok_or_else(unknown)?.split(',');
                let shares = shares.map(|share| share.trim().parse().map_err(|_| unknown()));
                let split = Split::Shares(shares.collect::<Result<_>>()?);
                // Only to check them: there may be any number of devices.
                split.shares(0)?;
                Ok(Target::Hybrid(split))
            }
            Some(("hybrid", "tuned")) => Ok(Hybrid::tuned().into()),
            Some(("hybrid", "adaptive")) => Ok(Hybrid::adaptive().into()),
            Some(("hybrid", ratio)) => {
                let ratio: f64 = ratio.parse().map_err(|_| unknown())?;
                Share::from_ratio(ratio)?;
                Ok(Hybrid::ratio(ratio).into())
            }
            Some(_) => Err(unknown()),
        }
    }
}

impl fmt::Display for Target {
    /// As [`Target::from_str`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Auto => f.write_str("auto"),
            Target::Sequential => f.write_str("seq"),
            Target::Cpu => f.write_str("cpu"),
            Target::Device(DeviceChoice::Wgpu) => f.write_str("wgpu"),
            Target::Device(DeviceChoice::Cuda) => f.write_str("cuda"),
            Target::Device(DeviceChoice::Index(i)) => write!(f, "device:{i}"),
            Target::Hybrid(Split::Ratio(r)) => write!(f, "hybrid:{r}"),
            Target::Hybrid(Split::Tuned) => f.write_str("hybrid:tuned"),
            Target::Hybrid(Split::Adaptive) => f.write_str("hybrid:adaptive"),
            Target::Hybrid(Split::Shares(shares)) => write!(f, "hybrid:{shares:?}"),
            Target::Tasks(tasks) => tasks.fmt(f),
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 512 }))]

        /// No text is too strange, and what is taken is shown as what is read again.
        #[test]
        fn any_text_is_a_target_or_an_error(
            text in prop_oneof![
                ".{0,30}",
                "tasks:(eager|dmda|[a-z]{0,6})(,(chunks|s|l)=[0-9.]{0,3}){0,3}",
                "(auto|seq|cpu|cuda|wgpu|tasks|device:[0-9]{0,21}|hybrid:(tuned|adaptive|[-+.e0-9a-zN]{0,9}))",
                "hybrid:\\[([0-9.e+-]{0,6}, ?){0,4}[0-9.e+-]{0,6}\\]",
            ],
        ) {
            if let Ok(target) = text.parse::<Target>() {
                prop_assert_eq!(target.to_string().parse::<Target>().ok(), Some(target));
            }
        }
    }

    #[test]
    fn what_is_shown_can_be_read() {
        for text in [
            "auto",
            "seq",
            "cpu",
            "wgpu",
            "cuda",
            "device:3",
            "hybrid:0.25",
            "hybrid:tuned",
            "hybrid:adaptive",
            "hybrid:[0.5, 3.0, 1e-7]",
            "tasks:eager",
            "tasks:eager,chunks=7",
        ] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_named() {
        for text in [
            "gpu",
            "",
            "device:",
            "device:-1",
            "hybrid:",
            "hybrid:x",
            "hybrid:[1",
            "hybrid:[]",
            "hybrid:[1,,2]",
            "cpu:1",
        ] {
            let error = text.parse::<Target>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
        for text in [
            "hybrid:1.5",
            "hybrid:-1",
            "hybrid:NaN",
            "hybrid:[0, -1]",
            "hybrid:[0]",
        ] {
            assert!(
                matches!(text.parse::<Target>(), Err(Error::BadRatio { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn bad_settings_of_tasks_are_named_with_what_there_is() {
        for (text, what) in [
            (
                "tasks:egaer",
                "`scheduler` is `egaer`; expected one of eager",
            ),
            (
                "tasks:eager,chunks=0",
                "`chunks` is `0`; expected a number from 1 on",
            ),
            ("tasks:eager,chunks=-1", "`chunks` is `-1`"),
            ("tasks:eager,s=1", "`s` is `1`"),
            ("tasks:eager,chunks=7,chunks=9", "one value only"),
        ] {
            let error = text.parse::<Target>().unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn bad_shares_are_named() {
        for bad in [
            vec![],
            vec![0.0, 0.0],
            vec![1.0, -1.0],
            vec![f64::NAN],
            vec![f64::INFINITY],
        ] {
            assert!(matches!(
                Split::Shares(bad).shares(1),
                Err(Error::BadRatio { .. })
            ));
        }
        let huge = Split::Shares(vec![f64::MAX, f64::MAX]).shares(1).unwrap();
        assert_eq!(super::super::cut(10, &huge), [5, 5]);
    }
}
