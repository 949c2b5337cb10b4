//! Units, by what they are.

use std::{fmt, str::FromStr};

/// A unit, by what it is: the same one in the next run, and on another machine of the same make.
/// Shown and read as `seq`, `cpu`, `<api>:<name>#<k>`.
///
/// ```
/// use skel_model::UnitId;
///
/// let gpu: UnitId = "cuda:NVIDIA H200#0".parse()?;
/// assert_eq!(gpu, UnitId::device("cuda", "NVIDIA H200", 0));
/// assert_eq!(gpu.to_string(), "cuda:NVIDIA H200#0");
/// assert!("gpu".parse::<UnitId>().is_err());
/// # Ok::<(), skel_model::BadUnitId>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnitId {
    /// The calling thread alone.
    Sequential,
    /// All CPU cores.
    Cpu,
    /// A device.
    Device {
        /// What drives it; without a colon.
        api: String,
        /// Its name.
        name: String,
        /// Which one of the same API and name.
        k: usize,
    },
}

impl UnitId {
    /// The `k`-th device of this API and name.
    #[must_use]
    pub fn device(api: &str, name: &str, k: usize) -> UnitId {
        // What is written has to be read again: the first colon ends the API, and there is one.
        let api = match api {
            "" => "unnamed".into(),
            api => api.replace(':', " "),
        };
        UnitId::Device {
            api,
            name: name.to_owned(),
            k,
        }
    }

    /// Whether it has memory of its own.
    #[must_use]
    pub fn is_device(&self) -> bool {
        matches!(self, UnitId::Device { .. })
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitId::Sequential => f.write_str("seq"),
            UnitId::Cpu => f.write_str("cpu"),
            UnitId::Device { api, name, k } => write!(f, "{api}:{name}#{k}"),
        }
    }
}

/// A text that names no unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` names no unit: expected `seq`, `cpu` or `<api>:<name>#<number>`")]
pub struct BadUnitId {
    /// The text.
    pub found: String,
}

impl FromStr for UnitId {
    type Err = BadUnitId;

    fn from_str(text: &str) -> Result<UnitId, BadUnitId> {
        let device = || {
            let (api, rest) = text.split_once(':')?;
            let (name, k) = rest.rsplit_once('#')?;
            // One text per unit: no sign, no zeros in front.
            let k: usize = k.parse().ok().filter(|n: &usize| n.to_string() == k)?;
            (!api.is_empty()).then(|| UnitId::device(api, name, k))
        };
        match text {
            "seq" => Ok(UnitId::Sequential),
            "cpu" => Ok(UnitId::Cpu),
            _ => device().ok_or_else(|| BadUnitId { found: text.into() }),
        }
    }
}
