//! Reductions into a `Scalar`: which calls wait, what fails late, what is left alone.

use skel::{
    Context, Error,
    mock::{Mock, Operation},
    prelude::*,
};
use std::{
    sync::{Mutex, mpsc},
    time::Duration,
};

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

#[user_function]
fn quotient(a: u32, b: u32) -> u32 {
    a / b
}

/// A device that begins a launch when it is told to, and gives up some time later.
fn told() -> (Context, mpsc::Sender<()>) {
    let (go, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let mock = Mock::named("told").before_each(move |operation| {
        if operation == Operation::Launch {
            let told = wait.lock().unwrap().recv_timeout(Duration::from_secs(20));
            told.expect("a signal in the end");
        }
    });
    let context = Context::builder().unit(mock.unit().unwrap());
    (context.build().unwrap(), go)
}

#[test]
fn a_value_on_a_device_is_waited_for_when_it_is_read() {
    let (context, go) = told();
    let numbers = map!(|at: Index1| at.i as u32).within(context.clone());
    go.send(()).unwrap();
    let x: Vector<u32> = numbers.on(Device(0)).run_shaped(1000, ()).unwrap();
    let sum = reduce!(add)
        .initial(5)
        .within(context.clone())
        .on(Device(0));
    // The first launch of a kernel is waited for.
    go.send(()).unwrap();
    assert_eq!(sum.run((&x,)).unwrap(), 499_505);
    let mut total = Scalar::from(0);
    // Not before this has returned is the device told to go on.
    sum.run_into((&x,), &mut total).unwrap();
    drop(x);
    go.send(()).unwrap();
    assert_eq!(total.get().unwrap(), 5 + 999 * 1000 / 2);
    assert_eq!(total.try_clone().unwrap().get().unwrap(), 499_505);
}

#[test]
fn what_is_overwritten_is_not_waited_for() {
    let (context, go) = told();
    let numbers = map!(|at: Index1| at.i as u32).within(context.clone());
    go.send(()).unwrap();
    let x: Vector<u32> = numbers.on(Device(0)).run_shaped(1000, ()).unwrap();
    let sum = map_reduce!(|x: u32| x * 2, add);
    let sum = sum.within(context.clone()).on(Device(0));
    go.send(()).unwrap();
    assert_eq!(sum.run((&x,)).unwrap(), 999_000);
    let mut total = Scalar::from(0);
    sum.run_into((&x,), &mut total).unwrap();
    total.set(3);
    assert_eq!(total.get().unwrap(), 3);
    go.send(()).unwrap();
}

#[test]
fn a_trap_shows_when_the_value_is_read_and_is_inherited() {
    let mock = Mock::named("traps").unit().unwrap();
    let context = Context::builder().unit(mock).build().unwrap();
    let zeros = map!(|at: Index1| (at.i / 2000) as u32).within(context.clone());
    let x: Vector<u32> = zeros.on(Device(0)).run_shaped(1000, ()).unwrap();
    let f = reduce!(quotient).within(context.clone()).on(Device(0));
    assert_eq!(f.run((&[12, 3, 2],)).unwrap(), 2);
    let mut total = Scalar::from(1);
    f.run_into((&x,), &mut total).unwrap();
    assert!(matches!(total.get(), Err(Error::Trap { .. })));
    let g = map!(|x: u32, #[uniform] k: u32| x + k).within(context);
    assert!(g.on(Device(0)).run((&[1, 2], &total)).is_err());
    total.set(4);
    assert_eq!(total.get().unwrap(), 4);
}

#[test]
fn what_was_refused_leaves_the_value() {
    let context = Context::builder().build().unwrap();
    let mut total = Scalar::from(7);
    let sum = reduce!(add).within(context.clone()).on(Device(3));
    let found = sum.run_into((&[1, 2, 3],), &mut total);
    assert!(matches!(found, Err(Error::NoDevice { .. })), "{found:?}");
    assert_eq!(total.get().unwrap(), 7);
    let sum = reduce!(add).within(context.clone());
    let found = sum
        .on(Tasks::default().chunks(0))
        .run_into((&[1, 2, 3],), &mut total);
    assert!(matches!(found, Err(Error::BadOption(_))), "{found:?}");
    assert_eq!(total.get().unwrap(), 7);
    let dot = map_reduce!(|x: u32, y: u32| x * y, add).within(context);
    let found = dot.run_into((&[1, 2, 3], &[1, 2]), &mut total);
    assert!(
        matches!(found, Err(Error::ShapeMismatch { .. })),
        "{found:?}"
    );
    assert_eq!(total.get().unwrap(), 7);
}
