//! Where unsafe code is allowed, as `skel-core/src/frame/README.md` lists it.

use crate::cmd;
use std::{
    fs,
    path::{Path, PathBuf},
};

const PAGE: &str = "skel-core/src/frame/README.md";

/// The crates that have unsafe code.
const CRATES: [&str; 2] = ["skel-core", "skel-backends"];

/// The paths in the first column of the table of a crate.
fn listed<'p>(page: &'p str, krate: &str) -> Vec<&'p str> {
    let (_, section) = page
        .split_once(&format!("### In `{krate}`\n"))
        .unwrap_or_else(|| panic!("{PAGE} has no section about {krate}"));
    let section = section.split("\n#").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
    let first = rows.filter_map(|row| row.split(" | ").next());
    first
        .flat_map(|column| column.split('`').skip(1).step_by(2))
        .collect()
}

/// The files below a folder that allow unsafe code, tests aside.
fn allowing(folder: &Path, to: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if name != "test" {
                allowing(&path, to);
            }
        } else if name.ends_with(".rs")
            && !matches!(&*name, "test.rs" | "attacks.rs" | "interleavings.rs")
        {
            let text = fs::read_to_string(&path).expect("a source file");
            if text.contains("unsafe {")
                || text.contains("unsafe fn")
                || text.contains("unsafe impl")
            {
                to.push(path);
            }
        }
    }
}

#[test]
fn the_page_lists_all_files_with_unsafe_code() {
    let page = fs::read_to_string(cmd::root().join(PAGE)).expect("the page");
    for krate in CRATES {
        let (src, listed) = (cmd::root().join(krate).join("src"), listed(&page, krate));
        let mut files = Vec::new();
        allowing(&src, &mut files);
        let within = |file: &Path, place: &str| match place.strip_suffix('/') {
            Some(folder) => file.starts_with(src.join(folder)),
            None => file == src.join(place),
        };
        for file in &files {
            let is_listed = listed.iter().any(|place| within(file, place));
            assert!(is_listed, "{} is not in {PAGE}", file.display());
        }
        for place in listed {
            let has_any = files.iter().any(|file| within(file, place));
            assert!(
                has_any,
                "{PAGE} lists {place} of {krate}, which has no unsafe code"
            );
        }
    }
}
