//! Scan: every mode, of all elements, of rows, columns and segments, with operators that commute and
//! operators that do not.

use super::{
    Affine, Case, Context, Outcome, Sizes, Target,
    data::{Sample, input, same, scramble},
    refusals::if_bound,
};
use crate::{
    prelude::*,
    skeleton::{
        self, Operator,
        scan::{All, Inclusive},
    },
};

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

/// Not recognised as an operator that commutes.
#[user_function]
fn add_in_order(a: f32, b: f32) -> f32 {
    let c = a;
    c + b
}

#[user_function]
fn largest(a: i32, b: i32) -> i32 {
    a.max(b)
}

#[user_function]
fn differ(a: bool, b: bool) -> bool {
    a ^ b
}

/// `x -> a x + b` modulo 2¹⁶, as `a << 16 | b`; first the left map, then the right one.
#[user_function]
fn follow(f: u32, g: u32) -> u32 {
    let a = (f >> 16) * (g >> 16);
    let b = (g >> 16) * (f & 0xffff) + (g & 0xffff);
    (a << 16) | (b & 0xffff)
}

#[user_function]
fn compose(a: Affine, b: Affine) -> Affine {
    a * b
}

/// A 2×2 matrix modulo a prime, row by row.
#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
struct Square {
    cells: [u32; 4],
}

#[user_function]
fn product(a: Square, b: Square) -> Square {
    let (a, b) = (a.cells, b.cells);
    Square {
        cells: [
            (a[0] * b[0] % 65_521 + a[1] * b[2] % 65_521) % 65_521,
            (a[0] * b[1] % 65_521 + a[1] * b[3] % 65_521) % 65_521,
            (a[2] * b[0] % 65_521 + a[3] * b[2] % 65_521) % 65_521,
            (a[2] * b[1] % 65_521 + a[3] * b[3] % 65_521) % 65_521,
        ],
    }
}

impl Sample for Square {
    fn sample(i: usize) -> Self {
        Square {
            cells: std::array::from_fn(|k| scramble(4 * i + k) % 65_521),
        }
    }

    fn bits(self) -> u64 {
        self.cells
            .iter()
            .fold(0, |bits, cell| bits << 16 | u64::from(*cell))
    }
}

/// The last that is not 0, at each place.
#[user_function]
fn latest(a: [u32; 3], b: [u32; 3]) -> [u32; 3] {
    let mut c = b;
    for k in 0..3 {
        if c[k] == 0 {
            c[k] = a[k];
        }
    }
    c
}

impl Sample for [u32; 3] {
    fn sample(i: usize) -> Self {
        let cell = |k: usize| match scramble(3 * i + k) {
            x if x.is_multiple_of(3) => x % (1 << 21),
            _ => 0,
        };
        std::array::from_fn(cell)
    }

    fn bits(self) -> u64 {
        self.iter()
            .fold(0, |bits, cell| bits << 21 | u64::from(*cell))
    }
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let mut cases = Vec::new();
    macro_rules! case {
        ($check:ident, $name:literal, $op:ident, |$n:ident| $input:expr, $plain:expr) => {
            let elems = sizes.elems();
            cases.push(Case::new(
                concat!("scan::", $name),
                move |context, target| {
                    elems.iter().try_for_each(|&$n| {
                        let instance = scan!($op).within(context.clone()).on(target);
                        $check(&instance, &$input, $plain)
                    })
                },
            ));
        };
    }
    case!(
        modes,
        "sum::u32",
        add,
        |n| input::<u32>(n + 1, 1),
        u32::wrapping_add
    );
    case!(
        modes,
        "sum_exact::f32",
        add,
        |n| small::<f32>(n + 1),
        |a, b| a + b
    );
    case!(
        modes,
        "sum_exact::f64",
        add,
        |n| small::<f64>(n + 1),
        |a, b| a + b
    );
    case!(
        modes,
        "max::i32",
        largest,
        |n| input::<i32>(n + 1, 1),
        i32::max
    );
    case!(
        modes,
        "parity::bool",
        differ,
        |n| input::<bool>(n + 1, 1),
        |a, b| a ^ b
    );
    case!(
        modes,
        "not_commutative::u32",
        follow,
        |n| input::<u32>(n + 1, 1),
        follow
    );
    case!(
        modes,
        "affine::struct",
        compose,
        |n| input::<Affine>(n + 1, 1),
        compose
    );
    case!(
        modes,
        "matrices::struct",
        product,
        |n| input::<Square>(n + 1, 1),
        product
    );
    case!(
        modes,
        "latest::array",
        latest,
        |n| input::<[u32; 3]>(n + 1, 1),
        latest
    );
    case!(
        parts,
        "parts::sum_in_order::f32",
        add_in_order,
        |n| small::<f32>(n + 1),
        |a, b| a + b
    );
    case!(
        parts,
        "parts::affine::struct",
        compose,
        |n| input::<Affine>(n + 1, 1),
        compose
    );
    if sizes == Sizes::Huge {
        cases.push(Case::new("scan::huge::u32", huge));
    }
    cases
}

/// Small whole numbers, whose sums are exact in any order.
fn small<T: Sample + Number>(n: usize) -> Vec<T> {
    let small = |i: usize| (0..scramble(i) % 8).fold(T::ZERO, |a, _| a + T::ONE);
    (0..n).map(small).collect()
}

/// What a plain loop makes of one sequence.
fn plain<T: Copy>(x: &[T], initial: Option<T>, exclusive: bool, op: impl Fn(T, T) -> T) -> Vec<T> {
    let mut before = initial;
    let mut out = Vec::with_capacity(x.len());
    for x in x {
        let up_to = before.map_or(*x, |before| op(before, *x));
        out.push(match before {
            Some(before) if exclusive => before,
            _ => up_to,
        });
        before = Some(up_to);
    }
    out
}

/// All modes, over all elements but the first, which is the initial value.
fn modes<T, R>(
    instance: &skeleton::Scan<R, All, Context, Inclusive>,
    input: &[T],
    op: impl Fn(T, T) -> T + Copy,
) -> Outcome
where
    T: Sample,
    R: Operator<T>,
{
    let [initial, x @ ..] = input else {
        unreachable!("an input has an initial value")
    };
    let (initial, n) = (*initial, x.len());
    let modes = [(None, false), (Some(initial), false), (Some(initial), true)];
    let v = Vector::from(x.to_vec());
    let expected = modes.map(|(initial, exclusive)| plain(x, initial, exclusive, op));
    let from = instance.clone().initial(initial);
    let exclusive = instance.clone().exclusive(initial);
    same("inclusive", &instance.run((&v,))?.host()?, &expected[0])?;
    same("initial", &from.run((&v,))?.host()?, &expected[1])?;
    same("exclusive", &exclusive.run((&v,))?.host()?, &expected[2])?;
    let backwards: Vec<T> = x.iter().rev().copied().collect();
    let expected_last = plain(&backwards, Some(initial), false, op);
    let strided = || -> Outcome {
        let found = from.run((v.reversed(),))?;
        same("backwards", &found.host()?, &expected_last)
    };
    if_bound(strided())?;
    // Slices, and a value that is said twice.
    let mut out = x.to_vec();
    let again = instance.clone().exclusive(input[n]).initial(initial);
    again.run_into((x,), &mut out)?;
    same("into a slice", &out, &expected[2])?;
    Ok(())
}

/// Segments, rows and columns in all modes.
fn parts<T, R>(
    instance: &skeleton::Scan<R, All, Context, Inclusive>,
    input: &[T],
    op: impl Fn(T, T) -> T + Copy,
) -> Outcome
where
    T: Sample,
    R: Operator<T>,
{
    let [initial, x @ ..] = input else {
        unreachable!("an input has an initial value")
    };
    let (initial, n) = (*initial, x.len());
    let v = Vector::from(x.to_vec());
    let from = instance.clone().initial(initial);
    let exclusive = instance.clone().exclusive(initial);
    let mut out = x.to_vec();

    let flags: Vec<bool> = (0..n).map(|i| scramble(i) % 50 < 1).collect();
    let flags = Vector::from(flags);
    let of_segments = |initial, exclusive| -> Result<Vec<T>, crate::Error> {
        let (flags, mut out, mut at) = (flags.host()?, Vec::new(), 0);
        while at < n {
            let end = (at + 1..n).find(|i| flags[*i]).unwrap_or(n);
            out.extend(plain(&x[at..end], initial, exclusive, op));
            at = end;
        }
        Ok(out)
    };
    let found = instance.run_segmented((&v, &flags))?;
    same("segments", &found.host()?, &of_segments(None, false)?)?;
    let found = from.run_segmented((&v, &flags))?;
    same(
        "segments, initial",
        &found.host()?,
        &of_segments(Some(initial), false)?,
    )?;
    exclusive.run_segmented_into((x, &flags), &mut out)?;
    same(
        "segments, exclusive",
        &out,
        &of_segments(Some(initial), true)?,
    )?;

    for cols in [1, 3, 130, n.max(1)] {
        let rows = n / cols;
        let cells = &x[..rows * cols];
        let m = Matrix::from_vec(rows, cols, cells.to_vec())?;
        let lines = |of_cols: bool, initial, exclusive| -> Vec<T> {
            let at = |i: usize, j: usize| if of_cols { j * cols + i } else { i * cols + j };
            let (count, len) = if of_cols { (cols, rows) } else { (rows, cols) };
            let mut out = cells.to_vec();
            for i in 0..count {
                let line: Vec<T> = (0..len).map(|j| cells[at(i, j)]).collect();
                let line = plain(&line, initial, exclusive, op);
                (0..len).for_each(|j| out[at(i, j)] = line[j]);
            }
            out
        };
        let found = instance.clone().rows().run((&m,))?;
        same("rows", &found.host()?, &lines(false, None, false))?;
        let found = from.clone().rows().run((&m,))?;
        same(
            "rows, initial",
            &found.host()?,
            &lines(false, Some(initial), false),
        )?;
        let mut found = Matrix::filled(rows, cols, initial);
        exclusive.clone().rows().run_into((&m,), &mut found)?;
        same(
            "rows, exclusive",
            &found.host()?,
            &lines(false, Some(initial), true),
        )?;
        if cols == 130 {
            let expected = lines(true, Some(initial), false);
            let expected: Vec<T> = (0..rows * cols)
                .map(|k| expected[k % rows * cols + k / rows])
                .collect();
            let columns = || -> Outcome {
                let found = from.clone().rows().run((m.transposed(),))?;
                same("rows of the transposed", &found.host()?, &expected)?;
                let found = instance.clone().cols().run((&m,))?;
                same("columns", &found.host()?, &lines(true, None, false))?;
                let found = exclusive.clone().cols().run((&m,))?;
                let expected = lines(true, Some(initial), true);
                same("columns, exclusive", &found.host()?, &expected)
            };
            if_bound(columns())?;
        }
    }
    Ok(())
}

/// More than one binding of a usual device.
fn huge(context: &Context, target: &Target) -> Outcome {
    let n = (128 << 20) / 4 + 1003;
    let x = Vector::from_fn(n, |i| i as u32 % 1001);
    let sums = scan!(add).within(context.clone()).on(target);
    let found = sums.run((&x,))?;
    let expected = plain(&x.host()?, None, false, u32::wrapping_add);
    same("huge", &found.host()?, &expected)
}
