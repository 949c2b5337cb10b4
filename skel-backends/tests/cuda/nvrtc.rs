//! NVRTC: every version that is there, on kernels that the host shim runs as well.

use crate::{Test, libraries::all};
use skel_backends::{
    cuda::nvrtc::{Nvrtc, NvrtcError, Options},
    kernel_cache::{KernelCache, KernelKey},
};
use std::{
    env, fs,
    path::Path,
    process::{self, Command},
};

/// These need a library.
pub(crate) const TESTS: &[Test] = &[
    (
        "every_kernel_compiles_for_old_and_new_devices",
        every_kernel_compiles_for_old_and_new_devices,
    ),
    (
        "nothing_is_contracted_unasked",
        nothing_is_contracted_unasked,
    ),
    ("division_and_root_are_exact", division_and_root_are_exact),
    ("errors_name_the_line", errors_name_the_line),
    (
        "other_failures_name_the_function",
        other_failures_name_the_function,
    ),
    (
        "several_threads_compile_at_once",
        several_threads_compile_at_once,
    ),
    (
        "a_cached_kernel_is_not_compiled_again",
        a_cached_kernel_is_not_compiled_again,
    ),
    (
        "a_named_library_is_the_one_that_is_used",
        a_named_library_is_the_one_that_is_used,
    ),
];

/// These need none.
pub(crate) const WITHOUT: &[Test] = &[
    (
        "a_named_library_that_is_not_there",
        a_named_library_that_is_not_there,
    ),
    (
        "libraries_that_are_something_else",
        libraries_that_are_something_else,
    ),
];

/// With this variable set, the program only says which library `Nvrtc::find` finds.
const FIND_ONLY: &str = "SKEL_TEST_FIND_NVRTC";

/// True if this was all that was wanted of the program.
pub(crate) fn find_only() -> bool {
    if env::var_os(FIND_ONLY).is_none() {
        return false;
    }
    match Nvrtc::find() {
        Ok(nvrtc) => println!("found {}", nvrtc.path().display()),
        Err(error) => println!("error: {error}"),
    }
    true
}

fn ptx(nvrtc: &Nvrtc, source: &str, options: &Options) -> String {
    let bytes = nvrtc.compile("kernel", source, options).unwrap();
    String::from_utf8(bytes).expect("PTX is text")
}

fn every_kernel_compiles_for_old_and_new_devices() {
    for nvrtc in all() {
        let capabilities = nvrtc.capabilities().unwrap();
        assert!(
            capabilities.contains(&75) && capabilities.contains(&90),
            "{capabilities:?}"
        );
        for (name, source) in crate::kernels::sources() {
            for capability in [75, 90] {
                let text = ptx(nvrtc, &source, &Options::ptx(capability));
                assert!(text.contains(".entry skel_kernel("), "{name}: {text}");
                assert!(
                    text.contains(&format!(".target sm_{capability}")),
                    "{name}: {text}"
                );
                assert!(!text.ends_with('\0'));
            }
            let code = nvrtc.compile(name, &source, &Options::cubin(90)).unwrap();
            assert!(code.starts_with(b"\x7fELF"), "{name}");
        }
    }
}

fn nothing_is_contracted_unasked() {
    let saxpy = include_str!("kernels/saxpy.cu");
    for nvrtc in all() {
        let strict = Options::ptx(75);
        let contract = Options {
            contract: true,
            ..strict.clone()
        };
        let text = ptx(nvrtc, saxpy, &strict);
        assert!(!text.contains("fma"), "{text}");
        assert!(
            text.contains("mul.f32") || text.contains("mul.rn.f32"),
            "{text}"
        );
        assert!(ptx(nvrtc, saxpy, &contract).contains("fma.rn.f32"));
    }
}

fn division_and_root_are_exact() {
    let source = "struct Params { float *x; double *y; };\n\
        extern \"C\" __global__ void skel_kernel(const Params params) {\n\
        params.x[0] = sqrtf(params.x[1] / params.x[2]);\n\
        params.y[0] = sqrt(params.y[1] / params.y[2]);\n}";
    for nvrtc in all() {
        let text = ptx(nvrtc, source, &Options::ptx(75));
        for operation in ["div.rn.f32", "sqrt.rn.f32", "div.rn.f64", "sqrt.rn.f64"] {
            assert!(text.contains(operation), "{operation}: {text}");
        }
        assert!(
            !text.contains(".ftz") && !text.contains(".approx"),
            "{text}"
        );
    }
}

fn errors_name_the_line() {
    let source = "extern \"C\" __global__ void skel_kernel(float *x) {\n  x[0] = no_such_name;\n}";
    for nvrtc in all() {
        let error = nvrtc
            .compile("wrong", source, &Options::ptx(75))
            .unwrap_err();
        let NvrtcError::Compile { kernel, log } = &error else {
            panic!("{error}");
        };
        assert_eq!(kernel, "wrong");
        assert!(
            log.contains("wrong.cu(2)") && log.contains("no_such_name"),
            "{log}"
        );
    }
}

fn other_failures_name_the_function() {
    let saxpy = include_str!("kernels/saxpy.cu");
    for nvrtc in all() {
        let error = nvrtc.compile("saxpy", saxpy, &Options::ptx(7)).unwrap_err();
        let NvrtcError::Failed {
            kernel,
            function,
            message,
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!(
            (kernel.as_str(), *function),
            ("saxpy", "nvrtcCompileProgram")
        );
        assert!(message.contains("INVALID_OPTION"), "{message}");
        let error = nvrtc
            .compile("saxpy", "int a;\0", &Options::ptx(75))
            .unwrap_err();
        assert!(error.to_string().contains("nvrtcCreateProgram"), "{error}");
    }
}

fn several_threads_compile_at_once() {
    for nvrtc in all() {
        std::thread::scope(|scope| {
            for t in 0..4 {
                scope.spawn(move || {
                    let source =
                        format!("extern \"C\" __global__ void f(int *x) {{ x[0] = 7{t}; }}");
                    assert!(ptx(nvrtc, &source, &Options::ptx(75)).contains(&format!(", 7{t};")));
                });
            }
        });
    }
}

#[allow(unsafe_code, reason = "puts into the cache what no compiler has made")]
fn a_cached_kernel_is_not_compiled_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cache-{}", process::id()));
    let cache = KernelCache::at(&folder, 1 << 24);
    let saxpy = include_str!("kernels/saxpy.cu");
    // Beside the secret.
    let files = || fs::read_dir(&folder).map_or(0, |all| all.count() - 1);
    for (k, nvrtc) in all().iter().enumerate() {
        let once = |options: &Options| {
            nvrtc
                .compile_once(&cache, "a driver", "saxpy", saxpy, options)
                .unwrap()
        };
        let compiled = once(&Options::ptx(75));
        assert_eq!(
            compiled,
            nvrtc.compile("saxpy", saxpy, &Options::ptx(75)).unwrap()
        );
        assert_eq!(files(), 3 * k + 1, "every version for itself");
        assert_eq!(once(&Options::ptx(75)), compiled);
        assert_eq!(files(), 3 * k + 1);
        assert_ne!(once(&Options::ptx(90)), compiled);
        assert!(once(&Options::cubin(75)).starts_with(b"\x7fELF"));
        assert_eq!(files(), 3 * k + 3);
    }
    // Without the compiler's help: a program that does not compile, but is known.
    let nvrtc = &all()[0];
    let options = Options::ptx(75);
    let (major, minor) = nvrtc.version();
    let key = KernelKey {
        compiler: &format!("NVRTC {major}.{minor} {}", nvrtc.path().display()),
        driver: "a driver",
        architecture: "compute_75",
        options: &options.arguments(),
        source: "no program",
    };
    assert!(
        nvrtc
            .compile_once(&cache, "a driver", "known", "no program", &options)
            .is_err()
    );
    // SAFETY: it is given to no driver.
    unsafe { cache.put_of_others(&key, b"known") };
    let known = nvrtc.compile_once(&cache, "a driver", "known", "no program", &options);
    assert_eq!(known.unwrap(), b"known");
    fs::remove_dir_all(&folder).unwrap();
}

/// What `Nvrtc::find` says in a process with this in `SKEL_NVRTC`.
fn found_with(named: &Path) -> String {
    let this = env::current_exe().expect("this program has a path");
    let out = Command::new(this)
        .env(FIND_ONLY, "1")
        .env("SKEL_NVRTC", named)
        .output()
        .expect("this program starts");
    assert!(out.status.success(), "{out:?}");
    String::from_utf8_lossy(&out.stdout).trim().to_owned()
}

fn a_named_library_is_the_one_that_is_used() {
    for nvrtc in all() {
        let path = nvrtc.path();
        assert_eq!(found_with(path), format!("found {}", path.display()));
    }
}

fn a_named_library_that_is_not_there() {
    let said = found_with(Path::new("/no/such/libnvrtc.so.13"));
    assert!(
        said.starts_with("error: /no/such/libnvrtc.so.13 is no NVRTC"),
        "{said}"
    );
}

fn libraries_that_are_something_else() {
    let text = env::temp_dir().join(format!("skel-no-library-{}.so", process::id()));
    fs::write(&text, "not a library").unwrap();
    let mut others = vec![text.clone(), "/no/such/file".into()];
    if cfg!(target_os = "linux") {
        others.push("libc.so.6".into());
    }
    for other in others {
        let error = Nvrtc::open(&other).unwrap_err();
        let NvrtcError::Unusable { path, message } = &error else {
            panic!("{error}");
        };
        assert_eq!((path, message.is_empty()), (&other, false));
    }
    fs::remove_file(&text).unwrap();
}
