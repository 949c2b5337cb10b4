//! Packages of Debian and its kin, installed where that is allowed.

use crate::cmd::{self, Failure, Result};
use std::process::Command;

/// Installs with apt-get, as root or through a sudo that asks nothing.
pub(crate) fn install(packages: &[&str]) -> Result {
    if !cmd::succeeds(Command::new("apt-get").arg("--version")) {
        return Err(Failure::Check("there is no apt-get here".into()));
    }
    let sudo = !is_root();
    if sudo && !cmd::succeeds(Command::new("sudo").args(["-n", "true"])) {
        return Err(Failure::Check(
            "neither root nor a sudo without password".into(),
        ));
    }
    let mut args = vec!["install", "-y", "--no-install-recommends"];
    args.extend(packages);
    let first = apt(sudo, &args);
    if first.is_ok() {
        return Ok(());
    }
    // A fresh machine has no package lists, and an old one has stale ones.
    apt(sudo, &["update"])?;
    apt(sudo, &args).or_else(|_| apt(sudo, &args))
}

fn is_root() -> bool {
    cmd::output(Command::new("id").arg("-u")).is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}

fn apt(sudo: bool, args: &[&str]) -> Result {
    println!("apt-get {}", args.join(" "));
    let mut command = Command::new(if sudo { "sudo" } else { "env" });
    if sudo {
        command.args(["-n", "env"]);
    }
    command.args([
        "DEBIAN_FRONTEND=noninteractive",
        "apt-get",
        "-q",
        "-o",
        "DPkg::Lock::Timeout=60",
    ]);
    command.args(["-o", "Acquire::http::Timeout=30"]).args(args);
    let out = cmd::output(&mut command)?;
    if out.status.success() {
        return Ok(());
    }
    Err(Failure::Check(format!(
        "apt-get {}: {}",
        args[0],
        cmd::last_words(&out)
    )))
}
