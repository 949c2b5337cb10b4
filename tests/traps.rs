//! What a trap costs: about the call again, whatever its elements cost and whatever panics.
#![allow(unsafe_code, reason = "text for devices")]

use skel::{Context, Error, mock::Mock, prelude::*};
use std::sync::atomic::{AtomicUsize, Ordering};

fn context() -> Context {
    let unit = Mock::named("mock").unit().expect("a mock device");
    Context::builder().unit(unit).build().expect("a context")
}

/// Of a trap: function, line, index, message.
fn trap<T>(found: skel::Result<T>) -> (String, u32, Option<usize>, String) {
    match found.map(|_| ()) {
        Err(Error::Trap {
            function,
            line,
            index,
            message,
            ..
        }) => (function, line, index, message),
        other => panic!("{other:?} instead of a trap"),
    }
}

/// The line in this file.
const FIRST_DIVISION: u32 = 32;

#[user_function]
fn divides_by_what_it_changes(x: &mut i32) -> i32 {
    *x -= 1;
    let first = 6 / *x;
    first + 6 / (*x + 5)
}

#[user_function]
fn sum(a: i32, b: i32) -> i32 {
    a + b
}

/// The interpreter sees what was there before the call, not what the element that panicked has made of it.
#[test]
fn a_fold_that_changes_what_it_traps_for() {
    for bad in [0, 700, 1999] {
        let mut x = Vector::from_fn(2000, |i| if i == bad { 1 } else { 2 + i as i32 });
        let found = map_reduce!(divides_by_what_it_changes, sum)
            .on(Cpu)
            .run((&mut x,));
        let (function, line, index, message) = trap(found);
        assert_eq!(function, "divides_by_what_it_changes");
        assert_eq!((line, index), (FIRST_DIVISION, Some(bad)), "{message}");
    }
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[user_function(unsafe(wgsl = "return x;"))]
fn counted(x: u32) -> u32 {
    CALLS.fetch_add(1, Ordering::Relaxed);
    assert!(x != 13, "{x} is unlucky");
    x
}

/// One test, since the calls of all threads are counted.
#[test]
fn a_trap_calls_the_function_twice_for_an_element_at_most() {
    maps_that_trap();
    a_fold_that_traps();
}

fn maps_that_trap() {
    for (n, at) in [(1000, 999), (50_000, 49_000), (1 << 20, (1 << 20) - 1)] {
        let mut x = vec![1_u32; n];
        x[at] = 13;
        for target in ["seq", "cpu"] {
            let target: Target = target.parse().expect("a target");
            let f = map!(counted).within(context()).on(&target);
            CALLS.store(0, Ordering::Relaxed);
            let (function, _, index, message) = trap(f.run((&x,)));
            let calls = CALLS.load(Ordering::Relaxed);
            assert_eq!((&*function, index), ("counted", Some(at)));
            // An interpreter could not have known the number.
            assert_eq!(message, "13 is unlucky");
            // The call, the piece again, and a part of the piece once more.
            assert!(calls <= 2 * n + 1024, "{calls} calls for {n} elements");
        }
    }
}

fn a_fold_that_traps() {
    let n = 100_000;
    let mut x = vec![1_u32; n];
    x[70_000] = 13;
    let f = map_reduce!(counted, |a: u32, b: u32| a.wrapping_add(b));
    let f = f.within(context()).on(Cpu);
    CALLS.store(0, Ordering::Relaxed);
    let (function, _, index, message) = trap(f.run((&x,)));
    assert_eq!((&*function, index), ("counted", Some(70_000)));
    assert_eq!(message, "13 is unlucky");
    assert!(CALLS.load(Ordering::Relaxed) <= 2 * n);
}

const LONG: u32 = line!() + 8;
#[user_function]
fn long(rounds: u32) -> u32 {
    let mut state = rounds;
    for i in 0..rounds {
        state ^= i;
        state = state.wrapping_mul(747_796_405);
    }
    assert!(rounds != 7 && state != 1, "seven");
    state
}

#[test]
fn elements_before_it_are_not_interpreted() {
    // More steps than the interpreter is given.
    let long_ones = 100_000_000;
    let x = [long_ones, 1, 2, 7, 5];
    for target in ["seq", "cpu", "device:0", "hybrid:0.5"] {
        let target: Target = target.parse().expect("a target");
        let f = map!(long).within(context()).on(&target);
        let found = f.run((&x,)).and_then(|y| y.to_vec());
        assert_eq!(trap(found), ("long".into(), LONG, Some(3), "seven".into()));
    }
}

const ENDLESS: u32 = line!() + 7;
#[user_function]
fn endless(rounds: u32) -> u32 {
    let mut state = 1_u32;
    for i in 0..rounds {
        state = state.wrapping_mul(747_796_405) ^ i;
    }
    assert!(rounds < 9, "too many rounds, an overflow of sorts");
    state
}

#[test]
fn an_element_that_takes_too_long_to_interpret_is_placed_by_its_message() {
    let f = map!(endless).within(context());
    let found = f.on(Sequential).run((&[1, 2, 30_000_000],));
    let message = "too many rounds, an overflow of sorts";
    assert_eq!(
        trap(found.and_then(|y| y.to_vec())),
        ("endless".into(), ENDLESS, Some(2), message.into())
    );
}

/// Panics again when it is dropped, and once more.
struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        if self.0 > 0 {
            std::panic::panic_any(Bomb(self.0 - 1));
        }
    }
}

#[user_function(unsafe(wgsl = "return x;"))]
fn explodes(x: u32) -> u32 {
    if x == 13 {
        std::panic::panic_any(Bomb(2));
    }
    x
}

#[test]
fn payloads_that_panic_when_they_are_dropped_are_traps_like_others() {
    let mut x = vec![1_u32; 1 << 20];
    (x[1 << 19], x[(1 << 20) - 1]) = (13, 13);
    let at = Some(1 << 19);
    for target in ["seq", "cpu", "device:0", "hybrid:0.3"] {
        let target: Target = target.parse().expect("a target");
        let f = map!(explodes).within(context()).on(&target);
        let (function, _, index, message) = trap(f.run((&x,)).and_then(|y| y.to_vec()));
        assert_eq!((&*function, index), ("explodes", at), "{target}");
        assert_eq!(message, "a panic without a message");
        let all = map_reduce!(explodes, |a: u32, b: u32| a.wrapping_add(b));
        let all = all.within(context()).on(&target);
        assert_eq!(trap(all.run((&x,))).2, at, "{target}");
        // The pool and the device are there as before.
        let y = f.run((&[1, 2, 3],)).expect("nothing explodes");
        assert_eq!(y.host().expect("results")[..], [1, 2, 3]);
    }
    for target in ["seq", "cpu", "hybrid:0.3"] {
        let target: Target = target.parse().expect("a target");
        let largest = reduce!(|a: u32, b: u32| explodes(a.max(b)));
        let largest = largest.within(context()).on(&target);
        assert_eq!(trap(largest.run((&x,))).2, None, "{target}");
        let prefixes = scan!(|a: u32, b: u32| explodes(a.max(b)));
        let prefixes = prefixes.within(context()).on(&target);
        assert_eq!(trap(prefixes.run((&x,)).and_then(|y| y.to_vec())).2, None);
    }
}

/// Divides; and sums that come to zero trap in the operator.
#[user_function]
fn hundredth(x: u32) -> u32 {
    100 / x
}

#[user_function]
fn add_few(a: u32, b: u32) -> u32 {
    a + b
}

/// Few columns are folded step by step, by several threads: the first column that traps is named all the same, and its
/// first element, wherever else there are others.
#[test]
fn traps_in_few_rows_and_columns_are_those_of_the_first() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(4)
        .build()
        .unwrap();
    let deep = 40_000;
    let of = |traps: &[(usize, usize)]| {
        let mut x = vec![1_u32; deep * 3];
        for (step, value) in traps {
            x[step * 3 + value] = 0;
        }
        let turned = Matrix::from_fn(3, deep, |i, j| x[j * 3 + i]);
        (Matrix::from_vec(deep, 3, x).unwrap(), turned)
    };
    let (m, turned) = of(&[(39_999, 1), (20_000, 1), (3, 2)]);
    let (good, _) = of(&[]);
    pool.install(|| {
        let fold = map_reduce!(hundredth, add_few).on(Cpu);
        for _ in 0..3 {
            let (function, _, index, message) = trap(fold.clone().cols().run((&m,)));
            let found = (function.as_str(), index);
            assert_eq!(found, ("hundredth", Some(1)), "{message}");
            let (function, _, index, _) = trap(fold.clone().rows().run((&turned,)));
            assert_eq!((function.as_str(), index), ("hundredth", Some(1)));
            let sums = fold.clone().cols().run((&good,)).unwrap();
            assert_eq!(sums.host().unwrap()[..], [100 * deep as u32; 3]);
        }
        // The operator, of whatever the steps came to.
        let mut x = vec![0_u32; deep * 3];
        (x[4], x[(deep - 1) * 3 + 1]) = (u32::MAX, 1);
        let m = Matrix::from_vec(deep, 3, x).unwrap();
        let (function, _, index, _) = trap(reduce!(add_checked).on(Cpu).cols().run((&m,)));
        assert_eq!((function.as_str(), index), ("add_checked", Some(1)));
    });
}

/// Traps in every build where the sum has no room.
#[user_function]
fn add_checked(a: u32, b: u32) -> u32 {
    assert!(a <= u32::MAX - b, "no room");
    a + b
}

#[user_function]
fn halve_even(x: &mut u32) {
    assert!(*x & 1 == 0, "odd");
    *x /= 2;
}

#[user_function]
fn halve_even_lines(l: &mut Line<u32>) {
    for i in 0..l.len() {
        assert!(l[i] & 1 == 0, "odd");
        l[i] /= 2;
    }
}

/// What is changed in place is set aside part by part. Wherever a trap is, in the first part, the last or at their
/// borders, its element is named, and what was computed before is not computed again.
#[test]
fn a_trap_in_what_is_changed_in_place_is_found_in_every_part() {
    const N: usize = 40_000;
    for at in [0, 1, 8191, 8192, 20_000, N - 1] {
        for target in ["seq", "cpu"] {
            let target: Target = target.parse().expect("a target");
            // All are odd when they have been halved: those before the trap must be what they were again.
            let mut x = vec![2_u32; N];
            x[at] = 9;
            let f = map!(halve_even).within(context()).on(&target);
            let (function, _, index, message) = trap(f.run((&mut x[..],)));
            assert_eq!((&*function, index), ("halve_even", Some(at)), "{message}");
            x.fill(2);
            f.run((&mut x[..],)).expect("no trap");
            assert_eq!(x, [1; N]);
            // Lines down the columns, which lie between each other's elements.
            let (rows, cols) = (20, N / 20);
            let mut m = Matrix::from_vec(rows, cols, vec![2_u32; N]).expect("a matrix");
            let line = at % cols;
            m.host_mut().expect("on the host")[at] = 9;
            let f = map_lines!(halve_even_lines).along(0);
            let f = f.within(context()).on(&target);
            let (function, _, index, message) = trap(f.run((&mut m,)));
            assert_eq!(
                (&*function, index),
                ("halve_even_lines", Some(line)),
                "{message}"
            );
        }
    }
}

#[user_function]
fn add_second(l: &mut Line<i32>) {
    let second = l[1];
    for i in 0..l.len() {
        l[i] += second;
    }
}

/// Lines of two elements and more are known to have all that is asked for, so nothing of them is set aside; of shorter
/// ones, it still is.
#[test]
fn lines_that_are_too_short_say_which_one_it_was() {
    for target in ["seq", "cpu", "device:0"] {
        let target: Target = target.parse().expect("a target");
        let f = map_lines!(add_second).within(context()).on(&target);
        let mut long = Matrix::filled(5, 2, 7);
        f.run((&mut long,)).expect("there are two");
        assert_eq!(long.to_vec().expect("there"), [14; 10]);
        let mut short = Matrix::filled(5, 1, 7);
        let found = f.run((&mut short,)).and_then(|()| short.to_vec());
        let (function, _, index, message) = trap(found);
        assert_eq!((&*function, index), ("add_second", Some(0)));
        assert!(message.starts_with("index out of bounds"), "{message}");
    }
}

#[user_function]
fn counted_all(l: &mut Line<u32>) {
    for i in 0..l.len() {
        l[i] = counted(l[i]);
    }
}

/// What a body by hand does on the CPU, the IR does not know.
#[test]
fn a_line_that_a_body_by_hand_traps_in_is_named() {
    for target in ["seq", "cpu"] {
        let target: Target = target.parse().expect("a target");
        let f = map_lines!(counted_all).within(context()).on(&target);
        let mut m = Matrix::try_from_fn(6, 4, |i, j| if (i, j) == (3, 1) { 13 } else { 1 })
            .expect("there is room");
        let (_, _, index, message) = trap(f.run((&mut m,)));
        assert_eq!((index, &*message), (Some(3), "13 is unlucky"));
    }
}
