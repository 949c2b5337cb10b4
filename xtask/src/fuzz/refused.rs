//! Whether rustc refuses what it must, where it is, and in words for a user.

use super::{
    batch::Workspace,
    hostile::{self, Declaration},
};
use crate::cmd::{Failure, Result};
use serde_json::Value;
use std::collections::BTreeMap;

/// What rustc says of one module: where its errors are, and their words.
type Said = BTreeMap<String, Vec<(usize, String)>>;

/// Compiles so many declarations, and fails if one is taken, or refused, that must not be.
pub(super) fn run(workspace: &Workspace, seed: u64, count: u64) -> Result {
    if count == 0 {
        return Ok(());
    }
    let all: Vec<Declaration> = (0..count).map(|k| hostile::declaration(seed, k)).collect();
    let mut left: Vec<&Declaration> = all.iter().collect();
    let mut problems = Vec::new();
    // What rustc finds late, it does not look for where it has found something early: so those are asked about
    // again among which nothing was found yet.
    loop {
        let said = said(&workspace.declarations(&left)?)?;
        problems.extend(left.iter().filter_map(|d| problem(d, said.get(&d.name))));
        let before = left.len();
        left.retain(|d| !said.contains_key(&d.name));
        if said.is_empty() || left.len() == before {
            break;
        }
    }
    let taken = left.iter().filter_map(|d| Some((*d, d.fault?)));
    problems
        .extend(taken.map(|(d, fault)| format!("{} ({fault}) is taken:\n{}", d.name, d.source())));
    let right = all.iter().filter(|d| d.fault.is_none()).count();
    println!(
        "{} declarations are refused, {right} taken",
        all.len() - right
    );
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Failure::Check(format!(
            "declarations of elements, seed {seed} (repeat: cargo xtask fuzz --functions 0 --declarations {count} --seed {seed}):\n{}",
            problems.join("\n")
        ))),
    }
}

/// What is wrong with what was said of a declaration.
fn problem(declaration: &Declaration, said: Option<&Vec<(usize, String)>>) -> Option<String> {
    let (name, source) = (&declaration.name, declaration.source());
    let said = said?;
    if declaration.fault.is_none() {
        return Some(format!("{name} is right, and refused: {said:?}\n{source}"));
    }
    if let Some((_, words)) = said.iter().find(|(_, words)| is_internal(words)) {
        return Some(format!("{name}: an internal error: {words}\n{source}"));
    }
    let first = declaration.first_line();
    match said.iter().find(|(line, _)| *line >= first) {
        Some(_) => None,
        None => Some(format!(
            "{name}: no error is at its own lines: {said:?}\n{source}"
        )),
    }
}

/// Whether words are about the macro itself, or the compiler.
fn is_internal(words: &str) -> bool {
    [
        "derive panicked",
        "attribute panicked",
        "internal compiler error",
        "the compiler unexpectedly panicked",
        "__skel",
    ]
    .iter()
    .any(|part| words.contains(part))
}

/// The errors of a build, by module; what is at no module is an error of ours.
fn said(messages: &str) -> Result<Said> {
    let mut all = Said::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line)
            .map_err(|error| Failure::Check(format!("{error} in {line}")))?;
        let message = &message["message"];
        let text = message["message"].as_str().unwrap_or_default();
        let is_summary =
            text.starts_with("aborting due to") || text.starts_with("could not compile");
        if message["level"]
            .as_str()
            .is_none_or(|level| !level.starts_with("error"))
            || is_summary
        {
            continue;
        }
        let mut places = message["spans"].as_array().into_iter().flatten();
        let primary = places.find(|span| span["is_primary"] == true);
        match primary.and_then(place) {
            Some((module, line)) => all.entry(module).or_default().push((line, text.to_owned())),
            None => {
                return Err(Failure::Check(format!(
                    "an error at no declaration: {message}"
                )));
            }
        }
    }
    Ok(all)
}

/// The module and the line that a span, or what it was expanded from, is in.
fn place(span: &Value) -> Option<(String, usize)> {
    let file = span["file_name"].as_str()?.replace('\\', "/");
    let module = file.rsplit('/').next()?.strip_suffix(".rs")?;
    if module.starts_with("d_") {
        let line = span["line_start"].as_u64()?;
        return Some((module.to_owned(), line as usize));
    }
    place(&span["expansion"]["span"])
}

#[cfg(test)]
mod test {
    use super::*;

    fn error(text: &str, file: &str, line: u64) -> String {
        let span = serde_json::json!({"is_primary": true, "file_name": file, "line_start": line});
        serde_json::json!({"message": {"level": "error", "message": text, "spans": [span]}})
            .to_string()
    }

    /// The first declaration with a fault, and one without.
    fn two() -> (Declaration, Declaration) {
        (hostile::declaration(3, 0), hostile::declaration(3, 5))
    }

    #[test]
    fn an_error_at_the_declaration_is_what_is_wanted() {
        let (wrong, _) = two();
        let line = wrong.first_line() as u64;
        let said = said(&error(
            "not an element",
            &format!("hostile/src/{}.rs", wrong.name),
            line,
        ))
        .unwrap();
        assert_eq!(problem(&wrong, said.get(&wrong.name)), None);
    }

    #[test]
    fn errors_elsewhere_internal_ones_and_those_of_what_is_right_are_problems() {
        let (wrong, right) = two();
        let file = |d: &Declaration| format!("hostile/src/{}.rs", d.name);
        let line = wrong.first_line() as u64;
        for (declaration, text, line, expected) in [
            (
                &wrong,
                "not an element",
                line - 1,
                "no error is at its own lines",
            ),
            (
                &wrong,
                "proc-macro derive panicked",
                line,
                "an internal error",
            ),
            (
                &right,
                "not an element",
                right.first_line() as u64,
                "is right, and refused",
            ),
        ] {
            let said = said(&error(text, &file(declaration), line)).unwrap();
            let found = problem(declaration, said.get(&declaration.name)).unwrap();
            assert!(found.contains(expected), "{found}");
        }
        assert!(said(&error("lost", "skel-core/src/element/mod.rs", 3)).is_err());
    }

    #[test]
    fn an_error_in_a_macro_is_where_the_macro_is_called() {
        let inner = serde_json::json!({"is_primary": true, "file_name": "core/macros.rs", "line_start": 9,
            "expansion": {"span": {"file_name": "src/d_4.rs", "line_start": 2}}});
        assert_eq!(place(&inner), Some(("d_4".into(), 2)));
    }
}
