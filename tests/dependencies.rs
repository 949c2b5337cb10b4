//! Which of our crates may depend on which: the tables of crates in ARCHITECTURE.md and CONTRIBUTING.md.

use serde_json::Value;
use std::{collections::BTreeSet, env, process::Command};

/// The names of our packages that `package` depends on, other than for its tests.
fn ours(metadata: &Value, package: &str) -> BTreeSet<String> {
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let name = |value: &Value| value["name"].as_str().expect("a name").to_string();
    let members: BTreeSet<String> = packages.iter().map(name).collect();
    let package = packages
        .iter()
        .find(|p| name(p) == package)
        .expect("one of our packages");
    let dependencies = package["dependencies"]
        .as_array()
        .expect("a list of dependencies");
    let built = dependencies.iter().filter(|d| d["kind"] != "dev");
    built
        .map(name)
        .filter(|name| members.contains(name))
        .collect()
}

fn metadata() -> Value {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = Command::new(cargo)
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    serde_json::from_slice(&out.stdout).expect("JSON")
}

#[test]
fn crates_depend_only_on_those_below_them() {
    let metadata = metadata();
    let allowed: [(&str, &[&str]); 18] = [
        ("skel-core", &["skel-macros", "skel-tasks"]),
        ("skel-tasks", &[]),
        ("skel-macros", &[]),
        ("skel-model", &["skel-core"]),
        ("skel-backends", &["skel-core", "skel-model", "skel-tasks"]),
        (
            "skel-hybrid",
            &[
                "skel-backends",
                "skel-core",
                "skel-macros",
                "skel-model",
                "skel-tasks",
            ],
        ),
        ("skel-examples", &["skel-hybrid"]),
        (
            "skel-tests",
            &[
                "skel-backends",
                "skel-calls",
                "skel-core",
                "skel-hybrid",
                "skel-verify",
            ],
        ),
        ("skel-calls", &["skel-hybrid"]),
        ("skel-verify", &["skel-backends", "skel-core"]),
        ("skel-corpus", &["skel-core", "skel-hybrid", "skel-verify"]),
        (
            "skel-fuzz",
            &["skel-backends", "skel-core", "skel-hybrid", "skel-verify"],
        ),
        ("skel-look-back", &[]),
        ("skel-messages", &["skel-core", "skel-hybrid"]),
        ("skel-renamed", &["skel-hybrid"]),
        ("skel-shapes", &["skel-hybrid"]),
        ("tuner", &["skel-hybrid"]),
        ("xtask", &[]),
    ];
    for (package, below) in allowed {
        let below: BTreeSet<String> = below.iter().map(|name| name.to_string()).collect();
        assert_eq!(ours(&metadata, package), below, "dependencies of {package}");
    }
    let packages = metadata["packages"].as_array().expect("a list of packages");
    assert_eq!(
        packages.len(),
        allowed.len(),
        "a new package needs its arrows here"
    );
}
