//! `cargo xtask lines`: files that grew too long.

use crate::cmd::{self, Failure, Result};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// From here on a file is listed: it should be split by topic.
const LONG: usize = 400;
/// From here on the check fails.
const TOO_LONG: usize = 500;
/// Folders without code of ours.
const NOT_CODE: [&str; 2] = ["target", ".git"];
/// Folders below `tests` with data that happens to be Rust.
const TEST_DATA: [&str; 3] = ["ui", "expand", "golden"];

/// Lists the long files and the median.
pub(crate) fn run() -> Result {
    let root = cmd::root();
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort_by_key(|(_, lines)| *lines);
    let Some((_, median)) = files.get(files.len() / 2) else {
        return Err(Failure::Check(format!(
            "no Rust file below {}",
            root.display()
        )));
    };
    println!("{} Rust files, {median} lines in the median", files.len());
    for (path, lines) in files.iter().rev().take_while(|(_, lines)| *lines > LONG) {
        println!(
            "{lines:5}  {}",
            path.strip_prefix(&root).unwrap_or(path).display()
        );
    }
    let over = files.iter().filter(|(_, lines)| *lines > TOO_LONG).count();
    if over > 0 {
        return Err(Failure::Check(format!(
            "{over} files have more than {TOO_LONG} lines: split them by topic"
        )));
    }
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, usize)>) -> Result {
    let of_tests = folder.ends_with("tests");
    let what = || Failure::io(folder.display().to_string());
    for entry in fs::read_dir(folder).map_err(what())? {
        let path = entry.map_err(what())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            let data = of_tests && TEST_DATA.contains(&name.as_ref());
            if !data && !NOT_CODE.contains(&name.as_ref()) {
                collect(&path, files)?;
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text =
                fs::read_to_string(&path).map_err(Failure::io(path.display().to_string()))?;
            files.push((path, text.lines().count()));
        }
    }
    Ok(())
}
