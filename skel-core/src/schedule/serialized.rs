//! Targets in files of configuration: as the strings that [`Target::from_str`] reads.
//!
//! [`Target::from_str`]: std::str::FromStr::from_str

use super::Target;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(D::Error::custom)
    }
}
