//! Cargo's flags that say what is built.

use super::file_name;
use crate::command::words::quoted;
use clap::Args;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// What to build and run. The same flags as `cargo run`, with `--bench`; the default profile is
/// `release`.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What to run")]
pub struct Selection {
    /// Run this program of the package
    #[arg(long, value_name = "NAME", conflicts_with_all = ["example", "bench"])]
    pub bin: Option<String>,
    /// Run this example
    #[arg(long, value_name = "NAME", conflicts_with = "bench")]
    pub example: Option<String>,
    /// Run this benchmark
    #[arg(long, value_name = "NAME")]
    pub bench: Option<String>,
    /// Run this program, which is built already
    #[arg(long, value_name = "PATH", conflicts_with_all = ["bin", "example", "bench", "package"])]
    pub exe: Option<PathBuf>,
    /// The package that has it
    #[arg(short, long, value_name = "SPEC")]
    pub package: Option<String>,
    /// Look in all packages of the workspace
    #[arg(long)]
    pub workspace: bool,
    /// Features to switch on
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Switch all features on
    #[arg(long)]
    pub all_features: bool,
    /// Leave the default features off
    #[arg(long)]
    pub no_default_features: bool,
    /// Build with this profile
    #[arg(long, value_name = "NAME", default_value = "release")]
    pub profile: String,
    /// Build with the profile `release`, which is the default
    #[arg(short, long, conflicts_with = "profile")]
    pub release: bool,
    /// Build for this target
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// Cargo's target folder, of which journals and reports are in `tune`; without it, that of the package in whose folders the command runs, else `target` here
    #[arg(long, value_name = "PATH")]
    pub target_dir: Option<PathBuf>,
    /// The package's Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<PathBuf>,
    /// Do not change Cargo.lock
    #[arg(long)]
    pub locked: bool,
    /// Do not use the network
    #[arg(long)]
    pub offline: bool,
    /// Both of --locked and --offline
    #[arg(long)]
    pub frozen: bool,
    /// Say more; passed on to cargo
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Say less; passed on to cargo
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Colours: auto, always or never; passed on to cargo
    #[arg(long, value_name = "WHEN", value_parser = ["auto", "always", "never"])]
    pub color: Option<String>,
}

impl Selection {
    /// The flags that `cargo metadata` takes as well.
    pub(super) fn metadata_args(&self) -> Vec<OsString> {
        let mut args = Vec::new();
        if let Some(path) = &self.manifest_path {
            args.extend(["--manifest-path".into(), path.into()]);
        }
        let flags = [
            (self.locked, "--locked"),
            (self.offline, "--offline"),
            (self.frozen, "--frozen"),
        ];
        args.extend(flags.iter().filter(|(on, _)| *on).map(|(_, f)| f.into()));
        args
    }

    /// The flags of `cargo build`, but for which program.
    pub(super) fn build_args(&self) -> Vec<OsString> {
        let mut args = self.metadata_args();
        args.extend(["--profile".into(), self.profile.clone().into()]);
        let mut pair = |name: &str, value: Option<OsString>| {
            if let Some(value) = value {
                args.extend([name.into(), value]);
            }
        };
        pair("--package", self.package.clone().map(Into::into));
        pair("--target", self.target.clone().map(Into::into));
        pair("--target-dir", self.target_dir.clone().map(Into::into));
        pair("--color", self.color.clone().map(Into::into));
        for features in &self.features {
            pair("--features", Some(features.into()));
        }
        let flags = [
            (self.workspace, "--workspace"),
            (self.all_features, "--all-features"),
            (self.no_default_features, "--no-default-features"),
            (self.quiet, "--quiet"),
        ];
        args.extend(flags.iter().filter(|(on, _)| *on).map(|(_, f)| f.into()));
        args.extend((0..self.verbose).map(|_| "--verbose".into()));
        args
    }

    /// The program's name, where one is named, as its files have it.
    #[must_use]
    pub fn named(&self) -> Option<String> {
        let exe = || Some(self.exe.as_ref()?.file_stem()?.to_string_lossy());
        let named = self.bin.as_ref().or(self.example.as_ref());
        let named = named.or(self.bench.as_ref());
        match named {
            Some(name) => Some(file_name(name)),
            None => exe().map(|stem| file_name(&stem)),
        }
    }

    /// As it would be written, so that a message can say how to go on.
    #[must_use]
    pub fn shown(&self) -> String {
        let named = [
            ("--bin", &self.bin),
            ("--example", &self.example),
            ("--bench", &self.bench),
            ("--package", &self.package),
            ("--target", &self.target),
        ];
        let mut words: Vec<String> = Vec::new();
        for (flag, value) in named {
            words.extend(
                value
                    .iter()
                    .map(|value| format!("{flag} {}", quoted(value))),
            );
        }
        let path = |path: &Path| quoted(&path.to_string_lossy());
        words.extend(self.exe.iter().map(|e| format!("--exe {}", path(e))));
        let features = self.features.iter();
        words.extend(features.map(|f| format!("--features {}", quoted(f))));
        words.extend(self.all_features.then(|| "--all-features".into()));
        if self.no_default_features {
            words.push("--no-default-features".into());
        }
        // `Selection::default()` names none.
        let profile = Some(&self.profile).filter(|p| !["release", ""].contains(&p.as_str()));
        words.extend(profile.map(|p| format!("--profile {}", quoted(p))));
        let target_dir = self.target_dir.iter();
        words.extend(target_dir.map(|d| format!("--target-dir {}", path(d))));
        let manifest = self.manifest_path.iter();
        words.extend(manifest.map(|p| format!("--manifest-path {}", path(p))));
        words.join(" ")
    }
}
