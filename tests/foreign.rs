//! Bodies for devices, by hand: that they are used, and what is said where one is missing.
#![allow(unsafe_code, reason = "the texts compute from their parameters alone")]

use skel::{Context, Error, mock::Mock, prelude::*};

#[user_function(unsafe(cuda = "return x + 1u;"))]
fn without_wgsl(x: u32) -> u32 {
    x + 1
}

/// The bodies differ, which no user should do: so one sees which is used.
#[user_function(unsafe(wgsl = "return x + 2u;"))]
fn tells(x: u32) -> u32 {
    x + 1
}

#[user_function(unsafe(wgsl = "return 0u;"))]
fn fails(x: u32) -> u32 {
    let number: Result<u32, _> = x.to_string().parse::<u8>().map(u32::from);
    number.expect("a small number")
}

fn device(test: &str) -> Option<Context> {
    use skel::{unit::DeviceUnit, webgpu};
    use std::io::Write;
    let found = webgpu::enumerate();
    let Some(device) = found.iter().find(|device| device.rejected.is_none()) else {
        let reason = "no device that wgpu reaches (Debian: mesa-vulkan-drivers)";
        writeln!(std::io::stderr(), "skipped: {test}: {reason}").expect("stderr is open");
        return None;
    };
    let unit = DeviceUnit::new(webgpu::open(device).unwrap()).unwrap();
    Some(Context::builder().unit(unit).build().unwrap())
}

#[test]
fn a_device_runs_the_text() {
    let Some(context) = device("a_device_runs_the_text") else {
        return;
    };
    let f = map!(tells).within(context);
    let on_cpu = f.clone().on(Cpu).run((&[1, 2],)).unwrap();
    assert_eq!(on_cpu.host().unwrap()[..], [2, 3]);
    let on_device = f.on(Wgpu).run((&[1, 2],)).unwrap();
    assert_eq!(on_device.host().unwrap()[..], [3, 4]);
}

#[test]
fn a_device_without_a_text_takes_no_share() {
    let Some(context) = device("a_device_without_a_text_takes_no_share") else {
        return;
    };
    let f = map!(without_wgsl).within(context);
    let split = f.clone().on(Hybrid::ratio(0.5)).run((&[1, 2],)).unwrap();
    assert_eq!(split.host().unwrap()[..], [2, 3]);
    let refused = f.on(Wgpu).run((&[1, 2],)).unwrap_err();
    let Error::Unsupported { reason, .. } = refused else {
        panic!("{refused}");
    };
    assert_eq!(reason, "without_wgsl: it has no body in WGSL");
}

#[test]
fn a_panic_on_the_cpu_is_a_trap_of_its_element() {
    let context = Context::builder()
        .unit(Mock::named("mock").unit().unwrap())
        .build()
        .unwrap();
    let f = map!(fails).within(context).on(Cpu);
    let Error::Trap { index, message, .. } = f.run((&[1, 1000],)).unwrap_err() else {
        panic!("a trap");
    };
    assert_eq!(index, Some(1));
    assert!(message.contains("a small number"), "{message}");
    assert_eq!(f.run((&[1, 7],)).unwrap().host().unwrap()[..], [1, 7]);
}

#[test]
fn a_body_that_is_not_declared_pure_runs_once_for_each_element() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    #[user_function(unsafe(wgsl = "return w[0];"))]
    fn counted(w: Window2<u32, 1, 1>) -> u32 {
        RUNS.fetch_add(1, Ordering::Relaxed);
        w[(0, 0)]
    }
    // Rows of which 14 elements do not fill a vector, inside of the edges.
    let x = Matrix::from_fn(64, 64, |i, j| (64 * i + j) as u32);
    let y = map_overlap!(counted).on(Cpu).run((&x,)).unwrap();
    assert_eq!(y.to_vec().unwrap(), x.to_vec().unwrap());
    assert_eq!(RUNS.load(Ordering::Relaxed), 64 * 64);
}
