//! Tables in Markdown, and the times in them.

use super::wrong;
use crate::cmd::Result;

/// A table of a file of results.
pub(super) struct Table {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// All tables of a text, in their order.
pub(super) fn tables(text: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match cells(line) {
            Some(header) if !inside => tables.push(Table {
                header,
                rows: Vec::new(),
            }),
            Some(row) => {
                if let Some(table) = tables.last_mut() {
                    table.rows.push(row);
                }
            }
            None => {}
        }
        inside = line.starts_with('|');
    }
    for table in &mut tables {
        // What stands below the header are dashes.
        table
            .rows
            .retain(|row| !row.iter().all(|cell| cell.starts_with("---")));
    }
    tables
}

/// The cells of a line of a table.
pub(super) fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(
        inner
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect(),
    )
}

impl Table {
    /// Where a column is.
    pub(super) fn column(&self, path: &str, name: &str) -> Result<usize> {
        let found = self.header.iter().position(|column| column == name);
        found.ok_or_else(|| wrong(path, format!("no column `{name}`")))
    }
}

/// The seconds that a cell says.
pub(super) fn seconds(cell: &str) -> Option<f64> {
    let (number, unit) = cell.split_once(' ')?;
    let scale = match unit {
        "ns" => 1e-9,
        "µs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * scale)
}

/// A time in the unit that suits it, with three digits; as `bench` writes it.
pub(super) fn time(seconds: f64) -> String {
    let (scale, unit) = match seconds {
        s if s < 0.999_5e-6 => (1e9, "ns"),
        s if s < 0.999_5e-3 => (1e6, "µs"),
        s if s < 0.999_5 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    format!("{} {unit}", three_digits(seconds * scale))
}

/// A number above 1 with three digits.
pub(super) fn three_digits(value: f64) -> String {
    let digits = match value {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$}")
}
