//! What values mean.

use super::VariableInfo;
use crate::Result;
use std::{
    ffi::OsStr,
    ops::RangeInclusive,
    path::{Component, Path, PathBuf},
    str::FromStr,
};

/// What [`flag`] takes.
pub(super) const FLAG: &str = "`on`, `off`, `1` or `0`";

/// Text without what surrounds it; numbers and words of other encodings there are none.
fn text(value: &OsStr) -> Option<&str> {
    value.to_str().map(str::trim)
}

/// `on` or `1`, `off` or `0`.
///
/// # Errors
/// [`crate::Error::BadSetting`] for anything else, as of all parsers here.
pub fn flag(info: &VariableInfo, value: &OsStr) -> Result<bool> {
    match text(value) {
        Some("on" | "1") => Ok(true),
        Some("off" | "0") => Ok(false),
        _ => Err(info.bad(value)),
    }
}

/// A number of a range.
///
/// # Errors
/// [`crate::Error::BadSetting`].
pub fn number<N: FromStr + PartialOrd>(
    info: &VariableInfo,
    value: &OsStr,
    range: RangeInclusive<N>,
) -> Result<N> {
    let number = text(value).and_then(|text| text.parse().ok());
    let number = number.filter(|number| range.contains(number));
    number.ok_or_else(|| info.bad(value))
}

/// One of these words.
///
/// # Errors
/// [`crate::Error::BadSetting`].
pub fn word<W: Copy>(info: &VariableInfo, value: &OsStr, words: &[(&str, W)]) -> Result<W> {
    let word = text(value).and_then(|text| words.iter().find(|(word, _)| *word == text));
    word.map(|(_, meaning)| *meaning)
        .ok_or_else(|| info.bad(value))
}

/// A path. What is there is seen when it is used.
///
/// # Errors
/// None: any text is one.
pub fn path(_: &VariableInfo, value: &OsStr) -> Result<PathBuf> {
    Ok(value.into())
}

/// The name of a library, for the system to find, or the path of a file.
///
/// # Errors
/// [`crate::Error::BadSetting`] for a path where there is no file.
pub fn name(info: &VariableInfo, value: &OsStr) -> Result<PathBuf> {
    let path = Path::new(value);
    let is_name = matches!(
        path.components().collect::<Vec<_>>()[..],
        [Component::Normal(_)]
    );
    if is_name || path.is_file() {
        Ok(path.into())
    } else {
        Err(info.bad(value))
    }
}
