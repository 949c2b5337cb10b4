//! A program of a user's, compiled against the packages as they would be published, and against nothing else of ours.

use super::CRATES;
use crate::cmd::{self, Failure, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The workspace's profile of development: what clippy compiles of dependencies is what this takes.
const PROFILE: &str = "\
[profile.dev]
debug = \"line-tables-only\"
lto = \"off\"

[profile.dev.package.\"*\"]
debug = false
";

/// Unpacks what was packed, and has rustc look at the README's first program with it. (The program runs among the tests
/// of documents.)
pub(super) fn run(version: &str) -> Result {
    let packed = cmd::target().join("package");
    // Of a run before, it may have files that are not packed any more.
    let folder = packed.join("program");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Failure::io(folder.display().to_string()))?;
    }
    let source = folder.join("src");
    fs::create_dir_all(&source).map_err(Failure::io(source.display().to_string()))?;
    for name in CRATES {
        let file = packed.join(format!("{name}-{version}.crate"));
        cmd::run(
            Command::new("tar")
                .arg("-xzf")
                .arg(&file)
                .arg("-C")
                .arg(&folder),
        )?;
    }
    let readme = read(&cmd::root().join("README.md"))?;
    let program =
        first_program(&readme).ok_or_else(|| Failure::Check("README.md has no program".into()))?;
    write(&source.join("main.rs"), program)?;
    write(&folder.join("Cargo.toml"), &manifest(version))?;
    // The versions that are there already.
    write(
        &folder.join("Cargo.lock"),
        &read(&cmd::root().join("Cargo.lock"))?,
    )?;
    let mut cargo = cmd::cargo(["check"]);
    cargo
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", cmd::target());
    let line = cmd::line(&cargo);
    println!("{line}, in {}", folder.display());
    let out = cmd::output(&mut cargo)?;
    match out.status.success() {
        true => Ok(()),
        false => Err(Failure::Check(format!(
            "the README's first program against what would be published: {}",
            String::from_utf8_lossy(&out.stderr)
        ))),
    }
}

/// What `cargo add skel-hybrid` writes; until they are published, the packages are those that were unpacked.
fn manifest(version: &str) -> String {
    let mut text = format!(
        "[package]\nname = \"program\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\nskel-hybrid = \"{version}\"\n\n[workspace]\nexclude = [\"skel-*\"]\n\n[patch.crates-io]\n"
    );
    for name in CRATES {
        text += &format!("{name} = {{ path = \"{name}-{version}\" }}\n");
    }
    text + "\n" + PROFILE
}

/// The first block of Rust of a page.
fn first_program(page: &str) -> Option<&str> {
    let (_, from) = page.split_once("```rust\n")?;
    let (program, _) = from.split_once("```")?;
    Some(program)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(Failure::io(path.display().to_string()))
}

fn write(path: &PathBuf, text: &str) -> Result {
    fs::write(path, text).map_err(Failure::io(path.display().to_string()))
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_first_program_of_the_readme_is_a_whole_one() {
        let readme = read(&cmd::root().join("README.md")).expect("the page");
        let program = first_program(&readme).expect("a program");
        assert!(program.starts_with("use skel::prelude::*;") && program.contains("fn main()"));
        assert_eq!(first_program("```sh\ncargo test\n```"), None);
    }

    #[test]
    fn the_profiles_are_those_of_the_workspace() {
        let workspace = read(&cmd::root().join("Cargo.toml")).expect("the manifest");
        let profiles = [PROFILE, cmd::DEV_PROFILE].into_iter();
        let settings = profiles.flat_map(str::lines);
        for line in settings.filter(|line| line.contains(" = ")) {
            assert!(workspace.contains(&format!("\n{line}\n")), "{line}");
        }
    }
}
