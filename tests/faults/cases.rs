//! One call of each kind, with what a plain loop makes of it.

use skel::{Context, Result, Target, prelude::*};

/// Enough for `Auto` to think of a GPU.
pub(crate) const ELEMS: usize = 5000;

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn bump(x: &mut u32, y: u32) {
    *x += y;
}

#[user_function]
fn around(w: Window1<u32, 2>) -> u32 {
    w[-2] + 3 * w[0] + 5 * w[1]
}

/// `x ↦ a·x + b`: composing such functions is associative and does not commute.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
struct Line {
    a: u32,
    b: u32,
}

#[user_function]
fn line(x: u32) -> Line {
    Line { a: 2 * x + 1, b: x }
}

#[user_function]
fn then(first: Line, second: Line) -> Line {
    Line {
        a: first.a * second.a,
        b: first.b * second.a + second.b,
    }
}

fn compose(first: Line, second: Line) -> Line {
    Line {
        a: first.a.wrapping_mul(second.a),
        b: first.b.wrapping_mul(second.a).wrapping_add(second.b),
    }
}

fn lines(x: &[u32]) -> Vec<Line> {
    let line = |x: &u32| Line {
        a: x.wrapping_mul(2).wrapping_add(1),
        b: *x,
    };
    x.iter().map(line).collect()
}

fn inputs() -> (Vec<u32>, Vec<u32>) {
    let x = (0..ELEMS as u32).map(|i| i.wrapping_mul(2_654_435_761));
    (x.collect(), (0..ELEMS as u32).map(|i| i % 1000).collect())
}

/// A call: runs it somewhere, and compares.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// Whether the results come to the host before the call returns, so that nothing goes wrong later.
    pub(crate) waits: bool,
    /// Whether it works in place.
    pub(crate) in_place: bool,
    pub(crate) run: fn(&Context, &Target) -> Result<()>,
}

const fn case(name: &'static str, run: fn(&Context, &Target) -> Result<()>) -> Case {
    Case {
        name,
        waits: false,
        in_place: false,
        run,
    }
}

pub(crate) const CASES: [Case; 10] = [
    case("map", map),
    Case {
        waits: true,
        ..case("map of slices", map_of_slices)
    },
    Case {
        in_place: true,
        ..case("in place", in_place)
    },
    Case {
        waits: true,
        in_place: true,
        ..case("slices in place", slices_in_place)
    },
    Case {
        waits: true,
        ..case("fold", fold)
    },
    Case {
        waits: true,
        ..case("fold in order", fold_in_order)
    },
    case("scan", scan),
    Case {
        waits: true,
        ..case("scan of slices", scan_of_slices)
    },
    case("stencil", stencil),
    case("chain", chain),
];

fn map(context: &Context, target: &Target) -> Result<()> {
    let (x, _) = inputs();
    let f = map!(double).within(context.clone()).on(target);
    let y = f.run((&Vector::from(x.clone()),))?;
    let expected: Vec<u32> = x.iter().map(|x| x.wrapping_mul(2)).collect();
    assert_eq!(y.host()?[..], expected);
    Ok(())
}

fn map_of_slices(context: &Context, target: &Target) -> Result<()> {
    let (x, mut y) = inputs();
    let f = map!(double).within(context.clone()).on(target);
    f.run_into((&x[..],), &mut y[..])?;
    let expected: Vec<u32> = x.iter().map(|x| x.wrapping_mul(2)).collect();
    assert_eq!(y, expected);
    Ok(())
}

fn in_place(context: &Context, target: &Target) -> Result<()> {
    let (x, y) = inputs();
    let mut v = Vector::from(x.clone());
    let f = map!(bump).within(context.clone()).on(target);
    f.run((&mut v, &y))?;
    let expected: Vec<u32> = x.iter().zip(&y).map(|(x, y)| x.wrapping_add(*y)).collect();
    assert_eq!(v.host()?[..], expected);
    Ok(())
}

fn slices_in_place(context: &Context, target: &Target) -> Result<()> {
    let (x, y) = inputs();
    let mut v = x.clone();
    let f = map!(bump).within(context.clone()).on(target);
    f.run((&mut v[..], &y[..]))?;
    let expected: Vec<u32> = x.iter().zip(&y).map(|(x, y)| x.wrapping_add(*y)).collect();
    assert_eq!(v, expected);
    Ok(())
}

fn fold(context: &Context, target: &Target) -> Result<()> {
    let (x, _) = inputs();
    let f = map_reduce!(double, |a: u32, b: u32| a + b)
        .within(context.clone())
        .on(target);
    let expected = x
        .iter()
        .fold(0_u32, |sum, x| sum.wrapping_add(2_u32.wrapping_mul(*x)));
    assert_eq!(f.run((&Vector::from(x),))?, expected);
    Ok(())
}

fn fold_in_order(context: &Context, target: &Target) -> Result<()> {
    let (x, _) = inputs();
    let f = map_reduce!(line, then).within(context.clone()).on(target);
    let expected = lines(&x).into_iter().reduce(compose).unwrap();
    assert_eq!(f.run((&x[..],))?, expected);
    Ok(())
}

fn prefixes(x: &[Line]) -> Vec<Line> {
    let mut all = x.to_vec();
    for k in 1..all.len() {
        all[k] = compose(all[k - 1], all[k]);
    }
    all
}

fn scan(context: &Context, target: &Target) -> Result<()> {
    let x = lines(&inputs().0);
    let f = scan!(then).within(context.clone()).on(target);
    let y = f.run((&Vector::from(x.clone()),))?;
    assert_eq!(y.host()?[..], prefixes(&x));
    Ok(())
}

fn scan_of_slices(context: &Context, target: &Target) -> Result<()> {
    let x = lines(&inputs().0);
    let mut y = vec![Line::default(); x.len()];
    let f = scan!(then).within(context.clone()).on(target);
    f.run_into((&x[..],), &mut y[..])?;
    assert_eq!(y, prefixes(&x));
    Ok(())
}

fn stencil(context: &Context, target: &Target) -> Result<()> {
    let (x, _) = inputs();
    let f = map_overlap!(around)
        .within(context.clone())
        .edge(Edge::Cyclic)
        .on(target);
    let y = f.run((&Vector::from(x.clone()),))?;
    let at = |i: usize| x[i % ELEMS];
    let expected = (0..ELEMS).map(|i| {
        at(i + ELEMS - 2)
            .wrapping_add(at(i).wrapping_mul(3))
            .wrapping_add(at(i + 1).wrapping_mul(5))
    });
    assert_eq!(y.host()?[..], expected.collect::<Vec<u32>>());
    Ok(())
}

/// Two calls, of which the second finds its input where the first has left it.
fn chain(context: &Context, target: &Target) -> Result<()> {
    let (x, _) = inputs();
    let f = map!(double).within(context.clone()).on(target);
    let y = f.run((&f.run((&Vector::from(x.clone()),))?,))?;
    let expected: Vec<u32> = x.iter().map(|x| x.wrapping_mul(4)).collect();
    assert_eq!(y.host()?[..], expected);
    Ok(())
}
