//! Cargo's flags that say what is built.

use clap::Args;
use std::{ffi::OsString, path::PathBuf};

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
    /// Where what is built goes; journals and reports go to `tune` in it
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
    /// Both
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

    /// The program's name, where one is named.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        let exe = || self.exe.as_ref()?.file_stem()?.to_str();
        let named = self.bin.as_ref().or(self.example.as_ref());
        named
            .or(self.bench.as_ref())
            .map(String::as_str)
            .or_else(exe)
    }

    /// As it would be written, so that a message can say how to go on.
    #[must_use]
    pub fn shown(&self) -> String {
        let named = [
            ("--bin", &self.bin),
            ("--example", &self.example),
            ("--bench", &self.bench),
            ("--package", &self.package),
        ];
        let mut words: Vec<String> = Vec::new();
        for (flag, value) in named {
            words.extend(value.iter().map(|value| format!("{flag} {value}")));
        }
        words.extend(self.exe.iter().map(|e| format!("--exe {}", e.display())));
        words.extend(self.features.iter().map(|f| format!("--features {f}")));
        words.extend(self.all_features.then(|| "--all-features".into()));
        if self.no_default_features {
            words.push("--no-default-features".into());
        }
        words.extend((self.profile != "release").then(|| format!("--profile {}", self.profile)));
        let target_dir = self.target_dir.iter();
        words.extend(target_dir.map(|d| format!("--target-dir {}", d.display())));
        let manifest = self.manifest_path.iter();
        words.extend(manifest.map(|p| format!("--manifest-path {}", p.display())));
        words.join(" ")
    }
}
