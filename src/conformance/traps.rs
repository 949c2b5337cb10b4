//! Where a user function panicked: element, function, line and message are the same on every unit
//! and in every split, whatever the message says and whatever else the function does.

use super::{Case, Context, Failure, Outcome, Target, data::CHECKS_OVERFLOW};
use crate::{Element, Error, prelude::*};

/// What a trap must say.
struct Says {
    function: &'static str,
    line: u32,
    index: Option<usize>,
    message: &'static str,
}

const fn says(function: &'static str, line: u32, message: &'static str) -> Says {
    Says {
        function,
        line,
        index: None,
        message,
    }
}

impl Says {
    /// The same, at an element.
    const fn at(self, index: usize) -> Says {
        Says {
            index: Some(index),
            ..self
        }
    }

    fn check(&self, what: &str, found: crate::Result<()>) -> Outcome {
        let wrong = |found: &dyn std::fmt::Debug| {
            let Says {
                function,
                line,
                index,
                message,
            } = self;
            let wanted = format!("{function}, line {line}, {index:?}: {message}");
            Err(Failure::Wrong(format!(
                "{what}: {found:?} instead of {wanted}"
            )))
        };
        match found {
            Err(Error::Trap {
                function,
                file,
                line,
                index,
                message,
            }) => {
                let is_here = file.ends_with("traps.rs");
                let found = (&*function, line, index, &*message);
                match is_here && found == (self.function, self.line, self.index, self.message) {
                    true => Ok(()),
                    false => wrong(&(found, file)),
                }
            }
            Err(error @ Error::Unsupported { .. }) => Err(error.into()),
            found => wrong(&found),
        }
    }
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new("traps::words", words),
        Case::new("traps::long_elements_before", long_elements_before),
        Case::new("traps::in_place", in_place),
        Case::new("traps::nested", nested),
        Case::new(
            "traps::elements_before_operators",
            elements_before_operators,
        ),
        Case::new("traps::operators", operators),
        Case::new("traps::rows_and_columns", rows_and_columns),
        Case::new("traps::two_levels", two_levels),
        Case::new("traps::windows", windows),
        Case::new("traps::scans", scans),
        Case::new("traps::before_a_loop", before_a_loop),
        Case::new("traps::in_operators_with_loops", in_operators_with_loops),
    ]
}

/// The error of a result, which may show only when it is read.
fn late<T: Element>(result: crate::Result<Vector<T>>) -> crate::Result<()> {
    result?.host().map(|_| ())
}

// Sums that wrap, which is no error, before something else that is.

const TABLE: u32 = line!() + 4;
#[user_function]
fn table(x: i32) -> i32 {
    let y = (x + i32::MAX) * 3;
    assert!(x != 13, "table overflow");
    y
}

const DIVISION: u32 = line!() + 4;
#[user_function]
fn division(x: i32, y: i32) -> i32 {
    let sum = x + i32::MIN + i32::MAX - i32::MIN;
    sum + x / y
}

const OWN_ADD: u32 = line!() + 5;
#[user_function]
fn own_add(x: i32) -> i32 {
    let y = x + i32::MAX;
    if x == 13 {
        panic!("attempt to add with overflow");
    }
    y
}

const OWN_INDEX: u32 = line!() + 4;
#[user_function]
fn own_index(x: i32, table: &[i32]) -> i32 {
    let y = table[(x % 2) as usize];
    assert!(x != 13, "index out of bounds: mine");
    y
}

const OWN_NONE: u32 = line!() + 4;
#[user_function]
fn own_none(x: i32) -> i32 {
    let y = x + i32::MAX;
    assert!(x != 13, "a panic without a message");
    y
}

/// Whatever a message says, it is the message and nothing else.
fn words(context: &Context, target: &Target) -> Outcome {
    if *CHECKS_OVERFLOW {
        return Ok(());
    }
    let mut x: Vec<i32> = (100..3100).collect();
    // The smallest one counts.
    (x[2000], x[1700], x[2999]) = (13, 13, 13);
    let f = map!(table).within(context.clone()).on(target);
    let table_says = says("table", TABLE, "table overflow").at(1700);
    table_says.check("an assertion", late(f.run((&x,))))?;
    let f = map!(own_add).within(context.clone()).on(target);
    says("own_add", OWN_ADD, "attempt to add with overflow")
        .at(1700)
        .check("std's words", late(f.run((&x,))))?;
    let f = map!(own_index).within(context.clone()).on(target);
    says("own_index", OWN_INDEX, "index out of bounds: mine")
        .at(1700)
        .check("other words of std's", late(f.run((&x, &[1, 2]))))?;
    let f = map!(own_none).within(context.clone()).on(target);
    says("own_none", OWN_NONE, "a panic without a message")
        .at(1700)
        .check("the library's words", late(f.run((&x,))))?;
    let f = map!(division).within(context.clone()).on(target);
    let (mut x, mut y) = (vec![7; 3000], vec![3; 3000]);
    (x[1700], y[1700]) = (i32::MIN, -1);
    says("division", DIVISION, "attempt to divide with overflow")
        .at(1700)
        .check("a quotient", late(f.run((&x, &y))))
}

const LONG: u32 = line!() + 7;
#[user_function]
fn long(rounds: i32) -> i32 {
    let mut state = rounds;
    for i in 0..rounds {
        state = (state ^ i).wrapping_mul(747_796_405).wrapping_add(1);
    }
    assert!(rounds != 7, "seven rounds");
    state
}

/// What comes before the element is of no interest.
fn long_elements_before(context: &Context, target: &Target) -> Outcome {
    let mut x = vec![20_000; 300];
    x[250] = 7;
    let f = map!(long).within(context.clone()).on(target);
    let seven = says("long", LONG, "seven rounds").at(250);
    seven.check("the last but few", late(f.run((&x,))))
}

const CHANGED: u32 = line!() + 5;
#[user_function]
fn changed(x: &mut i32, #[uniform] by: i32) {
    let before = *x;
    *x = 5;
    *x = 1000 / (before - by);
    *x += 1;
}

/// An element is looked at as it was, though the function had changed it.
fn in_place(context: &Context, target: &Target) -> Outcome {
    let f = map!(changed).within(context.clone()).on(target);
    let zero = |index| says("changed", CHANGED, "attempt to divide by zero").at(index);
    let mut v = Vector::from_fn(3000, |i| i as i32 + 10);
    let found = f.run((&mut v, 1510)).and_then(|()| v.host().map(|_| ()));
    zero(1500).check("a container", found)?;
    let mut elements: Vec<i32> = (10..3010).collect();
    zero(1500).check("a slice", f.run((&mut elements[..], 1510)))?;
    // Every third one from behind: the first is 3009, and the call counts them.
    let mut v = Vector::from_fn(3000, |i| i as i32 + 10);
    let found = f.run((v.part_mut(..).reversed().step_by(3), 1509));
    let found = found.and_then(|()| v.host().map(|_| ()));
    zero(500).check("a part", found)
}

const INNER: u32 = line!() + 3;
#[user_function]
fn inner(x: i32, ys: [i32; 4]) -> i32 {
    ys[(x & 7) as usize]
}

#[user_function]
fn outer(x: i32) -> i32 {
    let mut sum = 0;
    for i in 0..3 {
        sum += inner(x + i, [1, 2, 3, x]);
    }
    sum
}

/// A function that another one calls is named.
fn nested(context: &Context, target: &Target) -> Outcome {
    let mut x = vec![8; 3000];
    x[2345] = 10;
    let f = map!(outer).within(context.clone()).on(target);
    says("inner", INNER, "index out of bounds")
        .at(2345)
        .check("a function in a function", late(f.run((&x,))))
}

const SUM: u32 = line!() + 3;
#[user_function]
fn small_sum(a: i32, b: i32) -> i32 {
    assert!(a + b < 300, "the sum overflows");
    a + b
}

const NOT_13: u32 = line!() + 3;
#[user_function]
fn not_13(x: i32) -> i32 {
    assert!(x != 13, "no luck");
    x
}

/// An element that traps counts more than an operator, wherever that does.
fn elements_before_operators(context: &Context, target: &Target) -> Outcome {
    let mut x = vec![1; 5000];
    let f = map_reduce!(not_13, small_sum)
        .within(context.clone())
        .on(target);
    let run = |x: &Vec<i32>| f.run((x,)).map(|_: i32| ());
    says("small_sum", SUM, "the sum overflows").check("the operator", run(&x))?;
    for at in [4999, 2500, 3] {
        x[at] = 13;
        says("not_13", NOT_13, "no luck")
            .at(at)
            .check("an element", run(&x))?;
    }
    Ok(())
}

/// What partials are combined by has a place in the source, too.
fn operators(context: &Context, target: &Target) -> Outcome {
    let x = vec![1; 3000];
    let sum = reduce!(small_sum).within(context.clone()).on(target);
    let overflows = || says("small_sum", SUM, "the sum overflows");
    overflows().check("a reduction", sum.run((&x,)).map(|_: i32| ()))?;
    let begun = sum.clone().initial(299);
    overflows().check("what it begins with", begun.run((&[1],)).map(|_: i32| ()))?;
    let both = map_reduce!(|x: i32| (x, x), |a: i32, b: i32| a.max(b), small_sum);
    let both = both.within(context.clone()).on(target);
    overflows().check("a tuple", both.run((&x,)).map(|_: (i32, i32)| ()))
}

/// A row or column is an element of the call.
fn rows_and_columns(context: &Context, target: &Target) -> Outcome {
    const N: usize = 30;
    let mut m = vec![1; N * N];
    (m[25 * N + 20], m[25 * N + 25], m[29 * N + 3]) = (13, 290, 13);
    let m = Matrix::from_vec(N, N, m)?;
    let f = map_reduce!(not_13, small_sum)
        .within(context.clone())
        .on(target);
    let no_luck = |index| says("not_13", NOT_13, "no luck").at(index);
    no_luck(25).check("rows", late(f.clone().rows().run((&m,))))?;
    no_luck(3).check("columns", late(f.clone().cols().run((&m,))))?;
    // What comes first in the row counts: ten elements and 295.
    let mut m = vec![1; N * N];
    (m[25 * N + 10], m[25 * N + 20]) = (295, 13);
    let m = Matrix::from_vec(N, N, m)?;
    let overflows = says("small_sum", SUM, "the sum overflows");
    overflows
        .at(25)
        .check("the operator", late(f.rows().run((&m,))))
}

const LARGEST: u32 = line!() + 3;
#[user_function]
fn small_largest(a: i32, b: i32) -> i32 {
    assert!(a < 200 && b < 200, "too large a sum");
    a.max(b)
}

/// The rows' or columns' operator has their index, and the one across them has none.
fn two_levels(context: &Context, target: &Target) -> Outcome {
    const N: usize = 30;
    let sums = |at: &[(usize, i32)]| {
        let mut m = vec![1; N * N];
        at.iter().for_each(|(k, x)| m[*k] = *x);
        Matrix::from_vec(N, N, m)
    };
    let across = || reduce!(small_largest);
    let rows = reduce!(small_sum).rows().then(across());
    let cols = reduce!(small_sum).cols().then(across());
    let rows = rows.within(context.clone()).on(target);
    let cols = cols.within(context.clone()).on(target);
    let of_rows = |m: &Matrix<i32>| rows.run((m,)).map(drop::<i32>);
    let of_cols = |m: &Matrix<i32>| cols.run((m,)).map(drop::<i32>);
    let overflows = |index| says("small_sum", SUM, "the sum overflows").at(index);
    let too_large = || says("small_largest", LARGEST, "too large a sum");
    let m = sums(&[(25 * N + 3, 290), (27 * N + 7, 290)])?;
    overflows(25).check("a row", of_rows(&m))?;
    overflows(3).check("a column", of_cols(&m))?;
    let m = sums(&[(25 * N + 3, 250)])?;
    too_large().check("what rows give", of_rows(&m))?;
    too_large().check("what columns give", of_cols(&m))?;
    // The reduction across comes later, wherever its own trap is.
    let m = sums(&[(2 * N + 3, 250), (25 * N + 7, 290)])?;
    overflows(25).check("a row behind", of_rows(&m))?;
    overflows(7).check("a column behind", of_cols(&m))
}

const NEAR: u32 = line!() + 3;
#[user_function]
fn near(w: Window1<i32, 1>) -> i32 {
    w[-1] + w[1] + 100 / w[0]
}

fn windows(context: &Context, target: &Target) -> Outcome {
    let mut x = vec![1; 1000];
    (x[434], x[600]) = (0, 0);
    let f = map_overlap!(near).within(context.clone()).on(target);
    says("near", NEAR, "attempt to divide by zero")
        .at(434)
        .check("a window", late(f.run((&x,))))
}

/// In a scan, it is the operator, which has no element.
fn scans(context: &Context, target: &Target) -> Outcome {
    let x = vec![1; 3000];
    let f = scan!(small_sum).within(context.clone()).on(target);
    let overflows = || says("small_sum", SUM, "the sum overflows");
    overflows().check("a scan", late(f.run((&x,))))?;
    overflows().check("an exclusive one", late(f.exclusive(0).run((&x,))))
}

const POSITIVE: u32 = line!() + 3;
#[user_function]
fn positive(x: u32) -> u32 {
    assert!(x > 0, "it is zero");
    x
}

/// Of zero, it never ends.
#[user_function]
fn steps(x: u32) -> u32 {
    let (mut x, mut n) = (x, 0);
    while x != 1 {
        x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
        n += 1;
    }
    n
}

/// What an argument that trapped leaves is no value that a function may begin with.
fn before_a_loop(context: &Context, target: &Target) -> Outcome {
    let mut x: Vec<u32> = (1..300).collect();
    x[200] = 0;
    let f = map!(|x: u32| steps(positive(x)));
    let f = f.within(context.clone()).on(target);
    let says = says("positive", POSITIVE, "it is zero").at(200);
    says.check("an argument", late(f.run((&x,))))
}

/// The larger odd part; of zero, it never ends.
#[user_function]
fn larger_odd(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while a % 2 == 0 {
        a /= 2;
    }
    while b % 2 == 0 {
        b /= 2;
    }
    a.max(b)
}

const FINDS: u32 = line!() + 3;
#[user_function]
fn finds(a: u32, b: u32) -> u32 {
    assert!(a != 13 && b != 13, "thirteen");
    larger_odd(a, b)
}

/// Where a value is missing, or an operator has given none, an operator that would never end is not applied: not in a
/// block, nor in those that combine blocks, nor behind the first of all.
fn in_operators_with_loops(context: &Context, target: &Target) -> Outcome {
    for (count, zero) in [(40, 3), (12_000, 7_234), (12_000, 4_001)] {
        let mut x = vec![6_u32; count];
        x[zero] = 0;
        let f = map_reduce!(positive, larger_odd)
            .within(context.clone())
            .on(target);
        let zero_says = says("positive", POSITIVE, "it is zero").at(zero);
        zero_says.check("an element of a reduction", f.run((&x,)).map(drop))?;
        x[zero] = 4 * 7;
        let next = f.run((&x,))?;
        if next != 7 {
            return Err(Failure::Wrong(format!("the next call gives {next}")));
        }
        x[zero] = 13;
        let f = reduce!(finds).within(context.clone()).on(target);
        says("finds", FINDS, "thirteen").check("an operator", f.run((&x,)).map(drop))?;
        let f = scan!(finds).within(context.clone()).on(target);
        says("finds", FINDS, "thirteen").check("a scan", late(f.run((&x,))))?;
    }
    Ok(())
}
