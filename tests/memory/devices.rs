//! The device that wgpu finds, with little memory.

use super::suite::without_room;
use skel::{
    Context, Device,
    prelude::*,
    unit::DeviceUnit,
    webgpu::{self, Options},
};
use std::io::Write;

/// A context of the first device that wgpu finds, with so much memory; says so if there is none.
fn capped(test: &str, cap_bytes: u64) -> Option<Context> {
    let found = webgpu::enumerate();
    let Some(device) = found.iter().find(|device| device.rejected.is_none()) else {
        let reason = "no device that wgpu reaches (Debian: mesa-vulkan-drivers)";
        // Past libtest, which keeps what passing tests print.
        writeln!(std::io::stderr(), "skipped: {test}: {reason}").expect("stderr is open");
        return None;
    };
    let driver = webgpu::open_with(device, Options::default()).expect("it was accepted");
    let unit = DeviceUnit::new(driver).expect("a thread");
    let context = Context::builder().unit(unit.with_memory_cap(cap_bytes));
    Some(context.build().expect("a context"))
}

#[test]
fn all_cases_are_right_on_wgpu_or_have_no_room() {
    let Some(context) = capped("all_cases_are_right_on_wgpu_or_have_no_room", 16 << 10) else {
        return;
    };
    let (without, of) = without_room(&context, &Device(0).into());
    println!("no room for {} of {of}: {without:#?}", without.len());
    assert!(100 * without.len() <= 15 * of, "{without:#?}");
}

#[user_function]
fn blur(w: Window2<f32, 1, 2>) -> f32 {
    w[(-1, -2)] + 2.0 * w[(0, 0)] + 3.0 * w[(1, 1)] - w[(0, 2)]
}

#[test]
fn a_matrix_of_many_times_the_memory_is_blurred_on_wgpu() {
    let (rows, cols) = (300, 70);
    let cap_bytes = (4 * rows * cols / 6) as u64;
    let Some(context) = capped(
        "a_matrix_of_many_times_the_memory_is_blurred_on_wgpu",
        cap_bytes,
    ) else {
        return;
    };
    let x: Vec<f32> = (0..rows * cols).map(|i| (i * i % 101) as f32).collect();
    for edge in [
        Edge::Duplicate,
        Edge::Cyclic,
        Edge::Reflect,
        Edge::Symmetric,
    ] {
        let resolve = |at: isize, n: usize| -> usize {
            let n = n as isize;
            let inside = match edge {
                Edge::Cyclic => at.rem_euclid(n),
                Edge::Reflect if at < 0 => -at,
                Edge::Reflect if at >= n => 2 * (n - 1) - at,
                Edge::Symmetric if at < 0 => -1 - at,
                Edge::Symmetric if at >= n => 2 * n - 1 - at,
                _ => at.clamp(0, n - 1),
            };
            inside as usize
        };
        let step = |x: &[f32]| -> Vec<f32> {
            let at = |i: isize, j: isize| x[resolve(i, rows) * cols + resolve(j, cols)];
            let cell = |k: usize| {
                let (i, j) = ((k / cols) as isize, (k % cols) as isize);
                at(i - 1, j - 2) + 2.0 * at(i, j) + 3.0 * at(i + 1, j + 1) - at(i, j + 2)
            };
            (0..rows * cols).map(cell).collect()
        };
        let f = map_overlap!(blur)
            .within(context.clone())
            .on(Device(0))
            .edge(edge);
        let m = Matrix::from_vec(rows, cols, x.clone()).expect("that many");
        let found = f.iterate(3, m, ()).expect("it fits in chunks");
        let expected = step(&step(&step(&x)));
        assert_eq!(found.host().expect("results")[..], expected, "{edge:?}");
    }
}
