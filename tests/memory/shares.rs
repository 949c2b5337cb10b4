//! A device that takes a share of each call has memory for that share, and not for whole containers.

use super::capped;
use skel::{
    Context,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

#[user_function]
fn add(x: u32, y: u32) -> u32 {
    x.wrapping_add(y)
}

#[user_function]
fn three(w: Window1<u32, 1>) -> u32 {
    w[-1].wrapping_add(w[0]).wrapping_add(w[1])
}

const N: usize = 1 << 18;
/// What one container takes.
const WHOLE_BYTES: u64 = 4 * N as u64;

/// Four elements in five for the CPU.
fn fifth() -> Hybrid {
    Hybrid::ratio(0.8)
}

fn numbers() -> Vec<u32> {
    (0..N as u32)
        .map(|k| k.wrapping_mul(2_654_435_761))
        .collect()
}

fn uploaded(context: &Context) -> u64 {
    context.traffic().uploaded_bytes
}

#[test]
fn shares_of_containers_that_do_not_fit_stay_on_the_device() {
    // Of three containers, with room for one.
    let (context, _) = capped(WHOLE_BYTES);
    let f = map!(add).within(context.clone()).on(fifth());
    let (x, y) = (numbers(), numbers());
    let (vx, mut vy) = (Vector::from(x.clone()), Vector::from(y.clone()));
    let mut vz = Vector::filled(N, 0_u32);
    f.run_into((&vx, &vy), &mut vz).expect("the first call");
    let before = uploaded(&context);
    assert!(before > 0, "the device has taken its share");
    for _ in 0..4 {
        std::mem::swap(&mut vy, &mut vz);
        f.run_into((&vx, &vy), &mut vz).expect("a call");
    }
    assert_eq!(uploaded(&context), before, "all was there");
    let expected = x
        .iter()
        .zip(&y)
        .map(|(x, y)| x.wrapping_mul(5).wrapping_add(*y));
    assert!(vz.host().expect("results").iter().copied().eq(expected));
}

/// Doubles elements in place, of which the device has more from call to call.
fn doubled_in_growing_shares(context: &Context) {
    let double = map!(|x: &mut u32| *x = x.wrapping_mul(2)).within(context.clone());
    let x = numbers();
    let mut v = Vector::from(x.clone());
    for ratio in [0.9, 0.7, 0.2, 0.0, 0.5] {
        let target = Hybrid::ratio(ratio);
        double.clone().on(target).run((&mut v,)).expect("a call");
    }
    let once = uploaded(context);
    assert_eq!(once, WHOLE_BYTES, "each element was sent once");
    let expected = x.iter().map(|x| x.wrapping_mul(32));
    assert!(v.host().expect("results").iter().copied().eq(expected));
}

#[test]
fn an_array_that_grows_keeps_what_only_the_device_has() {
    let (copies, downloads) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (Arc::clone(&copies), Arc::clone(&downloads));
    let mock = Mock::named("roomy").before_each(move |operation| match operation {
        Operation::Grow => drop(counts.0.fetch_add(1, Ordering::Relaxed)),
        Operation::Download => drop(counts.1.fetch_add(1, Ordering::Relaxed)),
        _ => {}
    });
    let context = Context::builder().unit(mock.unit().expect("a mock device"));
    doubled_in_growing_shares(&context.build().expect("a context"));
    assert_eq!(copies.load(Ordering::Relaxed), 3, "each time it grew");
    // The CPU's half of the last call, and the other one for `host`.
    assert_eq!(downloads.load(Ordering::Relaxed), 2);
}

#[test]
fn an_array_grows_through_host_memory_where_there_is_no_room_for_two() {
    let (context, mock) = capped(WHOLE_BYTES);
    doubled_in_growing_shares(&context);
    assert!(mock.most_bytes_in_use() <= WHOLE_BYTES);
}

#[test]
fn an_array_that_cannot_grow_keeps_what_it_has() {
    // Room for a share of each of the two, and not for half of them.
    let (context, _) = capped(WHOLE_BYTES / 2);
    let f = map!(add).within(context.clone());
    let x = numbers();
    let vx = Vector::from(x.clone());
    let mut vy = Vector::filled(N, 0_u32);
    f.clone()
        .on(fifth())
        .run_into((&vx, &vx), &mut vy)
        .expect("the first call");
    let mut vz = Vector::filled(N, 0_u32);
    f.on(Hybrid::ratio(0.5))
        .run_into((&vx, &vy), &mut vz)
        .expect("the second call");
    let expected = x.iter().map(|x| x.wrapping_mul(3));
    assert!(vz.host().expect("results").iter().copied().eq(expected));
    let expected = x.iter().map(|x| x.wrapping_mul(2));
    assert!(vy.host().expect("results").iter().copied().eq(expected));
}

#[test]
fn windows_see_beyond_a_share() {
    let (context, _) = capped(WHOLE_BYTES);
    for edge in [Edge::Duplicate, Edge::Cyclic] {
        let f = map_overlap!(three).edge(edge).within(context.clone());
        let x = numbers();
        let at = |k: usize, by: isize| {
            let place = k as isize + by;
            match edge {
                Edge::Cyclic => x[place.rem_euclid(N as isize) as usize],
                _ => x[place.clamp(0, N as isize - 1) as usize],
            }
        };
        let expected = (0..N).map(|k| at(k, -1).wrapping_add(x[k]).wrapping_add(at(k, 1)));
        let y = f
            .on(fifth())
            .run((&Vector::from(x.clone()),))
            .expect("a call");
        assert!(
            y.host().expect("results").iter().copied().eq(expected),
            "{edge:?}"
        );
    }
}

#[test]
fn an_array_that_grows_takes_the_room_of_what_the_host_has() {
    let downloads = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&downloads);
    let mock = Mock::named("full").before_each(move |operation| {
        if operation == Operation::Download {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let unit = mock.unit().expect("a mock device");
    let context = Context::builder().unit(unit.with_memory_cap(3 * WHOLE_BYTES));
    let context = context.build().expect("a context");
    let sum = reduce!(|a: u32, b: u32| a.wrapping_add(b));
    let sum = sum.within(context).on(Device(0));
    let [x, others @ ..] = [(); 4].map(|()| Vector::from(vec![1_u32; N]));
    let half = N as u32 / 2;
    assert_eq!(sum.run((x.part(..N / 2),)).expect("half"), half);
    for (other, elems) in others.iter().zip([N, N, N / 2]) {
        assert_eq!(
            sum.run((other.part(..elems),)).expect("another"),
            elems as u32
        );
    }
    assert_eq!(sum.run((x.part(..N / 2),)).expect("half"), half);
    assert_eq!(
        sum.run((x.part(..5 * (N / 8)),)).expect("more"),
        5 * (N as u32 / 8)
    );
    assert_eq!(
        downloads.load(Ordering::Relaxed),
        0,
        "clean arrays have left"
    );
}

#[test]
fn threads_with_parts_of_one_container_do_not_take_each_others_room() {
    let (context, _) = capped(WHOLE_BYTES * 12 / 10);
    let f = map!(|x: u32| x.wrapping_mul(3))
        .within(context)
        .on(Device(0));
    for round in 0..100 {
        let x = Vector::from((0..N as u32).collect::<Vec<_>>());
        let half = |r: std::ops::Range<usize>| {
            let y = f.run((x.part(r.clone()),)).expect("it has room");
            let y = y.into_vec().expect("results");
            assert!(y.iter().zip(r).all(|(y, k)| *y == 3 * k as u32), "{round}");
        };
        std::thread::scope(|scope| {
            scope.spawn(|| half(0..N / 2));
            half(N / 2..N);
        });
    }
}

#[test]
fn what_only_the_device_has_survives_the_growth_of_what_another_thread_reads() {
    let (context, _) = capped(WHOLE_BYTES * 12 / 10);
    let add = map!(|x: u32, y: &mut u32| *y = y.wrapping_add(x)).within(context.clone());
    let sum = reduce!(|a: u32, b: u32| a.wrapping_add(b));
    let sum = sum.within(context.clone()).on(Device(0));
    let one = map!(|x: u32| x.wrapping_mul(0) + 1)
        .within(context)
        .on(Device(0));
    for target in [Target::from(Device(0)), Hybrid::ratio(0.01).into()] {
        let add = add.clone().on(target.clone());
        for round in 0..100 {
            let x = Vector::from((0..N as u32).collect::<Vec<_>>());
            let mut y = one.run((x.part(..N / 2),)).expect("ones");
            std::thread::scope(|scope| {
                scope.spawn(|| sum.run((x.part(N / 2..),)).expect("a sum"));
                add.run((x.part(..N / 2), &mut y)).expect("it has room");
            });
            let y = y.into_vec().expect("nothing is lost");
            let right = y.iter().enumerate().all(|(k, y)| *y == k as u32 + 1);
            assert!(right, "{target:?}, {round}");
        }
    }
}

/// The device is held within a launch, then within the copy by which an array grows; calls come meanwhile.
#[test]
fn a_call_that_comes_while_an_array_grows_asks_for_its_room() {
    let [in_launch, in_copy] = [(); 2].map(|()| Gate::new());
    let mock = Mock::named("held")
        .waits(Operation::Launch, 3, &in_launch)
        .waits(Operation::Download, 1, &in_copy);
    let unit = mock.unit().expect("a mock device");
    let context = Context::builder().unit(unit.with_memory_cap(WHOLE_BYTES * 12 / 10));
    let context = context.build().expect("a context");
    let add = map!(|x: u32, y: &mut u32| *y = y.wrapping_add(x));
    let add = add.within(context.clone()).on(Device(0));
    let three = map!(|x: u32| x.wrapping_mul(3));
    let three = three.within(context.clone()).on(Device(0));
    let sum = reduce!(|a: u32, b: u32| a.wrapping_add(b));
    let sum = sum.within(context).on(Device(0));

    let x = Vector::from(vec![1_u32; N]);
    let (half, few) = (|| x.part(..N / 2), || x.part(..64));
    let mut y = three.run((half(),)).expect("threes");
    let mut z = three.run((few(),)).expect("threes");
    let held = three.run((few(),)).expect("it is queued");
    std::thread::scope(|scope| {
        in_launch.reached();
        let grown = scope.spawn(|| sum.run((x.part(N / 2..),)));
        // It asks for memory now.
        std::thread::sleep(Duration::from_millis(50));
        // So this, which needs none, comes behind it: until it has run, it counts on what the array has.
        three.run_into((few(),), &mut z).expect("it is queued");
        in_launch.open();
        in_copy.reached();
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            in_copy.open();
        });
        add.run((half(), &mut y)).expect("it takes it in chunks");
        let ones = grown.join().expect("no panic").expect("a sum");
        assert_eq!(ones, N as u32 / 2);
    });
    assert_eq!(y.into_vec().expect("nothing is lost"), vec![4; N / 2]);
    for few in [held, z] {
        assert_eq!(few.into_vec().expect("threes"), vec![3; 64]);
    }
}
