//! Every skeleton and kind of call.

use super::{places, with_each_failing};
use skel::{Context, Error, Result, Target, prelude::*};

/// Elements: 4 bytes each, so ten times what counts as large.
const N: usize = 40_000;
/// Of a matrix.
const ROWS: usize = 200;
const COLS: usize = 200;

#[user_function]
fn axpy(x: u32, y: u32, #[uniform] a: u32) -> u32 {
    a.wrapping_mul(x).wrapping_add(y)
}

#[user_function]
fn both(x: u32) -> (u32, u64) {
    (x + 1, u64::from(x) * 2)
}

#[user_function]
fn reciprocal(x: &mut u32, #[uniform] n: u32) {
    *x = n / (*x + 1);
}

#[user_function]
fn picked(at: u32, table: &[u32]) -> u32 {
    table[at as usize % table.len()]
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a.wrapping_add(b)
}

/// Does not commute: the last of two that is not 0.
#[user_function]
fn last(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { b }
}

#[user_function]
fn around(w: Window2<u32, 1, 1>) -> u32 {
    w[(-1, 0)] + w[(0, -1)] + 4 * w[(0, 0)] + w[(0, 1)] + w[(1, 0)]
}

#[user_function]
fn product(a: u32, b: u32) -> u32 {
    a * b
}

#[user_function]
fn running(x: &mut Line<u32>, #[uniform] by: u32) {
    for i in 1..x.len() {
        x[i] = x[i].wrapping_add(by.wrapping_mul(x[i - 1]));
    }
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n).map(|i| (i * i % 1009) as u32).collect()
}

/// Compares without allocating.
#[track_caller]
fn same<T: PartialEq + std::fmt::Debug>(found: &[T], expected: &[T]) {
    assert_eq!(found.len(), expected.len());
    let differs = found.iter().zip(expected).position(|(a, b)| a != b);
    assert_eq!(differs, None, "an element is wrong");
}

/// Runs a call everywhere. It is given what to run within and on.
fn everywhere(name: &str, call: impl Fn(&Context, &Target) -> Result<()>) {
    for place in places() {
        let name = format!("{name}, {}", place.name);
        let run = || match call(&place.context, &place.target) {
            // A full device may have no room for what is read at random.
            Err(Error::OutOfMemory { device, .. }) if device.starts_with("mock") => Ok(()),
            other => other,
        };
        // Which part of a container a device has differs from call to call where the parts do: each has it all.
        for device in 0..place.fills {
            call(&place.context, &Device(device).into()).expect("there is memory");
        }
        with_each_failing(&name, &place.context, &run);
    }
}

#[test]
fn maps() {
    let _alone = super::alone();
    let (x, y) = (numbers(N), numbers(N));
    let expected: Vec<u32> = x.iter().zip(&y).map(|(x, y)| 3 * x + y).collect();
    everywhere("map of slices", |context, target| {
        let f = map!(axpy).within(context.clone()).on(target);
        let z = f.run((&x, &y, 3))?;
        same(&z.host()?, &expected);
        Ok(())
    });
    let (vx, vy) = (Vector::from(x.clone()), Vector::from(y.clone()));
    let doubled: Vec<u32> = expected.iter().zip(&x).map(|(z, x)| 2 * z + x).collect();
    everywhere("maps in a chain", |context, target| {
        let f = map!(axpy).within(context.clone()).on(target);
        let z = f.run((&vx, &vy, 3))?;
        let w = f.run((&z, &x, 2))?;
        same(&w.into_vec()?, &doubled);
        same(&z.into_vec()?, &expected);
        Ok(())
    });
    let (more, twice): (Vec<u32>, Vec<u64>) = x.iter().map(|x| (x + 1, 2 * u64::from(*x))).unzip();
    everywhere("two results", |context, target| {
        let f = map!(both).within(context.clone()).on(target);
        let (a, b) = f.run((&vx,))?;
        same(&a.host()?, &more);
        same(&b.host()?, &twice);
        Ok(())
    });
    let table: Vec<u32> = (0..N as u32).rev().collect();
    let found: Vec<u32> = x.iter().map(|at| table[*at as usize]).collect();
    everywhere("a table", |context, target| {
        let f = map!(picked).within(context.clone()).on(target);
        same(&f.run((&vx, &table))?.host()?, &found);
        Ok(())
    });
    everywhere("random numbers", |context, target| {
        let f = map!(|rng: &mut Random| rng.next_u32()).within(context.clone());
        let (a, b) = (f.clone().seed(7), f.seed(7).on(target));
        let (a, b) = (a.on(Sequential).run_shaped(N, ())?, b.run_shaped(N, ())?);
        same(&a.host()?, &b.host()?);
        Ok(())
    });
}

#[test]
fn in_place() {
    let _alone = super::alone();
    let x = numbers(N);
    let expected: Vec<u32> = x.iter().map(|x| 9000 / (x + 1)).collect();
    everywhere("in place", |context, target| {
        let f = map!(reciprocal).within(context.clone()).on(target);
        let mut v = Vector::try_from_slice(&x)?;
        f.run((&mut v, 9000))?;
        same(&v.host()?, &expected);
        Ok(())
    });
    everywhere("a slice in place", |context, target| {
        let f = map!(reciprocal).within(context.clone()).on(target);
        let mut v = Vector::try_from_slice(&x)?.into_vec()?;
        f.run((&mut v[..], 9000))?;
        same(&v, &expected);
        Ok(())
    });
    let mut thirds = x.clone();
    thirds
        .iter_mut()
        .step_by(3)
        .for_each(|x| *x = 9000 / (*x + 1));
    everywhere("every third one in place", |context, target| {
        let f = map!(reciprocal).within(context.clone()).on(target);
        let mut v = Vector::try_from_slice(&x)?;
        f.run((v.part_mut(..).step_by(3), 9000))?;
        same(&v.host()?, &thirds);
        Ok(())
    });
}

#[test]
fn parts() {
    let _alone = super::alone();
    let m = Matrix::from_vec(ROWS, COLS, numbers(N)).expect("its shape");
    let elements = numbers(N);
    let transposed: Vec<u32> = (0..N)
        .map(|i| 2 * elements[i % ROWS * COLS + i / ROWS] + elements[i])
        .collect();
    everywhere("a transposed matrix", |context, target| {
        let f = map!(axpy).within(context.clone()).on(target);
        let sum = f.run((m.transposed(), &m, 2))?;
        same(&sum.host()?, &transposed);
        Ok(())
    });
    everywhere("columns to be written", |context, target| {
        let f = map!(axpy).within(context.clone()).on(target);
        let mut out = Matrix::try_filled(ROWS, COLS, 0)?;
        f.run_into((m.transposed(), &m, 2), out.part_mut(.., ..))?;
        same(&out.host()?, &transposed);
        let mut out = Matrix::try_filled(ROWS, 2 * COLS, 0)?;
        f.run_into((m.transposed(), &m, 2), out.part_mut(.., ..COLS))?;
        assert_eq!(out.host()?.row(7)[..COLS], transposed[7 * COLS..8 * COLS]);
        Ok(())
    });
}

#[test]
fn neighbourhoods() {
    let _alone = super::alone();
    let elements = numbers(N);
    let m = Matrix::from_vec(ROWS, COLS, elements.clone()).expect("its shape");
    let at = |i: usize, j: usize| elements[i.min(ROWS - 1) * COLS + j.min(COLS - 1)];
    let expected: Vec<u32> = (0..N)
        .map(|k| {
            let (i, j) = (k / COLS, k % COLS);
            let (up, left) = (i.saturating_sub(1), j.saturating_sub(1));
            at(up, j) + at(i, left) + 4 * at(i, j) + at(i, j + 1) + at(i + 1, j)
        })
        .collect();
    everywhere("a stencil", |context, target| {
        let f = map_overlap!(around).within(context.clone()).on(target);
        let f = f.edge(Edge::Duplicate);
        same(&f.run((&m,))?.host()?, &expected);
        Ok(())
    });
    let torus: Vec<u32> = (0..N)
        .map(|k| {
            let at = |i: usize, j: usize| elements[i % ROWS * COLS + j % COLS];
            let (i, j) = (k / COLS + ROWS, k % COLS + COLS);
            at(i - 1, j) + at(i, j - 1) + 4 * at(i, j) + at(i, j + 1) + at(i + 1, j)
        })
        .collect();
    everywhere("a stencil on a torus", |context, target| {
        let f = map_overlap!(around).within(context.clone()).on(target);
        let f = f.edge(Edge::Cyclic);
        same(&f.run((&m,))?.host()?, &torus);
        Ok(())
    });
    let pooled: Vec<u32> = elements.chunks(2).map(|two| two[0] + two[1]).collect();
    everywhere("pools", |context, target| {
        let f = map_pool!(|p: Pool1<u32, 2>| p[0] + p[1]);
        let f = f.within(context.clone()).on(target);
        same(&f.run((&elements,))?.host()?, &pooled);
        Ok(())
    });
}

#[test]
fn stencils_that_are_iterated() {
    let _alone = super::alone();
    let mut expected = numbers(N);
    for _ in 0..3 {
        let before = expected;
        let at = |i: usize, j: usize| before[i % ROWS * COLS + j % COLS];
        expected = (0..N)
            .map(|k| {
                let (i, j) = (k / COLS + ROWS, k % COLS + COLS);
                let beside = [at(i - 1, j), at(i, j - 1), at(i, j + 1), at(i + 1, j)];
                beside.iter().fold(4 * at(i, j), |sum, x| sum + x)
            })
            .collect();
    }
    let elements = numbers(N);
    everywhere("an iterated stencil", |context, target| {
        let f = map_overlap!(around).within(context.clone()).on(target);
        let f = f.edge(Edge::Cyclic);
        let plate = Matrix::try_from_fn(ROWS, COLS, |i, j| elements[i * COLS + j])?;
        same(&f.iterate(3, plate, ())?.host()?, &expected);
        Ok(())
    });
}

#[test]
fn lines() {
    let _alone = super::alone();
    let elements = numbers(N);
    for axis in [0, 1] {
        let stride = [COLS, 1][axis];
        let mut expected = elements.clone();
        for k in (0..N).filter(|k| [k / COLS, k % COLS][axis] > 0) {
            expected[k] = expected[k].wrapping_add(expected[k - stride].wrapping_mul(3));
        }
        everywhere(&format!("lines along {axis}"), |context, target| {
            let f = map_lines!(running).within(context.clone()).on(target);
            let f = f.along(axis);
            let mut m = Matrix::try_from_fn(ROWS, COLS, |i, j| elements[i * COLS + j])?;
            f.run((&mut m, 3))?;
            same(&m.host()?, &expected);
            Ok(())
        });
    }
}

#[test]
fn pairs() {
    let _alone = super::alone();
    let (down_, across_) = (numbers(ROWS), numbers(COLS));
    let table: Vec<u32> = (0..N)
        .map(|k| down_[k / COLS] * across_[k % COLS])
        .collect();
    let sums: Vec<u32> = table.chunks(COLS).map(|row| row.iter().sum()).collect();
    let below_last: u32 = down_[..ROWS - 1].iter().sum();
    everywhere("pairs", |context, target| {
        let f = map_pairs!(product).within(context.clone()).on(target);
        same(&f.run((down(&down_), across(&across_)))?.host()?, &table);
        Ok(())
    });
    everywhere("neighbourhoods, reduced", |context, target| {
        let near = map_overlap_reduce!(|w: Window1<u32, 1>| w[-1], add).within(context.clone());
        assert_eq!(near.on(target).pad(0).run((&down_,))?, below_last);
        Ok(())
    });
    everywhere("pairs, reduced", |context, target| {
        let f = map_pairs_reduce!(product, add).within(context.clone());
        let found = f.on(target).rows().run((down(&down_), across(&across_)))?;
        same(&found.host()?, &sums);
        Ok(())
    });
}

#[test]
fn folds() {
    let _alone = super::alone();
    let x = numbers(N);
    let v = Vector::from(x.clone());
    let sum: u32 = x.iter().sum();
    let end = x.iter().rev().copied().find(|x| *x != 0);
    everywhere("reductions", |context, target| {
        let f = reduce!(add).within(context.clone()).on(target);
        assert_eq!((f.run((&v,))?, f.run((&x,))?), (sum, sum));
        let f = reduce!(last).within(context.clone()).on(target);
        assert_eq!(Some(f.run((&v,))?), end);
        let mut total = Scalar::from(0_u32);
        f.run_into((&v,), &mut total)?;
        assert_eq!(Some(total.get()?), end);
        let f = map_reduce!(product, add).within(context.clone());
        let squares: u32 = x.iter().map(|x| x * x).fold(0, u32::wrapping_add);
        assert_eq!(f.on(target).run((&v, v.part(..)))?, squares);
        Ok(())
    });
    let floats: Vec<f32> = x.iter().map(|x| *x as f32 / 7.0).collect();
    let all = reduce!(|a: f32, b: f32| a + b);
    let exact = all.clone().on(Sequential);
    let exact = exact.run((&floats,)).expect("a sum");
    everywhere("a reduction of floats", |context, target| {
        let f = all.clone().within(context.clone()).on(target);
        let found = f.run((&floats,))?;
        assert_eq!(found.to_bits(), exact.to_bits());
        Ok(())
    });
    let m = Matrix::from_vec(ROWS, COLS, x.clone()).expect("its shape");
    let rows: Vec<u32> = x.chunks(COLS).map(|row| row.iter().sum()).collect();
    let cols: Vec<u32> = (0..COLS)
        .map(|j| x.iter().skip(j).step_by(COLS).sum())
        .collect();
    everywhere("rows and columns", |context, target| {
        let f = reduce!(add).within(context.clone()).on(target);
        same(&f.clone().rows().run((&m,))?.host()?, &rows);
        same(&f.clone().cols().run((&m,))?.host()?, &cols);
        same(&f.rows().run((m.transposed(),))?.host()?, &cols);
        Ok(())
    });
    // Many columns: their totals are large.
    let wide = Matrix::from_vec(2, N / 2, x.clone()).expect("its shape");
    let halves: Vec<u32> = (0..N / 2).map(|j| x[j] + x[j + N / 2]).collect();
    everywhere("many columns", |context, target| {
        let f = reduce!(add).within(context.clone()).on(target);
        same(&f.cols().run((&wide,))?.host()?, &halves);
        Ok(())
    });
}

#[test]
fn scans() {
    let _alone = super::alone();
    let x = numbers(N);
    let v = Vector::from(x.clone());
    let mut sums = x.clone();
    for i in 1..N {
        sums[i] = sums[i].wrapping_add(sums[i - 1]);
    }
    everywhere("scans", |context, target| {
        let f = scan!(add).within(context.clone()).on(target);
        same(&f.run((&v,))?.host()?, &sums);
        let found = f.exclusive(0).run((&x,))?;
        same(&found.host()?[1..], &sums[..N - 1]);
        Ok(())
    });
    let m = Matrix::from_vec(ROWS, COLS, x.clone()).expect("its shape");
    let mut rows = x.clone();
    for (k, at) in (1..N).map(|k| (k, k % COLS)) {
        if at > 0 {
            rows[k] += rows[k - 1];
        }
    }
    everywhere("scans of rows", |context, target| {
        let f = scan!(add).within(context.clone()).on(target);
        same(&f.rows().run((&m,))?.host()?, &rows);
        Ok(())
    });
}

#[test]
fn calls() {
    let _alone = super::alone();
    let x = numbers(N);
    let sum: u32 = x.iter().sum();
    everywhere("a call", |context, target| {
        let f = call!(|xs: &[u32]| {
            let mut sum = 0_u32;
            for x in xs {
                sum += *x;
            }
            sum
        });
        assert_eq!(f.within(context.clone()).on(target).run((&x,))?, sum);
        Ok(())
    });
}
