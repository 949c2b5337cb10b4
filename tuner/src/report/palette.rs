//! Which unit has which colour: the same one in all pictures of a report.

use skel::model::UnitId;
use std::collections::BTreeSet;

/// The units of a report.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    devices: Vec<UnitId>,
}

/// Devices beyond these share colours.
const DEVICES: usize = 6;

impl Palette {
    /// A colour for each of these.
    pub fn of<'a>(units: impl IntoIterator<Item = &'a UnitId>) -> Self {
        let devices: BTreeSet<&UnitId> = units.into_iter().filter(|u| u.is_device()).collect();
        Palette {
            devices: devices.into_iter().cloned().collect(),
        }
    }

    /// The class of a unit's colour.
    #[must_use]
    pub fn class(&self, unit: &UnitId) -> String {
        match unit {
            UnitId::Sequential => "u-seq".into(),
            UnitId::Cpu => "u-cpu".into(),
            UnitId::Device { .. } => {
                let k = self.devices.iter().position(|d| d == unit).unwrap_or(0);
                format!("u-d{}", k % DEVICES)
            }
        }
    }
}
