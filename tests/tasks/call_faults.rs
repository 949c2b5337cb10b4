//! Devices that fail in calls as tasks: whatever goes wrong when, results are right, nothing hangs, and the next call works.

use super::range_faults::context;
use skel::{
    Context,
    mock::{Mock, Operation},
    prelude::*,
};

const N: usize = 10_000;

/// A map into the caller's memory and a reduction, twice: also when the device is not there any more.
fn calls_are_right(context: &Context, scheduler: &str, what: &str) {
    let target: Target = format!("tasks:{scheduler},chunks=12").parse().unwrap();
    let double = map!(|x: u32| 2 * x).within(context.clone()).on(&target);
    let sum = reduce!(|a: u32, b: u32| a + b);
    let sum = sum.within(context.clone()).on(&target);
    let x = Vector::from_fn(N, |i| i as u32);
    for turn in 0..2 {
        let mut y = vec![0_u32; N];
        double.run_into((&x,), &mut y[..]).unwrap();
        assert!(
            y.iter().zip(0..).all(|(y, x): (_, u32)| *y == 2 * x),
            "{what} {turn}"
        );
        let all = (N * (N - 1) / 2) as u32;
        assert_eq!(sum.run((&x,)).unwrap(), all, "{what} {turn}");
    }
}

#[test]
fn calls_as_tasks_outlive_whatever_a_device_does() {
    let operations = [
        Operation::Allocate,
        Operation::Upload,
        Operation::Launch,
        Operation::Download,
    ];
    for scheduler in ["eager", "dmda", "laheteroprio"] {
        for operation in operations {
            for n in [1, 2, 3, 5, 9] {
                let mocks = [
                    Mock::named("vanishes").vanishes(operation, n),
                    Mock::named("fails").fails(operation, n),
                    Mock::named("short").runs_short(operation, n),
                ];
                for (k, mock) in mocks.iter().enumerate() {
                    let what = format!("{scheduler} {operation:?} {n} {k}");
                    calls_are_right(&context(std::slice::from_ref(mock)), scheduler, &what);
                }
            }
        }
    }
}
