//! Several units in one call: they overlap, they fail, and the next call works.

use skel::{
    Context, Error,
    mock::{Mock, Operation},
    prelude::*,
};
use skel_core::{
    ir::{Imp, build::Cx},
    param::Each,
    user_function::UserFunction,
};
use std::sync::{
    Arc, Barrier,
    atomic::{AtomicBool, AtomicUsize, Ordering},
    mpsc,
};

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

fn context(mocks: impl IntoIterator<Item = Mock>) -> Context {
    let mut builder = Context::builder();
    for mock in mocks {
        builder = builder.unit(mock.unit().unwrap());
    }
    builder.build().unwrap()
}

/// A user function that meets the devices: on its first call it waits for them.
struct Meets;

static MEETING: Barrier = Barrier::new(3);
static MET: AtomicBool = AtomicBool::new(false);

impl UserFunction<(Each<u32>,)> for Meets {
    type At = ();
    type Output = u32;
    const NAME: &'static str = "meets";

    fn call((): (), (x,): (u32,)) -> u32 {
        if !MET.swap(true, Ordering::Relaxed) {
            MEETING.wait();
        }
        x
    }

    fn ir(cx: &mut Cx) -> Imp {
        // Any function of the same type will do for what a mock device asks the IR.
        <double as UserFunction<(Each<u32>,)>>::ir(cx)
    }
}

#[test]
fn all_units_of_a_call_are_at_work_at_the_same_time() {
    // Each device waits in its launch for the other and for the CPU's first element, which waits for
    // both: if any two did not overlap, this would hang.
    let waits = |name| {
        Mock::named(name).before_each(|operation| {
            if operation == Operation::Launch {
                MEETING.wait();
                MET.store(true, Ordering::Relaxed);
            }
        })
    };
    let context = context([waits("first"), waits("second")]);
    let map = skel::skeleton::Map::<Meets, _>::with_executor("meets", context);
    let x: Vec<u32> = (0..900).collect();
    let y = map.on(Hybrid::ratio(1.0 / 3.0)).run((&x,)).unwrap();
    assert_eq!(y.host().unwrap()[..], x);
}

#[test]
fn a_failing_device_fails_the_call_that_names_it_and_not_the_next_one() {
    for operation in [Operation::Allocate, Operation::Upload] {
        let context = context([Mock::named("frail").fails(operation, 1)]);
        let f = map!(double).within(context).on(Device(0));
        let x = Vector::from(vec![1_u32; 100]);
        let mut out = Vector::filled(100, 7);
        let failed = f.run_into((&x,), &mut out);
        assert!(
            matches!(failed, Err(Error::Device { .. })),
            "{operation:?}: {failed:?}"
        );
        assert_eq!(x.host().unwrap()[..], [1; 100], "inputs are intact");
        f.run_into((&x,), &mut out).unwrap();
        assert_eq!(out.host().unwrap()[..], [2; 100], "{operation:?}");
    }
}

#[test]
fn a_failing_download_surfaces_where_it_is_read_and_can_be_tried_again() {
    let context = context([Mock::named("frail").fails(Operation::Download, 1)]);
    let f = map!(double).within(context).on(Device(0));
    let y = f.run((&[1, 2, 3],)).unwrap();
    match y.host().map(|_| ()) {
        Err(Error::Late {
            elements, cause, ..
        }) => {
            assert_eq!(elements, 0..3);
            assert!(matches!(
                *cause,
                Error::Device {
                    operation: "a download",
                    ..
                }
            ));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(y.host().unwrap()[..], [2, 4, 6]);
}

#[test]
fn a_device_without_room_says_so() {
    let context = context([Mock::named("small").memory_bytes(1000)]);
    let f = map!(double).within(context.clone()).on(Device(0));
    // What can be cut is cut; what is read at random cannot.
    let x = vec![1_u32; 1000];
    assert_eq!(f.run((&x,)).unwrap().host().unwrap()[..], [2; 1000]);
    let last = map!(|x: &[u32], i: u32| x[i as usize]).within(context);
    let failed = last.on(Device(0)).run((&x, &[999])).map(|_| ());
    assert!(
        matches!(
            failed,
            Err(Error::OutOfMemory {
                needed_bytes: 4008,
                available_bytes: 1000,
                ..
            })
        ),
        "{failed:?}"
    );
    // What the failed call had allocated is free again.
    for _ in 0..10 {
        assert_eq!(f.run((&[1; 120],)).unwrap().host().unwrap()[..], [2; 120]);
    }
}

#[test]
fn a_device_that_cannot_takes_no_share_unless_it_is_forced() {
    let context = context([
        Mock::named("able"),
        Mock::named("unable").cannot("no reason"),
    ]);
    let f = map!(double).within(context);
    let x = vec![1_u32; 100];
    let (y, calls) = skel::observe(|| f.clone().on(Hybrid::ratio(0.2)).run((&x,)).unwrap());
    assert_eq!(y.host().unwrap()[..], [2; 100]);
    let units: Vec<&str> = calls[0]
        .parts
        .iter()
        .map(|part| part.unit.as_str())
        .collect();
    assert_eq!(
        (units.len(), units[1], &calls[0].parts[1].range),
        (2, "able", &(20..100))
    );
    match f.on(Device(1)).run((&x,)).map(|_| ()) {
        Err(Error::Unsupported { unit, reason, .. }) => {
            assert_eq!((&*unit, &*reason), ("unable", "no reason"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn containers_may_be_dropped_while_the_device_works() {
    // The device's first launch waits until the containers are gone.
    let (gone, wait) = mpsc::channel::<()>();
    let wait = std::sync::Mutex::new(wait);
    let launched = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&launched);
    let context = context([Mock::named("busy").before_each(move |operation| {
        if operation == Operation::Launch && count.fetch_add(1, Ordering::Relaxed) == 1 {
            wait.lock().unwrap().recv().unwrap();
        }
    })]);
    let f = map!(double).within(context).on(Device(0));
    let x = f.run((&Vector::from(vec![1_u32; 10]),)).unwrap();
    let y = f.run((&x,)).unwrap();
    drop((x, y));
    gone.send(()).unwrap();
    assert_eq!(f.run((&[5],)).unwrap().host().unwrap()[..], [10]);
    assert_eq!(launched.load(Ordering::Relaxed), 3);
}

#[test]
fn many_threads_share_one_instance() {
    let f = map_reduce!(double, add)
        .within(context([Mock::named("a"), Mock::named("b")]))
        .on(Hybrid::ratio(0.3));
    let x = Vector::from_fn(10_000, |i| i as u32);
    std::thread::scope(|s| {
        for _ in 0..8 {
            s.spawn(|| (0..20).for_each(|_| assert_eq!(f.run((&x,)).unwrap(), 99_990_000)));
        }
    });
}

#[test]
fn reports_say_which_unit_did_what() {
    let f = map!(double)
        .within(context([Mock::named("mock")]))
        .on(Hybrid::ratio(0.25));
    let ((), calls) = skel::observe(|| {
        f.run((&vec![1_u32; 400],)).unwrap();
        f.run((&vec![1_u32; 8],)).unwrap();
    });
    assert_eq!(
        calls.iter().map(|call| call.elems).collect::<Vec<_>>(),
        [400, 8]
    );
    let parts = &calls[0].parts;
    assert_eq!([&parts[0].range, &parts[1].range], [&(0..100), &(100..400)]);
    assert_eq!(
        (parts[1].unit.as_str(), calls[0].traffic.uploaded_bytes),
        ("mock", 1200)
    );
    let (_, calls) = skel::observe(|| ());
    assert!(calls.is_empty());
}

#[test]
fn bad_ratios_are_refused_before_anything_runs() {
    let context = context([Mock::named("idle").before_each(|operation| {
        panic!("the device was asked for {operation:?}");
    })]);
    let f = map!(double).within(context);
    for ratio in [-0.1, 1.1, f64::NAN] {
        for elems in [0, 10] {
            let failed = f
                .clone()
                .on(Hybrid::ratio(ratio))
                .run((&vec![1; elems],))
                .map(|_| ());
            assert!(matches!(failed, Err(Error::BadRatio { .. })), "{ratio}");
        }
    }
    for index in [1, 2] {
        let failed = f.clone().on(Device(index)).run((&[1],)).map(|_| ());
        assert!(matches!(failed, Err(Error::NoDevice { .. })), "{failed:?}");
    }
    assert_eq!(f.on(Cpu).run((&[1],)).unwrap().host().unwrap()[..], [2]);
}
