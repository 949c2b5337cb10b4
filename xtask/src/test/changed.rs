//! `cargo xtask test --changed`: the tests that the files which changed can break, and no others.
//!
//! Everything is built as the whole run builds it: with the same features, so that nothing is compiled twice. Which
//! files make a test program is what its modules say; what depends on it, what `cargo metadata` says.

use super::{
    plan::{Plan, Selection, plan},
    workspace::Package,
};
use crate::cmd::{self, Result};
use std::{path::PathBuf, process::Command};

/// What the files that differ from a revision can break; says what that is, and what is left out.
pub(super) fn selection(revision: &str, packages: &[Package]) -> Result<Selection> {
    let files = files(revision)?;
    println!("files that differ from {revision}: {}", files.len());
    match plan(packages, &files) {
        Plan::All(file) => {
            println!(
                "all tests are run: everything is built by {}",
                file.display()
            );
            Ok(Selection::all(packages))
        }
        Plan::Some(selection) => {
            say(&selection);
            Ok(selection)
        }
    }
}

/// The files that differ from a revision, those that git does not know yet included.
fn files(revision: &str) -> Result<Vec<PathBuf>> {
    let git = |args: &[&str]| cmd::words(Command::new("git").args(args).current_dir(cmd::root()));
    let differ = git(&["diff", "--name-only", "--no-renames", "-z", revision, "--"])?;
    let unknown = git(&["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = differ.split('\0').chain(unknown.split('\0'));
    let mut files: Vec<PathBuf> = names
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}

fn say(selection: &Selection) {
    for (program, tests) in &selection.programs {
        match tests {
            [] => println!("runs {program}"),
            tests => println!("runs {program}: only {}", tests.join(", ")),
        }
    }
    if selection.examples {
        println!("runs the examples of the documentation");
    }
    let left_out: Vec<String> = selection
        .left_out
        .iter()
        .map(|program| program.to_string())
        .collect();
    println!("leaves out {}", left_out.join(", "));
}

#[cfg(test)]
mod test {
    use crate::test::{
        plan::{Plan, plan},
        workspace::packages_of_cargo,
    };

    #[test]
    fn the_workspace_knows_the_files_of_its_own_tests() {
        let packages = packages_of_cargo().expect("packages");
        let runs = |file: &str| match plan(&packages, &[file.into()]) {
            Plan::Some(selection) => selection.programs.keys().map(ToString::to_string).collect(),
            Plan::All(_) => vec!["all".to_owned()],
        };
        let itself = runs("xtask/src/test/plan_test.rs");
        assert_eq!(itself, ["skel-tests --test root", "xtask --bin xtask"]);
        // A file that packages share, and one that the library's documentation is.
        let shared = runs("tests/common/cuda_driver.rs");
        for program in ["skel-tests --test cuda", "skel-backends --test cuda_unit"] {
            assert!(shared.iter().any(|p| p == program), "{shared:?}");
        }
        assert!(runs("docs/skeletons.md").len() > shared.len());
        assert_eq!(runs("Cargo.toml"), ["all"]);
    }
}
