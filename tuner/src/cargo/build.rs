//! Building, and finding what was built.

use super::{Program, Selection, cargo, metadata::Metadata};
use crate::exit::{Exit, Failure, Result};
use serde_json::Value;
use std::{
    ffi::OsString,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
};

/// Builds what is selected. What the compiler says goes to standard error.
///
/// # Errors
/// [`Exit::Metadata`] if cargo knows no such package, [`Exit::Usage`] if several programs may be
/// meant, [`Exit::Build`] if it does not build.
pub fn build(selection: &Selection) -> Result<Program> {
    if let Some(exe) = &selection.exe {
        return match exe.is_file() {
            true => Ok(Program::at(exe, super::tune_folder(selection)?)),
            false => {
                let what = format!("there is no program {}", exe.display());
                Err(Failure::new(Exit::Usage, what).fix(
                    "a path is meant, from the current directory; what cargo is to build is named by --bin, \
                     --example or --bench",
                ))
            }
        };
    }
    let metadata = Metadata::load(selection)?;
    let (kind, name) = wanted(selection, &metadata)?;
    let mut command = cargo();
    command
        .args(["build", "--message-format", "json-render-diagnostics"])
        .args(selection.build_args())
        .args([format!("--{kind}"), name.clone()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let failed = |what: String| Failure::new(Exit::Build, what);
    let mut child = command
        .spawn()
        .map_err(|e| failed(format!("cargo does not start: {e}")))?;
    let mut built = None;
    let stdout = child.stdout.take().into_iter();
    for line in stdout.flat_map(|out| BufReader::new(out).lines()) {
        let line = line.map_err(|e| failed(format!("cargo's messages: {e}")))?;
        built = artifact(&line, kind, &name).or(built);
    }
    let status = child
        .wait()
        .map_err(|e| failed(format!("cargo build: {e}")))?;
    if !status.success() {
        return Err(failed(format!("cargo could not build --{kind} {name}")));
    }
    let (path, manifest_dir) = built.ok_or_else(|| {
        let what = format!("cargo built --{kind} {name}, but names no program");
        failed(what)
    })?;
    let target_dir = selection.target_dir.clone().unwrap_or(metadata.target_dir);
    Ok(Program {
        name: super::file_name(&name),
        path,
        folder: super::in_target(&target_dir)?,
        manifest_dir,
        // What `cargo bench` passes: harnesses do nothing else without it.
        first_args: (kind == "bench")
            .then(|| OsString::from("--bench"))
            .into_iter()
            .collect(),
    })
}

/// Kind and name of the program.
fn wanted(selection: &Selection, metadata: &Metadata) -> Result<(&'static str, String)> {
    let named = [
        ("bin", &selection.bin),
        ("example", &selection.example),
        ("bench", &selection.bench),
    ];
    let mut named = named
        .into_iter()
        .filter_map(|(kind, name)| Some((kind, name.clone()?)));
    match named.next() {
        Some(found) => Ok(found),
        None => Ok(("bin", metadata.default_bin(selection)?)),
    }
}

/// The program that a message of cargo's names, if it is the one that is wanted, and its package's
/// folder.
fn artifact(line: &str, kind: &str, name: &str) -> Option<(PathBuf, Option<PathBuf>)> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["target"]["name"] != name {
        return None;
    }
    let kinds = message["target"]["kind"].as_array()?;
    if !kinds.iter().any(|k| k == kind) {
        return None;
    }
    let manifest = message["manifest_path"].as_str().map(Path::new);
    Some((
        message["executable"].as_str()?.into(),
        manifest.and_then(Path::parent).map(Path::to_path_buf),
    ))
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn only_the_program_that_is_wanted_is_taken() {
        let line = r#"{"reason":"compiler-artifact","manifest_path":"/p/Cargo.toml",
            "target":{"kind":["example"],"name":"psnr"},"executable":"/t/psnr"}"#;
        let (path, dir) = artifact(line, "example", "psnr").expect("a program");
        assert_eq!(path, Path::new("/t/psnr"));
        assert_eq!(dir.as_deref(), Some(Path::new("/p")));
        assert_eq!(artifact(line, "bin", "psnr"), None);
        assert_eq!(artifact(line, "example", "blur"), None);
        assert_eq!(artifact("rustc says hello", "bin", "psnr"), None);
    }

    #[test]
    fn a_library_has_no_program() {
        let line = r#"{"reason":"compiler-artifact","target":{"kind":["bin"],"name":"a"},"executable":null}"#;
        assert_eq!(artifact(line, "bin", "a"), None);
    }
}
