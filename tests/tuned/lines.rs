//! Calls on lines: their elements are lines, and what is divided between units are blocks of lines that lie side by
//! side.

use super::{context, took};
use skel::{
    Context, Matrix,
    mock::Law,
    prelude::*,
    tuning::{self, Options},
};

/// How many lines there are.
const LINES: usize = 4000;
const LEN: usize = 6;

#[user_function]
fn recurrence(l: &mut Line<u32>) {
    for i in 1..l.len() {
        l[i] = l[i].wrapping_mul(31) ^ l[i - 1];
    }
}

/// The same of a matrix, by plain loops; elements of a line are `stride` apart.
fn plain(all: &mut [u32], stride: usize) {
    for line in 0..LINES {
        let first = line / stride * (stride * LEN) + line % stride;
        for i in 1..LEN {
            let at = first + i * stride;
            all[at] = all[at].wrapping_mul(31) ^ all[at - stride];
        }
    }
}

/// A line takes the CPU 2 µs, and the device half a microsecond.
fn machine() -> Context {
    context(Law::per_elem_ns(2000.0), &[Law::per_elem_ns(500.0)])
}

fn elements() -> Vec<u32> {
    (0..(LINES * LEN) as u32)
        .map(|i| i.wrapping_mul(2_654_435_761))
        .collect()
}

#[test]
fn lines_are_measured_and_divided_as_measured() {
    let context = machine();
    let rows = map_lines!(recurrence).within(context.clone());
    let mut m = Matrix::from_vec(LINES, LEN, elements()).unwrap();
    let mut expected = elements();
    let (_, tuned) = tuning::tune(&context, &Options::default(), || {
        rows.clone().on(Cpu).run((&mut m,)).unwrap();
    });
    // Measuring happens on copies.
    plain(&mut expected, 1);
    assert_eq!(m.host().unwrap()[..], expected[..]);
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    let class = &tuned.instances[0].classes[0];
    assert_eq!(class.elems, LINES, "{class:?}");
    assert_eq!(class.verdict(), skel::model::Verdict::Good, "{class:?}");
    for target in [Target::from(Hybrid::tuned()), Auto.into()] {
        let mut calls = Vec::new();
        let ns = took(&context, || {
            (_, calls) = skel::observe(|| rows.clone().on(target.clone()).run((&mut m,)).unwrap());
        });
        plain(&mut expected, 1);
        // The device takes four of five lines, so that both end after 800 of the CPU's.
        let parts = &calls[0].parts;
        let on_device = parts.iter().find(|part| part.unit == "mock 0");
        let on_device = on_device.map_or(0, |part| part.range.len());
        assert!((3000..3400).contains(&on_device), "{parts:?}");
        assert!(ns < 1_900_000.0, "{ns}");
        assert_eq!(m.host().unwrap()[..], expected[..]);
    }
}

#[test]
fn lines_that_cannot_be_divided_go_to_the_faster_unit() {
    let context = machine();
    let columns = map_lines!(recurrence).along(0).within(context.clone());
    let mut m = Matrix::from_vec(LEN, LINES, elements()).unwrap();
    let mut expected = elements();
    let (_, tuned) = tuning::tune(&context, &Options::default(), || {
        columns.clone().on(Cpu).run((&mut m,)).unwrap();
    });
    plain(&mut expected, LINES);
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    for target in [Target::from(Hybrid::tuned()), Auto.into()] {
        let (_, calls) = skel::observe(|| columns.clone().on(target).run((&mut m,)).unwrap());
        plain(&mut expected, LINES);
        let parts = &calls[0].parts;
        assert_eq!(parts.len(), 1, "{parts:?}");
        assert_eq!(parts[0].unit, "mock 0");
        assert_eq!(m.host().unwrap()[..], expected[..]);
    }
}
