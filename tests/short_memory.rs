//! Host memory that is short: every call, on the CPU, on devices and on both, with every large
//! allocation failing in turn. It is an error or it succeeds, and never an abort, a panic or a leak; and
//! everything works as before when there is memory again.
//!
//! As SQLite tests it: the k-th allocation fails, once or from then on, for k = 1, 2, … until a run makes
//! fewer than k. Counted are those that grow with the data: what is smaller than [`LARGE_BYTES`] goes
//! through std, and aborts by Rust's own rule.

#[path = "short_memory/allocator.rs"]
mod allocator;
#[path = "short_memory/calls.rs"]
mod calls;
#[path = "short_memory/containers.rs"]
mod containers;
#[path = "short_memory/tasks.rs"]
mod tasks;

use allocator::{Mode, failing, is_failing, large_bytes, largest_failed};
use skel::{Context, Error, Target, mock::Mock, prelude::*};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Allocations of so many bytes are made to fail; data are well above.
const LARGE_BYTES: usize = 16 << 10;

/// Tests count allocations of the whole process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// For as long as a test runs, what it prepares included.
fn alone() -> MutexGuard<'static, ()> {
    // Nothing is printed of the panics by which shortness is told: a backtrace allocates, which would fail in turn.
    std::panic::set_hook(Box::new(|info| {
        if !is_failing() {
            eprintln!("{info}");
        }
    }));
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// More allocations than any call makes.
const MOST: usize = 2000;

/// A way to run calls.
struct Place {
    name: &'static str,
    context: Context,
    target: Target,
    /// Devices whose parts of a call differ from one time to the next.
    fills: usize,
}

fn places() -> Vec<Place> {
    let context = |devices: usize, cap_bytes: Option<u64>| {
        let mut builder = Context::builder();
        for k in 0..devices {
            let unit = Mock::named(format!("mock {k}")).unit().expect("a mock");
            builder = builder.unit(match cap_bytes {
                Some(cap_bytes) => unit.with_memory_cap(cap_bytes),
                None => unit,
            });
        }
        builder.build().expect("a context of mocks")
    };
    let place = |name, context, target: Target| Place {
        name,
        context,
        fills: match target {
            Target::Hybrid(_) if name == "adaptive" => 2,
            Target::Tasks(_) => 1,
            _ => 0,
        },
        target,
    };
    vec![
        place("sequential", context(0, None), Sequential.into()),
        place("cpu", context(0, None), Cpu.into()),
        place("device", context(1, None), Device(0).into()),
        place("a full device", context(1, Some(70_000)), Device(0).into()),
        place("hybrid", context(2, None), Hybrid::ratio(0.4).into()),
        place("adaptive", context(2, None), Hybrid::adaptive().into()),
        place("tasks", context(1, None), Tasks::default().chunks(5).into()),
    ]
}

/// Whether an error says that memory was short, whatever it went through.
fn is_short(error: &Error) -> bool {
    match error {
        Error::OutOfMemory { needed_bytes, .. } => *needed_bytes > 0,
        Error::Poisoned { cause }
        | Error::Late { cause, .. }
        | Error::Lost { cause, .. }
        | Error::Item { cause, .. } => is_short(cause),
        _ => false,
    }
}

/// Runs `call` with each of its large allocations failing in turn. It compares its results itself,
/// allocates nothing large for that, and gives back all that it allocates.
fn with_each_failing(name: &str, context: &Context, call: &dyn Fn() -> skel::Result<()>) {
    // What is kept for good is made now: kernels, threads, memory for reuse.
    for _ in 0..2 {
        call().unwrap_or_else(|error| panic!("{name}, with memory: {error}"));
    }
    let settled = || {
        // A command that ends gives back what it held behind the first.
        for _ in 0..2 {
            let _told = context.sync();
        }
        skel::memory::trim();
        large_bytes()
    };
    let before = settled();
    for mode in [Mode::Once, Mode::FromThere] {
        for k in 1.. {
            assert!(k < MOST, "{name}: more allocations than any call makes");
            let (found, failed) = failing(mode, k, || catch_unwind(AssertUnwindSafe(call)));
            let what = format!(
                "{name}, allocation {k} {mode:?}, of {} bytes",
                largest_failed()
            );
            match found {
                Err(payload) => {
                    let text = payload.downcast_ref::<String>();
                    let text = text.map(String::as_str);
                    let text = text.or(payload.downcast_ref::<&str>().copied());
                    panic!("{what}: a panic: {}", text.unwrap_or("of no text"));
                }
                Ok(Err(error)) if !is_short(&error) => panic!("{what}: {error}"),
                Ok(_) => {}
            }
            call().unwrap_or_else(|error| panic!("{what}, and then with memory: {error}"));
            if !failed {
                break;
            }
        }
        // What a device had let go of is there again, and nothing else.
        call().unwrap_or_else(|error| panic!("{name}, with memory again: {error}"));
        // Less, if devices of contexts that are gone have ended meanwhile.
        let after = settled();
        assert!(
            after <= before,
            "{name}, {mode:?}: a leak, {after} bytes instead of {before}"
        );
    }
}
