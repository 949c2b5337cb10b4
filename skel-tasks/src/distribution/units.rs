//! N groups of M cores, and G devices.

use crate::BadOption;
use std::{fmt, ops::Range, str::FromStr};

/// More units than any machine has; beyond, a typing error would take all memory.
const MOST: usize = 4096;

/// The units that share the items of a step: N of M cores each, and G devices, written `N×M+G`. They are numbered,
/// those of cores first.
///
/// ```
/// use skel_tasks::distribution::ComputeUnits;
///
/// let units: ComputeUnits = "4x8+2".parse()?;
/// assert_eq!((units.cpus(), units.cores(), units.devices()), (4, 8, 2));
/// assert_eq!(units.len(), 6);
/// assert!(!units.is_device(3) && units.is_device(4));
/// assert_eq!(units.to_string(), "4x8+2");
/// assert_eq!("0x1+2".parse::<ComputeUnits>()?.len(), 2); // devices alone
/// let error = "4x+2".parse::<ComputeUnits>().unwrap_err().to_string();
/// assert!(error.contains("`4x+2`") && error.contains("such as 4x4+2"), "{error}");
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ComputeUnits {
    cpus: usize,
    cores: usize,
    devices: usize,
}

impl ComputeUnits {
    /// `cpus` units of `cores` cores each, and `devices` devices.
    ///
    /// # Errors
    /// [`BadOption`] if that are no units, units without cores, or more than 4,096 of anything.
    pub fn new(cpus: usize, cores: usize, devices: usize) -> Result<ComputeUnits, BadOption> {
        let units = ComputeUnits {
            cpus,
            cores,
            devices,
        };
        let bad = |expected: &str| Err(BadOption::new("units", units, expected));
        match () {
            () if cpus == 0 && devices == 0 => bad("at least one unit of cores, or one device"),
            () if cores == 0 => bad("at least one core in a unit of cores"),
            () if cpus.max(cores).max(devices) > MOST => bad("at most 4096 of each"),
            () => Ok(units),
        }
    }

    /// N: the number of units of cores.
    #[must_use]
    pub fn cpus(&self) -> usize {
        self.cpus
    }

    /// M: the number of cores of each of them.
    #[must_use]
    pub fn cores(&self) -> usize {
        self.cores
    }

    /// G: the number of devices.
    #[must_use]
    pub fn devices(&self) -> usize {
        self.devices
    }

    /// The number of units. There is at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is at least one")]
    pub fn len(&self) -> usize {
        self.cpus + self.devices
    }

    /// Whether the unit of that number is a device.
    #[must_use]
    pub fn is_device(&self, unit: usize) -> bool {
        unit >= self.cpus
    }

    /// The two clusters: the numbers of the units of cores, and of the devices.
    #[must_use]
    pub fn clusters(&self) -> [Range<usize>; 2] {
        [0..self.cpus, self.cpus..self.len()]
    }

    /// What a unit is called in reports: `cpu 2` or `gpu 0`.
    #[must_use]
    pub fn name(&self, unit: usize) -> String {
        match unit.checked_sub(self.cpus) {
            None => format!("cpu {unit}"),
            Some(device) => format!("gpu {device}"),
        }
    }
}

impl fmt::Display for ComputeUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.cpus, self.cores)?;
        match self.devices {
            0 => Ok(()),
            devices => write!(f, "+{devices}"),
        }
    }
}

impl FromStr for ComputeUnits {
    type Err = BadOption;

    fn from_str(text: &str) -> Result<ComputeUnits, BadOption> {
        const EXPECTED: &str = "NxM or NxM+G: N units of M cores each and G devices, such as 4x4+2";
        let read = || {
            let (cpus, devices) = text.split_once('+').unwrap_or((text, "0"));
            let (cpus, cores) = cpus.split_once(['x', '×'])?;
            let number = |word: &str| word.trim().parse::<usize>().ok();
            Some((number(cpus)?, number(cores)?, number(devices)?))
        };
        let (cpus, cores, devices) = read().ok_or(BadOption::new("units", text, EXPECTED))?;
        ComputeUnits::new(cpus, cores, devices)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn what_is_shown_is_read_again() {
        for text in ["1x1", "4x4+2", "0x1+3", "4096x1"] {
            assert_eq!(text.parse::<ComputeUnits>().unwrap().to_string(), text);
        }
        assert_eq!(
            " 2 × 8 + 1".parse::<ComputeUnits>().unwrap().to_string(),
            "2x8+1"
        );
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (text, said) in [
            ("", "such as 4x4+2"),
            ("4", "such as 4x4+2"),
            ("4x4+", "such as 4x4+2"),
            ("4x4+-1", "such as 4x4+2"),
            ("x4", "such as 4x4+2"),
            ("99999999999999999999x1", "such as 4x4+2"),
            ("0x4", "at least one unit"),
            ("2x0+1", "at least one core"),
            ("5000x1", "at most 4096"),
        ] {
            let error = text.parse::<ComputeUnits>().unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
