//! Contexts with a clock of their own: what calls take is what the laws say, in closed form.

use crate::virtual_machine;
use skel::{
    Context,
    mock::{Law, Load, Mock},
    prelude::*,
};

const N: usize = 100_000;

fn context(cpu: Law, devices: &[Law]) -> Context {
    virtual_machine::machine(cpu, Law::per_elem_ns(10.0), devices)
}

/// What `body` takes in the context's time.
fn took<R>(context: &Context, body: impl FnOnce() -> R) -> u64 {
    let before = context.virtual_ns().unwrap();
    body();
    context.virtual_ns().unwrap() - before
}

fn near(found: u64, expected: f64) {
    assert!((found as f64 - expected).abs() <= 2.0, "{found} {expected}");
}

/// What a split of `N` elements takes, `cpu` of which are the CPU's.
fn split_ns(context: &Context, cpu: usize) -> u64 {
    let fill = map!(|i: Index1| i.i as u32)
        .within(context.clone())
        .on(Hybrid::shares([cpu as f64, (N - cpu) as f64]));
    let mut filled = None;
    let ns = took(context, || filled = Some(fill.run_shaped(N, ()).unwrap()));
    drop(filled);
    ns
}

#[test]
fn the_best_split_of_two_lines_is_that_of_equation_four() {
    let (a_c, b_c, a_g, b_g) = (4.0, 1_000.0, 1.0, 40_000.0);
    let context = context(
        Law::per_elem_ns(a_c).latency_ns(b_c),
        &[Law::per_elem_ns(a_g).latency_ns(b_g)],
    );
    let mut best = u64::MAX;
    for cpu in (1_000..N).step_by(1_000) {
        let ns = split_ns(&context, cpu);
        let (c, g) = (cpu as f64, (N - cpu) as f64);
        near(ns, f64::max(a_c * c + b_c, a_g * g + b_g));
        best = best.min(ns);
    }
    let n = N as f64;
    let optimum = (a_c * a_g * n + a_c * b_g + a_g * b_c) / (a_c + a_g);
    assert!(best as f64 >= optimum - 2.0, "{best} {optimum}");
    assert!(best as f64 <= optimum + a_c * 1_000.0, "{best} {optimum}");
    let cpu = (a_g * n + b_g - b_c) / (a_c + a_g);
    near(split_ns(&context, cpu as usize), optimum);
}

#[test]
fn unlike_devices_are_at_work_at_the_same_time() {
    let laws = [
        Law::per_elem_ns(1.0),
        Law::per_elem_ns(5.0).latency_ns(300.0),
    ];
    let context = context(Law::per_elem_ns(2.0), &laws);
    let shares = |shares: [f64; 3]| {
        let double = map!(|i: Index1| 2 * i.i as u32)
            .within(context.clone())
            .on(Hybrid::shares(shares));
        took(&context, || double.run_shaped(1_000, ()).unwrap())
    };
    near(shares([0.5, 0.3, 0.2]), 1_300.0);
    near(shares([0.5, 0.5, 0.0]), 1_000.0);
    near(shares([0.1, 0.9, 0.0]), 900.0);
}

#[test]
fn elements_cost_what_their_places_say() {
    let law = |ns| Law::per_elem_ns(ns).density(|x| 3.0 * x * x);
    let context = context(law(1.0), &[law(1.0)]);
    for cpu in [10_000, 50_000, 90_000] {
        let x = cpu as f64 / N as f64;
        near(
            split_ns(&context, cpu),
            N as f64 * f64::max(x.powi(3), 1.0 - x.powi(3)),
        );
    }
}

#[test]
fn elements_beyond_a_knee_take_longer() {
    let context = context(
        Law::per_elem_ns(1.0).knee(20_000, 3.0),
        &[Law::per_elem_ns(0.0)],
    );
    near(split_ns(&context, 20_000), 20_000.0);
    near(split_ns(&context, 50_000), 110_000.0);
}

#[test]
fn only_what_is_missing_is_moved() {
    let context = context(
        Law::per_elem_ns(1.0),
        &[Law::per_elem_ns(2.0)
            .uploads(100.0, 0.5)
            .downloads(50.0, 0.25)],
    );
    let double = map!(|x: u32| 2 * x).within(context.clone()).on(Device(0));
    let x = Vector::from(vec![7_u32; 1_000]);
    let mut y = None;
    let launch = 2_000.0;
    near(
        took(&context, || y = Some(double.run((&x,)).unwrap())),
        100.0 + 2_000.0 + launch,
    );
    // It is there now.
    near(
        took(&context, || y = Some(double.run((&x,)).unwrap())),
        launch,
    );
    let y = y.unwrap();
    near(took(&context, || y.host().unwrap()[0]), 50.0 + 1_000.0);
    near(took(&context, || y.host().unwrap()[0]), 0.0);

    // A CPU that needs what a device has waits for it.
    let y = double.run((&x,)).unwrap();
    let on_cpu = map!(|y: u32| y + 1).within(context.clone()).on(Cpu);
    near(
        took(&context, || on_cpu.run((&y,)).unwrap()),
        50.0 + 1_000.0 + 1_000.0,
    );
}

#[test]
fn a_scan_goes_on_when_its_carry_is_there() {
    let context = context(
        Law::per_elem_ns(3.0),
        &[Law::per_elem_ns(1.0).uploads(0.0, 0.25)],
    );
    let sums = scan!(|a: u32, b: u32| a + b).within(context.clone());
    let ns = |n: usize, cpu: usize| {
        let shares = Hybrid::shares([cpu as f64, (n - cpu) as f64]);
        // Nothing of it is on the device.
        let x = Vector::from(vec![1_u32; n]);
        let sums = sums.clone().on(shares);
        took(&context, || assert_eq!(sums.run((&x,)).unwrap().len(), n))
    };
    for cpu in [100, 500, 900] {
        let (c, g) = (cpu as f64, (1_000 - cpu) as f64);
        near(ns(1_000, cpu), f64::max(3.0 * c, 2.0 * g) + g);
    }
    // The CPU combines its last elements in a third of the time that writing takes; then both write.
    let n = 1_u64 << 20;
    for (cpu, tail) in [(n / 4, n / 32), (n / 2, n / 16), (n - n / 4, 98_304)] {
        let (c, g, tail) = (cpu as f64, (n - cpu) as f64, tail as f64);
        let told = 3.0 * (c - tail) + tail;
        let expected = f64::max(f64::max(told, 2.0 * g) + g, told + 3.0 * tail);
        near(ns(n as usize, cpu as usize), expected);
    }
}

#[test]
fn folds_the_sequential_unit_and_named_factors() {
    let context = context(
        Law::per_elem_ns(2.0).factor("heavy", 8.0),
        &[Law::per_elem_ns(1.0)],
    );
    #[user_function]
    fn heavy(x: u32) -> u32 {
        x + 1
    }
    let x = Vector::from(vec![1_u32; 1_000]);
    let sum = map_reduce!(heavy, |a: u32, b: u32| a + b).within(context.clone());
    let on = |target: Target| {
        let sum = sum.clone().on(target);
        took(&context, || assert_eq!(sum.run((&x,)).unwrap(), 2_000))
    };
    near(on(Cpu.into()), 16_000.0);
    near(on(Sequential.into()), 10_000.0);
    near(on(Device(0).into()), 1_000.0);
    near(on(Hybrid::ratio(0.1).into()), 1_600.0);
}

#[test]
fn auto_measures_by_the_virtual_clock() {
    // The device is faster, though on this machine both take nothing.
    let context = context(
        Law::per_elem_ns(5.0),
        &[Law::per_elem_ns(1.0).latency_ns(10.0)],
    );
    let fill = map!(|i: Index1| i.i as u32)
        .within(context.clone())
        .on(Auto);
    let times: Vec<u64> = (0..5)
        .map(|_| took(&context, || fill.run_shaped(10_000, ()).unwrap()))
        .collect();
    assert_eq!(times, [50_000, 50_000, 10_010, 10_010, 10_010]);
}

#[test]
fn observers_are_told_virtual_times() {
    let context = context(
        Law::per_elem_ns(4.0),
        &[Law::per_elem_ns(1.0).uploads(100.0, 0.0)],
    );
    let double = map!(|x: u32| 2 * x).within(context).on(Hybrid::ratio(0.2));
    let (y, calls) = skel::observe(|| double.run((&Vector::from(vec![1_u32; 1_000]),)));
    assert_eq!(y.unwrap().host().unwrap()[..], [2; 1_000]);
    let busy: Vec<u128> = calls[0]
        .parts
        .iter()
        .map(|part| part.busy.as_nanos())
        .collect();
    assert_eq!(busy, [800, 900]);
    assert_eq!(calls[0].elapsed.as_nanos(), 900);
}

#[test]
fn the_same_program_takes_the_same_time() {
    let run = || {
        let load = Load::new();
        let context = context(
            Law::per_elem_ns(1.0).noise(0.1, 1).under(&load),
            &[
                Law::per_elem_ns(0.5).transfers(500.0, 0.1).noise(0.1, 2),
                Law::per_elem_ns(0.7).transfers(900.0, 0.1).noise(0.1, 3),
            ],
        );
        let double = map!(|x: f32| 2.0 * x).within(context.clone());
        let sum = reduce!(|a: f32, b: f32| a + b).within(context.clone());
        let mut times = Vec::new();
        for k in 1..10 {
            load.set(1.0 + f64::from(k));
            let y = double
                .clone()
                .on(Hybrid::ratio(f64::from(k) / 10.0))
                .run((&Vector::from(vec![1.0_f32; 10_000]),))
                .unwrap();
            sum.clone().on(Hybrid::ratio(0.3)).run((&y,)).unwrap();
            assert_eq!(y.host().unwrap()[..], [2.0; 10_000]);
            times.push(context.virtual_ns().unwrap());
        }
        times
    };
    let times = run();
    assert_eq!(times, run());
    assert!(times.windows(2).all(|two| two[0] < two[1]));
}

#[test]
fn a_law_takes_real_time_where_time_is_real() {
    let slow = Mock::named("slow").law(Law::per_elem_ns(20_000.0).transfers(1e6, 0.0));
    let context = Context::builder()
        .unit(slow.unit().unwrap())
        .build()
        .unwrap();
    assert_eq!(context.virtual_ns(), None);
    let double = map!(|x: u32| 2 * x).within(context).on(Device(0));
    let started = std::time::Instant::now();
    let y = double.run((&Vector::from(vec![1; 100]),)).unwrap();
    assert_eq!(y.host().unwrap()[0], 2);
    assert!(started.elapsed() >= std::time::Duration::from_millis(4));
}
