//! Tables as CSV files with a header.

use super::{Failure, Result};
use std::path::Path;

/// Reads the named columns of numbers.
pub(crate) fn columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<[Vec<f64>; N]> {
    let bad = |error: csv::Error| Failure::file(path, error);
    let mut reader = csv::Reader::from_path(path).map_err(bad)?;
    let header = reader.headers().map_err(bad)?.clone();
    let mut places = [0; N];
    for (place, name) in places.iter_mut().zip(names) {
        *place = header
            .iter()
            .position(|h| h.trim() == name)
            .ok_or_else(|| {
                let has = header.iter().collect::<Vec<_>>().join(", ");
                Failure::file(path, format!("no column `{name}`; it has {has}"))
            })?;
    }
    let mut columns = [const { Vec::new() }; N];
    for record in reader.records() {
        let record = record.map_err(bad)?;
        for ((column, place), name) in columns.iter_mut().zip(places).zip(names) {
            let field = record[place].trim();
            let number = field.parse().ok().filter(|v: &f64| v.is_finite());
            column.push(number.ok_or_else(|| {
                let line = record.position().map_or(0, csv::Position::line);
                Failure::file(
                    path,
                    format!("line {line}: `{field}` in column `{name}` is not a finite number"),
                )
            })?);
        }
    }
    Ok(columns)
}
