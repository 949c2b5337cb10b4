//! Work of a fixed length, loops that take cores away, and what this process got of the machine.

use std::{
    fs,
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Fixed arithmetic: a task that watched the clock would count time that others had the core as work. The same as
/// in `starpu.c`.
pub(crate) fn arithmetic(rounds: u64) -> u64 {
    let mut x = rounds;
    for _ in 0..rounds {
        x = black_box(
            x.wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407),
        );
    }
    x
}

/// How many rounds take a microsecond where nothing disturbs: of several attempts, the fastest counts.
pub(crate) fn rounds_per_us() -> f64 {
    const ROUNDS: u64 = 200_000;
    let attempt = |_| {
        let started = Instant::now();
        black_box(arithmetic(ROUNDS));
        started.elapsed().as_secs_f64() * 1e6
    };
    ROUNDS as f64 / (0..50).map(attempt).fold(f64::INFINITY, f64::min)
}

/// What the threads of [`BusyLoops`] are called: they are no part of what is measured.
const BUSY: &str = "busy loop";

/// Threads that only take time, until they are dropped.
pub(crate) struct BusyLoops {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl BusyLoops {
    pub(crate) fn start(count: usize) -> Result<BusyLoops, String> {
        let mut loops = BusyLoops {
            stop: Arc::default(),
            threads: Vec::new(),
        };
        for _ in 0..count {
            let stop = Arc::clone(&loops.stop);
            let spin = move || {
                while !stop.load(Ordering::Relaxed) {
                    black_box(arithmetic(1000));
                }
            };
            let thread = thread::Builder::new().name(BUSY.into()).spawn(spin);
            let thread = thread.map_err(|error| format!("a busy loop: {error}"))?;
            loops.threads.push(thread);
        }
        Ok(loops)
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // It does nothing that could panic.
            let _panicked = thread.join();
        }
    }
}

/// Measures a section: how long it took, and how many cores this process had meanwhile. Where another process has
/// one of two cores, systems often keep all threads of this one on the other: times are to be read beside that.
pub(crate) struct Meter {
    started: Instant,
    cpu_ns: Option<u64>,
}

/// A section that is over.
pub(crate) struct Section {
    pub(crate) wall_s: f64,
    /// None where the system does not tell.
    pub(crate) cores: Option<f64>,
}

impl Meter {
    pub(crate) fn start() -> Meter {
        Meter {
            cpu_ns: cpu_ns(),
            started: Instant::now(),
        }
    }

    pub(crate) fn stop(self) -> Section {
        let wall_s = self.started.elapsed().as_secs_f64();
        let both = self.cpu_ns.zip(cpu_ns());
        // Threads that have ended take their times with them.
        let cores = both.map(|(before, after)| after.saturating_sub(before) as f64 / 1e9 / wall_s);
        Section { wall_s, cores }
    }
}

/// The time that the threads of this process have run, busy loops excepted.
fn cpu_ns() -> Option<u64> {
    let mut sum_ns = 0;
    for thread in fs::read_dir("/proc/self/task").ok()?.flatten() {
        let read = |file: &str| fs::read_to_string(thread.path().join(file)).ok();
        let Some((name, stat)) = read("comm").zip(read("schedstat")) else {
            continue;
        };
        if name.trim() != BUSY {
            sum_ns += stat.split_whitespace().next()?.parse::<u64>().ok()?;
        }
    }
    Some(sum_ns)
}

/// How many cores are busy while this process sleeps, as far as the system tells.
pub(crate) fn machine_busy_cores() -> Option<f64> {
    let (before_s, started) = (machine_busy_s()?, Instant::now());
    thread::sleep(Duration::from_millis(300));
    Some((machine_busy_s()? - before_s) / started.elapsed().as_secs_f64())
}

/// The time that all cores together have been busy, in the system's ticks of 10 ms.
fn machine_busy_s() -> Option<f64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let mut fields = stat.lines().next()?.split_whitespace().skip(1);
    let mut next = || fields.next()?.parse::<f64>().ok();
    // In user programs, in those of low priority, in the system.
    Some((next()? + next()? + next()?) / 100.0)
}
