//! Programs that cargo builds.

use super::fake::{HELLO, INSTANCE, command, stderr};
use std::{fs, path::Path, process::Output};
use tempfile::TempDir;

/// A package of two programs, neither of which needs anything.
fn package(main: &str) -> TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n",
    );
    write("src/main.rs", "fn main() {}");
    write("examples/it.rs", main);
    dir
}

fn run(dir: &Path, words: &[&str]) -> Output {
    command(dir)
        .args(["run", "--offline", "--profile", "dev"])
        .args(words)
        .output()
        .expect("it starts")
}

#[test]
fn an_example_is_built_and_run() {
    let main = format!(
        "use std::io::Write;
        fn main() {{
            let path = std::env::var(\"SKEL_TUNE_JOURNAL\").unwrap();
            let mut file = std::fs::File::options().append(true).create(true).open(path).unwrap();
            writeln!(file, \"{{}}\\n{{}}\", r#\"{HELLO}\"#, r#\"{INSTANCE}\"#).unwrap();
            assert!(std::env::var(\"CARGO_MANIFEST_DIR\").is_ok());
        }}"
    );
    let dir = package(&main);
    let output = run(dir.path(), &["--example", "it"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let journal = dir.path().join("target/tune/it.journal.jsonl");
    assert!(journal.exists());
    // The package's only binary is what is meant where none is named; it calls nothing.
    let output = run(dir.path(), &[]);
    assert_eq!(output.status.code(), Some(104), "{}", stderr(&output));
}

#[test]
fn what_does_not_build_says_why_in_cargo_s_words() {
    let dir = package("fn main() { let x: u8 = \"seven\"; }");
    let output = run(dir.path(), &["--example", "it"]);
    assert_eq!(output.status.code(), Some(101));
    assert!(stderr(&output).contains("E0308"), "{}", stderr(&output));
}

#[test]
fn where_there_is_no_package_cargo_says_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = run(dir.path(), &["--example", "it"]);
    assert_eq!(output.status.code(), Some(102));
    assert!(
        stderr(&output).contains("Cargo.toml"),
        "{}",
        stderr(&output)
    );
}
