//! Panics in lanes are those of the function itself, and lanes go on.

use super::{PANICS, Share, in_all_ways};
use skel::prelude::*;
use skel_core::isa;
use std::sync::atomic::Ordering::Relaxed;

#[user_function]
fn divides(x: u32, y: u32) -> u32 {
    let mut k = x % 40;
    let mut sum = 0;
    while k < 60 {
        sum += 1000 / (y + k - 50);
        k += 11;
    }
    sum
}

/// Whether a call trapped at this element, in this function.
pub(crate) fn divided_by_zero<T>(
    result: skel::Result<T>,
    at: usize,
    of: &str,
    way: impl std::fmt::Display,
) {
    let error = result.map(drop).unwrap_err();
    let Error::Trap {
        index,
        message,
        function,
        ..
    } = &error
    else {
        panic!("{error}");
    };
    let found = (*index, function.as_str(), message.as_str());
    let expected = (Some(at), of, "attempt to divide by zero");
    assert_eq!(found, expected, "{way}");
}

#[test]
fn a_panic_is_that_of_the_first_element_that_panics() {
    let f = map!(divides).on(Cpu);
    in_all_ways(|way| {
        for (n, bad) in [(100, 37), (1000, 777), (20_000, 12_345), (20_000, 19_999)] {
            let mut x: Vec<u32> = (0..n).collect();
            let mut y = vec![1000; n as usize];
            // Elements behind it panic as well, earlier in the same block.
            for k in bad..n {
                (x[k as usize], y[k as usize]) = (39, 11);
            }
            (x[bad as usize], y[bad as usize]) = (28, 0);
            divided_by_zero(f.run((&x, &y)), bad as usize, "divides", way);
        }
    });
}

#[user_function]
fn divides_again(x: u32, y: u32) -> u32 {
    let (mut n, mut left) = (0, x);
    while left > 2 {
        left -= left / y;
        n += 1;
    }
    n
}

#[user_function]
fn count(a: u32, b: u32) -> u32 {
    a + b
}

/// A program that handles a trap is as fast afterwards: in lanes a block panics first, so there is one panic more.
#[test]
fn lanes_go_on_after_an_element_that_panics() {
    let (f, folded) = (
        map!(divides_again).on(Cpu),
        map_reduce!(divides_again, count).on(Cpu),
    );
    in_all_ways(|way| {
        let (x, good) = ([1000; 64], [2; 64]);
        let mut bad = good;
        bad[50] = 0;
        let expected = divides_again(1000, 2);
        for of_map in [true, false] {
            let panics: Vec<usize> = (0..3)
                .map(|_| {
                    let before = PANICS.load(Relaxed);
                    match of_map {
                        true => {
                            divided_by_zero(f.run((&x, &bad)), 50, "divides_again", way);
                            let all = f.run((&x, &good)).unwrap();
                            assert_eq!(all.host().unwrap()[..], [expected; 64], "{way}");
                        }
                        false => {
                            divided_by_zero(folded.run((&x, &bad)), 50, "divides_again", way);
                            assert_eq!(folded.run((&x, &good)).unwrap(), 64 * expected, "{way}");
                        }
                    }
                    PANICS.load(Relaxed) - before
                })
                .collect();
            if !way.ends_with("Measured") {
                assert_eq!(panics, [panics[0]; 3], "{way}");
            }
            let in_lanes = way.ends_with("Always") && isa::lanes() > 0;
            assert!(panics[0] > usize::from(in_lanes), "{way}: {panics:?}");
        }
    });
}

#[user_function]
fn shared_by_few(x: u32, y: u32) -> u32 {
    let mut share = Share { left: x, rounds: 0 };
    while share.take(y) > 9 {
        share.left -= 1;
    }
    share.rounds
}

#[test]
fn a_panic_in_a_method_is_that_of_the_first_element_that_panics() {
    let f = map!(shared_by_few).on(Cpu);
    in_all_ways(|way| {
        let (n, bad) = (20_000, 12_340);
        let x: Vec<u32> = (0..n).map(|k| k * 7919).collect();
        // Elements behind it panic as well.
        let y: Vec<u32> = (0..n)
            .map(|k| {
                if k == bad || k > bad + 3 {
                    0
                } else {
                    2 + k % 5
                }
            })
            .collect();
        divided_by_zero(f.run((&x, &y)), bad as usize, "take", way);
    });
}
