//! A machine of two real units: the CPU unit has one core, and Mesa's software device another one. What the tuner chooses
//! there is compared with what it has measured itself, never with a clock.

use skel::{
    Context,
    model::{ClassModel, Quality, Reason, UnitId, Verdict, decide::share_of},
    prelude::*,
    tuning::{self, Options},
    unit::{DeviceUnit, UnitKind},
    webgpu,
};
use std::{
    env,
    io::{Write, stderr},
    process::Command,
    time::{Duration, Instant},
};

const CHILD: &str = "SKEL_TEST_HALVES";

/// How many steps a point of the plane takes to leave the circle: much for some places, and little for others.
#[user_function]
fn steps(at: Index2) -> u32 {
    let x = at.col as f32 / 128.0 - 2.0;
    let y = at.row as f32 / 96.0 - 1.0;
    let (mut a, mut b) = (0.0_f32, 0.0_f32);
    let mut n = 0;
    while n < 300 && a * a + b * b <= 4.0 {
        let next = a * a - b * b + x;
        b = 2.0 * a * b + y;
        a = next;
        n += 1;
    }
    n
}

/// A context with the software device, or why there is none.
fn context() -> Result<Context, String> {
    let found = webgpu::enumerate()
        .into_iter()
        .find(|found| found.info.kind == UnitKind::SoftwareDevice && found.rejected.is_none());
    let found = found.ok_or("no device that wgpu reaches (Debian: mesa-vulkan-drivers)")?;
    let context = || {
        let unit = DeviceUnit::new(webgpu::open(&found)?)?;
        Context::builder().unit(unit).build()
    };
    context().map_err(|error: skel::Error| error.to_string())
}

/// What holds of every model, however noisy the machine is.
fn is_consistent(class: &ClassModel) {
    let single = class
        .measured_single()
        .expect("each unit has done the whole call");
    let single_ns = single.sample.median_ns;
    let chosen = class.verified().expect("what was measured decides");
    let taken = class
        .measured
        .iter()
        .find(|m| m.shares == chosen)
        .expect("it was measured");
    assert!(taken.sample.median_ns <= 1.02 * single_ns, "{class:?}");
    if class.verdict() != Verdict::Good {
        assert_eq!(chosen.len(), 1, "{class:?}");
    }
    for unit in &class.units {
        let has_whole = unit
            .samples
            .iter()
            .any(|sample| sample.elems == class.elems);
        assert!(has_whole, "{} was not measured as a whole", unit.unit);
    }
}

/// Whether two threads that compute at the same time both have a core for all of it: where others compute as well, one
/// unit alone may be faster than both.
fn two_threads_have_cores() -> bool {
    let share = || {
        let since = Instant::now();
        let before = on_cpu_ns()?;
        while since.elapsed() < Duration::from_millis(100) {
            std::hint::spin_loop();
        }
        let computed = Duration::from_nanos(on_cpu_ns()? - before);
        Some(computed.as_secs_f64() / since.elapsed().as_secs_f64())
    };
    let other = std::thread::spawn(share);
    let shares = [share(), other.join().unwrap()];
    shares
        .into_iter()
        .all(|share| share.is_some_and(|share| share > 0.95))
}

/// How long this thread has been on a core, where the system says it.
fn on_cpu_ns() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Run in a process of its own, since rayon and Mesa count their threads when they start.
#[test]
fn on_halves() {
    if env::var_os(CHILD).is_none() {
        return;
    }
    let context = context().unwrap();
    let map = map!(steps).within(context.clone());
    let shape = (192, 384);
    let expected = map.clone().on(Cpu).run_shaped(shape, ()).unwrap();
    let mut options = Options::quick();
    options.budget = Duration::from_secs(20);
    let had_cores = two_threads_have_cores();
    let (_, tuned) = tuning::tune(&context, &options, || {
        drop(map.clone().on(Cpu).run_shaped(shape, ()).unwrap());
    });
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    let class = &tuned.instances[0].classes[0];
    is_consistent(class);
    let (shared, calls) = skel::observe(|| {
        map.clone()
            .on(Hybrid::tuned())
            .run_shaped(shape, ())
            .unwrap()
    });
    assert_eq!(shared.host().unwrap()[..], expected.host().unwrap()[..]);
    // What is said is what is done.
    let chosen = class.verified().unwrap();
    let on_cpu = calls[0].parts.iter().filter(|part| part.unit_index < 2);
    let on_cpu: usize = on_cpu.map(|part| part.range.len()).sum();
    let share = on_cpu as f64 / class.elems as f64;
    let said = share_of(&chosen, &UnitId::Cpu) + share_of(&chosen, &UnitId::Sequential);
    assert!((share - said).abs() < 0.01, "{share} {said}");
    // On a quiet machine both work: the device is some times as fast, and not ten times.
    let has_cores = had_cores && two_threads_have_cores();
    let is_quiet = has_cores && class.quality == Quality::Good && class.unsure() < 0.1;
    if is_quiet {
        assert!(
            chosen.len() == 2 && (0.02..=0.8).contains(&share),
            "{class:#?}"
        );
    } else {
        let weak = class.quality == Quality::Weak(Reason::Busy);
        writeln!(
            stderr(),
            "the machine is not quiet (busy: {weak}, two cores: {has_cores})"
        )
        .expect("stderr is open");
    }
}

#[test]
fn two_halves_are_shared() {
    if env::var_os(CHILD).is_some() {
        return;
    }
    if let Err(reason) = context() {
        writeln!(stderr(), "skipped: two_halves_are_shared: {reason}").expect("stderr is open");
        return;
    }
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "halves::on_halves", "--nocapture"])
        .envs([
            (CHILD, "1"),
            ("RAYON_NUM_THREADS", "1"),
            ("LP_NUM_THREADS", "1"),
        ])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && out.contains("1 passed"),
        "{out}{said}"
    );
}
