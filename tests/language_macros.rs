//! What the macros make besides the IR: closures, markers, names, flags.

#![allow(
    unreachable_pub,
    clippy::let_and_return,
    reason = "the functions show constructs"
)]
#![allow(
    clippy::assertions_on_constants,
    clippy::unnecessary_min_or_max,
    clippy::needless_late_init,
    reason = "the functions show constructs, not style"
)]

use skel::prelude::*;
use skel_core::{
    Error,
    ir::{FnId, Program, Value, build, eval, print},
    param::{Each, EachMut, Params, Uniform},
    user_function::UserFunction,
};

/// The IR of an instance's function.
fn ir<F: UserFunction<P>, P: Params>(_: &skel::Map<F>) -> (Program, FnId) {
    build::build(F::ir).unwrap()
}

fn call<F: UserFunction<P>, P: Params>(
    _: &skel::Map<F>,
    at: F::At,
    args: P::Args<'_>,
) -> F::Output {
    F::call(at, args)
}

fn interpreted((program, function): &(Program, FnId), args: &[Value]) -> eval::Evaluated {
    eval::call(program, *function, args, 1000).unwrap()
}

#[user_function]
fn square(x: f32) -> f32 {
    x * x
}

#[test]
fn closures_compute_what_they_say() {
    let scale = map!(|x: f32, #[uniform] k: f32| k * square(x) + 1.0);
    let program = ir::<_, (Each<f32>, Uniform<f32>)>(&scale);
    let native = call::<_, (Each<f32>, Uniform<f32>)>(&scale, (), (3.0, 0.5));
    assert_eq!(native, 5.5);
    let found = interpreted(&program, &[Value::F32(3.0), Value::F32(0.5)]);
    assert!(found.result.same(&Value::F32(5.5)));
}

#[test]
fn closures_have_patterns_labels_and_functions_inside() {
    let m = map!(|n: u32, #[uniform] limit: u32| {
        const STEP: u32 = 3;
        fn twice(n: u32) -> u32 {
            n + n
        }
        let (a, b) = match n {
            0 => (1, limit),
            k @ (1 | 2) if k < limit => (k, STEP),
            k => (k, 0),
        };
        'outer: for i in 0..5 {
            for j in 0..i {
                if i * j == a {
                    break 'outer;
                }
            }
            if i > limit {
                return twice(i);
            }
        }
        a + b
    });
    let program = ir::<_, (Each<u32>, Uniform<u32>)>(&m);
    for (n, limit, expected) in [(0, 9, 10), (2, 9, 5), (2, 1, 2), (7, 3, 8), (6, 3, 6)] {
        let native = call::<_, (Each<u32>, Uniform<u32>)>(&m, (), (n, limit));
        assert_eq!(native, expected);
        let found = interpreted(&program, &[Value::U32(n), Value::U32(limit)]);
        assert!(found.result.same(&Value::U32(expected)));
    }
}

#[test]
fn a_failed_assertion_names_element_line_and_message() -> skel::Result<()> {
    let checked = map!(|n: u32| {
        assert!(n != 7, "no sevens");
        assert!(n < 50);
        n
    })
    .on(Sequential);
    let line = line!() - 5;
    let sequence = |n: usize| Vector::from_fn(n, |i| i as u32);
    assert_eq!(checked.run((&sequence(5),))?.host()?[4], 4);
    for (first, expected_line, expected) in [
        (0, line, "no sevens"),
        (20, line + 1, "assertion failed: n < 50"),
    ] {
        let input = Vector::from_fn(100, |i| i as u32 + first);
        match checked.run((&input,)).map(drop) {
            Err(Error::Trap {
                index,
                line,
                message,
                ..
            }) => {
                assert_eq!(index, Some(if first == 0 { 7 } else { 30 }));
                assert_eq!((line, &*message), (expected_line, expected));
            }
            other => panic!("{other:?}"),
        }
    }
    Ok(())
}

#[test]
fn closures_return_early_and_change_in_place() {
    let m = map!(|y: &mut i32, #[uniform] limit: i32| {
        if *y > limit {
            return;
        }
        *y *= 2;
    });
    type P = (EachMut<i32>, Uniform<i32>);
    let program = ir::<_, P>(&m);
    for (before, after) in [(3, 6), (9, 9)] {
        let mut y = before;
        call::<_, P>(&m, (), (&mut y, 5));
        assert_eq!(y, after);
        let found = interpreted(&program, &[Value::I32(before), Value::I32(5)]);
        assert!(found.inout[0].same(&Value::I32(after)), "{found:?}");
    }
    let sign = map!(|x: f64| {
        if x < 0.0 {
            return -1.0;
        }
        1.0
    });
    assert_eq!(call::<_, (Each<f64>,)>(&sign, (), (-2.0,)), -1.0);
    assert!(print(&ir::<_, (Each<f64>,)>(&sign).0).contains("return -1.0f64"));
}

#[test]
fn closures_know_where_they_are() {
    let m = map!(|#[uniform] w: f32, at: Index2| at.row as f32 * w + at.col as f32);
    let native = call::<_, (Uniform<f32>,)>(&m, Index2 { row: 2, col: 3 }, (10.0,));
    assert_eq!(native, 23.0);
    let text = print(&ir::<_, (Uniform<f32>,)>(&m).0);
    assert!(text.starts_with(
        "struct Index2 { row: usize, col: usize }\nfn closure#0(w_0: f32, at_1: Index2)"
    ));
}

#[test]
fn closures_live_in_generic_functions() {
    fn doubled<T: Number>(x: T) -> (T, String) {
        let m = map!(|x: T, #[uniform] k: T| {
            let t = x * k;
            t + k.min(x)
        });
        type P<T> = (Each<T>, Uniform<T>);
        (
            call::<_, P<T>>(&m, (), (x, T::ONE + T::ONE)),
            print(&ir::<_, P<T>>(&m).0),
        )
    }
    let (single, text) = doubled(3.0_f32);
    assert_eq!(single, 8.0);
    assert!(text.contains("f32"));
    let (integer, text) = doubled(3_u32);
    assert_eq!(integer, 8);
    assert!(text.contains("u32") && !text.contains("f32"));
}

#[test]
fn the_result_of_a_closure_may_be_inferred_from_outside() {
    let m = map!(|_x: u32| 0.5);
    let half: f32 = call::<_, (Each<u32>,)>(&m, (), (1,));
    assert_eq!(half, 0.5);
    assert!(print(&ir::<_, (Each<u32>,)>(&m).0).contains("return 0.5f32"));
}

#[user_function]
fn even(n: u32) -> bool {
    if n == 0 { true } else { odd(n - 1) }
}

#[user_function]
fn odd(n: u32) -> bool {
    if n == 0 { false } else { even(n - 1) }
}

#[test]
fn mutual_recursion_is_an_error_with_its_path() {
    let error = build::build(<even as UserFunction<(Each<u32>,)>>::ir).unwrap_err();
    match error {
        Error::Recursion { path } => assert_eq!(path, "even -> odd -> even"),
        other => panic!("{other}"),
    }
}

/// Operators, and whether they commute.
mod operators {
    use skel::prelude::*;

    #[user_function]
    pub fn add<T: Number>(a: T, b: T) -> T {
        a + b
    }
    #[user_function]
    pub fn swapped(a: f32, b: f32) -> f32 {
        (b) * a
    }
    #[user_function]
    pub fn smallest(a: i32, b: i32) -> i32 {
        a.min(b)
    }
    #[user_function]
    pub fn bits(a: u32, b: u32) -> u32 {
        a ^ b
    }
    #[user_function]
    pub fn minus(a: f32, b: f32) -> f32 {
        a - b
    }
    #[user_function]
    pub fn same_twice(a: f32, _b: f32) -> f32 {
        a + a
    }
    #[user_function]
    pub fn mixed(a: f32, #[uniform] b: f32) -> f32 {
        a + b
    }
    #[user_function(commutative)]
    pub fn promised(a: f32, b: f32) -> f32 {
        (a + b) * 1.0
    }
}

#[test]
fn operators_that_are_seen_to_commute_are_marked() {
    use operators::*;
    fn commutes<F: UserFunction<(Each<T>, Each<T>)>, T: 'static>() -> bool {
        F::COMMUTATIVE
    }
    assert!(commutes::<add, f32>());
    assert!(commutes::<add, usize>());
    assert!(commutes::<swapped, f32>());
    assert!(commutes::<smallest, i32>());
    assert!(commutes::<bits, u32>());
    assert!(commutes::<promised, f32>());
    assert!(!commutes::<minus, f32>());
    assert!(!commutes::<same_twice, f32>());
    assert!(!<mixed as UserFunction<(Each<f32>, Uniform<f32>)>>::COMMUTATIVE);
}

/// Functions and parameters that come out of a macro keep their own names apart.
macro_rules! made {
    ($name:ident, $x:ident, $body:expr) => {
        #[user_function]
        fn $name($x: f32) -> f32 {
            let y = 3.0;
            $body * y
        }
    };
}
made!(made_here, x, x + 1.0);

#[test]
fn functions_made_by_macros_work() {
    assert_eq!(made_here(1.0), 6.0);
    let m = map!(made_here);
    let found = interpreted(&ir::<_, (Each<f32>,)>(&m), &[Value::F32(1.0)]);
    assert!(found.result.same(&Value::F32(6.0)));
}

#[test]
fn a_user_function_stays_a_function() {
    assert_eq!(square(3.0), 9.0);
    assert_eq!([1.0, 2.0].iter().copied().map(square).sum::<f32>(), 5.0);
    let square = square(2.0);
    assert_eq!(square, 4.0);
    // Methods of `Number` do not get in the way of those of `std`.
    assert_eq!(1_u32.min(2), 1);
}

#[test]
fn instances_are_named_after_their_functions() {
    assert_eq!(map!(square).name(), "root::language_macros::map(square)");
    assert_eq!(
        map!(|x: f32| x).name(),
        "root::language_macros::map(closure)"
    );
    let dot = map_reduce!(operators::swapped, operators::add);
    assert_eq!(
        dot.name(),
        "root::language_macros::map_reduce(operators::swapped, operators::add)"
    );
}

/// Unary minus, moved values, late initialisation: the probe must not be checked for borrows.
#[user_function]
fn probe_is_not_borrow_checked(x: f32) -> f32 {
    let y;
    let n = 1;
    if x > 0.0 {
        y = -x;
    } else {
        y = n as f32;
    }
    let z: f32;
    z = y + y;
    z
}

#[test]
fn late_initialisation_passes() {
    assert_eq!(probe_is_not_borrow_checked(2.0), -4.0);
}

#[test]
fn the_interpreter_finds_overflow_where_a_checked_build_panics() {
    use skel_core::ir::{
        TrapKind,
        eval::{Env, Overflow, Stop},
    };
    #[user_function]
    fn poly(x: i32, n: u32) -> i32 {
        let y = x * x;
        let mut sum = 0;
        for _ in 0..=n {
            sum += y;
        }
        -sum << n
    }
    let (program, f) = ir(&map!(poly));
    let expect = |x: i32, n: u32| {
        // What the checks of rustc would say, by hand.
        let y = x
            .checked_mul(x)
            .ok_or("attempt to multiply with overflow")?;
        let mut sum = 0_i32;
        for _ in 0..=n {
            sum = sum.checked_add(y).ok_or("attempt to add with overflow")?;
        }
        let negative = sum.checked_neg().ok_or("attempt to negate with overflow")?;
        negative
            .checked_shl(n)
            .ok_or("attempt to shift left with overflow")
    };
    for (x, n) in [(3, 2), (50_000, 0), (46_000, 1), (1, 32), (0, 31), (-7, 40)] {
        let args = [Value::I32(x), Value::U32(n)];
        let found = eval::call_with(
            &program,
            f,
            &args,
            Env {
                overflow: Overflow::Traps,
                ..Env::steps(10_000)
            },
        );
        match (found, expect(x, n)) {
            (Ok(outcome), Ok(y)) => assert!(outcome.result.same(&Value::I32(y)), "{x} {n}"),
            (Err(Stop::Trap(trap)), Err(message)) => {
                assert_eq!(trap.kind, TrapKind::Overflow(message), "{x} {n}");
                assert!(trap.line > 0);
            }
            (found, expected) => panic!("{x} {n}: {found:?} instead of {expected:?}"),
        }
        assert!(
            eval::call(&program, f, &args, 10_000).is_ok(),
            "wraps otherwise"
        );
    }
}
