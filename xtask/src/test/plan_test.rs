use super::*;
use crate::test::workspace::Target;

fn target(kind: Kind, name: &str, files: &[&str]) -> Target {
    Target {
        kind,
        name: name.into(),
        is_tested: kind != Kind::Other,
        has_examples: kind == Kind::Lib && name == "core",
        files: files.iter().map(PathBuf::from).collect(),
    }
}

fn package(name: &str, needs: &[&str], tests_need: &[&str], targets: Vec<Target>) -> Package {
    let set = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    Package {
        name: name.into(),
        folder: name.into(),
        needs: set(needs),
        tests_need: set(tests_need),
        targets,
    }
}

/// core ← facade ← tool; the tests of the facade are a package, and include a file of the tool's tests.
fn workspace() -> Vec<Package> {
    vec![
        package(
            "core",
            &[],
            &["verify"],
            vec![target(
                Kind::Lib,
                "core",
                &["core/src/lib.rs", "core/src/a.rs"],
            )],
        ),
        package(
            "facade",
            &["core"],
            &[],
            vec![target(Kind::Lib, "facade", &["facade/src/lib.rs"])],
        ),
        package(
            "verify",
            &[],
            &[],
            vec![target(Kind::Lib, "verify", &["verify/src/lib.rs"])],
        ),
        package(
            "tool",
            &["facade"],
            &[],
            vec![
                target(Kind::Lib, "tool", &["tool/src/lib.rs"]),
                target(Kind::Bin, "tool", &["tool/src/main.rs"]),
                target(
                    Kind::Test,
                    "command",
                    &["tool/tests/command.rs", "tool/tests/common.rs"],
                ),
                target(Kind::Other, "bench", &["tool/benches/bench.rs"]),
            ],
        ),
        package(
            "skel-tests",
            &["facade"],
            &[],
            vec![
                target(
                    Kind::Test,
                    "root",
                    &["skel-tests/root.rs", "tool/tests/common.rs"],
                ),
                target(Kind::Test, "fork", &["skel-tests/fork.rs"]),
            ],
        ),
        package(
            "xtask",
            &[],
            &[],
            vec![target(Kind::Bin, "xtask", &["xtask/src/main.rs"])],
        ),
    ]
}

/// The programs that run, as `package:name`, and those of which only some tests do in parentheses.
fn runs(files: &[&str]) -> Vec<String> {
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let Plan::Some(selection) = plan(&workspace(), &files) else {
        panic!("not everything is needed");
    };
    let shown = |(program, tests): (&Program, &&[&str])| {
        let name = format!("{}:{}", program.package, program.name);
        if tests.is_empty() {
            name
        } else {
            format!("({name})")
        }
    };
    selection.programs.iter().map(shown).collect()
}

#[test]
fn a_library_runs_its_tests_and_those_of_all_that_depend_on_it() {
    let all = [
        "core:core",
        "facade:facade",
        "skel-tests:root",
        "skel-tests:fork",
        "tool:tool",
    ];
    let found = runs(&["core/src/a.rs"]);
    assert!(
        all.iter().all(|name| found.iter().any(|f| f == name)),
        "{found:?}"
    );
    assert!(!found.contains(&"verify:verify".into()), "{found:?}");
}

#[test]
fn what_only_tests_depend_on_runs_these_and_no_dependants() {
    let found = runs(&["verify/src/lib.rs"]);
    assert_eq!(
        found,
        [
            "core:core",
            "(skel-tests:root)",
            "verify:verify",
            "xtask:xtask"
        ]
    );
}

#[test]
fn a_file_of_one_test_runs_that_test() {
    let found = runs(&["skel-tests/fork.rs"]);
    assert_eq!(
        found,
        ["skel-tests:fork", "(skel-tests:root)", "xtask:xtask"]
    );
    // Compiled by two packages.
    let found = runs(&["tool/tests/common.rs"]);
    assert_eq!(found, ["skel-tests:root", "tool:command", "xtask:xtask"]);
}

#[test]
fn pages_and_examples_run_what_reads_the_repository() {
    for file in ["docs/page.md", "tool/benches/bench.rs"] {
        assert_eq!(
            runs(&[file]),
            ["(skel-tests:root)", "xtask:xtask"],
            "{file}"
        );
    }
    assert!(runs(&[]).is_empty());
}

#[test]
fn data_and_manifests_run_what_the_package_has() {
    let found = runs(&["tool/tests/data.json"]);
    assert_eq!(
        found,
        [
            "(skel-tests:root)",
            "tool:tool",
            "tool:tool",
            "tool:command",
            "xtask:xtask"
        ]
    );
    assert!(runs(&["core/Cargo.toml"]).contains(&"tool:tool".into()));
}

#[test]
fn what_all_are_built_by_runs_all() {
    let file = PathBuf::from("Cargo.toml");
    assert_eq!(
        plan(&workspace(), std::slice::from_ref(&file)),
        Plan::All(file)
    );
}

#[test]
fn what_does_not_run_is_known() {
    let Plan::Some(selection) = plan(&workspace(), &["tool/src/lib.rs".into()]) else {
        panic!("not everything is needed");
    };
    let left_out: Vec<&str> = selection.left_out.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(left_out, ["core", "facade", "fork", "verify"]);
    assert!(!selection.examples && selection.changed.contains("tool"));
}
