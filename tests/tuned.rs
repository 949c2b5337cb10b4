//! Tuning on mock devices, in their own time: what is chosen, against a sweep of all ratios.

use skel::{
    Context, Vector,
    mock::{Law, Mock},
    prelude::*,
    tuning::{self, Options},
};

fn context(cpu: Law, devices: &[Law]) -> Context {
    let mut builder = Context::builder().virtual_time(cpu, Law::per_elem_ns(10.0));
    for (k, law) in devices.iter().enumerate() {
        let mock = Mock::named(format!("mock {k}"))
            .law(law.clone())
            .virtual_time();
        builder = builder.unit(mock.unit().unwrap());
    }
    builder.build().unwrap()
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
