//! The rows of the table.

use crate::tune_options::Options as TuneOptions;
use skel_core::{
    Cause, Error,
    schedule::Target,
    setting::{
        OnInvalid, OnInvalid::*, Variable, VariableInfo, flag, name, number, path, shown, word,
    },
};
use std::{path::PathBuf, time::Duration};

const FLAG: &str = "`on`, `off`, `1` or `0`";

const fn info(
    name: &'static str,
    expected: &'static str,
    default: &'static str,
    on_invalid: OnInvalid,
    effect: &'static str,
) -> VariableInfo {
    VariableInfo {
        name,
        expected,
        default,
        on_invalid,
        effect,
    }
}

/// A variable that switches something.
const fn switch(name: &'static str, default: &'static str, effect: &'static str) -> Variable<bool> {
    Variable {
        info: info(name, FLAG, default, Refuse, effect),
        parse: flag,
    }
}

/// Where every call of the default context runs.
pub static BACKEND: Variable<Target> = Variable {
    info: info(
        "SKEL_BACKEND",
        Target::TEXTS,
        "what the program says",
        Refuse,
        "where every call of the default context runs",
    ),
    parse: |_, value| {
        // What is no Unicode names nothing, either.
        let parsed = value.to_string_lossy().trim().parse::<Target>();
        parsed.map_err(|cause| {
            let target = shown(value);
            let cause = Cause::from(match cause {
                Error::UnknownBackend { .. } => Error::UnknownBackend {
                    name: target.clone(),
                },
                cause => cause,
            });
            Error::Forced { target, cause }
        })
    },
};

/// Whether software devices count.
pub static SOFTWARE_DEVICES: Variable<bool> = switch(
    "SKEL_SOFTWARE_DEVICES",
    "off",
    "whether software devices count like any other where nothing names them",
);

/// The most that arrays take on each device.
pub static DEVICE_MEMORY_BYTES: Variable<u64> = Variable {
    info: info(
        "SKEL_DEVICE_MEMORY_BYTES",
        "a number of bytes",
        "all of its memory",
        Refuse,
        "the most that arrays take on each device",
    ),
    parse: |info, value| number(info, value, 0..=u64::MAX),
};

/// How long a device may be at its part of a call; none for as long as it takes.
pub static WATCHDOG_MS: Variable<Duration> = Variable {
    info: info(
        "SKEL_WATCHDOG_MS",
        "a number of milliseconds, or 0 for as long as it takes",
        "0",
        Refuse,
        "how long a device may be at its part of a call, transfers included, the compilation of its kernel not",
    ),
    parse: |info, value| number(info, value, 0..=u64::MAX).map(Duration::from_millis),
};

/// How long a kernel may be compiled; none for as long as it takes.
pub static COMPILE_BUDGET_MS: Variable<Duration> = Variable {
    info: info(
        "SKEL_COMPILE_BUDGET_MS",
        "a number of milliseconds, or 0 for as long as it takes",
        "30000",
        Refuse,
        "how long a kernel may be compiled before the device takes no part in its calls",
    ),
    parse: |info, value| number(info, value, 0..=u64::MAX).map(Duration::from_millis),
};

/// Whether models say how long.
pub static WATCHDOG: Variable<()> = Variable {
    info: info(
        "SKEL_WATCHDOG",
        "`model`",
        "`SKEL_WATCHDOG_MS` for all parts",
        Refuse,
        "a part that has a [model](tuning.md) may take ten times what it says, and a second; others `SKEL_WATCHDOG_MS`, or a minute",
    ),
    parse: |about, value| word(about, value, &[("model", ())]),
};

/// Whether any device is driven through CUDA.
pub static CUDA: Variable<bool> = switch(
    "SKEL_CUDA",
    "on",
    "whether devices are driven through CUDA; wgpu may have them otherwise",
);

/// Page-locked memory.
pub static CUDA_PINNED: Variable<bool> = switch(
    "SKEL_CUDA_PINNED",
    "on",
    "whether transfers go through page-locked memory",
);

/// Device memory that is kept.
pub static CUDA_POOL: Variable<bool> = switch(
    "SKEL_CUDA_POOL",
    "on",
    "whether device memory is kept for later arrays",
);

/// Calls in steps.
pub static CUDA_STEPS: Variable<bool> = switch(
    "SKEL_CUDA_STEPS",
    "on",
    "whether a large elementwise call begins with the elements that have come",
);

/// Scans in one pass.
pub static CUDA_ONE_PASS: Variable<bool> = switch(
    "SKEL_CUDA_ONE_PASS",
    "on",
    "whether scans read their elements once, where nothing waits for their totals",
);

/// Vectors of elements.
pub static CUDA_VECTORS: Variable<bool> = switch(
    "SKEL_CUDA_VECTORS",
    "on",
    "whether threads load and store several elements at once",
);

/// Streams of kernels.
pub static CUDA_STREAMS: Variable<usize> = Variable {
    info: info(
        "SKEL_CUDA_STREAMS",
        "a number of streams from 0 to 6",
        "2",
        Refuse,
        "streams for kernels; 0: one stream for kernels and transfers",
    ),
    parse: |info, value| number(info, value, 0..=MOST_STREAMS),
};

/// Threads that copy.
pub static CUDA_COPIERS: Variable<usize> = Variable {
    info: info(
        "SKEL_CUDA_COPIERS",
        "a number of threads from 1 to 16",
        "a quarter of the cores, from 1 to 4",
        Refuse,
        "threads that fill page-locked memory in large transfers",
    ),
    parse: |info, value| number(info, value, 1..=MOST_COPIERS),
};

/// Streams of kernels, at most.
pub(crate) const MOST_STREAMS: usize = 6;

/// Threads that copy, at most.
pub(crate) const MOST_COPIERS: usize = 16;

/// The compiler of CUDA kernels.
pub static NVRTC: Variable<PathBuf> = Variable {
    info: info(
        "SKEL_NVRTC",
        "the file of a library NVRTC, or a name by which the system finds one",
        "what the system, `CUDA_PATH` and `CUDA_HOME` have",
        Refuse,
        "the compiler of CUDA kernels. What is a library and cannot be used is the reason for which `skel::devices()` rejects CUDA's devices",
    ),
    parse: name,
};

/// What a program that is tuned does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuneMode {
    /// Calls are measured.
    Run,
    /// Calls are listed.
    List,
    /// Whole calls are measured with many shares as well.
    Oracle,
}

/// Whether calls are measured.
pub static TUNE: Variable<TuneMode> = Variable {
    info: info(
        "SKEL_TUNE",
        "`run`, `list` or `oracle`",
        "nothing is measured",
        Refuse,
        "what `cargo tune` has a program do with its calls: measure them, list them, or measure them with many shares",
    ),
    parse: |info, value| {
        let words = [
            ("run", TuneMode::Run),
            ("list", TuneMode::List),
            ("oracle", TuneMode::Oracle),
        ];
        word(info, value, &words)
    },
};

/// How they are measured.
pub static TUNE_OPTIONS: Variable<TuneOptions> = Variable {
    info: info(
        "SKEL_TUNE_OPTIONS",
        "`name=value` of the options of `cargo tune`, between commas",
        "those of `cargo tune run`",
        Refuse,
        "how calls are measured",
    ),
    parse: |info, value| match value.to_str() {
        Some(text) => TuneOptions::parse(text),
        None => Err(info.bad(value)),
    },
};

/// Where it is written.
pub static TUNE_JOURNAL: Variable<PathBuf> = Variable {
    info: info(
        "SKEL_TUNE_JOURNAL",
        "a regular file, or where one can be made",
        "none",
        Warn,
        "the journal that `cargo tune` reads; where it cannot be written, nothing is measured",
    ),
    parse: path,
};

/// What is written there of the program.
pub static TUNE_COMMAND: Variable<String> = Variable {
    info: info(
        "SKEL_TUNE_COMMAND",
        "any text",
        "none",
        Warn,
        "the command that is noted in the journal",
    ),
    parse: |_, value| Ok(value.to_string_lossy().into_owned()),
};

/// Where kernels are written for people.
pub static DUMP: Variable<PathBuf> = Variable {
    info: info(
        "SKEL_DUMP",
        "a folder that can be written to",
        "none",
        Warn,
        "a folder to which the IR and the sources of every kernel are written",
    ),
    parse: path,
};

/// Where a trace is written.
pub static TRACE: Variable<PathBuf> = Variable {
    info: info(
        "SKEL_TRACE",
        "a regular file, or where one can be made",
        "none",
        Warn,
        "a file to which is written what runs where and when, for Perfetto or Chrome's `about:tracing`: of devices when they were asked, and of those that CUDA drives also when each stream ran each kernel, by the device's own clock. `%p` in the name is the number of the process",
    ),
    parse: path,
};
