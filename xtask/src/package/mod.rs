//! `cargo xtask package`: what would be published is complete, and nothing else; and a program compiles against that alone.

mod program;

use crate::cmd::{self, Failure, Result};
use serde_json::Value;

/// The crates that are published, those that others need first.
const CRATES: [&str; 6] = [
    "skel-tasks",
    "skel-macros",
    "skel-core",
    "skel-model",
    "skel-backends",
    "skel-hybrid",
];
/// What each of them has.
const NEEDED: [&str; 5] = [
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "src/lib.rs",
];
/// What it may have beside the above.
const ALLOWED: [&str; 7] = [
    "src/",
    "docs/",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "Cargo.toml.orig",
    "Cargo.lock",
    ".cargo_vcs_info.json",
];
/// What its manifest says.
const METADATA: [&str; 7] = [
    "description",
    "license",
    "readme",
    "keywords",
    "categories",
    "rust_version",
    "edition",
];

/// Checks the manifests and the files of all crates, packs them, and has a program that depends on them compiled.
pub(crate) fn run() -> Result {
    let metadata = output(&["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| Failure::Check(format!("cargo metadata: {error}")))?;
    check_published(&metadata)?;
    for name in CRATES {
        let args = [
            "package",
            "-p",
            name,
            "--no-verify",
            "--allow-dirty",
            "--list",
        ];
        check_files(name, output(&args)?.lines())?;
    }
    // Also checks that each finds the others, in the versions that it asks for.
    let mut pack = cmd::cargo(["package", "--no-verify", "--allow-dirty"]);
    cmd::run(pack.args(CRATES.iter().flat_map(|name| ["-p", name])))?;
    program::run(version(&metadata)?)
}

/// The version that all of them have.
fn version(metadata: &Value) -> Result<&str> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut ours = packages.filter(|p| p["name"].as_str().is_some_and(|n| CRATES.contains(&n)));
    let version = ours.next().and_then(|package| package["version"].as_str());
    version.ok_or_else(|| Failure::Check("cargo metadata: no version".into()))
}

fn output(args: &[&str]) -> Result<String> {
    let mut command = cmd::cargo(args.iter().copied());
    let out = cmd::output(&mut command)?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(Failure::Check(format!(
            "`{}` failed: {}",
            cmd::line(&command),
            cmd::last_words(&out)
        ))),
    }
}

fn check_published(metadata: &Value) -> Result {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    // `publish = false` is an empty list of registries.
    let published: Vec<&Value> = packages
        .filter(|package| {
            package["publish"]
                .as_array()
                .is_none_or(|to| !to.is_empty())
        })
        .collect();
    let mut names: Vec<&str> = published
        .iter()
        .filter_map(|p| p["name"].as_str())
        .collect();
    let mut expected = CRATES;
    names.sort_unstable();
    expected.sort_unstable();
    if names != expected {
        let wrong = format!("published would be {names:?}, and not {expected:?}");
        return Err(Failure::Check(wrong));
    }
    for package in published {
        let lacks = |key: &&&str| match &package[**key] {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            _ => false,
        };
        if let Some(key) = METADATA.iter().find(lacks) {
            let name = package["name"].as_str().unwrap_or_default();
            return Err(Failure::Check(format!("{name}: its manifest has no {key}")));
        }
    }
    Ok(())
}

fn check_files<'a>(name: &str, files: impl Iterator<Item = &'a str>) -> Result {
    // As Windows lists them, too.
    let files: Vec<String> = files.map(|file| file.replace('\\', "/")).collect();
    let lacks = |needed: &&&str| !files.iter().any(|file| file == **needed);
    if let Some(needed) = NEEDED.iter().find(lacks) {
        return Err(Failure::Check(format!(
            "{name}: {needed} would not be packed"
        )));
    }
    let allowed = |file: &str| {
        let tree = |part: &str| part.ends_with('/') && file.starts_with(part);
        NEEDED.contains(&file) || ALLOWED.contains(&file) || ALLOWED.iter().any(|part| tree(part))
    };
    match files.iter().find(|file| !allowed(file)) {
        None => Ok(()),
        Some(file) => Err(Failure::Check(format!("{name}: {file} would be packed"))),
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn what_is_missing_and_what_is_too_much_is_named() {
        let all = NEEDED.into_iter().chain(["src/a/b.rs"]);
        assert!(check_files("it", all.clone()).is_ok());
        let missing = check_files("it", all.clone().filter(|f| *f != "LICENSE-MIT"));
        assert_eq!(
            missing.unwrap_err().to_string(),
            "it: LICENSE-MIT would not be packed"
        );
        let more = check_files("it", all.chain(["tests/x.rs"]));
        assert_eq!(
            more.unwrap_err().to_string(),
            "it: tests/x.rs would be packed"
        );
    }

    #[test]
    fn manifests_that_say_too_little_are_named() {
        let package = |name: &str| {
            let mut package = serde_json::json!({ "name": name, "publish": null });
            for key in METADATA {
                package[key] = "something".into();
            }
            package
        };
        let mut metadata = serde_json::json!({ "packages": CRATES.map(package) });
        assert!(check_published(&metadata).is_ok());
        metadata["packages"][1]["license"] = Value::Null;
        let error = check_published(&metadata).unwrap_err().to_string();
        let expected = format!("{}: its manifest has no license", CRATES[1]);
        assert_eq!(error, expected);
        metadata["packages"][1]["publish"] = Value::Array(Vec::new());
        assert!(check_published(&metadata).is_err());
    }
}
