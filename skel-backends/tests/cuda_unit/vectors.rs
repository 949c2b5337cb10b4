//! Vectors of elements on the device: parts that are aligned alike, and parts that are not.

use crate::{Test, driver::World};
use skel::{Error, Hybrid, prelude::*};
use skel_backends::cuda::Options;

pub(crate) const TESTS: &[Test] = &[
    (
        "parts_may_begin_and_end_anywhere",
        parts_may_begin_and_end_anywhere,
    ),
    (
        "the_first_trap_is_named_wherever_it_is",
        the_first_trap_is_named_wherever_it_is,
    ),
];

#[user_function]
fn mixed(a: u8, b: u32) -> u16 {
    a as u16 * 3 + b as u16
}

#[user_function]
fn shifted(a: &mut u32, b: u8) {
    *a = *a * 5 + b as u32;
}

#[user_function]
fn quotient(a: u32, b: u32) -> u32 {
    a / b
}

/// With vectors, and without.
fn both() -> [Options; 2] {
    let mut single = Options::default();
    single.vectors = false;
    [Options::default(), single]
}

const N: usize = 5000;

fn parts_may_begin_and_end_anywhere(world: &World) {
    let a: Vec<u8> = (0..N).map(|i| (i * 7) as u8).collect();
    let b: Vec<u32> = (0..N).map(|i| i as u32 * 1001).collect();
    for (options, target) in [
        (both()[0], Target::from(Cuda)),
        (both()[0], Hybrid::ratio(0.337).into()),
        (both()[1], Cuda.into()),
    ] {
        let context = world.context(&[options]);
        let map = map!(mixed).within(context.clone()).on(target.clone());
        let change = map!(shifted).within(context).on(target);
        let (va, vb) = (Vector::from(a.clone()), Vector::from(b.clone()));
        for (from, to, at, len) in [
            (0, 0, 0, N),
            (1, 1, 1, N - 1),
            (3, 3, 0, N - 3),
            (5, 2, 9, 4000),
            (16, 32, 64, 4100),
            (7, 7, 7, 3),
            (2, 1, 3, 1),
        ] {
            let mut out = Vector::filled(N + 64, 9_u16);
            let parts = (va.part(from..from + len), vb.part(to..to + len));
            map.run_into(parts, out.part_mut(at..at + len)).unwrap();
            let mut expected = vec![9_u16; N + 64];
            for i in 0..len {
                expected[at + i] = mixed(a[from + i], b[to + i]);
            }
            assert_eq!(*out.host().unwrap(), expected, "{from} {to} {at} {len}");

            let mut changed = Vector::from(b.clone());
            let part = (changed.part_mut(to..to + len), va.part(from..from + len));
            change.run(part).unwrap();
            let mut expected = b.clone();
            for i in 0..len {
                shifted(&mut expected[to + i], a[from + i]);
            }
            assert_eq!(*changed.host().unwrap(), expected, "{from} {to} {len}");
        }
    }
}

fn the_first_trap_is_named_wherever_it_is(world: &World) {
    let context = world.context(&both()[..1]);
    let divide = map!(quotient).within(context).on(Cuda);
    let a = Vector::filled(N, 7_u32);
    for zeros in [[0, 1], [2, 3], [4, 4000], [4090, 4091], [N - 2, N - 1]] {
        let mut b = vec![1_u32; N];
        for zero in zeros {
            b[zero] = 0;
        }
        let divided = divide.run((&a, &Vector::from(b)));
        let error = divided.and_then(|x| x.host().map(drop)).unwrap_err();
        assert!(
            matches!(&error, Error::Trap { index, .. } if *index == Some(zeros[0])),
            "{error}"
        );
    }
}
