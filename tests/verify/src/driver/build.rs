//! The libraries, compiled when they are first wanted.

use crate::shim::build::{HEADERS, folder, gcc, in_parallel, keep, root, version, write};
use std::{
    ffi::OsStr,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    sync::OnceLock,
};

macro_rules! sources {
    ($($name:literal)*) => {
        [$(($name, include_str!($name))),*]
    };
}

const OWN_HEADERS: [(&str, &str); 7] = sources!(
    "types.hpp" "wire.hpp" "arena.hpp" "server.hpp" "state.hpp" "image.hpp" "entry.hpp"
);
const DRIVER: [(&str, &str); 12] = sources!(
    "arena.cpp" "server.cpp" "image.cpp" "state.cpp" "queue.cpp" "devices.cpp" "context.cpp"
    "memory.cpp" "copy.cpp" "stream.cpp" "module.cpp" "errors.cpp"
);
const NVRTC: [(&str, &str); 1] = sources!("nvrtc.cpp");
const PROGRAM: [(&str, &str); 2] = [
    ("device.cpp", include_str!("device.cpp")),
    ("block.cpp", include_str!("../shim/block.cpp")),
];

const FLAGS: [&str; 6] = [
    "-std=c++17",
    "-O1",
    "-fPIC",
    "-fvisibility=hidden",
    "-DSKEL_NO_SANITIZERS",
    "-pthread",
];
/// For modules. Signed overflow is not made to wrap: it is undefined in CUDA, too. A symbol that was
/// unique would be shared by modules that have nothing to do with each other. A device wants every
/// access aligned, where x86 does not mind.
const MODULE_FLAGS: &str = "-std=c++17 -O1 -g0 -w -fPIC -fno-gnu-unique -ffp-contract=off \
     -fno-strict-aliasing -fno-math-errno -fsanitize=alignment -fsanitize-undefined-trap-on-error";
/// The name that a library has, and others by which it is asked for.
const NAMES: [(&str, &[&str]); 2] = [
    ("libcuda.so.1", &["libcuda.so"]),
    ("libnvrtc.so.12", &["libnvrtc.so.13"]),
];

/// The folder with everything in it. Others of the same content share it, also other processes.
pub(super) fn libraries() -> Result<&'static Path, String> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = BUILT.get_or_init(build).as_ref();
    built.map(PathBuf::as_path).map_err(Clone::clone)
}

fn build() -> Result<PathBuf, String> {
    let mut hasher = DefaultHasher::new();
    (HEADERS, OWN_HEADERS, DRIVER, NVRTC, PROGRAM).hash(&mut hasher);
    (FLAGS, MODULE_FLAGS, NAMES, version()?).hash(&mut hasher);
    let done = root().join(format!("driver-{:016x}", hasher.finish()));
    if done.is_dir() {
        return Ok(done);
    }
    let folder = folder()?;
    for (name, text) in HEADERS.into_iter().chain(OWN_HEADERS) {
        write(&folder.join(name), text)?;
    }
    write(&folder.join("flags"), MODULE_FLAGS)?;
    let units: Vec<(&str, &str)> = [&DRIVER[..], &NVRTC, &PROGRAM].concat();
    in_parallel(&units, |(name, text)| {
        // What `../shim` is to the source is the same folder here.
        let source = folder.join(name);
        write(&source, &text.replace("\"../shim/", "\""))?;
        let object = source.with_extension("o");
        // Modules find in the program what their threads do together.
        let hidden = !PROGRAM.iter().any(|(program, _)| program == name);
        let flags = FLAGS
            .into_iter()
            .filter(|flag| hidden || !flag.contains("visibility"));
        let [to, from] = [object.as_os_str(), source.as_os_str()];
        let rest = [OsStr::new("-c"), from, OsStr::new("-o"), to];
        gcc(flags.map(OsStr::new).chain(rest))
    })?;
    let object = |(name, _): &(&str, &str)| folder.join(name).with_extension("o");
    let image = [DRIVER[1], DRIVER[2], DRIVER[0]].map(|unit| object(&unit));
    let driver: Vec<PathBuf> = DRIVER.iter().map(object).collect();
    let nvrtc: Vec<PathBuf> = NVRTC.iter().map(object).chain(image).collect();
    for ((name, others), objects) in NAMES.into_iter().zip([driver, nvrtc]) {
        let library = folder.join(name);
        link(&["-shared", "-pthread"], name, &objects, &library)?;
        for other in others {
            let own = [library.clone()];
            let flags = ["-shared", "-Wl,--no-as-needed"];
            link(&flags, other, &own, &folder.join(other))?;
        }
    }
    let program: Vec<PathBuf> = PROGRAM.iter().map(object).collect();
    // Modules are linked with nothing, so it has what they may call.
    let flags = ["-rdynamic", "-Wl,--no-as-needed", "-lm"];
    link(&flags, "", &program, &folder.join("device"))?;
    precompile(&folder)?;
    for (name, _) in units {
        let object = folder.join(name).with_extension("o");
        fs::remove_file(&object).map_err(|e| format!("{}: {e}", object.display()))?;
    }
    keep(&folder, done)
}

fn link(flags: &[&str], soname: &str, objects: &[PathBuf], to: &Path) -> Result<(), String> {
    let soname = format!("-Wl,-soname,{soname}");
    let soname = flags.contains(&"-shared").then_some(soname);
    let flags = flags.iter().map(OsStr::new);
    let objects = objects.iter().map(|object| object.as_os_str());
    let rest = [
        OsStr::new("-ldl"),
        OsStr::new("-Wl,-s"),
        OsStr::new("-o"),
        to.as_os_str(),
    ];
    gcc(flags
        .chain(soname.iter().map(OsStr::new))
        .chain(objects)
        .chain(rest))
}

/// What every module begins with: half of the time that it takes.
fn precompile(folder: &Path) -> Result<(), String> {
    let header = folder.join("cuda_host.hpp");
    let to = folder.join("cuda_host.hpp.gch");
    let flags = MODULE_FLAGS.split_whitespace().map(OsStr::new);
    let rest = [OsStr::new("-x"), OsStr::new("c++-header")];
    let files = [header.as_os_str(), OsStr::new("-o"), to.as_os_str()];
    gcc(flags.chain(rest).chain(files))
}
