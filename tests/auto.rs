//! Where calls run by default, and what the environment says.

use skel::{
    Context, Error,
    mock::{Law, Load, Mock},
    prelude::*,
    unit::UnitKind,
};
use std::{io::Write, process::Command, time::Duration};

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn slow(x: u32) -> u32 {
    let mut y = x;
    for i in 0..2000 {
        y = y ^ (y << 5) ^ (y >> 3) ^ i;
    }
    y
}

/// The unit that runs a call.
fn runs_on(run: impl FnOnce()) -> String {
    let ((), calls) = skel::observe(run);
    calls[0].parts[0].unit.clone()
}

fn gpu(takes: Duration) -> Context {
    let gpu = Mock::named("gpu")
        .kind(UnitKind::DiscreteGpu)
        .takes(move |_| takes);
    Context::builder()
        .unit(gpu.unit().unwrap())
        .build()
        .unwrap()
}

/// A context in whose virtual time an element takes the CPU so long, and the GPU is by this law.
fn in_virtual_time(cpu_ns: f64, gpu: Law) -> Context {
    let cpu = Law::per_elem_ns(cpu_ns);
    let gpu = Mock::named("gpu").kind(UnitKind::DiscreteGpu).law(gpu);
    Context::builder()
        .unit(gpu.virtual_time().unit().unwrap())
        .virtual_time(cpu.clone(), cpu)
        .build()
        .unwrap()
}

#[test]
fn the_gpu_is_chosen_when_it_was_measured_faster() {
    let x = Vector::from_fn(1 << 14, |i| i as u32);
    let f = map!(double).within(in_virtual_time(1e4, Law::per_elem_ns(1.0)));
    let units: Vec<String> = (0..6)
        .map(|_| runs_on(|| drop(f.run((&x,)).unwrap())))
        .collect();
    assert!(
        !units[..2].contains(&"gpu".into()),
        "two calls are on the CPU"
    );
    assert_eq!(units[2..], ["gpu", "gpu", "gpu", "gpu"]);
}

#[test]
fn the_cpu_is_chosen_when_it_was_measured_faster() {
    let x = Vector::from(vec![3_u32; 1 << 16]);
    let f = map!(double).within(in_virtual_time(1.0, Law::per_elem_ns(0.1).latency_ns(1e9)));
    let units: Vec<String> = (0..7)
        .map(|_| runs_on(|| drop(f.run((&x,)).unwrap())))
        .collect();
    assert!(
        !units[..2].contains(&"gpu".into()),
        "two calls are on the CPU"
    );
    assert_eq!(units[2..4], ["gpu", "gpu"], "two calls try the GPU");
    assert_eq!(units[4..], vec![units[0].clone(); 3], "the CPU was faster");
}

/// A GPU that is busy with something else when it is first tried is not left for good.
#[test]
fn what_was_slower_is_tried_again() {
    let load = Load::new();
    load.set(20.0);
    let gpu = Law::per_elem_ns(1.0).under(&load);
    let context = in_virtual_time(10.0, gpu);
    let f = map!(double).within(context);
    let x = Vector::from(vec![3_u32; 1 << 14]);
    let runs = |count: usize| {
        let units = (0..count).map(|_| runs_on(|| drop(f.run((&x,)).unwrap())));
        units.filter(|unit| unit == "gpu").count()
    };
    assert_eq!(runs(20), 2, "it is slow");
    load.set(1.0);
    let later = runs(400);
    assert!(later > 200, "{later} of 400 calls");
}

/// Closures of one module have one name.
#[test]
fn closures_of_one_module_are_judged_apart() {
    let context = in_virtual_time(10.0, Law::per_elem_ns(1.0).latency_ns(1e5));
    let f = map!(|x: u32| 2 * x).within(context.clone());
    let g = map!(|x: u32| 3 * x).within(context);
    let x = Vector::from(vec![3_u32; 1 << 14]);
    let is_on_gpu = |run: &dyn Fn()| runs_on(run) == "gpu";
    for call in 0..8 {
        let units = [
            is_on_gpu(&|| drop(f.run((&x,)).unwrap())),
            is_on_gpu(&|| drop(g.run((&x,)).unwrap())),
        ];
        assert_eq!(units, [call >= 2; 2], "call {call}: each is tried twice");
    }
}

#[test]
fn data_on_the_gpu_is_computed_there() {
    let context = gpu(Duration::ZERO);
    let f = map!(slow).within(context);
    let x = f
        .clone()
        .on(Device(0))
        .run((&vec![3_u32; 1 << 13],))
        .unwrap();
    assert_eq!(runs_on(|| drop(f.run((&x,)).unwrap())), "gpu");
    assert_ne!(
        runs_on(|| drop(f.run((&vec![3_u32; 1 << 13],)).unwrap())),
        "gpu"
    );
}

#[test]
fn few_elements_of_what_is_on_a_gpu_are_computed_there() {
    let gpu = |name: &'static str| {
        let mock = Mock::named(name).kind(UnitKind::DiscreteGpu);
        mock.unit().unwrap()
    };
    let builder = Context::builder().unit(gpu("one")).unit(gpu("two"));
    let context = builder.build().unwrap();
    let f = map!(double).within(context.clone());
    let on = |device| {
        let x = Matrix::from_vec(100, 100, vec![3_u32; 10_000]).unwrap();
        f.clone().on(Device(device)).run((&x,)).unwrap()
    };
    let (mut x, y) = (on(0), on(1));
    let before = context.traffic();
    // A row that is read, of one and of the other; one that is written from there, which comes by itself.
    let mut row = Matrix::filled(1, 100, 0);
    assert_eq!(
        runs_on(|| f.run_into((x.part(3..4, ..),), &mut row).unwrap()),
        "one"
    );
    assert_eq!(
        runs_on(|| f.run_into((y.part(3..4, ..),), &mut row).unwrap()),
        "two"
    );
    assert_eq!(
        runs_on(|| f.run_into((&row,), x.part_mut(5..6, ..)).unwrap()),
        "one"
    );
    let moved = context.traffic() - before;
    assert_eq!([moved.uploaded_bytes, moved.downloaded_bytes], [400; 2]);
    assert_eq!(x.host().unwrap()[500..502], [24, 24]);
    // Back on the host, it is few elements again.
    assert_ne!(
        runs_on(|| f.run_into((x.part(3..4, ..),), &mut row).unwrap()),
        "one"
    );
}

#[test]
fn a_context_without_devices_says_that_it_was_built_so() {
    let context = Context::builder().build().unwrap();
    for target in [Target::from(Device(0)), Cuda.into(), Wgpu.into()] {
        let f = map!(double).within(context.clone()).on(&target);
        match f.run((&[1_u32],)).map(drop) {
            Err(Error::NoDevice { reason, .. }) => {
                assert!(
                    reason.contains("built without a device"),
                    "{target}: {reason}"
                );
            }
            other => panic!("{target}: {other:?}"),
        }
    }
}

#[test]
fn few_elements_stay_on_the_cpu() {
    let f = map!(double).within(gpu(Duration::ZERO));
    for _ in 0..5 {
        assert_ne!(runs_on(|| drop(f.run((&[1_u32; 100],)).unwrap())), "gpu");
    }
}

/// What the tests below run in a process of its own.
#[test]
fn child() {
    if std::env::var_os("SKEL_TEST_CHILD").is_none() {
        return;
    }
    match map!(double)
        .on(Cpu)
        .run((&[21_u32],))
        .and_then(|y| Ok(y.host()?[0]))
    {
        Ok(y) => println!(
            "result {y}, on {}",
            runs_on(|| drop(map!(double).run((&[1_u32],))))
        ),
        Err(error) => println!("error {error:?}"),
    }
}

fn with_backend(backend: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["auto::child", "--exact", "--nocapture"])
        .env("SKEL_TEST_CHILD", "1")
        .env("SKEL_BACKEND", backend)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_environment_overrides_the_program() {
    assert!(with_backend("seq").contains("result 42"));
    assert!(with_backend("").contains("result 42"));
    let said = with_backend("device:99");
    assert!(said.contains(": no device `device:99`"), "{said}");
    assert!(said.contains("error SKEL_BACKEND is `device:99`"), "{said}");
    let said = with_backend("nonsense");
    assert!(said.contains(": unknown backend `nonsense`"), "{said}");
    assert!(said.contains("error SKEL_BACKEND is `nonsense`"), "{said}");
    let said = with_backend("hybrid:2");
    assert!(
        said.contains(": partition ratio: 2 is not a number from 0 to 1")
            && said.contains("error SKEL_BACKEND is `hybrid:2`"),
        "{said}"
    );
    // Without any device, shares of devices are those of absent ones, however many.
    if !with_backend("device:0").contains("result 42") {
        let test = "a list of too many shares";
        writeln!(std::io::stderr(), "skipped: {test}: there is no device").expect("stderr is open");
        return;
    }
    let said = with_backend("hybrid:[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]");
    assert!(
        said.contains(": partition shares: a list of 6")
            && said.contains("error SKEL_BACKEND is `hybrid:[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]`"),
        "{said}"
    );
}

/// Rows that are long are much work, however few they are; and short ones say nothing of long ones.
#[test]
fn folds_of_rows_count_by_what_they_fold() {
    let sums = || {
        reduce!(|a: u32, b: u32| a + b)
            .rows()
            .within(in_virtual_time(
                100.0,
                Law::per_elem_ns(1.0).latency_ns(1000.0),
            ))
    };
    let long = Matrix::filled(64, 20_000, 1_u32);
    let f = sums();
    let units: Vec<String> = (0..5)
        .map(|_| runs_on(|| drop(f.run((&long,)).unwrap())))
        .collect();
    assert!(!units[..2].contains(&"gpu".into()));
    assert_eq!(units[2..], ["gpu", "gpu", "gpu"]);

    let f = sums();
    let short = Matrix::filled(5000, 1, 1_u32);
    let long = Matrix::filled(5000, 300, 1_u32);
    for _ in 0..4 {
        f.run((&short,)).unwrap();
    }
    let units: Vec<String> = (0..5)
        .map(|_| runs_on(|| drop(f.run((&long,)).unwrap())))
        .collect();
    assert_eq!(units[2..], ["gpu", "gpu", "gpu"]);
}
