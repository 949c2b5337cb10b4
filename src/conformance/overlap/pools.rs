//! To come.
pub(super) const CHECKS: &[(&str, super::Whole)] = &[];
