//! A trace shows when the device ran what, by its own clock.

use crate::{Test, driver::World, probe::says};
use std::{fs, path::Path};

pub(crate) const TESTS: &[Test] = &[(
    "kernels_are_shown_when_they_ran",
    kernels_are_shown_when_they_ran,
)];

/// How long an operation takes by the device's clock, in microseconds: longer than by any other clock.
const OPERATION_US: f64 = 3e9;

fn kernels_are_shown_when_they_ran(_: &World) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cuda_unit_trace.json");
    let name = file.to_string_lossy();
    let op_ns = (OPERATION_US * 1e3).to_string();
    let text = says(
        "shim",
        &[("SKEL_TRACE", &name), ("SKEL_SHIM_OP_NS", &op_ns)],
    );
    assert!(text.contains("on CUDA: [2, 4, 6]"), "{text}");
    let trace = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let events = |category: &str| -> Vec<&str> {
        let category = format!("\"cat\":\"{category}\"");
        let lines = trace.lines().filter(|l| l.contains(&category));
        // But for the questions that a device is asked when it is opened.
        lines.filter(|l| !l.contains("arithmetic")).collect()
    };
    let (launches, kernels) = (events("launch"), events("kernel"));
    assert_eq!((launches.len(), kernels.len()), (1, 1), "{trace}");
    // The one is as long as queueing, the other as the kernel.
    assert!(number(launches[0], "dur") < OPERATION_US, "{trace}");
    let took = number(kernels[0], "dur");
    assert!(
        (OPERATION_US..3.0 * OPERATION_US).contains(&took),
        "{trace}"
    );
    // What was uploaded before took its time as well.
    assert!(number(kernels[0], "ts") >= OPERATION_US, "{trace}");
    let lane = number(kernels[0], "tid");
    assert_ne!(lane, number(launches[0], "tid"));
    let named = trace.lines().any(|line| {
        line.contains("thread_name") && line.contains(": stream ") && number(line, "tid") == lane
    });
    assert!(named, "{trace}");
}

/// A number of an event.
fn number(event: &str, key: &str) -> f64 {
    let (_, rest) = event.split_once(&format!("\"{key}\":")).expect("the key");
    let end = rest.find([',', '}']).expect("an end");
    rest[..end].parse().expect("a number")
}
