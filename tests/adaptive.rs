//! `Hybrid::adaptive()` on machines whose laws are known, in virtual time.

use crate::virtual_machine;
use skel::{
    Context,
    mock::{Law, Load, Mock},
    model::policy::{Assignment, Policy, Question, Took},
    prelude::*,
};
use std::{
    ops::Range,
    sync::{Arc, Mutex},
};

const N: usize = 100_000;

fn context(cpu: Law, devices: &[Law]) -> Context {
    virtual_machine::machine(cpu, Law::per_elem_ns(50.0), devices)
}

/// What `calls` calls on `target` take, one by one.
fn took(context: &Context, target: impl Into<Target>, calls: usize) -> Vec<u64> {
    let target = target.into();
    let fill = map!(|i: Index1| 3 * i.i as u32)
        .within(context.clone())
        .on(&target);
    (0..calls)
        .map(|_| {
            let before = context.virtual_ns().unwrap();
            let filled = fill.run_shaped(N, ()).unwrap();
            assert_eq!(filled.len(), N);
            context.virtual_ns().unwrap() - before
        })
        .collect()
}

/// The best of all ratios of one CPU and one device.
fn oracle(context: &Context) -> u64 {
    let ratios = (0..=100).map(|percent| f64::from(percent) / 100.0);
    let times = ratios.map(|ratio| took(context, Hybrid::ratio(ratio), 1)[0]);
    times.min().unwrap()
}

#[test]
fn a_few_calls_find_the_best_shares() {
    for (slope, latency) in [(0.1, 3_000.0), (1.0, 50_000.0), (9.0, 1_000.0)] {
        let context = context(
            Law::per_elem_ns(1.0).latency_ns(500.0),
            &[Law::per_elem_ns(slope).latency_ns(latency)],
        );
        let best = oracle(&context) as f64;
        let times = took(&context, Hybrid::adaptive(), 12);
        for ns in &times[4..] {
            assert!(
                *ns as f64 <= 1.05 * best,
                "{slope} {latency}: {times:?} {best}"
            );
        }
    }
}

#[test]
fn unlike_devices_and_noise() {
    let law = |ns, seed| Law::per_elem_ns(ns).noise(0.03, seed);
    let context = context(law(4.0, 1), &[law(1.0, 2), law(2.0, 3)]);
    let best = N as f64 / (1.0 / 4.0 + 1.0 / 1.0 + 1.0 / 2.0);
    let times = took(&context, Hybrid::adaptive(), 100);
    let mean = times[5..].iter().sum::<u64>() as f64 / 95.0;
    assert!(mean <= 1.1 * best, "{mean} {best}");
}

#[test]
fn a_load_is_followed() {
    let load = Load::new();
    let context = context(
        Law::per_elem_ns(1.0).under(&load),
        &[Law::per_elem_ns(1.0).latency_ns(2_000.0)],
    );
    took(&context, Hybrid::adaptive(), 10);
    for factor in [5.0, 1.0] {
        load.set(factor);
        let best = oracle(&context) as f64;
        let times = took(&context, Hybrid::adaptive(), 12);
        // Three of them may be a trial of one unit alone, where that takes little longer.
        let late = times[6..].iter().filter(|ns| **ns as f64 > 1.1 * best);
        let late: Vec<&u64> = late.collect();
        assert!(late.len() <= 3, "{factor}: {times:?} {best}");
        for ns in late {
            assert!(*ns as f64 <= 1.3 * best, "{factor}: {times:?} {best}");
        }
    }
}

#[test]
fn a_device_that_does_not_pay_is_left_alone() {
    let context = context(
        Law::per_elem_ns(1.0),
        &[Law::per_elem_ns(0.1).latency_ns(5.0 * N as f64)],
    );
    let times = took(&context, Hybrid::adaptive(), 30);
    let alone = times.iter().filter(|ns| **ns == N as u64);
    assert!(alone.count() >= 26, "{times:?}");
}

#[test]
fn transfers_count() {
    // The data comes from the host each time: the device is faster, and its bytes are not.
    let context = context(
        Law::per_elem_ns(1.0),
        &[Law::per_elem_ns(0.1).transfers(0.0, 1.0)],
    );
    let double = map!(|x: u32| 2 * x)
        .within(context.clone())
        .on(Hybrid::adaptive());
    let mut shares = Vec::new();
    for _ in 0..8 {
        let x = Vector::from(vec![1_u32; N]);
        let (y, calls) = skel::observe(|| double.run((&x,)).unwrap());
        shares.push(calls[0].parts[0].range.len() as f64 / N as f64);
        assert_eq!(y.host().unwrap()[..], [2; N]);
    }
    let best = 4.1 / 5.1;
    assert!((shares[7] - best).abs() < 0.02, "{shares:?}");
}

#[test]
fn few_elements_no_device_and_names() {
    let context = context(Law::per_elem_ns(1.0), &[Law::per_elem_ns(1.0)]);
    let sum = reduce!(|a: u32, b: u32| a + b)
        .within(context)
        .on(Hybrid::adaptive());
    for elems in [0, 1, 2, 1, 0, 1] {
        assert_eq!(sum.run((&vec![1_u32; elems],)).unwrap_or(0), elems as u32);
    }
    let alone = Context::builder().build().unwrap();
    let sums = scan!(|a: u32, b: u32| a + b)
        .within(alone)
        .on("hybrid:adaptive".parse::<Target>().unwrap());
    assert_eq!(
        sums.run((&[1, 2, 3],)).unwrap().host().unwrap()[..],
        [1, 3, 6]
    );
    assert_eq!(
        Target::from(Hybrid::adaptive()).to_string(),
        "hybrid:adaptive"
    );
}

/// Gives every call the same pieces, and notes what it is asked and told.
struct Fixed {
    pieces: Vec<(usize, Range<usize>)>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Policy for Fixed {
    fn assign(&self, question: &Question<'_>) -> Assignment {
        let units = question.units.iter();
        let known = units.map(|unit| (unit.unit, unit.seen_ns_per_elem));
        let asked = format!("{} {:?}", question.elems, known.collect::<Vec<_>>());
        self.heard.lock().unwrap().push(asked);
        Assignment {
            pieces: self.pieces.clone(),
        }
    }

    fn observe(&mut self, took: &[Took]) {
        let parts = took
            .iter()
            .map(|part| (part.unit, part.elems, part.busy_ns));
        let told = format!("{:?}", parts.collect::<Vec<_>>());
        self.heard.lock().unwrap().push(told);
    }
}

/// Ten elements, by a policy that gives these pieces, on a CPU of 4 ns per element and a device of 1 ns.
fn by_pieces(
    pieces: &[(usize, Range<usize>)],
    calls: usize,
) -> (skel::Result<Vec<u32>>, Vec<String>) {
    let heard = Arc::<Mutex<Vec<String>>>::default();
    let (told, pieces) = (Arc::clone(&heard), pieces.to_vec());
    let device = Mock::named("device")
        .law(Law::per_elem_ns(1.0))
        .virtual_time();
    let context = Context::builder()
        .unit(device.unit().unwrap())
        .virtual_time(Law::per_elem_ns(4.0), Law::per_elem_ns(8.0))
        .policy(move |_| Fixed {
            pieces: pieces.clone(),
            heard: Arc::clone(&told),
        })
        .build()
        .unwrap();
    let fill = map!(|i: Index1| 3 * i.i as u32)
        .within(context)
        .on(Hybrid::adaptive());
    let filled = (0..calls).map(|_| fill.run_shaped(10, ())?.into_vec());
    let last = filled.last().expect("a call");
    let heard = heard.lock().unwrap().clone();
    (last, heard)
}

#[test]
fn a_policy_of_the_programs_own_is_asked_for_every_call_and_told_what_it_took() {
    let expected: Vec<u32> = (0..10).map(|i| 3 * i).collect();
    // The CPU is at position 1, the first device behind it.
    let (filled, heard) = by_pieces(&[(2, 0..7), (1, 7..10)], 2);
    assert_eq!(filled.unwrap(), expected);
    assert_eq!(
        heard,
        [
            "10 [(1, None), (2, None)]",
            "[(1, 3, 12.0), (2, 7, 7.0)]",
            "10 [(1, Some(4.0)), (2, Some(1.0))]",
            "[(1, 3, 12.0), (2, 7, 7.0)]",
        ]
    );
}

#[test]
fn pieces_that_are_no_assignment_are_an_error() {
    let wrong: [&[(usize, Range<usize>)]; 7] = [
        &[],
        &[(1, 0..9)],
        &[(1, 0..11)],
        &[(1, 0..5), (2, 6..10)],
        &[(1, 0..6), (2, 5..10)],
        &[(2, 5..10), (1, 0..5)],
        &[(1, 0..5), (7, 5..10)],
    ];
    for pieces in wrong {
        let (filled, heard) = by_pieces(pieces, 1);
        let is_refused = matches!(
            filled,
            Err(skel::Error::BadRatio {
                what: "assignment",
                ..
            })
        );
        assert!(is_refused, "{pieces:?}: {filled:?}");
        assert_eq!(heard.len(), 1, "nothing was run");
    }
}

/// A sweep cannot be cut: each call is one unit's, and the faster one's after a few.
#[test]
fn sweeps_stay_on_the_faster_unit() {
    for ns in [0.2, 5.0] {
        let context = context(
            Law::per_elem_ns(1.0).latency_ns(500.0),
            &[Law::per_elem_ns(ns).latency_ns(2_000.0)],
        );
        let sweep = sweep!(|w: Sweep1<u32, 1>| w[0] + w[-1])
            .pad(0)
            .within(context.clone());
        let took = |target: Target| {
            let sweep = sweep.clone().on(target);
            let mut x = Vector::from(vec![1_u32; N]);
            let before = context.virtual_ns().unwrap();
            sweep.run((&mut x,)).unwrap();
            assert_eq!(x.host().unwrap()[N - 1], N as u32);
            context.virtual_ns().unwrap() - before
        };
        let best = took(Cpu.into()).min(took(Device(0).into()));
        let times: Vec<u64> = (0..30).map(|_| took(Hybrid::adaptive().into())).collect();
        for ns in &times[5..] {
            assert!(*ns as f64 <= 1.2 * best as f64, "{times:?} {best}");
        }
    }
}
