//! What has no room at all, and devices that know less than they say.

use super::capped;
use skel::{
    Context, Error,
    mock::{Mock, Operation},
    prelude::*,
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
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
fn at(table: &[u32], i: u32) -> u32 {
    table[i as usize]
}

fn context(mock: &Mock) -> Context {
    let unit = mock.unit().expect("a mock device");
    Context::builder().unit(unit).build().expect("a context")
}

#[test]
fn a_call_that_cannot_be_cut_small_enough_changes_nothing() {
    let (small, _) = capped(1000);
    // What is read at random is there as a whole.
    let table = Vector::from((0..1000_u32).collect::<Vec<_>>());
    let places = Vector::from((0..100_u32).rev().collect::<Vec<_>>());
    let f = map!(at).within(small.clone()).on(Device(0));
    let mut out = Vector::filled(100, 7_u32);
    match f.run_into((&table, &places), &mut out) {
        Err(Error::OutOfMemory {
            device,
            needed_bytes,
            available_bytes,
        }) => {
            assert_eq!((&*device, available_bytes), ("small", 1000));
            assert_eq!(needed_bytes, 4000 + 4 + 4, "the table, and one element");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(out.host().expect("it never began")[..], [7; 100]);
    // A fold of such elements has nothing else that could be cut.
    let sum = map_reduce!(|at: Index1, table: &[u32]| table[at.i], |a: u32, b: u32| a
        + b);
    let sum = sum.within(small.clone()).on(Device(0));
    let failed = sum.run_shaped(10, (&table,));
    assert!(
        matches!(failed, Err(Error::OutOfMemory { .. })),
        "{failed:?}"
    );
    // A table that fits stays there throughout.
    let table = Vector::from((0..200_u32).map(|i| 3 * i).collect::<Vec<_>>());
    let places: Vec<u32> = (0..5000).map(|i| i % 200).collect();
    let found = f.run((&table, &places)).expect("it fits in chunks");
    let expected: Vec<u32> = places.iter().map(|i| 3 * i).collect();
    assert_eq!(found.host().expect("results")[..], expected);
}

#[test]
fn a_device_that_has_no_memory_says_so_and_stops() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let mock = Mock::named("none")
        .largest_array_bytes(0)
        .before_each(move |operation| {
            if operation == Operation::Allocate {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    let context = context(&mock);
    let f = map!(bump).within(context.clone()).on(Device(0));
    let mut v = Vector::filled(1 << 20, 1_u32);
    let failed = f.run((&mut v,));
    assert!(
        matches!(failed, Err(Error::OutOfMemory { .. })),
        "{failed:?}"
    );
    assert!(
        asked.load(Ordering::Relaxed) < 100,
        "half as much each time"
    );
    assert_eq!(v.host().expect("it never began")[..], [1; 1 << 20]);
    let slices = map!(double)
        .within(context)
        .on(Device(0))
        .run((&[1_u32, 2, 3],));
    assert!(matches!(slices, Err(Error::OutOfMemory { .. })));
}

#[test]
fn memory_in_pieces_is_found_out_by_trying() {
    // It says nothing of its memory, and has no array of more than a hundred elements.
    let mock = Mock::named("in pieces").largest_array_bytes(400);
    let f = map!(double).within(context(&mock)).on(Device(0));
    let x: Vec<u32> = (0..10_000).collect();
    let expected: Vec<u32> = x.iter().map(|x| 2 * x).collect();
    let y = f.run((&Vector::from(x),)).expect("it fits in chunks");
    assert_eq!(y.host().expect("results")[..], expected);
}

#[test]
fn a_full_device_that_did_not_say_how_much_it_has_is_made_room_on() {
    // Its driver refuses, and no number says when. Room for three of ten.
    let mock = Mock::named("silent").memory_bytes(12_500);
    let unit = mock
        .unit()
        .expect("a mock device")
        .with_memory_cap(u64::MAX);
    let context = Context::builder().unit(unit).build().expect("a context");
    let f = map!(bump).within(context).on(Device(0));
    let mut all: Vec<Vector<u32>> = (0..10).map(|k| Vector::filled(1000, k)).collect();
    for _ in 0..3 {
        for v in &mut all {
            f.run((&mut *v,)).expect("it fits");
        }
    }
    for (k, v) in (3..).zip(&all) {
        assert_eq!(v.host().expect("results")[..], [k; 1000]);
    }
}

#[test]
fn what_trapped_is_told_of_after_it_had_to_leave() {
    let (small, _) = capped(5000);
    let ratio = map!(|a: u32, b: u32| a / b)
        .within(small.clone())
        .on(Device(0));
    let (ones, mut zeros) = (vec![1_u32; 400], vec![1_u32; 400]);
    zeros[333] = 0;
    let bad = ratio
        .run((&Vector::from(ones), &Vector::from(zeros)))
        .expect("not checked yet");
    let f = map!(double).within(small).on(Device(0));
    for _ in 0..3 {
        let x = Vector::from(vec![1_u32; 500]);
        assert_eq!(
            f.run((&x,)).expect("it fits").host().expect("results")[..],
            [2; 500]
        );
    }
    // Here, and where it is read on the device.
    match bad.host() {
        Err(Error::Trap { index, .. }) => assert_eq!(index, Some(333)),
        other => panic!("{:?}", other.map(|_| ())),
    }
    let inherited = f.run((&bad,)).and_then(|y| y.to_vec());
    assert!(
        matches!(inherited, Err(Error::Trap { .. })),
        "{inherited:?}"
    );
}

#[test]
fn traps_in_chunks_have_the_smallest_index() {
    let (small, _) = capped(1000);
    let f = map!(|a: u32, b: u32| a / b).within(small).on(Device(0));
    let mut b = vec![1_u32; 10_000];
    (b[7000], b[4321], b[9000]) = (0, 0, 0);
    match f.run((&vec![1; 10_000], &Vector::from(b))) {
        Err(Error::Trap { index, .. }) => assert_eq!(index, Some(4321)),
        other => panic!("{:?}", other.map(|_| ())),
    }
}
