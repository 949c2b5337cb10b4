//! What goes wrong while calls are measured is the program's affair as before.
#![allow(
    unsafe_code,
    reason = "texts for devices compute from their parameters alone"
)]

use skel::{
    Context, Error, Vector,
    mock::{Law, Mock},
    model::{Quality, Reason},
    prelude::*,
    tuning::{self, Options},
};
use std::{
    sync::{Arc, Barrier},
    time::Duration,
};

fn with_device() -> Context {
    let device = Mock::named("device").unit().unwrap();
    Context::builder().unit(device).build().unwrap()
}

#[test]
fn reductions_on_a_named_device_are_measured_too() {
    let context = with_device();
    let x = Vector::from(vec![1_u32; 5_000]);
    let sum = reduce!(|a: u32, b: u32| a + b)
        .within(context.clone())
        .on(Device(0));
    let (total, tuned) = tuning::tune(&context, &Options::quick(), || sum.run((&x,)));
    assert_eq!(total.unwrap(), 5_000);
    assert_eq!(tuned.instances.len(), 1, "{:?}", tuned.problems);
}

#[test]
fn what_is_changed_in_place_is_measured_from_the_same_values_each_time() {
    let context = with_device();
    // Once, it goes well. The sixth time in place it would be a division by zero.
    let down = map!(|x: &mut u32| *x = *x * *x / *x - 1)
        .within(context.clone())
        .on(Cpu);
    let mut x = Vector::from(vec![5_u32; 10_000]);
    let (done, tuned) = tuning::tune(&context, &Options::quick(), || down.run((&mut x,)));
    done.unwrap();
    assert_eq!(x.host().unwrap()[0], 4);
    context.sync().unwrap();
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    let class = &tuned.instances[0].classes[0];
    assert!(class.units.iter().any(|unit| unit.unit.is_device()));
    // Whole calls as well.
    assert!(!class.measured.is_empty() && class.verified().is_some());
}

#[test]
fn an_error_that_a_copy_was_told_is_told_the_program() {
    let context = with_device();
    let inverse = map!(|x: u32| 12 / x).within(context.clone()).on(Device(0));
    let mut values = vec![1_u32; 1_000];
    values[900] = 0;
    let y = inverse.run((&Vector::from(values),)).unwrap();
    let double = map!(|x: u32| 2 * x).within(context.clone()).on(Cpu);
    // What it reads is well; a copy of all of it is not.
    let (z, _) = tuning::tune(&context, &Options::quick(), || double.run((y.part(..100),)));
    assert!(
        z.is_err()
            || matches!(
                context.sync(),
                Err(Error::Trap {
                    index: Some(900),
                    ..
                })
            )
    );
    assert!(context.sync().is_ok());
}

#[test]
fn nothing_is_measured_of_no_elements() {
    let context = with_device();
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let mut options = Options::quick();
    options.elems = 0..=usize::MAX;
    let none = Vector::from(Vec::<u32>::new());
    let (y, tuned) = tuning::tune(&context, &options, || double.run((&none,)));
    assert!(y.unwrap().is_empty());
    assert!(tuned.instances.is_empty());
    for n in [1, 2] {
        let x = Vector::from(vec![1_u32; n]);
        let (y, tuned) = tuning::tune(&context, &options, || double.run((&x,)));
        assert_eq!(y.unwrap().host().unwrap()[..], vec![2; n][..]);
        // One size is no curve: such a model splits nothing.
        let class = &tuned.instances[0].classes[0];
        assert!(
            class
                .units
                .iter()
                .all(|unit| unit.fit.quality != Quality::Good)
        );
        let y = double.clone().on(Hybrid::tuned()).run((&x,)).unwrap();
        assert_eq!(y.host().unwrap()[..], vec![2; n][..]);
    }
}

#[test]
fn weak_fits_split_nothing() {
    let device = Mock::named("device")
        .law(Law::per_elem_ns(1.0))
        .virtual_time();
    let context = Context::builder()
        .unit(device.unit().unwrap())
        .virtual_time(Law::per_elem_ns(1.0), Law::per_elem_ns(5.0))
        .build()
        .unwrap();
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let x = Vector::from(vec![1_u32; 100_000]);
    let (_, mut tuned) = tuning::tune(&context, &Options::quick(), || {
        drop(double.clone().on(Cpu).run((&x,)).unwrap());
    });
    let parts = || {
        let (_, calls) = skel::observe(|| double.clone().on(Hybrid::tuned()).run((&x,)).unwrap());
        calls[0].parts.len()
    };
    assert_eq!(parts(), 2);
    for class in &mut tuned.instances[0].classes {
        class.best = None;
        for unit in class.units.iter_mut().filter(|unit| unit.unit.is_device()) {
            unit.fit.quality = Quality::Weak(Reason::Residuals);
        }
    }
    tuned.install(&context);
    assert_eq!(parts(), 1);
}

#[test]
fn sessions_of_two_threads_end_each_for_itself() {
    let context = with_device();
    let x = Vector::from(vec![1_u32; 5_000]);
    let steps: Vec<Arc<Barrier>> = (0..2).map(|_| Arc::new(Barrier::new(2))).collect();
    std::thread::scope(|scope| {
        // Begins first, and ends first.
        scope.spawn(|| {
            tuning::tune(&context, &Options::quick(), || {
                steps[0].wait();
            });
            steps[1].wait();
        });
        scope.spawn(|| {
            steps[0].wait();
            tuning::tune(&context, &Options::quick(), || steps[1].wait());
        });
    });
    let before = context.traffic();
    let double = map!(|x: u32| 2 * x).within(context.clone()).on(Cpu);
    drop(double.run((&x,)).unwrap());
    let moved = context.traffic() - before;
    assert_eq!((moved.uploaded_bytes, moved.downloaded_bytes), (0, 0));
}

#[test]
fn bodies_that_may_do_anything_are_run_as_often_as_the_program_says() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    #[user_function(unsafe(wgsl = "return x + 1u;", cuda = "return x + 1;"))]
    fn counts(x: u32) -> u32 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        x + 1
    }
    #[user_function(unsafe(wgsl = "return x + 1u;", cuda = "return x + 1;"), pure)]
    fn computes(x: u32) -> u32 {
        x + 1
    }
    let context = Context::builder().build().unwrap();
    let x = Vector::from(vec![1_u32; 100]);
    let (counting, computing) = (map!(counts), map!(computes));
    let (_, tuned) = tuning::tune(&context, &Options::quick(), || {
        let counting = counting.within(context.clone());
        for _ in 0..3 {
            drop(counting.run((&x,)).unwrap());
        }
        drop(computing.within(context.clone()).run((&x,)).unwrap());
    });
    assert_eq!(CALLS.load(Ordering::Relaxed), 300);
    // Said once, however often it is called.
    assert_eq!(tuned.problems.len(), 1, "{:?}", tuned.problems);
    assert_eq!(tuned.instances.len(), 1);
    assert!(tuned.problems[0].contains("pure"), "{:?}", tuned.problems);
}

#[test]
fn a_budget_that_is_too_short_is_answered_with_one_that_would_do() {
    #[user_function(unsafe(wgsl = "return x;", cuda = "return x;"), pure)]
    fn slow(x: u32) -> u32 {
        std::thread::sleep(Duration::from_millis(1));
        x
    }
    let context = Context::builder().build().unwrap();
    let slow = map!(slow).within(context.clone());
    let x = Vector::from(vec![1_u32; 1600]);
    // To find devices may take longer than the budget, which would be over before the call then.
    let _found = context.fingerprint();
    let mut options = Options::quick();
    // The first call takes longer.
    options.budget = Duration::from_millis(60);
    let (_, tuned) = tuning::tune(&context, &options, || drop(slow.run((&x,)).unwrap()));
    assert!(tuned.instances.is_empty());
    let said = tuned.problems.concat();
    let (_, budget) = said
        .split_once("a budget of ")
        .unwrap_or_else(|| panic!("{said}"));
    let (seconds, rest) = budget.split_once(' ').expect("a number");
    assert_eq!(rest, "s would do");
    assert!(seconds.parse::<u64>().is_ok_and(|s| s > 0), "{said}");
}
