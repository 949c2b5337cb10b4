//! Running other programs.

use std::{
    env,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Why a command of ours ends with a failure.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A program that could not be started, or a file that could not be used.
    #[error("{what}: {source}")]
    Io {
        /// The program or file.
        what: String,
        /// What the system said.
        source: io::Error,
    },
    /// A program that ran and failed.
    #[error("`{command}` failed ({status})")]
    Program {
        /// The whole command line.
        command: String,
        /// How it ended.
        status: String,
    },
    /// A check of ours that did not hold.
    #[error("{0}")]
    Check(String),
}

pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

impl Failure {
    /// For `map_err`: an I/O error of `what`.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Failure {
        let what = what.into();
        move |source| Failure::Io { what, source }
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    // Cargo sets it for `cargo run` too; the built-in one would be that of another clone when two of
    // them share a target directory.
    let here =
        env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let here = PathBuf::from(here);
    here.parent()
        .map_or_else(|| here.clone(), Path::to_path_buf)
}

/// The target folder, as far as the environment says: an `.cargo/config.toml` of the user's is not asked.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |t| root().join(t))
}

/// Cargo, of the toolchain that runs us, in the root of the workspace.
pub(crate) fn cargo<'a>(args: impl IntoIterator<Item = &'a str>) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(args).current_dir(root());
    command
}

/// The command line, for messages.
pub(crate) fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args());
    words
        .map(|w| w.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs it with our own output; an error unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Result {
    let status = command.status().map_err(Failure::io(line(command)))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Program {
        command: line(command),
        status: status.to_string(),
    })
}

/// Runs it and keeps what it prints, whether it succeeds or not.
pub(crate) fn output(command: &mut Command) -> Result<Output> {
    command
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::io(line(command)))
}

/// What a program prints on standard output; an error unless it succeeds.
pub(crate) fn words(command: &mut Command) -> Result<String> {
    let out = output(command)?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(Failure::Check(format!(
            "`{}`: {}",
            line(command),
            last_words(&out)
        ))),
    }
}

/// Runs a build of Cargo, which shows its progress, and gives the messages that it writes for programs, a line each.
pub(crate) fn messages(cargo: &mut Command) -> Result<String> {
    let line = line(cargo);
    println!("{line}");
    let out = cargo
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(Failure::io(&*line))?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(Failure::Program {
            command: line,
            status: out.status.to_string(),
        }),
    }
}

/// The workspace's profile of development, for workspaces that commands write: the dependencies which a test run has
/// compiled are taken as they are.
pub(crate) const DEV_PROFILE: &str = "\
[profile.dev]
opt-level = 1
overflow-checks = false
debug = \"line-tables-only\"
lto = \"off\"

[profile.dev.package.\"*\"]
debug = false
";

/// The last line that a program wrote about its failure.
pub(crate) fn last_words(out: &Output) -> String {
    let said = String::from_utf8_lossy(&out.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    last.unwrap_or("it does not say why").to_owned()
}

/// Whether it can be started and succeeds; what it prints is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    output(command).is_ok_and(|out| out.status.success())
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn a_failing_program_is_named_with_its_arguments() {
        let failure = run(&mut cargo(["no-such-command", "--flag"])).unwrap_err();
        assert!(
            failure
                .to_string()
                .starts_with("`cargo no-such-command --flag` failed"),
            "{failure}"
        );
    }

    #[test]
    fn a_missing_program_is_an_error_that_names_it() {
        let failure = run(&mut Command::new("no-such-program-anywhere")).unwrap_err();
        assert!(matches!(&failure, Failure::Io { what, .. } if what == "no-such-program-anywhere"));
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("xtask").join("Cargo.toml").is_file());
    }
}
