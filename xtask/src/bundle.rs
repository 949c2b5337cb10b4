//! `cargo xtask bundle`: tests and benchmarks as one archive, for a machine with a GPU that has neither
//! Rust nor a network.
//!
//! It holds stripped executables, what rivals are timed with, and `run.sh`, which runs all of that, prints a short table
//! last and writes JSON.

use crate::cmd::{self, Failure, Result};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The archive must fit where such bundles are carried to.
const MOST_BYTES: u64 = 60 << 20;

/// The test programs, by their package's folder and name, and what they are called in the archive: all that finds
/// its devices by itself and needs no sources.
const TESTS: [(&str, &str, &str); 7] = [
    ("tests", "cuda", "conformance_cuda"),
    ("skel-backends", "cuda_unit", "cuda_unit"),
    ("skel-backends", "cuda", "cuda_kernels"),
    ("tests", "conformance", "conformance"),
    ("tests", "root", "root"),
    ("tests/corpus", "device", "corpus_wgpu"),
    ("tests/corpus", "cuda", "corpus_cuda"),
];

/// The benchmarks: what builds them, their package's folder, and their names there and in the archive.
const BENCHES: [(&[&str], &str, &str); 5] = [
    (
        &["build", "--release", "-p", "tuner", "--bin", "bench"],
        "tuner",
        "bench",
    ),
    (&BENCH_OF_TUNER, "tuner", "paper"),
    (&BENCH_OF_TUNER, "tuner", "tasks"),
    (&BENCH_OF_TUNER, "tuner", "cpu"),
    (
        &[
            "build",
            "--release",
            "-p",
            "skel-examples",
            "--example",
            "npb_mz",
        ],
        "examples",
        "npb_mz",
    ),
];

/// All at once, so that what they share is compiled once.
const BENCH_OF_TUNER: [&str; 10] = [
    "bench", "--no-run", "-p", "tuner", "--bench", "paper", "--bench", "tasks", "--bench", "cpu",
];

const RUN: &str = include_str!("bundle/run.sh");

/// Files of the repository that go along, with their names in the archive.
const FILES: [(&str, &str); 2] = [
    ("benches/rivals/cub.cu", "rivals/cub.cu"),
    ("benches/rivals/arrays.py", "rivals/arrays.py"),
];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Where to put the archive
    #[arg(long, default_value = "target/bundle/skel-bundle.tar.xz")]
    output: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result {
    let output = cmd::root().join(&options.output);
    let parent = output.parent().unwrap_or(Path::new("."));
    let folder = parent.join("skel-bundle");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Failure::io(folder.display().to_string()))?;
    }
    for name in ["bin", "rivals"] {
        let made = folder.join(name);
        fs::create_dir_all(&made).map_err(Failure::io(made.display().to_string()))?;
    }
    let built = build_tests()?;
    for (package, test, name) in TESTS {
        strip(
            &built.executable(package, test)?,
            &folder.join("bin").join(name),
        )?;
    }
    for (args, package, name) in BENCHES {
        let executable = Built::by(args)?.executable(package, name)?;
        strip(&executable, &folder.join("bin").join(name))?;
    }
    for (from, to) in FILES {
        let (from, to) = (cmd::root().join(from), folder.join(to));
        fs::copy(&from, to).map_err(Failure::io(from.display().to_string()))?;
    }
    write(&folder.join("run.sh"), RUN)?;
    executable(&folder.join("run.sh"))?;
    write(&folder.join("about.json"), &format!("{:#}\n", about()?))?;
    pack(&folder, &output)?;
    let bytes = fs::metadata(&output)
        .map_err(Failure::io(output.display().to_string()))?
        .len();
    println!(
        "{}: {:.1} MiB",
        output.display(),
        bytes as f64 / f64::from(1 << 20)
    );
    if bytes > MOST_BYTES {
        return Err(Failure::Check(format!(
            "the archive has {bytes} bytes, and {MOST_BYTES} are the most"
        )));
    }
    Ok(())
}

/// As all tests are built, so that what a run of them has compiled is taken as it is.
fn build_tests() -> Result<Built> {
    let names: BTreeSet<&str> = TESTS.iter().map(|(_, test, _)| *test).collect();
    let tests = names.iter().flat_map(|name| ["--test", *name]);
    let args = [
        "test",
        "--no-run",
        "--workspace",
        "--exclude",
        "skel-examples",
    ];
    Built::by(&args.into_iter().chain(tests).collect::<Vec<_>>())
}

/// What Cargo said of a build.
struct Built(String);

impl Built {
    fn by(args: &[&str]) -> Result<Built> {
        let mut cargo = cmd::cargo(args.iter().copied());
        cargo.arg("--message-format=json-render-diagnostics");
        cmd::messages(&mut cargo).map(Built)
    }

    /// The executable of a target of the package in this folder.
    fn executable(&self, package: &str, name: &str) -> Result<PathBuf> {
        let manifest = cmd::root().join(package).join("Cargo.toml");
        let mut found = self
            .0
            .lines()
            .filter_map(|line| executable_of(line, &manifest, name));
        found
            .next_back()
            .ok_or_else(|| Failure::Check(format!("cargo built no executable {name} of {package}")))
    }
}

/// The executable of that target, if it is what a line of Cargo's messages is about.
fn executable_of(line: &str, manifest: &Path, name: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_it = message["reason"] == "compiler-artifact"
        && message["target"]["name"] == name
        && message["manifest_path"].as_str() == manifest.to_str();
    let path = message["executable"].as_str().filter(|_| is_it)?;
    Some(PathBuf::from(path))
}

fn strip(from: &Path, to: &Path) -> Result {
    cmd::run(Command::new("strip").arg("-o").args([to, from]))
}

fn about() -> Result<Value> {
    let say = |program: &str, args: &[&str]| -> Result<String> {
        let out = cmd::output(Command::new(program).args(args).current_dir(cmd::root()))?;
        Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
    };
    Ok(json!({
        "commit": say("git", &["rev-parse", "HEAD"])?,
        "changed": !say("git", &["status", "--porcelain", "--untracked-files=no"])?.is_empty(),
        "rustc": say("rustc", &["--version"])?,
        "built": say("date", &["-u", "+%Y-%m-%dT%H:%M:%SZ"])?,
    }))
}

fn write(path: &Path, text: &str) -> Result {
    fs::write(path, text).map_err(Failure::io(path.display().to_string()))
}

fn executable(path: &Path) -> Result {
    cmd::run(Command::new("chmod").arg("+x").arg(path))
}

fn pack(folder: &Path, output: &Path) -> Result {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Err(Failure::Check(format!("{} is no folder", folder.display())));
    };
    cmd::run(
        Command::new("tar")
            // The programs share most of their code, far from each other.
            .env("XZ_OPT", "--x86 --lzma2=preset=6,dict=192MiB")
            .arg("-cJf")
            .arg(output)
            .arg("-C")
            .arg(parent)
            .arg(name),
    )
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_executable_is_that_of_the_target() {
        let line = |executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/s/a/Cargo.toml","target":{{"name":"cuda"}},"executable":{executable}}}"#
            )
        };
        let [ours, other] = ["/s/a/Cargo.toml", "/s/b/Cargo.toml"].map(Path::new);
        let built = line(r#""/t/cuda-1""#);
        assert_eq!(
            executable_of(&built, ours, "cuda"),
            Some("/t/cuda-1".into())
        );
        assert_eq!(executable_of(&built, ours, "wgpu"), None);
        assert_eq!(executable_of(&built, other, "cuda"), None);
        assert_eq!(executable_of(&line("null"), ours, "cuda"), None);
        assert_eq!(executable_of("no JSON", ours, "cuda"), None);
    }

    #[test]
    fn what_goes_along_is_there() {
        for (from, _) in FILES {
            assert!(cmd::root().join(from).is_file(), "{from}");
        }
        for (_, _, name) in TESTS {
            let runs = |line: &str| line.trim_start().split(' ').take(2).eq(["tests", name]);
            assert!(RUN.lines().any(runs), "run.sh does not run {name}");
        }
        for (_, _, name) in BENCHES {
            let itself = RUN.contains(&format!("$here/bin/{name}\""));
            let runs =
                |line: &str| line.starts_with("program ") && line.split(' ').nth(2) == Some(name);
            let as_program = RUN.lines().map(str::trim_start).any(runs);
            assert!(itself || as_program, "run.sh does not run {name}");
        }
    }
}
