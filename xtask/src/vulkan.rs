//! A software Vulkan device (Mesa's llvmpipe) for the device tests, installed where that is allowed.

use crate::{
    apt,
    cmd::{Failure, Result},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command},
};

const PACKAGES: [&str; 2] = ["mesa-vulkan-drivers", "libvulkan1"];
const ICD_FOLDERS: [&str; 2] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
const LIBRARY_FOLDERS: [&str; 5] = ["/usr/lib", "/usr/lib64", "/lib64", "/lib", "/usr/local/lib"];

/// What there is for device tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Vulkan {
    /// A driver, by the file that announces it; the system's own API where that is not Vulkan.
    Present(String),
    /// Nothing, and why.
    Missing(String),
}

impl Vulkan {
    /// Whether Mesa's software device is there, which runs anywhere.
    pub(crate) fn is_software(&self) -> bool {
        matches!(self, Vulkan::Present(file) if file.contains("lvp_icd"))
    }
}

/// Finds a driver, or installs one, or says what to install.
pub(crate) fn ensure() -> Vulkan {
    if !cfg!(target_os = "linux") {
        return Vulkan::Present("the system's graphics API".into());
    }
    let found = find();
    let Vulkan::Missing(why) = &found else {
        return found;
    };
    println!("no Vulkan driver: {why}");
    let found = match apt::install(&PACKAGES) {
        Ok(()) => find(),
        Err(failure) => {
            println!("not installed: {failure}");
            found
        }
    };
    if let Vulkan::Missing(_) = found {
        println!(
            "device tests will be skipped; for a software device install {} (Debian, Ubuntu), \
             mesa-vulkan-drivers vulkan-loader (Fedora), or vulkan-swrast vulkan-icd-loader (Arch)",
            PACKAGES.join(" ")
        );
    }
    found
}

/// What is there now.
fn find() -> Vulkan {
    let Some(driver) = driver() else {
        return Vulkan::Missing(format!("no ICD file in {}", ICD_FOLDERS.join(" or ")));
    };
    if !loader_in(&LIBRARY_FOLDERS) {
        return Vulkan::Missing("libvulkan.so.1 is not there".into());
    }
    Vulkan::Present(driver)
}

/// The file that announces a driver, a software one if possible.
fn driver() -> Option<String> {
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"]
        .iter()
        .find_map(env::var_os);
    if let Some(list) = named {
        return env::split_paths(&list)
            .find(|p| p.exists())
            .map(|p| p.display().to_string());
    }
    let mut files: Vec<PathBuf> = ICD_FOLDERS
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    let software = |p: &PathBuf| {
        p.file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with("lvp"))
    };
    files.sort_by_key(|p| !software(p));
    files.first().map(|p| p.display().to_string())
}

/// Whether the loader lies in one of `folders` or, as on Debian, one level below.
fn loader_in(folders: &[&str]) -> bool {
    let has = |folder: &Path| folder.join("libvulkan.so.1").exists();
    folders.iter().map(Path::new).any(|folder| {
        has(folder)
            || fs::read_dir(folder)
                .is_ok_and(|mut below| below.any(|e| e.is_ok_and(|e| has(&e.path()))))
    })
}

/// `XDG_RUNTIME_DIR` for the children; Mesa complains in every process where it is not set. A folder
/// of our own, removed in the end.
pub(crate) struct RuntimeDir(Option<PathBuf>);

impl RuntimeDir {
    /// Makes the folder, unless the user has one.
    pub(crate) fn new() -> Result<Self> {
        if env::var_os("XDG_RUNTIME_DIR").is_some() {
            return Ok(RuntimeDir(None));
        }
        let path = env::temp_dir().join(format!("skel-xtask-{}", process::id()));
        fs::create_dir_all(&path).map_err(Failure::io(path.display().to_string()))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700))
                .map_err(Failure::io(path.display().to_string()))?;
        }
        Ok(RuntimeDir(Some(path)))
    }

    /// The variable and its value, if it needs to be set.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let path = self.0.iter().map(|path| path.display().to_string());
        path.map(|path| ("XDG_RUNTIME_DIR".to_owned(), path))
            .collect()
    }

    /// Sets it for `command`.
    pub(crate) fn pass_to(&self, command: &mut Command) {
        if let Some(path) = &self.0 {
            command.env("XDG_RUNTIME_DIR", path);
        }
    }
}

impl Drop for RuntimeDir {
    fn drop(&mut self) {
        if let Some(path) = &self.0
            && let Err(error) = fs::remove_dir_all(path)
        {
            eprintln!("warning: {} stays behind: {error}", path.display());
        }
    }
}
