//! Which test programs a change can break.

use super::workspace::{Kind, Package, Program};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// Files of the whole workspace: everything may depend on them.
const OF_ALL: [&str; 3] = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"];

/// Tests that read pages and the sources of all packages when they run, wherever they are compiled.
const READERS: [(&str, Kind, &str, &[&str]); 2] = [
    (
        "skel-tests",
        Kind::Test,
        "root",
        &["dependencies::", "environment::", "faults::table::"],
    ),
    ("xtask", Kind::Bin, "xtask", &[]),
];

/// What is to run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// All tests, because of this file.
    All(PathBuf),
    Some(Selection),
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Selection {
    /// Test programs, with the tests that are meant where not all of them are.
    pub(super) programs: BTreeMap<Program, &'static [&'static str]>,
    /// The others.
    pub(super) left_out: BTreeSet<Program>,
    /// Packages in which a file has changed.
    pub(super) changed: BTreeSet<String>,
    /// Whether the examples of the documentation can break.
    pub(super) examples: bool,
}

impl Selection {
    /// All tests that there are.
    pub(super) fn all(packages: &[Package]) -> Selection {
        let mut selection = Selection::default();
        packages.iter().for_each(|p| all_of(p, &mut selection));
        selection
    }
}

/// What these files can break; paths are those below the workspace's root.
pub(super) fn plan(packages: &[Package], files: &[PathBuf]) -> Plan {
    let of_all = |file: &&PathBuf| OF_ALL.iter().any(|name| *file == Path::new(name));
    if let Some(file) = files.iter().find(of_all) {
        return Plan::All(file.clone());
    }
    let mut selection = Selection::default();
    let mut libraries = BTreeSet::new();
    for file in files {
        touched(packages, file, &mut selection, &mut libraries);
    }
    dependants(packages, &mut libraries);
    for package in packages {
        let by_tests = package
            .tests_need
            .iter()
            .any(|name| libraries.contains(name));
        if by_tests || libraries.contains(&package.name) {
            all_of(package, &mut selection);
        }
    }
    for (package, kind, name, tests) in READERS {
        let program = Program {
            package: package.into(),
            kind,
            name: name.into(),
        };
        let is_there = packages.iter().any(|p| p.name == package);
        if is_there && !files.is_empty() {
            selection.programs.entry(program).or_insert(tests);
        }
    }
    let tested = packages.iter().flat_map(programs_of);
    selection.left_out = tested
        .filter(|p| !selection.programs.contains_key(p))
        .collect();
    Plan::Some(selection)
}

/// What one file belongs to: the programs that are compiled from it, and the packages whose library is.
fn touched(
    packages: &[Package],
    file: &Path,
    selection: &mut Selection,
    libraries: &mut BTreeSet<String>,
) {
    let mut is_source = false;
    for package in packages {
        for target in package.targets.iter().filter(|t| t.files.contains(file)) {
            is_source = true;
            selection.changed.insert(package.name.clone());
            match target.kind {
                Kind::Lib => drop(libraries.insert(package.name.clone())),
                Kind::Bin | Kind::Test if target.is_tested => {
                    let program = Program {
                        package: package.name.clone(),
                        kind: target.kind,
                        name: target.name.clone(),
                    };
                    selection.programs.insert(program, &[]);
                }
                Kind::Bin | Kind::Test | Kind::Other => {}
            }
        }
    }
    let within = packages
        .iter()
        .filter(|package| file.starts_with(&package.folder));
    let nearest = within.max_by_key(|package| package.folder.components().count());
    // What lies beside the packages is read when tests run, by those that always do.
    let Some(package) = nearest.filter(|p| !p.folder.as_os_str().is_empty() && !is_source) else {
        return;
    };
    selection.changed.insert(package.name.clone());
    // Data of tests, or how the package is built.
    all_of(package, selection);
    if file.file_name().is_some_and(|name| name == "Cargo.toml") {
        libraries.insert(package.name.clone());
    }
}

/// Adds the packages whose library depends on one of these, and on those in turn.
fn dependants(packages: &[Package], libraries: &mut BTreeSet<String>) {
    loop {
        let before = libraries.len();
        for package in packages {
            if package.needs.iter().any(|name| libraries.contains(name)) {
                libraries.insert(package.name.clone());
            }
        }
        if libraries.len() == before {
            return;
        }
    }
}

fn all_of(package: &Package, selection: &mut Selection) {
    selection
        .programs
        .extend(programs_of(package).map(|program| (program, &[] as _)));
    selection.examples |= package.targets.iter().any(|target| target.has_examples);
}

fn programs_of(package: &Package) -> impl Iterator<Item = Program> {
    let tested = package
        .targets
        .iter()
        .filter(|t| t.is_tested && t.kind != Kind::Other);
    tested.map(|target| Program {
        package: package.name.clone(),
        kind: target.kind,
        name: target.name.clone(),
    })
}

#[cfg(test)]
#[path = "plan_test.rs"]
mod test;
