//! What the CUDA tests need without a GPU: g++ for the host shim, and NVRTC of several versions, which
//! NVIDIA publishes as Python packages. Installed and fetched where that is possible.

use crate::{
    apt,
    cmd::{self, Failure, Result},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Major versions of CUDA and the packages that bring their NVRTC.
const VERSIONS: [(u32, &str); 2] = [
    (12, "nvidia-cuda-nvrtc-cu12==12.*"),
    (13, "nvidia-cuda-nvrtc==13.*"),
];
/// Where a toolkit or a distribution puts the library.
const INSTALLED: [&str; 4] = [
    "/usr/local/cuda/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
];

/// What was found or fetched.
#[derive(Debug, Default)]
pub(crate) struct Cuda {
    nvrtc: Vec<PathBuf>,
}

impl Cuda {
    /// Tells the tests which libraries to compile with.
    pub(crate) fn pass_to(&self, command: &mut Command) {
        if let Ok(list) = env::join_paths(&self.nvrtc)
            && !list.is_empty()
        {
            command.env("SKEL_TEST_NVRTC", list);
        }
    }
}

/// Finds or fetches; what is not to be had is said, and its tests will be skipped.
pub(crate) fn ensure() -> Cuda {
    let mut cuda = Cuda::default();
    if !cfg!(target_os = "linux") {
        return cuda;
    }
    if let Err(failure) = gxx() {
        println!("no g++: {failure}; tests that run CUDA kernels on the CPU will be skipped");
    }
    for (major, package) in VERSIONS {
        match nvrtc(major, package) {
            Ok(path) => {
                println!("NVRTC {major}: {}", path.display());
                cuda.nvrtc.push(path);
            }
            Err(failure) => println!(
                "no NVRTC {major}: {failure}; tests that compile CUDA with it will be skipped"
            ),
        }
    }
    cuda
}

fn gxx() -> Result {
    let is_there = || cmd::succeeds(Command::new("g++").arg("--version"));
    if is_there() {
        return Ok(());
    }
    apt::install(&["g++"])?;
    if is_there() {
        return Ok(());
    }
    Err(Failure::Check("installed, but it does not start".into()))
}

/// The library of one version: installed, fetched earlier, or fetched now.
fn nvrtc(major: u32, package: &str) -> Result<PathBuf> {
    let name = format!("libnvrtc.so.{major}");
    let folder = cmd::target().join("nvrtc").join(major.to_string());
    let found = || {
        let mut installed = INSTALLED.iter().map(|folder| Path::new(folder).join(&name));
        installed
            .find(|path| path.is_file())
            .or_else(|| below(&folder, &name, 5))
    };
    if let Some(path) = found() {
        return Ok(path);
    }
    fetch(package, &folder)?;
    found().ok_or_else(|| Failure::Check(format!("{package} has no {name}")))
}

/// Downloads the package and unpacks it. The folder appears when it is complete.
fn fetch(package: &str, folder: &Path) -> Result {
    if !cmd::succeeds(&mut python(["-m", "pip", "--version"])) {
        apt::install(&["python3-pip"])?;
    }
    println!("fetching {package}");
    let unfinished = folder.with_extension("unfinished");
    let wheels = unfinished.join("wheels");
    let io = |path: &Path| Failure::io(path.display().to_string());
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(io(&unfinished))?;
    }
    fs::create_dir_all(&wheels).map_err(io(&wheels))?;
    let mut pip = python(["-m", "pip", "download", "--quiet", "--no-deps"]);
    pip.args(["--only-binary=:all:", "--disable-pip-version-check"]);
    pip.args(["--retries=1", "--timeout=20", package, "--dest"]);
    must(pip.arg(&wheels), "pip download")?;
    for wheel in fs::read_dir(&wheels).map_err(io(&wheels))? {
        let path = wheel.map_err(io(&wheels))?.path();
        let mut unzip = python(["-m", "zipfile", "-e"]);
        must(unzip.arg(path).arg(&unfinished), "unpacking")?;
    }
    fs::remove_dir_all(&wheels).map_err(io(&wheels))?;
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(io(folder))?;
    }
    fs::rename(&unfinished, folder).map_err(io(folder))
}

fn python<const N: usize>(args: [&str; N]) -> Command {
    let mut command = Command::new("python3");
    command.args(args);
    command
}

fn must(command: &mut Command, what: &str) -> Result {
    let out = cmd::output(command)?;
    if out.status.success() {
        return Ok(());
    }
    Err(Failure::Check(format!("{what}: {}", cmd::last_words(&out))))
}

/// A file of this name at most so many levels below the folder.
fn below(folder: &Path, name: &str, levels: u32) -> Option<PathBuf> {
    let direct = folder.join(name);
    if direct.is_file() {
        return Some(direct);
    }
    let entries = fs::read_dir(folder).ok()?;
    let mut folders = entries.flatten().map(|e| e.path()).filter(|p| p.is_dir());
    let levels = levels.checked_sub(1)?;
    folders.find_map(|folder| below(&folder, name, levels))
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn libraries_are_found_below_a_folder() {
        let folder = env::temp_dir().join(format!("skel-xtask-cuda-{}", std::process::id()));
        let deep = folder.join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("libnvrtc.so.13"), "").unwrap();
        let found = below(&folder, "libnvrtc.so.13", 2);
        let too_deep = below(&folder, "libnvrtc.so.13", 1);
        let other = below(&folder, "libnvrtc.so.12", 9);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, Some(deep.join("libnvrtc.so.13")));
        assert_eq!((too_deep, other), (None, None));
    }

    #[test]
    fn the_tests_are_told_of_every_library() {
        let nvrtc = vec!["/a/libnvrtc.so.12".into(), "/b/libnvrtc.so.13".into()];
        let mut command = Command::new("true");
        Cuda { nvrtc }.pass_to(&mut command);
        let set: Vec<_> = command.get_envs().collect();
        let list = env::join_paths(["/a/libnvrtc.so.12", "/b/libnvrtc.so.13"]).unwrap();
        assert_eq!(set, [("SKEL_TEST_NVRTC".as_ref(), Some(list.as_os_str()))]);
        let mut command = Command::new("true");
        Cuda::default().pass_to(&mut command);
        assert_eq!(command.get_envs().count(), 0);
    }
}
