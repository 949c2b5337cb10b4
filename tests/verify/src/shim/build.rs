//! g++, called for a batch of sources.

use std::{
    ffi::OsStr,
    fmt::Write,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::{self, Command},
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

pub(crate) const HEADERS: [(&str, &str); 4] = [
    ("cuda_host.hpp", include_str!("cuda_host.hpp")),
    ("cuda_math.hpp", include_str!("cuda_math.hpp")),
    ("fiber.hpp", include_str!("fiber.hpp")),
    ("block.hpp", include_str!("block.hpp")),
];
const RUNTIME: [(&str, &str); 2] = [
    ("block", include_str!("block.cpp")),
    ("runner", include_str!("runner.cpp")),
];
/// The runtime is trusted, and switches threads a million times a second: without sanitizers.
const RUNTIME_FLAGS: [&str; 3] = ["-std=c++17", "-O2", "-g1"];
/// Signed overflow is not made to wrap: it is undefined in CUDA, too, and shall be found.
/// GCC 12 finds variables out of their scope where a loop goes on before it has used one whose address is taken. No kernel
/// keeps an address for longer than a call.
const FLAGS: [&str; 11] = [
    "-std=c++17",
    "-O1",
    "-g1",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fno-math-errno",
    "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-address-use-after-scope",
    "-fsanitize-sections=skel_shared_*",
    "-fno-sanitize-recover=all",
];
/// Kernels in a translation unit: fewer means more starts of g++, more leaves a processor idle.
const PER_UNIT: usize = 8;

/// Why kernels cannot be run here, if they cannot.
pub fn missing() -> Option<&'static str> {
    static MISSING: OnceLock<Option<String>> = OnceLock::new();
    let missing = MISSING.get_or_init(|| {
        if !cfg!(target_os = "linux") {
            return Some("the host shim for CUDA is for Linux".into());
        }
        let probe = || {
            let folder = folder()?;
            let source = folder.join("probe.cpp");
            write(&source, "int main() { return 0; }\n")?;
            let program = folder.join("probe");
            let flags = FLAGS.map(OsStr::new).into_iter();
            let rest = [source.as_os_str(), OsStr::new("-o"), program.as_os_str()];
            let done = gcc(flags.chain(rest)).and_then(|()| run(&mut Command::new(&program)));
            fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            done
        };
        let why: Result<(), String> = probe();
        why.err()
            .map(|why| format!("no g++ with sanitizers: {}", why.trim()))
    });
    missing.as_deref()
}

/// A new folder for one batch.
pub(crate) fn folder() -> Result<PathBuf, String> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    if count == 0 {
        sweep();
    }
    let folder = root().join(format!("{}-{count}", process::id()));
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

/// Removes what processes left behind that are no more: what a static owns is never dropped. Others
/// may do the same at the same time, and what stays goes the next time, so nothing here is an error.
fn sweep() {
    const LONG_AGO: Duration = Duration::from_secs(3600);
    let entries = fs::read_dir(root()).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let owner = name.split_once('-').and_then(|(id, _)| id.parse().ok());
        let is_over = |id: u32| !Path::new(&format!("/proc/{id}")).exists();
        // A process that is not seen may live in another container, over the same files.
        let changed = path.metadata().and_then(|about| about.modified());
        let is_old = changed.is_ok_and(|t| t.elapsed().is_ok_and(|age| age > LONG_AGO));
        if owner.is_some_and(is_over) && is_old {
            drop(fs::remove_dir_all(&path));
        }
    }
}

pub(crate) fn root() -> PathBuf {
    crate::temporary().join("cuda-shim")
}

/// Compiles the sources in `folder` and links them; the program's path.
pub(super) fn program(
    folder: &Path,
    options: &[&str],
    sources: &[(&str, &str)],
) -> Result<PathBuf, String> {
    let runtime = runtime(options)?;
    let program = folder.join("kernels");
    let mut objects: Vec<PathBuf> = RUNTIME
        .iter()
        .map(|(name, _)| runtime.join(format!("{name}.o")))
        .collect();
    let mut units = Vec::new();
    for (unit, batch) in sources.chunks(PER_UNIT).enumerate() {
        let mut text = String::from("#include \"cuda_host.hpp\"\n");
        for (k, (name, source)) in batch.iter().enumerate() {
            wrap(&mut text, unit * PER_UNIT + k, name, source);
        }
        let path = folder.join(format!("unit{unit}.cpp"));
        write(&path, &text)?;
        objects.push(path.with_extension("o"));
        units.push(path);
    }
    let options = [&FLAGS, options].concat();
    in_parallel(&units, |path| compile(&options, path, &runtime))?;
    let flags = FLAGS.map(OsStr::new).into_iter();
    let link = flags.chain(objects.iter().map(|o| o.as_os_str()));
    gcc(link.chain([OsStr::new("-o"), program.as_os_str()]))?;
    Ok(program)
}

/// The headers and the compiled runtime, which all batches share, also those of other processes.
fn runtime(options: &[&str]) -> Result<PathBuf, String> {
    // One at a time, or every test would begin by compiling it.
    static BUSY: Mutex<()> = Mutex::new(());
    let _busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
    let version = version()?;
    let mut hasher = DefaultHasher::new();
    (HEADERS, RUNTIME, RUNTIME_FLAGS, FLAGS, options, version).hash(&mut hasher);
    let done = root().join(format!("runtime-{:016x}", hasher.finish()));
    if done.is_dir() {
        return Ok(done);
    }
    // Under another name first: a folder of the right name is complete.
    let folder = folder()?;
    for (name, text) in HEADERS {
        write(&folder.join(name), text)?;
    }
    in_parallel(&RUNTIME, |(name, text)| {
        let path = folder.join(format!("{name}.cpp"));
        write(&path, text)?;
        compile(&[&RUNTIME_FLAGS, options].concat(), &path, &folder)
    })?;
    keep(&folder, done)
}

/// What g++ says of itself.
pub(crate) fn version() -> Result<Vec<u8>, String> {
    let version = Command::new("g++").arg("--version").output();
    Ok(version.map_err(|e| format!("g++: {e}"))?.stdout)
}

/// Gives a complete folder the name that others look for.
pub(crate) fn keep(folder: &Path, name: PathBuf) -> Result<PathBuf, String> {
    match fs::rename(folder, &name) {
        Ok(()) => Ok(name),
        // Another process was faster.
        Err(_) if name.is_dir() => match fs::remove_dir_all(folder) {
            Ok(()) => Ok(name),
            Err(e) => Err(format!("{}: {e}", folder.display())),
        },
        Err(e) => Err(format!("{}: {e}", name.display())),
    }
}

/// Makes room for other sources beside this one: its names are put into a namespace, and what it
/// defines as macros ends with it.
fn wrap(text: &mut String, number: usize, name: &str, source: &str) {
    let file = name.replace(['\\', '"', '\n'], "_");
    let bounds = launch_bounds(source);
    let shared = |end: &str| format!("__{end}_skel_shared_{number}");
    let (begin, end) = (shared("start"), shared("stop"));
    let mut add = |line: std::fmt::Arguments<'_>| {
        writeln!(text, "{line}").expect("a String takes all");
    };
    // The linker defines these two, if there is anything between them.
    add(format_args!(
        "extern \"C\" {{ extern char {begin}[] __attribute__((weak)), {end}[] __attribute__((weak)); }}"
    ));
    add(format_args!("namespace skel_source_{number} {{"));
    add(format_args!("#define skel_kernel skel_kernel_{number}"));
    add(format_args!("#undef __shared__"));
    add(format_args!(
        "#define __shared__ static __attribute__((section(\"skel_shared_{number}\")))"
    ));
    add(format_args!("#line 1 \"{file}.cu\"\n{source}"));
    add(format_args!("#line 1 \"after {file}.cu\""));
    add(format_args!("#undef skel_kernel"));
    add(format_args!(
        "static void run(const void *params) {{\n    \
         skel_kernel_{number}(*static_cast<const Params *>(params));\n}}"
    ));
    add(format_args!(
        "static skel_host::Kernel self({number}, \"{file}\", run, sizeof(Params), {bounds}, {begin}, {end});\n}}"
    ));
    let defined = source
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("#define"));
    for macro_ in defined {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let name = macro_.trim_start().split(|c| !is_part(c)).next();
        add(format_args!("#undef {}", name.unwrap_or_default()));
    }
}

/// The first argument of `__launch_bounds__`, which may be any constant expression without commas.
fn launch_bounds(source: &str) -> &str {
    let Some((_, rest)) = source.split_once("__launch_bounds__(") else {
        return "0";
    };
    let mut depth = 0_i32;
    let end = rest.find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth < 0 || (c == ',' && depth == 0)
    });
    rest[..end.unwrap_or(rest.len())].trim()
}

/// To an object file beside it.
fn compile(options: &[&str], source: &Path, headers: &Path) -> Result<(), String> {
    let object = source.with_extension("o");
    let options = options.iter().map(OsStr::new);
    gcc(options.chain([
        OsStr::new("-I"),
        headers.as_os_str(),
        OsStr::new("-c"),
        source.as_os_str(),
        OsStr::new("-o"),
        object.as_os_str(),
    ]))
}

pub(crate) fn gcc<'a>(args: impl IntoIterator<Item = &'a OsStr>) -> Result<(), String> {
    run(Command::new("g++").args(args))
}

/// Runs it; what it says is the error.
fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|e| format!("{program}: {e}"))?;
    if out.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    Err(format!("{program} failed ({}):\n{said}", out.status))
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// One thread per processor takes items one after another; the first error.
pub(crate) fn in_parallel<T: Sync>(
    items: &[T],
    work: impl Fn(&T) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, |n| n.get());
    let take = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads.min(items.len()))
            .map(|_| scope.spawn(take))
            .collect();
        started
            .into_iter()
            .try_for_each(|thread| thread.join().expect("compiling does not panic"))
    })
}
