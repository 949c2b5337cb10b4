//! `docs/faults.md` names tests: all of them are there.

use std::{collections::HashSet, fs, path::Path};

/// Whether `text` has a test of this name: a function, or a case of a suite that goes by its name.
fn has(text: &str, name: &str) -> bool {
    let function = format!("fn {name}(");
    let is_test = |before: &str| {
        let above = before.trim_end().lines().rev();
        above
            .take_while(|line| line.trim_start().starts_with("#["))
            .any(|line| line.contains("#[test]"))
    };
    let mut functions = text.match_indices(&function);
    functions.any(|(at, _)| is_test(&text[..at])) || text.contains(&format!("\"{name}\""))
}

#[test]
fn every_test_that_the_table_names_exists() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let page = fs::read_to_string(root.join("docs/faults.md")).unwrap();
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.contains("| tests |"));
    let mut seen = HashSet::new();
    let mut missing = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [_, _, tests] = cells[..] else {
            panic!("three cells are needed: {row}")
        };
        let named: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "a row without a test: {row}");
        for test in named {
            let (file, name) = test.split_once("::").unwrap_or((test, ""));
            let text = fs::read_to_string(root.join(file)).unwrap_or_default();
            if !has(&text, name) {
                missing.push(test.to_owned());
            }
            seen.insert(test.to_owned());
        }
    }
    assert!(missing.is_empty(), "named, and not there: {missing:#?}");
    assert!(seen.len() > 80, "{}", seen.len());
}

#[test]
fn what_is_only_mentioned_is_no_test() {
    assert!(has("#[test]\n    fn one() {}", "one"));
    assert!(has("#[test]\n#[cfg(unix)]\nfn one() {}", "one"));
    assert!(has("Case::new(\"suite::one\", one)", "suite::one"));
    assert!(!has("fn one() {}", "one"));
    assert!(!has("// `one` is a test", "one"));
}
