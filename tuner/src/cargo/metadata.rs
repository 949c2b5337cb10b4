//! What cargo says of the workspace.

use super::{Selection, cargo};
use crate::exit::{Exit, Failure, Result};
use serde_json::Value;
use std::path::PathBuf;

/// What there is to run, and where things go.
#[derive(Debug)]
pub(super) struct Metadata {
    /// Where cargo builds.
    pub(super) target_dir: PathBuf,
    packages: Vec<Package>,
}

#[derive(Debug)]
struct Package {
    name: String,
    is_default: bool,
    default_run: Option<String>,
    bins: Vec<String>,
    examples: Vec<String>,
}

impl Metadata {
    pub(super) fn load(selection: &Selection) -> Result<Metadata> {
        let out = cargo()
            .args(["metadata", "--format-version", "1", "--no-deps"])
            .args(selection.metadata_args())
            .output()
            .map_err(|e| Failure::new(Exit::Metadata, format!("cargo does not start: {e}")))?;
        if !out.status.success() {
            let said = String::from_utf8_lossy(&out.stderr).trim().to_string();
            return Err(Failure::new(
                Exit::Metadata,
                format!("cargo metadata: {said}"),
            ));
        }
        let value: Value = serde_json::from_slice(&out.stdout)
            .map_err(|e| Failure::new(Exit::Metadata, format!("cargo metadata: {e}")))?;
        Self::from_json(&value)
            .ok_or_else(|| Failure::new(Exit::Metadata, "cargo metadata says nothing of packages"))
    }

    fn from_json(value: &Value) -> Option<Metadata> {
        let target_dir = value["target_directory"].as_str()?.into();
        let defaults = value["workspace_default_members"].as_array();
        let packages = value["packages"].as_array()?.iter();
        let package = |package: &Value| {
            let of_kind = |kind: &str| -> Vec<String> {
                let targets = package["targets"].as_array().into_iter().flatten();
                let ours = targets.filter(|t| {
                    let kinds = t["kind"].as_array();
                    kinds.is_some_and(|kinds| kinds.iter().any(|k| k == kind))
                });
                ours.filter_map(|t| Some(t["name"].as_str()?.to_string()))
                    .collect()
            };
            Some(Package {
                name: package["name"].as_str()?.into(),
                is_default: defaults.is_none_or(|ids| ids.contains(&package["id"])),
                default_run: package["default_run"].as_str().map(Into::into),
                bins: of_kind("bin"),
                examples: of_kind("example"),
            })
        };
        Some(Metadata {
            target_dir,
            packages: packages.filter_map(package).collect(),
        })
    }

    /// The program that is meant where none is named, as `cargo run` chooses.
    pub(super) fn default_bin(&self, selection: &Selection) -> Result<String> {
        let meant = |p: &&Package| match &selection.package {
            Some(spec) => named_by(spec) == p.name,
            None => selection.workspace || p.is_default,
        };
        let packages: Vec<&Package> = self.packages.iter().filter(meant).collect();
        let defaults: Vec<&String> = packages
            .iter()
            .filter_map(|p| p.default_run.as_ref())
            .collect();
        if let [only] = defaults[..] {
            return Ok(only.clone());
        }
        let bins: Vec<&String> = packages.iter().flat_map(|p| &p.bins).collect();
        if let [only] = bins[..] {
            return Ok(only.clone());
        }
        let list = |flag: &str, names: Vec<&String>| -> Vec<String> {
            names.iter().map(|name| format!("{flag} {name}")).collect()
        };
        let mut choices = list("--bin", bins);
        let examples = packages.iter().flat_map(|p| &p.examples).collect();
        choices.extend(list("--example", examples));
        let failure = Failure::new(Exit::Usage, "which program?");
        Err(if choices.is_empty() {
            failure.fix("there is neither a binary nor an example here: name a package with -p")
        } else {
            failure.fix(format!("say one of: {}", choices.join(", ")))
        })
    }
}

/// The name in a package's specification, as Cargo has it: `name`, `name@version`, `url#name`, `url#name@version`, or, where
/// the name is the last part of the address, `url#version`.
fn named_by(spec: &str) -> &str {
    let (address, id) = spec.rsplit_once('#').unwrap_or(("", spec));
    let name = id.split(['@', ':']).next().unwrap_or(id);
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => address.rsplit('/').next().unwrap_or(name),
        false => name,
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use serde_json::json;

    fn metadata(bins: &[&str], default_run: Option<&str>) -> Metadata {
        let target = |name: &&str| json!({"name": name, "kind": ["bin"]});
        let mut targets: Vec<Value> = bins.iter().map(target).collect();
        targets.push(json!({"name": "psnr", "kind": ["example"]}));
        let package =
            json!({"id": "a", "name": "a", "default_run": default_run, "targets": targets});
        let value = json!({
            "target_directory": "/t", "workspace_default_members": ["a"], "packages": [package],
        });
        Metadata::from_json(&value).expect("metadata")
    }

    #[test]
    fn the_only_program_is_meant() {
        let found = metadata(&["a"], None).default_bin(&Selection::default());
        assert_eq!(found.expect("one"), "a");
        let found = metadata(&["a", "b"], Some("b")).default_bin(&Selection::default());
        assert_eq!(found.expect("one"), "b");
    }

    #[test]
    fn of_several_the_choice_is_listed() {
        let error = metadata(&["a", "b"], None)
            .default_bin(&Selection::default())
            .expect_err("two");
        assert_eq!(error.exit, Exit::Usage);
        let fix = error.fix.expect("a choice");
        assert_eq!(fix, "say one of: --bin a, --bin b, --example psnr");
    }

    #[test]
    fn a_specification_names_one_package() {
        for (spec, name) in [
            ("web-server", "web-server"),
            ("server@1.2", "server"),
            ("path+file:///x/web-server#0.1.0", "web-server"),
            ("path+file:///x/other#server@0.1.0", "server"),
            ("https://example.org/foo#bar:1.4", "bar"),
        ] {
            assert_eq!(named_by(spec), name, "{spec}");
        }
    }
}
