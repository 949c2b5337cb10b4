//! Numbers in variables of the environment.

use skel_core::{Error, Result};
use std::ffi::OsString;

/// The number that variable `name` has as its `value`; none if it is empty or not set.
///
/// # Errors
/// [`Error::BadSetting`] if it is no number.
pub(crate) fn number(
    name: &'static str,
    value: Option<OsString>,
    expected: &'static str,
) -> Result<Option<u64>> {
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    match value.to_str().and_then(|text| text.trim().parse().ok()) {
        Some(number) => Ok(Some(number)),
        None => Err(Error::BadSetting {
            name,
            found: value.to_string_lossy().into_owned(),
            expected,
        }),
    }
}
