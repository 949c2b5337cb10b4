//! Our packages as cargo lists them, with the files that each target is compiled from.

use super::sources::{Read, files, plain};
use crate::cmd::{self, Failure, Result};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fmt, fs,
    path::{Path, PathBuf},
};

/// What of a target matters to tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Lib,
    Bin,
    Test,
    /// Examples and benchmarks, which no test runs.
    Other,
}

impl Kind {
    pub(super) fn of(target: &Value) -> Kind {
        match target["kind"][0].as_str() {
            Some("lib" | "proc-macro" | "custom-build") => Kind::Lib,
            Some("bin") => Kind::Bin,
            Some("test") => Kind::Test,
            _ => Kind::Other,
        }
    }
}

/// A test program: of which package, and which target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Program {
    pub(super) package: String,
    pub(super) kind: Kind,
    pub(super) name: String,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Program { package, name, .. } = self;
        match self.kind {
            Kind::Lib => write!(f, "{package} --lib"),
            Kind::Bin => write!(f, "{package} --bin {name}"),
            Kind::Test | Kind::Other => write!(f, "{package} --test {name}"),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// Whether it has tests of its own.
    pub(super) is_tested: bool,
    /// Whether the examples of its documentation are tests.
    pub(super) has_examples: bool,
    pub(super) files: BTreeSet<PathBuf>,
}

#[derive(Clone, Debug)]
pub(super) struct Package {
    pub(super) name: String,
    /// Below the root of the workspace.
    pub(super) folder: PathBuf,
    /// Our packages that its library depends on.
    pub(super) needs: BTreeSet<String>,
    /// Those that only its tests do.
    pub(super) tests_need: BTreeSet<String>,
    pub(super) targets: Vec<Target>,
}

/// Those of this workspace.
pub(super) fn packages_of_cargo() -> Result<Vec<Package>> {
    let metadata = cmd::words(&mut cmd::cargo([
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
    ]))?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| Failure::Check(format!("cargo metadata: {error}")))?;
    let root = cmd::root();
    packages(&metadata, &root, &|file| {
        fs::read_to_string(root.join(file)).ok()
    })
}

/// Reads what `cargo metadata --no-deps` says of the workspace at `root`.
fn packages(metadata: &Value, root: &Path, read: Read) -> Result<Vec<Package>> {
    let list = metadata["packages"].as_array();
    let list = list.ok_or_else(|| Failure::Check("cargo metadata lists no packages".into()))?;
    let names: BTreeSet<&str> = list.iter().filter_map(|p| p["name"].as_str()).collect();
    let below = |path: &Value| {
        let path = Path::new(path.as_str().unwrap_or_default());
        plain(path.strip_prefix(root).unwrap_or(path))
    };
    let package = |package: &Value| {
        let dependencies = |of_tests: bool| {
            let all = package["dependencies"].as_array().into_iter().flatten();
            let these = all.filter(|d| (d["kind"] == "dev") == of_tests);
            let ours = these.filter_map(|d| d["name"].as_str().filter(|n| names.contains(n)));
            ours.map(str::to_owned).collect()
        };
        let target = |target: &Value| Target {
            kind: Kind::of(target),
            name: target["name"].as_str().unwrap_or_default().into(),
            is_tested: target["test"] == true,
            has_examples: target["doctest"] == true,
            files: files(&below(&target["src_path"]), read),
        };
        let manifest = below(&package["manifest_path"]);
        Package {
            name: package["name"].as_str().unwrap_or_default().into(),
            folder: manifest.parent().unwrap_or(Path::new("")).to_owned(),
            needs: dependencies(false),
            tests_need: dependencies(true),
            targets: package["targets"]
                .as_array()
                .into_iter()
                .flatten()
                .map(target)
                .collect(),
        }
    };
    Ok(list.iter().map(package).collect())
}
