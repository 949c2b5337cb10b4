//! Sweeps, which are never divided: they are measured as wholes, and one unit takes all of a call.

use super::{context, took};
use skel::{
    Matrix,
    mock::Law,
    prelude::*,
    tuning::{self, Options},
};

/// What sums of the matrix to the left and above are made of.
fn sums(rows: usize) -> Vec<u32> {
    let mut sums = vec![0_u32; rows * rows];
    for y in 0..rows {
        for x in 0..rows {
            let at = |dy: usize, dx: usize| match (y.checked_sub(dy), x.checked_sub(dx)) {
                (Some(y), Some(x)) => sums[y * rows + x],
                _ => 0,
            };
            let sum = 1_u32
                .wrapping_add(at(0, 1))
                .wrapping_add(at(1, 0))
                .wrapping_sub(at(1, 1));
            sums[y * rows + x] = sum;
        }
    }
    sums
}

#[test]
fn sweeps_are_tuned_as_wholes() {
    // The device is slow to begin with, and fast from then on.
    let cpu = Law::per_elem_ns(2.0);
    let device = Law::per_elem_ns(0.5).latency_ns(20_000.0);
    let context = context(cpu, &[device]);
    let integral = sweep!(|w: Sweep2<u32, 1, 1>| {
        w[(0, 0)]
            .wrapping_add(w[(0, -1)])
            .wrapping_add(w[(-1, 0)])
            .wrapping_sub(w[(-1, -1)])
    })
    .pad(0)
    .within(context.clone());
    let ones = |rows: usize| Matrix::from_vec(rows, rows, vec![1_u32; rows * rows]).unwrap();
    let mut tables = [40, 300].map(ones);
    let (_, tuned) = tuning::tune(&context, &Options::default(), || {
        for table in &mut tables {
            integral.clone().on(Cpu).run((table,)).unwrap();
        }
    });
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    let classes = &tuned.instances[0].classes;
    assert_eq!(classes.len(), 2);
    for class in classes {
        let samples = class.units.iter().flat_map(|unit| &unit.samples);
        assert!(samples.into_iter().all(|s| s.elems == class.elems));
        assert!(class.measured.iter().all(|m| m.single().is_some()));
        assert_eq!(class.verdict(), skel::model::Verdict::Good, "{class:?}");
    }
    // 1,600 elements take the CPU 3.2 µs, and 90,000 take the device 65 µs. Calls of other sizes: one unit, too.
    for (rows, on_device) in [(40, false), (300, true), (280, true)] {
        for target in [Target::from(Hybrid::tuned()), Auto.into()] {
            let mut table = ones(rows);
            let (_, calls) =
                skel::observe(|| integral.clone().on(target).run((&mut table,)).unwrap());
            let parts = &calls[0].parts;
            assert_eq!(parts.len(), 1, "{parts:?}");
            assert_eq!(parts[0].unit == "mock 0", on_device, "{rows}: {parts:?}");
            assert_eq!(table.host().unwrap()[..], sums(rows)[..]);
        }
    }
}

#[test]
fn adaptive_sweeps_find_the_faster_unit() {
    let device = Law::per_elem_ns(0.5).latency_ns(20_000.0);
    let context = context(Law::per_elem_ns(2.0), &[device]);
    let running = sweep!(|w: Sweep2<u32, 1, 1>| w[(0, 0)].wrapping_add(w[(-1, -1)]))
        .pad(0)
        .within(context.clone())
        .on(Hybrid::adaptive());
    let mut table = Matrix::from_vec(300, 300, vec![1_u32; 90_000]).unwrap();
    let mut call = || running.run((&mut table,)).unwrap();
    (0..10).for_each(|_| call());
    let ns = took(&context, call);
    assert!(ns < 70_000.0, "{ns}");
}
