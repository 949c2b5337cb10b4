//! A transfer that fails once, and what must not be lost by it.

use super::context;
use skel::{
    mock::{Mock, Operation},
    prelude::*,
};

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn bump(x: &mut u32, by: u32) {
    *x += by;
}

#[user_function]
fn own(at: Index1) -> u32 {
    at.i as u32
}

#[user_function]
fn plus(a: f32, b: f32) -> f32 {
    a + b
}

/// Room for two of three arrays: one has left, and does not come back at the first attempt.
#[test]
fn what_left_a_full_device_is_there_after_a_failed_return() {
    let mock = Mock::named("full")
        .memory_bytes(800)
        .fails(Operation::Upload, 1);
    let context = context([mock]);
    let make = map!(own).within(context.clone()).on(Device(0));
    let all: Vec<Vector<u32>> = (0..3).map(|_| make.run_shaped(100, ()).unwrap()).collect();
    let twice = map!(double).within(context).on(Device(0));
    assert!(twice.run((&all[0],)).is_err(), "it cannot be brought back");
    let expected: Vec<u32> = (0..100).collect();
    for made in &all {
        assert_eq!(made.host().unwrap()[..], expected[..]);
    }
    let again = twice.run((&all[0],)).unwrap();
    assert!(
        again
            .host()
            .unwrap()
            .iter()
            .zip(&expected)
            .all(|(a, x)| *a == 2 * x)
    );
}

/// The only copy of an array cannot be brought to safety: it stays, and the call does without the room.
#[test]
fn what_cannot_leave_a_full_device_stays() {
    let mock = Mock::named("full")
        .memory_bytes(800)
        .fails(Operation::Download, 1);
    let context = context([mock]);
    let make = map!(own).within(context).on(Device(0));
    let first = make.run_shaped(100, ()).unwrap();
    let second = make.run_shaped(100, ()).unwrap();
    // Whether this finds room or not, nothing else suffers.
    let third = make.run_shaped(100, ());
    let expected: Vec<u32> = (0..100).collect();
    for made in [&first, &second] {
        assert_eq!(made.host().unwrap()[..], expected[..]);
    }
    let found = third.and_then(Vector::into_vec);
    assert!(found.is_err() || found.is_ok_and(|found| found == expected));
}

/// A download into memory of the library's own is no write to the caller's: nothing is lost.
#[test]
fn elements_apart_are_computed_again_after_a_failed_download() {
    let mock = Mock::named("fails").fails(Operation::Download, 1);
    let apart = map!(bump).within(context([mock])).on(Hybrid::ratio(0.0));
    let mut v = Vector::from(vec![1_u32; 20]);
    let by = [5_u32; 10];
    apart.run((v.step_by_mut(2), &by[..])).unwrap();
    let found = v.into_vec().unwrap();
    let expected: Vec<u32> = (0..20).map(|i| if i % 2 == 0 { 6 } else { 1 }).collect();
    assert_eq!(found, expected);
}

/// Each call is blamed for its own range, and what the others wrote can be read.
#[test]
fn late_errors_name_the_call_of_each_range() {
    let mock = Mock::named("fails").fails(Operation::Launch, 3);
    let f = map!(double).within(context([mock])).on(Device(0));
    let x = f.run((&Vector::from(vec![1_u32; 10]),)).unwrap();
    let mut y = Vector::from(vec![0_u32; 20]);
    let first = f.clone().named("first");
    first.run_into((&x,), y.part_mut(0..10)).unwrap();
    f.named("second")
        .run_into((&x,), y.part_mut(10..20))
        .unwrap();
    let error = y.host().map(|_| ()).unwrap_err().to_string();
    assert!(
        error.contains("10..20") && error.contains("second"),
        "{error}"
    );
    assert_eq!(y.part(0..10).to_vec().unwrap(), [4; 10]);
}

/// What lies there already does not change how sums are grouped.
#[test]
fn sums_of_floats_have_the_same_bits_in_each_call() {
    let mock = Mock::named("steps").step_bytes(256);
    let hash = |i: u32| i.wrapping_mul(2_654_435_761) >> 8;
    let x = Vector::from_fn(10_000, |i| hash(i as u32) as f32 * 1.37e-3);
    let sum = reduce!(plus).within(context([mock])).on(Hybrid::ratio(0.0));
    let first = sum.run((&x,)).unwrap();
    let second = sum.run((&x,)).unwrap();
    assert_eq!(first.to_bits(), second.to_bits());
}
