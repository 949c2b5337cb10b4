//! Rows of the table in `docs/faults.md` that have no other place: calls of nothing, neighbourhoods of
//! extreme sizes, calls within calls, panics that are not a user function's, and devices that hang while
//! everything is dropped.
#![allow(unsafe_code, reason = "text for devices")]

use super::context;
use skel::{
    Error,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

#[user_function]
fn itself(w: Window1<u32, 0>) -> u32 {
    w[0]
}

#[user_function]
fn far(w: Window1<u32, 5>) -> u32 {
    w[-5] + 10 * w[0] + 100 * w[5]
}

/// Doubles by a call of its own, on the CPU.
#[user_function(unsafe(wgsl = "return 2u * x;"))]
fn by_a_call(x: u32) -> u32 {
    let all = map!(double).on(Cpu).run((&[x; 3],)).unwrap();
    all.host().unwrap()[1]
}

/// A device that counts what it is asked for.
fn counted() -> (skel::Context, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let mock = Mock::named("counted").before_each(move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
    });
    (context([mock]), count)
}

#[test]
fn calls_of_nothing_ask_the_device_for_nothing() {
    let (context, count) = counted();
    let none = Vector::<u32>::from(vec![]);
    for target in [Target::from(Device(0)), Hybrid::ratio(0.5).into()] {
        let y = map!(double)
            .within(context.clone())
            .on(&target)
            .run((&none,));
        assert!(y.unwrap().host().unwrap().is_empty());
        let mut z = Vector::<u32>::from(vec![]);
        let f = map!(bump).within(context.clone()).on(&target);
        f.run((&mut z,)).unwrap();
        let f = scan!(|a: u32, b: u32| a + b)
            .within(context.clone())
            .on(&target);
        assert!(f.run((&none,)).unwrap().host().unwrap().is_empty());
        let f = map_overlap!(far).within(context.clone()).on(&target);
        assert!(f.run((&none,)).unwrap().host().unwrap().is_empty());
        let f = reduce!(|a: u32, b: u32| a + b)
            .within(context.clone())
            .on(&target);
        let refused = f.run((&none,)).unwrap_err();
        assert!(matches!(refused, Error::EmptyReduce { .. }), "{refused}");
        assert_eq!(f.initial(7).run((&none,)).unwrap(), 7);
    }
    context.sync().unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

#[test]
fn windows_of_no_radius_and_windows_that_are_larger_than_all() {
    let context = context([Mock::named("a"), Mock::named("b")]);
    for len in [0_usize, 1, 2, 3, 5, 8] {
        let x: Vec<u32> = (0..len as u32).map(|i| i + 1).collect();
        for target in [
            Target::from(Cpu),
            Device(0).into(),
            Hybrid::ratio(0.4).into(),
        ] {
            let f = map_overlap!(itself).within(context.clone()).on(&target);
            assert_eq!(f.run((&x,)).unwrap().host().unwrap()[..], x, "{target}");
            let f = map_overlap!(far).within(context.clone()).on(&target);
            let f = f.pad(7);
            let at = |i: isize| match usize::try_from(i) {
                Ok(i) if i < len => x[i],
                _ => 7,
            };
            let near = |i: usize| i.cast_signed();
            let expected: Vec<u32> = (0..len)
                .map(|i| at(near(i) - 5) + 10 * x[i] + 100 * at(near(i) + 5))
                .collect();
            let found = f.run((&x,)).unwrap();
            assert_eq!(found.host().unwrap()[..], expected, "{target}, {len}");
        }
    }
}

#[test]
fn a_call_within_a_user_function() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let call = || {
        let x: Vec<u32> = (0..3000).collect();
        let expected: Vec<u32> = x.iter().map(|x| 2 * x).collect();
        for target in [Target::from(Sequential), Cpu.into()] {
            let y = map!(by_a_call).on(&target).run((&x,)).unwrap();
            assert_eq!(y.host().unwrap()[..], expected, "{target}");
        }
    };
    call();
    pool.install(call);
}

/// A panic in code of the user's that `skel` runs, and that is no user function.
fn panics(body: impl FnOnce()) {
    assert!(catch_unwind(AssertUnwindSafe(body)).is_err());
}

#[test]
fn a_panic_of_the_users_own_poisons_nothing() {
    let context = context([Mock::named("a")]);
    let f = map!(double).within(context.clone()).on(Hybrid::ratio(0.5));
    let x = Vector::from_fn(1000, |i| i as u32);
    let mut z = Vector::filled(1000, 1_u32);
    panics(|| drop(Vector::from_fn(1000, |i| [1_u32; 10][i])));
    panics(|| {
        let _ = skel::observe(|| {
            f.run((&x,)).unwrap();
            panic!("while it is observed");
        });
    });
    panics(|| {
        let seen = x.host().unwrap();
        panic!("while {} elements are lent", seen.len());
    });
    panics(|| {
        let mut seen = z.host_mut().unwrap();
        seen[0] = 5;
        panic!("while elements are changed");
    });
    std::thread::scope(|s| {
        let call = || {
            let y = f.run((&x,)).unwrap();
            panic!("in a thread that has {} results", y.len());
        };
        assert!(s.spawn(call).join().is_err());
    });
    let y = f.run((&x,)).unwrap();
    assert!(y.host().unwrap().iter().zip(0..).all(|(y, i)| *y == 2 * i));
    map!(bump)
        .within(context.clone())
        .on(Device(0))
        .run((&mut z,))
        .unwrap();
    assert_eq!(z.host().unwrap()[..3], [6, 2, 2]);
    let (_, calls) = skel::observe(|| f.run((&x,)).unwrap());
    assert_eq!(calls.len(), 1);
    context.sync().unwrap();
}

/// If one of the drops waited, this would not end.
#[test]
fn dropping_everything_does_not_wait_for_a_device_that_hangs() {
    let gate = Gate::new();
    let context = context([Mock::named("hangs").waits(Operation::Launch, 2, &gate)]);
    let f = map!(double).within(context.clone()).on(Device(0));
    let x = Vector::filled(1000, 3_u32);
    // A call that uploads waits for that; the next one does not.
    let z = f.run((&x,)).unwrap();
    let y = f.run((&x,)).unwrap();
    gate.reached();
    drop((x, y, z, f));
    drop(context);
    gate.open();
}
