//! Steps over uneven items on cores and devices: the same results whichever unit computes what, and what goes wrong.

use crate::virtual_machine;
use skel::{
    Context, Error,
    mock::{Law, Mock, Operation},
    prelude::*,
    tasks::{Steps, distribution},
};
use std::sync::Mutex;

fn with_device(mock: Mock) -> Context {
    let builder = Context::builder().unit(mock.unit().unwrap());
    builder.build().unwrap()
}

fn items(n: usize) -> Vec<Vector<f32>> {
    let len = |k: usize| 50 + 37 * (k % 5);
    (0..n)
        .map(|k| Vector::from_fn(len(k), move |i| (k * i) as f32 * 0.01))
        .collect()
}

fn values(items: &[Vector<f32>]) -> Vec<Vec<f32>> {
    let host = |item: &Vector<f32>| item.host().unwrap().to_vec();
    items.iter().map(host).collect()
}

/// What three steps make of the items, by a plain loop.
fn expected(n: usize) -> Vec<Vec<f32>> {
    let mut all = values(&items(n));
    for x in all.iter_mut().flatten() {
        for _ in 0..3 {
            *x = 0.75 * *x + 1.0;
        }
    }
    all
}

/// The program's own errors, and those of calls that a step has nothing to do with.
#[test]
fn errors_are_of_the_items_that_give_them() {
    let context = with_device(Mock::named("one"));
    let inverse = map!(|x: i32| 12 / x).within(context.clone());
    // It returns before the device is done.
    let there = Vector::from([1, 2, 3]);
    inverse.clone().on(Device(0)).run((&there,)).unwrap();
    let early = inverse.clone().on(Device(0)).run((&Vector::from([0]),));
    let mut steps = Steps::parse(&context, "1x1+1", "static").unwrap();
    steps.run(&mut [1, 2, 3], |_, _| Ok(())).unwrap();
    assert!(early.is_ok());
    // Nor does another error hide it.
    assert!(inverse.clone().on(Cpu).run((&[0],)).is_err());
    let found = context.sync();
    assert!(
        matches!(found, Err(Error::Trap { index: Some(0), .. })),
        "{found:?}"
    );
    assert!(context.sync().is_ok());

    let failed = steps.run(&mut [1, 2, 3], |item, _| match item {
        2 => Err(Error::other("it has no mass")),
        _ => Ok(()),
    });
    let failed = failed.map(|_| ()).unwrap_err();
    assert!(
        matches!(
            failed,
            Error::Item {
                item: 1,
                others: 0,
                ..
            }
        ),
        "{failed:?}"
    );
    assert_eq!(failed.root_cause().to_string(), "it has no mass");
    assert!(matches!(failed.root_cause(), Error::Other(_)));
}

#[test]
fn results_are_the_same_to_the_bit_under_all_schemes_and_units() {
    let context = Context::builder()
        .unit(Mock::named("one").unit().unwrap())
        .unit(Mock::named("two").unit().unwrap())
        .build()
        .unwrap();
    let step = map!(|x: &mut f32| *x = 0.75 * *x + 1.0).within(context.clone());
    for scheme in distribution::names() {
        for units in ["1x1", "2x1+1", "1x3+2", "0x1+2"] {
            let mut steps = Steps::parse(&context, units, scheme).unwrap();
            let mut all = items(13);
            for _ in 0..3 {
                let report = steps.run(&mut all, |item, _| step.run((item,))).unwrap();
                assert!(report.failed().is_empty());
            }
            assert_eq!(values(&all), expected(13), "{scheme} {units}");
        }
    }
}

#[test]
fn calls_run_on_the_unit_that_has_the_item_whatever_they_ask_for() {
    let context = with_device(Mock::named("device"));
    let twice = map!(|x: f32| 2.0 * x).within(context.clone());
    let mut steps = Steps::parse(&context, "2x3+1", "static").unwrap();
    let seen = Mutex::new(Vec::new());
    let x = Vector::from_fn(100_000, |i| i as f32);
    let (result, calls) = skel::observe(|| {
        steps.run(&mut [0; 6], |_, unit| {
            for target in [Target::Auto, Target::Sequential, Target::Cpu] {
                let (y, calls) = skel::observe(|| twice.clone().on(target).run((&x,)));
                y?;
                let mut parts = calls[0].parts.iter();
                assert!(parts.all(|part| part.unit_index == calls[0].parts[0].unit_index));
                let at = calls[0].parts[0].unit_index;
                seen.lock().unwrap().push((unit, at));
            }
            Ok(())
        })
    });
    result.unwrap();
    assert!(calls.is_empty(), "items are none of the caller's calls");
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 18);
    for (unit, at) in seen {
        // The cores are 1, the device 2.
        assert_eq!(at, if unit.is_device { 2 } else { 1 });
        assert_eq!(unit.cores, if unit.is_device { 1 } else { 3 });
    }
}

/// On every thread of the unit, not only that of the closure.
#[test]
fn calls_that_rayon_moves_within_a_unit_stay_on_it() {
    let context = with_device(Mock::named("device"));
    let twice = map!(|x: f32| 2.0 * x).within(context.clone());
    let mut steps = Steps::parse(&context, "1x3", "static").unwrap();
    let x = Vector::from_fn(1000, |i| i as f32);
    steps
        .run(&mut [()], |(), _| {
            let all = rayon::broadcast(|_| {
                let (y, calls) = skel::observe(|| twice.clone().on(Device(0)).run((&x,)));
                y.map(|_| calls[0].parts[0].unit_index)
            });
            assert_eq!(all.len(), 3);
            for at in all {
                // The device would be 2.
                assert_eq!(at?, 1);
            }
            Ok(())
        })
        .unwrap();
}

/// Errors that panic when they are looked at: what fails is their item.
#[test]
fn errors_that_panic_hang_no_step() {
    #[derive(Debug)]
    struct Bad;
    impl std::fmt::Display for Bad {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("bad")
        }
    }
    impl std::error::Error for Bad {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            panic!("asked for its source")
        }
    }
    let context = with_device(Mock::named("device").vanishes(Operation::Launch, 1));
    let step = map!(|x: f32| 0.75 * x + 1.0).within(context.clone());
    let steps = Steps::parse(&context, "1x1+1", "static").unwrap();
    let mut steps = steps.repeatable();
    let report = steps.run(&mut items(8), |item, unit| {
        if unit.is_device {
            let _lost = step.run((&*item,));
            return Err(Error::other(Bad));
        }
        Ok(())
    });
    assert!(report.is_err());
    assert!(!steps.failures().is_empty());
}

#[test]
fn what_a_lost_device_has_not_begun_is_computed_by_others() {
    for launch in 1..5 {
        let context = with_device(Mock::named("device").vanishes(Operation::Launch, launch));
        let step = map!(|x: f32| 0.75 * x + 1.0).within(context.clone());
        let mut steps = Steps::parse(&context, "1x1+1", "static")
            .unwrap()
            .repeatable();
        let mut all = items(8);
        for k in 0..3 {
            let mut next: Vec<(&Vector<f32>, Vec<f32>)> =
                all.iter().map(|item| (item, Vec::new())).collect();
            let report = steps.run(&mut next, |(from, to), _| {
                *to = step.run((*from,))?.host()?.to_vec();
                Ok(())
            });
            let report = report.unwrap();
            if k > 0 || launch < 4 {
                assert_eq!(report.lost, [1], "launch {launch}, step {k}");
            }
            if k > 0 && launch < 4 {
                assert_eq!(report.items(0).count(), 8, "launch {launch}, step {k}");
            }
            let next: Vec<Vector<f32>> = next.into_iter().map(|(_, to)| to.into()).collect();
            all = next;
        }
        assert_eq!(values(&all), expected(8), "launch {launch}");
    }
}

#[test]
fn items_whose_data_is_lost_with_the_device_are_reported_and_no_others() {
    let context = with_device(Mock::named("device").vanishes(Operation::Download, 1));
    let step = map!(|x: f32| 0.75 * x + 1.0).within(context.clone());
    for is_repeatable in [false, true] {
        let context = match is_repeatable {
            false => context.clone(),
            true => with_device(Mock::named("device").vanishes(Operation::Download, 1)),
        };
        let step = step.clone().within(context.clone());
        // What the device has at once is lost at once.
        let steps = Steps::parse(&context, "1x1+1", "static").unwrap();
        let mut steps = steps.ahead(1).unwrap();
        if is_repeatable {
            steps = steps.repeatable();
        }
        let x = Vector::from_fn(100, |i| i as f32);
        let mut sums = [0.0_f32; 6];
        let done = steps.run(&mut sums, |sum, _| {
            *sum = step.run((&x,))?.host()?.iter().sum();
            Ok(())
        });
        let whole = (0..100).map(|i| 0.75 * i as f32 + 1.0).sum::<f32>();
        match (done.map(drop), is_repeatable) {
            (Ok(()), true) => assert_eq!(sums, [whole; 6]),
            (Err(error), false) => {
                // The device had items 3 to 5, and has lost the first of them.
                assert!(
                    matches!(
                        error,
                        Error::Item {
                            item: 3,
                            others: 0,
                            ..
                        }
                    ),
                    "{error:?}"
                );
                assert!(
                    matches!(error.root_cause(), Error::DeviceLost { .. }),
                    "{error:?}"
                );
                assert_eq!(sums, [whole, whole, whole, 0.0, whole, whole]);
            }
            (done, _) => panic!("{is_repeatable}: {done:?}"),
        }
        assert_eq!(steps.last().unwrap().lost, [1]);
    }
}

#[test]
fn without_units_items_are_reported_and_nothing_hangs() {
    let context = with_device(Mock::named("device").vanishes(Operation::Download, 2));
    let step = map!(|x: f32| x + 1.0).within(context.clone());
    let steps = Steps::parse(&context, "0x1+1", "dynamic").unwrap();
    let mut steps = steps.ahead(1).unwrap();
    let x = Vector::from([1.0_f32; 10]);
    let mut sums = [0.0_f32; 5];
    let f = |sum: &mut f32, _| {
        *sum = step.run((&x,))?.host()?.iter().sum();
        Ok(())
    };
    let error = steps.run(&mut sums, f).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Item {
                item: 1,
                others: 3,
                ..
            }
        ),
        "{error:?}"
    );
    assert!(
        steps
            .failures()
            .iter()
            .all(|(_, error)| matches!(error.root_cause(), Error::DeviceLost { .. }))
    );
    assert_eq!(sums, [20.0, 0.0, 0.0, 0.0, 0.0]);
    let error = steps.run(&mut sums, f).unwrap_err();
    assert!(matches!(error, Error::DeviceLost { .. }), "{error:?}");
}

/// Calls return before their device is done, and the item fails all the same.
#[test]
fn a_trap_on_a_device_is_its_items() {
    let context = with_device(Mock::named("device"));
    let divide = map!(|a: u32, b: u32| a / b).within(context.clone());
    let mut steps = Steps::parse(&context, "0x1+1", "static").unwrap();
    let ones = Vector::from([1_u32; 4]);
    let mut all: Vec<Vector<u32>> = (0..4).map(|k| Vector::from([1, 2, k, 1])).collect();
    let step = |item: &mut Vector<u32>, _| {
        *item = divide.run((&ones, &*item))?;
        Ok(())
    };
    let error = steps.run(&mut all, step).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Item {
                item: 0,
                others: 0,
                ..
            }
        ),
        "{error:?}"
    );
    assert!(
        matches!(error.root_cause(), Error::Trap { index: Some(2), .. }),
        "{error:?}"
    );
    assert!(steps.last().unwrap().lost.is_empty());
    assert_eq!(all[3].host().unwrap()[..], [1, 0, 0, 1]);
}

/// A core that takes three times as long as the device: 4 and 12 of 16 items, in the end.
#[test]
fn virtual_time_has_closed_forms() {
    let (slow, fast) = (Law::per_elem_ns(3.0), Law::per_elem_ns(1.0));
    let context = virtual_machine::machine(slow.clone(), slow, &[fast]);
    let step = map!(|x: &mut f32| *x = 0.75 * *x + 1.0).within(context.clone());
    let mut all: Vec<Vector<f32>> = (0..16).map(|_| Vector::from([0.0; 1000])).collect();
    for (scheme, count, makespan_ns) in [
        ("static", 8, 24_000),
        ("static-pcf,pcf=3", 4, 12_000),
        ("static-pcf", 4, 12_000),
        ("dynamic", 4, 12_000),
        ("guided-runtime", 4, 12_000),
        ("clustered-guided", 4, 12_000),
        ("clustered-guided,variant=paper", 3, 13_000),
    ] {
        let mut steps = Steps::parse(&context, "1x1+1", scheme).unwrap();
        assert!(!steps.is_steady());
        let run = |steps: &mut Steps, all: &mut [Vector<f32>]| {
            let report = steps.run(all, |item, _| step.run((item,))).unwrap();
            (report.items(0).count(), report.makespan_ns)
        };
        for _ in 0..30 {
            if !steps.is_steady() {
                run(&mut steps, &mut all);
            }
        }
        assert_eq!(run(&mut steps, &mut all), (count, makespan_ns), "{scheme}");
    }
}

/// The same with a device that is lost, on one thread.
#[test]
fn a_device_is_lost_in_virtual_time() {
    let law = || Law::per_elem_ns(1.0);
    let mock = Mock::named("device").law(law()).virtual_time();
    let mock = mock.vanishes(Operation::Launch, 3);
    let context = Context::builder()
        .virtual_time(law(), law())
        .unit(mock.unit().unwrap())
        .build()
        .unwrap();
    let step = map!(|x: f32| 0.75 * x + 1.0).within(context.clone());
    let mut steps = Steps::parse(&context, "1x1+1", "static").unwrap();
    let mut all = items(8);
    for _ in 0..3 {
        let report = steps.run(&mut all, |item, _| {
            let next = step.run((&*item,))?.host()?.to_vec();
            *item = next.into();
            Ok(())
        });
        assert_eq!(report.unwrap().lost, [1]);
    }
    assert_eq!(values(&all), expected(8));
}
