//! Files of results in Markdown, as `bench` prints them.

use super::{FOLDER, table};
use crate::cmd::{self, Failure, Result};
use std::fs;

/// All of them.
pub(super) fn files() -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(cmd::root().join(FOLDER)).map_err(Failure::io(FOLDER))? {
        let name = entry.map_err(Failure::io(FOLDER))?.file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".md") {
            files.push(format!("{FOLDER}/{name}"));
        }
    }
    files.sort();
    Ok(files)
}

/// The same text, in whose tables each column `a : b` is how many times as fast a is as b, by the times that stand
/// in the columns of these names. Of a name, `by hand` of `wgpu by hand`, the end will do. Columns whose times are
/// not there stay as they are.
pub(super) fn with_ratios(text: &str) -> String {
    let mut header: Option<Vec<String>> = None;
    let mut out = String::new();
    for line in text.lines() {
        let row = table::cells(line);
        match (row, &header) {
            (Some(mut row), Some(header)) => {
                for k in 0..row.len().min(header.len()) {
                    if let Some(ratio) = ratio(header, &row, k) {
                        row[k] = format!("{ratio:.2}");
                    }
                }
                out += &format!("| {} |", row.join(" | "));
            }
            (row, _) => {
                header = row;
                out += line;
            }
        }
        out.push('\n');
    }
    out
}

fn ratio(header: &[String], row: &[String], k: usize) -> Option<f64> {
    let (fast, slow) = header[k].split_once(" : ")?;
    let of = |name: &str| {
        let at = header.iter().position(|c| c == name);
        let at = at.or_else(|| {
            header
                .iter()
                .position(|c| !c.contains(':') && c.ends_with(name))
        })?;
        table::seconds(row.get(at)?)
    };
    Some(of(slow)? / of(fast)?)
}
