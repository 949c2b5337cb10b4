//! Tuning on mock devices, in their own time: what is chosen, against a sweep of all ratios.

mod blocks;

mod faults;

mod keeps;

mod lines;

mod sizes;

mod trials;

mod wholes;

use crate::virtual_machine;
use skel::{
    Context, Vector,
    mock::{Law, Mock},
    prelude::*,
    tuning::{self, Options},
};
use std::time::Duration;

fn context(cpu: Law, devices: &[Law]) -> Context {
    virtual_machine::machine(cpu, Law::per_elem_ns(10.0), devices)
}

#[test]
fn slices_and_containers_have_models_of_their_own() {
    // The device computes in no time, and takes more to be sent an element than the CPU to compute it.
    let device = Law::per_elem_ns(0.01).transfers(100.0, 1.0);
    let context = context(Law::per_elem_ns(2.0), &[device]);
    let stir = map!(|x: &mut f32| *x = 3.0 * *x + 1.0).within(context.clone());
    let mut owned = Vector::from(vec![1.0_f32; 100_000]);
    let mut borrowed = vec![1.0_f32; 100_000];
    let (_, tuned) = tuning::tune(&context, &Options::quick(), || {
        stir.run((&mut owned,)).unwrap();
        stir.run((&mut borrowed,)).unwrap();
    });
    let elements = tuned.instances.iter().map(|i| i.key.elements.as_str());
    let mut elements: Vec<&str> = elements.collect();
    elements.sort_unstable();
    assert_eq!(elements, ["[f32]", "f32"], "{:?}", tuned.problems);
    let stir = stir.on(Hybrid::tuned());
    // What lies on the device stays there.
    stir.clone().on(Device(0)).run((&mut owned,)).unwrap();
    assert!(took(&context, || stir.run((&mut owned,)).unwrap()) < 10_000.0);
    // At best the CPU has 2 ns for each of x elements, while the device has 8 for each of the others.
    let of_slices = took(&context, || stir.run((&mut borrowed,)).unwrap());
    assert!((150_000.0..=170_000.0).contains(&of_slices), "{of_slices}");
    assert_eq!((owned.host().unwrap()[0], borrowed[0]), (40.0, 13.0));
}

/// What `body` takes in the context's time.
fn took<R>(context: &Context, body: impl FnOnce() -> R) -> f64 {
    let before = context.virtual_ns().unwrap();
    let result = body();
    let ns = context.virtual_ns().unwrap() - before;
    drop(result);
    ns as f64
}

/// The least time over the CPU's share in steps of 5 %; the call works on what lies everywhere.
fn oracle(context: &Context, call: impl Fn(Target)) -> f64 {
    let steps = (0..=20).map(|k| Hybrid::ratio(f64::from(k) / 20.0));
    let times = steps.map(|target| {
        call(target.clone().into());
        took(context, || call(target.into()))
    });
    times.fold(f64::INFINITY, f64::min)
}

#[test]
fn tuned_calls_are_as_fast_as_the_oracle() {
    // Latencies, knees, and unlike units: none of the curves is a line.
    let cpu = Law::per_elem_ns(1.0).latency_ns(500.0).knee(200_000, 2.5);
    let device = Law::per_elem_ns(0.4).latency_ns(30_000.0);
    let context = context(cpu, &[device]);
    let triad = map!(|x: f32, y: f32| x + 3.0 * y).within(context.clone());
    let sizes = [100, 3_000, 50_000, 200_000, 1_000_000];
    let inputs: Vec<_> = sizes
        .iter()
        .map(|n| {
            (
                Vector::from(vec![1.0_f32; *n]),
                Vector::from(vec![2.0_f32; *n]),
            )
        })
        .collect();
    let options = Options::quick();
    let (_, tuned) = tuning::tune(&context, &options, || {
        for (x, y) in &inputs {
            drop(triad.clone().on(Cpu).run((x, y)).unwrap());
        }
    });
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    assert_eq!(tuned.instances.len(), 1);
    assert_eq!(tuned.instances[0].classes.len(), sizes.len());
    for (x, y) in &inputs {
        let call = |target: Target| drop(triad.clone().on(target).run((x, y)).unwrap());
        let best = oracle(&context, call);
        let ours = took(&context, || call(Hybrid::tuned().into()));
        assert!(best >= 0.97 * ours, "{}: {ours} against {best}", x.len());
    }
}

/// What a program takes when it runs again, after it was tuned, and what it takes at best: for all
/// combinations of ratios for two instances.
fn psnr_against_all(device: Law) -> (f64, f64) {
    const N: usize = 400_000;
    let context = context(Law::per_elem_ns(1.0).latency_ns(2_000.0), &[device]);
    let noisy = map!(|x: f32, y: f32| x + 0.1 * y).within(context.clone());
    let squares = map_reduce!(|x: f32, y: f32| (x - y) * (x - y), |a: f32, b: f32| a + b)
        .within(context.clone());
    let program = |map: Target, reduce: Target| {
        // New containers each time: nothing lies on the device yet.
        let x = Vector::from(vec![1.0_f32; N]);
        let y = Vector::from(vec![2.0_f32; N]);
        let z = noisy.clone().on(map).run((&x, &y)).unwrap();
        squares.clone().on(reduce).run((&x, &z)).unwrap()
    };
    let tuned = || program(Hybrid::tuned().into(), Hybrid::tuned().into());
    let (_, found) = tuning::tune(&context, &Options::quick(), tuned);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    assert_eq!(found.instances.len(), 2);
    let mut best = f64::INFINITY;
    for map in 0..=20 {
        for reduce in 0..=20 {
            let ratio = |step: i32| Target::from(Hybrid::ratio(f64::from(step) / 20.0));
            best = best.min(took(&context, || program(ratio(map), ratio(reduce))));
        }
    }
    (took(&context, tuned), best)
}

#[test]
fn instances_that_share_data_are_tuned_together() {
    // Each alone would be shared. Together, what one leaves on the device the other one needs on the host.
    let slow_link = Law::per_elem_ns(0.3)
        .latency_ns(20_000.0)
        .transfers(10_000.0, 0.25);
    let (ours, best) = psnr_against_all(slow_link);
    assert!(best >= 0.97 * ours, "{ours} against {best}");
    // A device that is much faster, and cheap to reach: all of it there.
    let fast_link = Law::per_elem_ns(0.05)
        .latency_ns(5_000.0)
        .transfers(5_000.0, 0.02);
    let (ours, best) = psnr_against_all(fast_link);
    assert!(best >= 0.97 * ours, "{ours} against {best}");
}

#[test]
fn costs_that_depend_on_the_place_are_measured_in_their_place() {
    const N: usize = 300_000;
    // As of a picture whose upper half is quick: the CPU takes more of it than it could of the lower.
    let dense = |x: f64| if x < 0.5 { 0.2 } else { 1.8 };
    let cpu = Law::per_elem_ns(4.0).density(dense);
    let device = Law::per_elem_ns(1.0).latency_ns(10_000.0).density(dense);
    let context = context(cpu, &[device]);
    let picture = map!(|i: Index1| i.i as u32).within(context.clone());
    let call = |target: Target| drop(picture.clone().on(target).run_shaped(N, ()).unwrap());
    let (_, tuned) = tuning::tune(&context, &Options::default(), || call(Cpu.into()));
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    let best = oracle(&context, call);
    let ours = took(&context, || call(Hybrid::tuned().into()));
    assert!(best >= 0.97 * ours, "{ours} against {best}");
}

#[test]
fn unlike_devices_have_unlike_shares() {
    const N: usize = 500_000;
    let devices = [
        Law::per_elem_ns(1.0).latency_ns(5_000.0),
        Law::per_elem_ns(0.25).latency_ns(20_000.0),
        // Never worth its latency.
        Law::per_elem_ns(1.0).latency_ns(10_000_000.0),
    ];
    let context = context(Law::per_elem_ns(2.0), &devices);
    let x = Vector::from(vec![1_u32; N]);
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let call = |target: Target| double.clone().on(target).run((&x,)).unwrap();
    let (_, tuned) = tuning::tune(&context, &Options::quick(), || drop(call(Cpu.into())));
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    let (y, calls) = skel::observe(|| call(Hybrid::tuned().into()));
    assert_eq!(y.host().unwrap()[..], vec![2; N][..]);
    let elems = |unit: &str| {
        let parts = calls[0].parts.iter().filter(|part| part.unit == unit);
        parts.map(|part| part.range.len()).sum::<usize>() as f64
    };
    // In closed form: 2 c = 5000 + d = 20,000 + e / 4, and c + d + e = N.
    let time = (N as f64 + 5_000.0 + 80_000.0) / 5.5;
    assert!((elems("mock 0") - (time - 5_000.0)).abs() < 0.01 * N as f64);
    assert!((elems("mock 1") - 4.0 * (time - 20_000.0)).abs() < 0.01 * N as f64);
    assert_eq!(elems("mock 2"), 0.0);
}

#[test]
fn what_is_tuned_is_left_as_it_was() {
    let device = Mock::named("device").unit().unwrap();
    let context = Context::builder().unit(device).build().unwrap();
    let step = map!(|x: &mut u32| *x += 1).within(context.clone());
    let mut x = Vector::from_fn(10_000, |i| i as u32);
    let sum = reduce!(|a: u32, b: u32| a + b).within(context.clone());
    let prefix = scan!(|a: u32, b: u32| a + b).within(context.clone());
    let (total, _) = tuning::tune(&context, &Options::quick(), || {
        step.run((&mut x,)).unwrap();
        let sums = prefix.run((&x,)).unwrap();
        assert_eq!(sums.host().unwrap()[9_999], (1..=10_000).sum::<u32>());
        sum.run((&x,)).unwrap()
    });
    assert_eq!(total, (1..=10_000).sum::<u32>());
    // Once, not as often as it was measured; and where it was.
    assert_eq!(x.host().unwrap()[..3], [1, 2, 3]);
    let y = Vector::from(vec![1_u32; 5_000]);
    let double = map!(|x: u32| 2 * x).within(context.clone()).on(Cpu);
    let (_, tuned) = tuning::tune(&context, &Options::quick(), || {
        drop(double.run((&y,)).unwrap())
    });
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    assert_eq!(
        format!("{y:?}"),
        format!("{:?}", Vector::from(vec![1_u32; 5_000]))
    );
}

#[test]
fn a_device_that_computes_something_else_is_left_out() {
    let liar = (1..1000).fold(Mock::named("liar"), |mock, n| mock.lies(n));
    let liar = liar.unit().unwrap();
    let context = Context::builder().unit(liar).build().unwrap();
    let double = map!(|x: u32| 2 * x).within(context.clone()).on(Cpu);
    let x = Vector::from(vec![1_u32; 5_000]);
    let (_, tuned) = tuning::tune(&context, &Options::quick(), || {
        drop(double.run((&x,)).unwrap())
    });
    assert!(
        tuned.problems[0].contains("mock:liar#0"),
        "{:?}",
        tuned.problems
    );
    let class = &tuned.instances[0].classes[0];
    assert!(class.units.iter().all(|unit| !unit.unit.is_device()));
}

#[test]
fn models_of_devices_that_are_not_there_are_of_no_harm() {
    let device = Mock::named("device")
        .law(Law::per_elem_ns(0.1))
        .unit()
        .unwrap();
    let context = Context::builder().unit(device).build().unwrap();
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let x = Vector::from(vec![1_u32; 5_000]);
    let (_, tuned) = tuning::tune(&context, &Options::quick(), || {
        drop(double.clone().on(Cpu).run((&x,)).unwrap());
    });
    // The same models on a machine without the device.
    let alone = Context::builder().build().unwrap();
    tuned.install(&alone);
    let y = double.within(alone).on(Hybrid::tuned()).run((&x,)).unwrap();
    assert_eq!(y.host().unwrap()[..], vec![2; 5_000][..]);
}

#[test]
fn time_that_is_over_after_the_first_runs_leaves_a_model() {
    let context = context(Law::per_elem_ns(3.0), &[Law::per_elem_ns(1.0)]);
    let square = map!(|x: f32| x * x).within(context.clone());
    let x = Vector::from(vec![1.0_f32; 100_000]);
    let mut options = Options::quick();
    // So many runs are never made.
    options.samples = 10_000_000..=10_000_000;
    let call = || drop(square.clone().on(Hybrid::tuned()).run((&x,)).unwrap());
    // A machine that has much else to do makes too few runs in little time.
    let found = [300, 3_000, 30_000].into_iter().find(|budget_ms| {
        options.budget = Duration::from_millis(*budget_ms);
        let (_, tuned) = tuning::tune(&context, &options, call);
        assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
        tuned.instances[0].classes[0].verdict() == skel::model::Verdict::Good
    });
    assert!(found.is_some());
    // 3 c = d, of 100,000.
    assert!(took(&context, call) <= 76_500.0);
}

#[test]
fn calls_of_other_sizes_of_a_class_do_not_mix_with_its_runs() {
    let context = context(Law::per_elem_ns(3.0), &[Law::per_elem_ns(1.0)]);
    let square = map!(|x: f32| x * x).within(context.clone());
    let inputs = [100_000, 101_000].map(|n| Vector::from(vec![1.0_f32; n]));
    let mut options = Options::quick();
    options.samples = 10_000_000..=10_000_000;
    options.budget = Duration::from_millis(300);
    let (_, tuned) = tuning::tune(&context, &options, || {
        for x in inputs.iter().cycle().take(6) {
            drop(square.run((x,)).unwrap());
        }
    });
    let class = &tuned.instances[0].classes[0];
    assert_eq!(class.elems, 100_000);
    let sums = class
        .measured
        .iter()
        .map(|m| m.shares.iter().map(|(_, share)| share).sum::<f64>());
    assert!(
        sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-6),
        "{class:?}"
    );
}
