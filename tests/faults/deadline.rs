//! How long a device may take, by the model of the call.

use crate::limits::with_longer_and_longer;
use skel::{
    Context, Error, Watchdog,
    mock::{Law, Mock, Operation},
    prelude::*,
    tuning::{self, Options},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

const N: usize = 1000;
/// No test waits so long here.
const LONG: Duration = Duration::from_secs(100);

/// Stops the device at its next operations of one kind, while it is closed.
#[derive(Clone, Default)]
struct Brake(Arc<AtomicBool>);

impl Brake {
    fn set(&self, closed: bool) {
        self.0.store(closed, Ordering::Release);
    }

    fn pass(&self) {
        while self.0.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Lets the device go on after some time.
    fn release_after(&self, time: Duration) -> thread::JoinHandle<()> {
        self.set(true);
        let brake = self.clone();
        thread::spawn(move || {
            thread::sleep(time);
            brake.set(false);
        })
    }
}

fn by_model(at_least: Duration, otherwise: Duration) -> Watchdog {
    let mut watchdog = Watchdog::by_model();
    if let Watchdog::ByModel {
        at_least: least,
        otherwise: other,
        ..
    } = &mut watchdog
    {
        (*least, *other) = (at_least, otherwise);
    }
    watchdog
}

/// A device for which a call of `N` elements takes this, by its law.
fn device(takes: Duration, at: Operation, brake: &Brake) -> Mock {
    let law = Law::per_elem_ns(takes.as_nanos() as f64 / N as f64).transfers(1000.0, 0.1);
    let brake = brake.clone();
    Mock::named("device")
        .law(law)
        .virtual_time()
        .before_each(move |operation| {
            if operation == at {
                brake.pass();
            }
        })
}

fn context(device: &Mock, watchdog: Watchdog) -> Context {
    // No other target is as quick, but for the device alone.
    let host = Law::per_elem_ns(1e9);
    Context::builder()
        .unit(device.unit().unwrap())
        .virtual_time(host.clone(), host)
        .watchdog(watchdog)
        .build()
        .unwrap()
}

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

fn input() -> Vector<u32> {
    Vector::from_fn(N, |i| i as u32)
}

fn tune(context: &Context) {
    try_tune(context).unwrap();
}

fn try_tune(context: &Context) -> Result<(), String> {
    let f = map!(double).within(context.clone()).named("double");
    let (y, tuned) = tuning::tune(context, &Options::quick(), || f.run((&input(),)));
    y.map_err(|error| error.to_string())?;
    match tuned.problems.as_slice() {
        [] => Ok(()),
        problems => Err(problems.join("; ")),
    }
}

fn run(context: &Context, target: impl Into<Target>) -> skel::Result<Vector<u32>> {
    let f = map!(double).within(context.clone()).named("double");
    f.on(target).run((&input(),))
}

fn is_well(context: &Context) -> bool {
    context.devices()[0].rejected.is_none()
}

#[test]
fn a_device_that_hangs_is_given_up_soon_after_what_its_model_says() {
    let (brake, ms) = (Brake::default(), Duration::from_millis);
    let device = device(ms(1), Operation::Launch, &brake);
    let context = context(&device, by_model(ms(100), LONG));
    tune(&context);
    brake.set(true);
    let began = Instant::now();
    let y = run(&context, Hybrid::ratio(0.0)).unwrap();
    assert!(began.elapsed() < LONG / 4, "{:?}", began.elapsed());
    assert!(began.elapsed() > ms(100));
    assert!(!is_well(&context));
    assert!((0..N).all(|i| y.host().unwrap()[i] == 2 * i as u32));
    brake.set(false);
}

#[test]
fn a_device_that_hangs_while_results_are_fetched_is_given_up_soon() {
    let (brake, ms) = (Brake::default(), Duration::from_millis);
    let device = device(ms(1), Operation::Download, &brake);
    let context = context(&device, by_model(ms(100), LONG));
    tune(&context);
    let y = run(&context, Device(0)).unwrap();
    brake.set(true);
    let began = Instant::now();
    assert!(matches!(y.host(), Err(Error::Late { .. })));
    assert!(began.elapsed() < LONG / 4, "{:?}", began.elapsed());
    assert!(!is_well(&context));
    brake.set(false);
}

#[test]
fn what_is_predicted_to_take_long_may() {
    let brake = Brake::default();
    let device = device(Duration::from_secs(10), Operation::Launch, &brake);
    // With the least alone, or where nothing is known, it would be given up. What is not predicted has no longer than
    // that, which a busy machine may not keep to.
    with_longer_and_longer(Duration::from_millis(100), |limit| {
        let context = context(&device, by_model(limit / 5, limit));
        try_tune(&context).ok()?;
        let released = brake.release_after(4 * limit);
        let y = run(&context, Device(0));
        released.join().unwrap();
        let y = y.ok().filter(|_| is_well(&context))?;
        assert_eq!(y.host().ok()?[N - 1], 2 * (N as u32 - 1));
        Some(())
    });
}

#[test]
fn a_device_that_is_slow_is_left_alone() {
    let (brake, ms) = (Brake::default(), Duration::from_millis);
    let device = device(ms(200), Operation::Launch, &brake);
    // Twice as long as predicted, of five hundred times.
    let mut watchdog = by_model(ms(1), LONG);
    if let Watchdog::ByModel { factor, .. } = &mut watchdog {
        *factor = 500.0;
    }
    let context = context(&device, watchdog);
    tune(&context);
    let released = brake.release_after(ms(400));
    run(&context, Device(0)).unwrap();
    released.join().unwrap();
    assert!(is_well(&context));
}

#[test]
fn without_a_model_the_time_that_was_given_holds() {
    let (brake, ms) = (Brake::default(), Duration::from_millis);
    let device = device(ms(1), Operation::Launch, &brake);
    let patient = context(&device, by_model(ms(10), LONG));
    // It has run before, so that it is not for its compilation.
    run(&patient, Device(0)).unwrap();
    let released = brake.release_after(ms(300));
    run(&patient, Device(0)).unwrap();
    released.join().unwrap();
    assert!(is_well(&patient));
    // Not for longer, either.
    let (context, limit) = with_longer_and_longer(ms(1000), |limit| {
        let context = context(&device, by_model(ms(10), limit));
        run(&context, Device(0)).ok()?;
        is_well(&context).then_some((context, limit))
    });
    brake.set(true);
    let began = Instant::now();
    run(&context, Hybrid::ratio(0.0)).unwrap();
    assert!(began.elapsed() >= limit && !is_well(&context));
    brake.set(false);
}

#[test]
fn a_kernel_that_was_not_compiled_yet_has_the_time_that_was_given() {
    let (brake, ms) = (Brake::default(), Duration::from_millis);
    let device = device(ms(1), Operation::Launch, &brake);
    let context = context(&device, by_model(ms(10), LONG));
    tune(&context);
    // Strided arguments need another kernel, of the same instance.
    let f = map!(double).within(context.clone()).named("double");
    let x = Vector::from_fn(2 * N, |i| i as u32);
    let released = brake.release_after(ms(300));
    let y = f.clone().on(Device(0)).run((x.step_by(2),)).unwrap();
    released.join().unwrap();
    assert!(is_well(&context));
    assert_eq!(y.host().unwrap()[3], 12);
    // The second time, it has what the model says.
    brake.set(true);
    let began = Instant::now();
    let failed = f.on(Device(0)).run((x.step_by(2),)).map(drop);
    assert!(matches!(failed, Err(Error::DeviceLost { .. })));
    assert!(began.elapsed() < LONG / 4);
    brake.set(false);
}
