//! Arrays that have left a device, have been overwritten in part on the host, and come back for the rest: with memory for
//! less than they had. Long enough for windows of several sizes.

use skel::{Context, mock::Mock, prelude::*};

const N: usize = 1024;

#[user_function]
fn own(at: Index1) -> u32 {
    at.i as u32
}

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

/// A device with room for two of the arrays.
fn two() -> Context {
    let unit = Mock::named("full").unit().unwrap();
    let unit = unit.with_memory_cap(2 * 4 * N as u64);
    Context::builder().unit(unit).build().unwrap()
}

fn made(context: &Context) -> Vector<u32> {
    let make = map!(own).within(context.clone()).on(Device(0));
    make.run_shaped(N, ()).unwrap()
}

/// One that has left the device, which alone had it, and what took its place.
fn left(context: &Context) -> (Vector<u32>, [Vector<u32>; 2]) {
    let first = made(context);
    (first, [made(context), made(context)])
}

#[test]
fn what_was_not_overwritten_comes_back() {
    for (overwritten, rest) in [
        (0..N / 2, N / 2..N),
        (N / 2..N, 0..N / 2),
        (0..N - 3, N - 3..N),
        (5..N, 0..5),
    ] {
        let context = two();
        let (mut x, others) = left(&context);
        let threes = vec![3; overwritten.len()];
        map!(double)
            .within(context.clone())
            .on(Cpu)
            .run_into((&threes,), x.part_mut(overwritten.clone()))
            .unwrap();
        map!(bump)
            .within(context.clone())
            .on(Device(0))
            .run((x.part_mut(rest.clone()),))
            .unwrap();
        let right = |(i, x): (usize, &u32)| match overwritten.contains(&i) {
            true => *x == 6,
            false => *x == i as u32 + 1,
        };
        assert!(x.host().unwrap().iter().enumerate().all(right), "{rest:?}");
        let own = |(i, x): (usize, &u32)| *x == i as u32;
        let mut others = others.iter();
        assert!(others.all(|other| other.host().unwrap().iter().enumerate().all(own)));
    }
}

#[test]
fn a_split_call_in_place_takes_its_part_back() {
    for ratio in [0.5, 0.1, 0.9] {
        let context = two();
        let (mut x, _others) = left(&context);
        let bump = map!(bump).within(context.clone());
        bump.on(Hybrid::ratio(ratio)).run((&mut x,)).unwrap();
        let right = |(i, x): (usize, &u32)| *x == i as u32 + 1;
        assert!(x.host().unwrap().iter().enumerate().all(right), "{ratio}");
    }
}
