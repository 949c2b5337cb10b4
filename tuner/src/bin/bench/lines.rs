//! Results as lines of JSON, in a file that several runs append to.

use std::{
    fs::OpenOptions,
    io::{Result, Write},
    path::PathBuf,
};

/// Appends `lines` to the file, if one was named.
pub(crate) fn append(file: Option<&PathBuf>, lines: &str) -> Result<()> {
    let Some(path) = file else { return Ok(()) };
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(lines.as_bytes())
}
