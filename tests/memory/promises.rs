//! Calls that do not wait for a device's memory: what was there before is not taken for granted.

use super::capped;
use skel::{Vector, prelude::*};

/// Parts of a container that are far apart: its array would have memory for all between them.
#[test]
fn parts_far_apart_do_not_count_as_few_elements() {
    let (context, _) = capped(4096);
    let x = Vector::from((0..10_000).collect::<Vec<u32>>());
    let next = map!(|x: u32| x + 1).within(context).on(Device(0));
    for first in [0, 9900, 5000, 100, 9800] {
        let y = next.run((x.part(first..first + 100),)).unwrap();
        assert_eq!(y.host().unwrap()[..2], [first as u32 + 1, first as u32 + 2]);
    }
}

/// Calls behind the one whose array is on its way need more besides, and wait for that themselves.
#[test]
fn calls_behind_it_do_not_take_its_room() {
    let (context, _) = capped(400);
    let next = map!(|x: u32| x + 1).within(context.clone()).on(Device(0));
    let sum = map_reduce!(|x: u32, y: u32| x.min(y), |a: u32, b: u32| a + b);
    let sum = sum.within(context).on(Device(0));
    let of = |elems: u32| Vector::from((0..elems).collect::<Vec<u32>>());
    for round in 0..100 {
        // It has been on the device, and had to leave.
        let x = of(80);
        drop(next.run((&x,)).unwrap());
        let other = of(60);
        drop(next.run((&other,)).unwrap());
        drop(other);
        let few = of(18);
        let y = next.run((&few,)).unwrap();
        let y = next.run((&y,)).unwrap();
        let found = sum.run((&y, x.part(0..18))).unwrap();
        assert_eq!(found, (0..18).sum::<u32>(), "{round}");
        assert_eq!(y.host().unwrap()[17], 19);
    }
}
