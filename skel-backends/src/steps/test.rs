//! Steps without skeleton calls: what is computed where, and what goes wrong.

use super::Steps;
use crate::Context;
use skel_core::{Error, Result};
use skel_tasks::TaskError;
use std::sync::atomic::{AtomicUsize, Ordering};

fn steps(units: &str, scheme: &str) -> Steps {
    let context = Context::builder().build().unwrap();
    Steps::parse(&context, units, scheme).unwrap()
}

const SCHEMES: [&str; 6] = [
    "static",
    "dynamic,steps=2",
    "static-pcf",
    "guided-sizes,variant=paper",
    "guided-runtime",
    "clustered-guided",
];

#[test]
fn each_item_once_per_step_and_results_do_not_depend_on_the_scheme() {
    for scheme in SCHEMES {
        for units in ["1x1", "3x1", "2x2"] {
            let mut steps = steps(units, scheme);
            let mut items: Vec<u64> = (0..17).collect();
            for step in 0..8 {
                let report = steps.run(&mut items, |item, unit| {
                    assert!(!unit.is_device);
                    assert_eq!(rayon::current_num_threads(), unit.cores);
                    *item += 100;
                    Ok(())
                });
                let report = report.unwrap();
                assert_eq!(
                    (report.step, report.runs.len()),
                    (step, 17),
                    "{scheme} {units}"
                );
                assert!(
                    report
                        .runs
                        .iter()
                        .all(|run| run.begin_ns + run.took_ns <= report.makespan_ns)
                );
            }
            assert_eq!(items, (800..817).collect::<Vec<_>>(), "{scheme} {units}");
        }
    }
}

fn add<T: std::ops::AddAssign>(item: &mut T, more: T) -> Result<()> {
    *item += more;
    Ok(())
}

#[test]
fn no_items_one_item_and_other_numbers_of_items() {
    for scheme in SCHEMES {
        let mut steps = steps("2x1", scheme);
        for n in [0, 1, 5, 5, 0, 40] {
            let mut items = vec![0_u8; n];
            let report = steps.run(&mut items, |item, _| add(item, 1)).unwrap();
            assert_eq!(report.items, n);
            assert_eq!(items, vec![1; n], "{scheme}");
        }
    }
}

#[test]
fn items_that_fail_or_panic_are_named_and_all_others_computed() {
    for units in ["1x1", "3x1"] {
        let mut steps = steps(units, "dynamic");
        let mut items: Vec<u32> = (0..10).collect();
        let f = |item: &mut u32, _| -> Result<()> {
            match *item {
                3 => Err(Error::EmptyReduce {
                    instance: "sum".into(),
                }),
                7 => panic!("on purpose"),
                _ => add(item, 100),
            }
        };
        let error = steps.run(&mut items, f).unwrap_err();
        assert_eq!(error.to_string(), "item 3 of step 0 failed, and 1 more");
        assert!(matches!(error.root_cause(), Error::EmptyReduce { .. }));
        let [(3, _), (7, panic)] = steps.failures() else {
            panic!("{:?}", steps.failures());
        };
        let panicked = TaskError::Panicked {
            kind: "item 7".into(),
            message: "on purpose".into(),
        };
        assert!(matches!(panic, Error::Task(error) if *error == panicked));
        assert_eq!(steps.last().unwrap().failed(), [3, 7]);
        let others = items.iter().filter(|item| **item >= 100).count();
        assert_eq!(others, 8);
        // The next step is as if nothing had been.
        (items[3], items[7]) = (0, 0);
        assert!(steps.run(&mut items, f).is_ok() && steps.failures().is_empty());
    }
}

#[test]
fn units_work_at_the_same_time() {
    let mut steps = steps("3x1", "static");
    let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let barrier = std::sync::Barrier::new(3);
    let meet = |_: &mut u8, _| {
        most.fetch_max(1 + inside.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
        barrier.wait(); // hangs if they do not
        inside.fetch_sub(1, Ordering::SeqCst);
        Ok(())
    };
    steps.run(&mut [0; 6], meet).unwrap();
    assert_eq!(most.into_inner(), 3);
}

#[test]
fn times_of_earlier_steps_are_remembered() {
    let mut steps = steps("2x1", "guided-runtime,variant=paper");
    // All the work is in the last item, whatever equal numbers say.
    let busy = |item: &mut u64, _| {
        std::thread::sleep(std::time::Duration::from_millis(*item));
        Ok(())
    };
    let mut items = [1, 1, 1, 1, 1, 60];
    for _ in 0..4 {
        steps.run(&mut items, busy).unwrap();
    }
    assert_eq!(steps.last().unwrap().items(1).collect::<Vec<_>>(), [5]);
    assert_eq!(steps.last().unwrap().items(0).count(), 5);
}

#[test]
fn steps_within_steps() {
    let context = Context::builder().build().unwrap();
    let mut outer = Steps::parse(&context, "2x1", "dynamic").unwrap();
    let mut items = vec![vec![1_u32; 5]; 4];
    let nested = |item: &mut Vec<u32>, _| {
        let mut inner = Steps::parse(&context, "2x2", "static")?;
        inner
            .run(item, |value, _| {
                let twice = *value;
                add(value, twice)
            })
            .map(drop)
    };
    outer.run(&mut items, nested).unwrap();
    assert_eq!(items, vec![vec![2; 5]; 4]);
}

#[test]
fn what_cannot_be_is_refused() {
    let context = Context::builder().build().unwrap();
    let refused = |units, scheme| Steps::parse(&context, units, scheme).unwrap_err();
    assert!(matches!(refused("2y", "static"), Error::BadOption(_)));
    assert!(matches!(refused("2x1", "guided"), Error::BadOption(_)));
    assert!(matches!(
        refused("2x1", "dynamic,chunk=0"),
        Error::BadOption(_)
    ));
    assert!(matches!(refused("100x100", "static"), Error::BadOption(_)));
    assert!(matches!(refused("2x1+1", "static"), Error::NoDevice { .. }));

    let sized = |sizes: &[f64]| steps("2x1", "static").sizes(sizes.iter().copied());
    assert!(matches!(sized(&[1.0, 0.0]), Err(Error::BadOption(_))));
    let mut steps = sized(&[1.0, 2.0]).unwrap();
    assert!(steps.run(&mut [1, 2], |_, _| Ok(())).is_ok());
    let error = steps.run(&mut [1, 2, 3], |_, _| Ok(())).unwrap_err();
    assert!(
        error.to_string().contains("one for each of 3 items"),
        "{error}"
    );
}
