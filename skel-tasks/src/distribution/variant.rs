//! As published, or better.

use crate::BadOption;
use std::{fmt, str::FromStr};

/// Which form of a scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// As González and Morancho (2024) describe it.
    Paper,
    /// Without what keeps that from the best distribution; each scheme says what that is.
    #[default]
    Recommended,
}

/// What a setting of this type can be.
pub(super) const EXPECTED: &str = "one of paper, recommended";

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Variant::Paper => "paper",
            Variant::Recommended => "recommended",
        })
    }
}

impl FromStr for Variant {
    type Err = BadOption;

    fn from_str(text: &str) -> Result<Variant, BadOption> {
        match text {
            "paper" => Ok(Variant::Paper),
            "recommended" => Ok(Variant::Recommended),
            _ => Err(BadOption::new("variant", text, EXPECTED)),
        }
    }
}
