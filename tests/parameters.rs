//! Kinds of parameters beyond elements: whole containers and random numbers, in the interpreter and
//! on their way to devices. What they compute on every unit is in the conformance suite.

use skel::{Context, Error, mock::Mock, prelude::*};
use skel_core::{
    ir::{Ty, Value, ViewKind, build, eval},
    param::{Each, EachCol, EachRow, Whole, WholeMatrix},
    space::Stream,
    user_function::UserFunction,
};

#[user_function]
fn row_by_column(row: Row<i32>, col: Col<i32>) -> i32 {
    let mut sum = 0;
    for k in 0..row.len() {
        sum = sum * 3 + row[k] * col[k];
    }
    sum
}

#[user_function]
fn at_of(m: MatrixView<i32>, row: usize, col: usize) -> i32 {
    m[(row, col)] - m.rows() as i32
}

#[user_function]
fn corners(m: MatrixView<i32>, xs: &[i32], k: u32) -> i32 {
    let last = (m.rows() - 1, m.cols() - 1);
    at_of(m, 0, 0) * 100 + m[last] * 10 + xs[k as usize] + xs.len() as i32
}

#[user_function]
fn jitter(rng: &mut Random, by: f32) -> f32 {
    by * (rng.uniform_f32() - 0.5)
}

#[user_function]
fn walk(x: f32, rng: &mut Random) -> f32 {
    let mut x = x;
    for _k in 0..5 {
        x += jitter(rng, 2.0) + jitter(rng, 0.5);
    }
    x + rng.next_u32() as f32 * rng.normal_f32()
}

#[user_function]
fn sum_of_two(xs: &[f32]) -> f32 {
    xs[0] + xs[1]
}

#[user_function]
fn array_as_slice(x: f32) -> f32 {
    let pair = [x, 1.0];
    sum_of_two(&pair)
}

/// A matrix for the interpreter, or a row or column of it.
struct Grid {
    kind: ViewKind,
    rows: usize,
    cols: usize,
    at: usize,
    elements: Vec<i32>,
}

impl eval::View for Grid {
    fn extent(&self, dimension: usize) -> usize {
        match (self.kind, dimension) {
            (ViewKind::Whole { rank: 2 }, 0) | (ViewKind::Col, _) => self.rows,
            _ => self.cols,
        }
    }

    fn get(&self, indices: &[isize]) -> Value {
        let index = |at: &isize| usize::try_from(*at).expect("it is checked");
        let (row, col) = match (self.kind, indices) {
            (ViewKind::Whole { rank: 2 }, [row, col]) => (index(row), index(col)),
            (ViewKind::Col, [row]) => (index(row), self.at),
            (_, [col]) => (self.at, index(col)),
            _ => panic!("{} indices", indices.len()),
        };
        Value::I32(self.elements[row * self.cols + col])
    }
}

fn view(kind: ViewKind, number: usize) -> Value {
    match Ty::view(Ty::I32, kind) {
        Ty::View(ty) => Value::View(ty, number),
        other => panic!("{other} is no view"),
    }
}

fn interpreted<F: UserFunction<P>, P: skel_core::param::Params>(
    args: &[Value],
    views: &[&dyn eval::View],
) -> Result<Value, eval::Stop> {
    let (program, function) = build::build(F::ir).expect("it has a device form");
    let env = eval::Env {
        views,
        ..eval::Env::steps(10_000)
    };
    eval::call_with(&program, function, args, env).map(|outcome| outcome.result)
}

#[test]
fn the_interpreter_reads_what_the_function_reads() {
    let (rows, inner, cols) = (4, 3, 5);
    let a: Vec<i32> = (0..12).map(|k| k * k - 20).collect();
    let b: Vec<i32> = (0..15).map(|k| 7 - k).collect();
    let (am, bm) = (
        Matrix::from_vec(rows, inner, a.clone()).unwrap(),
        Matrix::from_vec(inner, cols, b.clone()).unwrap(),
    );
    let f = map!(row_by_column).on(Sequential);
    let native = f.run_shaped((rows, cols), (&am, &bm)).unwrap();
    for (k, expected) in native.host().unwrap().iter().enumerate() {
        let row = Grid {
            kind: ViewKind::Row,
            rows,
            cols: inner,
            at: k / cols,
            elements: a.clone(),
        };
        let col = Grid {
            kind: ViewKind::Col,
            rows: inner,
            cols,
            at: k % cols,
            elements: b.clone(),
        };
        let args = [view(ViewKind::Row, 0), view(ViewKind::Col, 1)];
        let found =
            interpreted::<row_by_column, (EachRow<i32>, EachCol<i32>)>(&args, &[&row, &col]);
        assert!(found.unwrap().same(&Value::I32(*expected)), "element {k}");
    }
}

#[test]
fn views_are_passed_on_and_indexed_by_tuples() {
    let elements: Vec<i32> = (10..22).collect();
    let m = Grid {
        kind: ViewKind::Whole { rank: 2 },
        rows: 3,
        cols: 4,
        at: 0,
        elements: elements.clone(),
    };
    let xs = Grid {
        kind: ViewKind::Whole { rank: 1 },
        rows: 1,
        cols: 6,
        at: 0,
        elements: elements.clone(),
    };
    let matrix = Matrix::from_vec(3, 4, elements.clone()).unwrap();
    let f = map!(corners).on(Sequential);
    type Kinds = (WholeMatrix<i32>, Whole<i32>, Each<u32>);
    for k in 0..7 {
        let args = [
            view(ViewKind::Whole { rank: 2 }, 1),
            view(ViewKind::Whole { rank: 1 }, 0),
            Value::U32(k),
        ];
        let found = interpreted::<corners, Kinds>(&args, &[&xs, &m]);
        let native = f.run((&matrix, &elements[..6], &[k])).map(|v| v.into_vec());
        match (found, native) {
            (Ok(found), Ok(native)) => {
                assert!(
                    found.same(&Value::I32(native.unwrap()[0])),
                    "{k}: {found:?}"
                );
            }
            (Err(stop), Err(error)) => {
                assert_eq!(k, 6);
                assert_eq!(error.to_string(), stop.into_error(Some(0)).to_string());
            }
            (found, native) => panic!("{k}: {found:?}, {native:?}"),
        }
    }
}

#[test]
fn the_interpreter_draws_what_the_function_draws() {
    let f = map!(walk).on(Sequential).seed(u64::MAX - 5);
    for call in 0..2 {
        let native = f.run((&[1.5; 50],)).unwrap().into_vec().unwrap();
        let (program, function) = build::build(<walk as UserFunction<(Each<f32>,)>>::ir).unwrap();
        for (k, expected) in native.into_iter().enumerate() {
            // The fields before the first draw, as devices make them.
            let seed = u64::MAX - 5;
            let halves = [seed as u32, (seed >> 32) as u32, call, k as u32];
            let fields = halves.into_iter().chain([0; 6]).map(Value::U32).collect();
            let generator = Value::structure(&Random::ty(), fields);
            let args = [Value::F32(1.5), generator];
            let found = eval::call(&program, function, &args, 100_000).unwrap();
            assert!(found.result.same(&Value::F32(expected)), "{call} {k}");
        }
    }
    assert_eq!(Stream::default(), Stream { seed: 0, call: 0 });
}

#[test]
fn a_whole_container_is_uploaded_once_and_whole() -> skel::Result<()> {
    let units = || Mock::named("mock").unit();
    let context = Context::builder().unit(units()?).unit(units()?).build()?;
    let (m, x) = (Matrix::filled(100, 8, 1_i32), Matrix::filled(8, 50, 2_i32));
    let f = map!(row_by_column)
        .within(context.clone())
        .on(Hybrid::ratio(0.2));
    let y = f.run_shaped((100, 50), (&m, &x))?;
    let all = 2 * (800 + 400) * 4;
    assert_eq!(context.traffic().uploaded_bytes, all);
    f.run_into((&m, &x), &mut Matrix::filled(100, 50, 0))?;
    assert_eq!(context.traffic().uploaded_bytes, all);
    // The result lies in three places; each unit fetches what it lacks.
    let g = map!(|at: Index1, y: MatrixView<i32>| y[(at.i, 0)] + y[(0, 0)]);
    let g = g.within(context.clone()).on(Hybrid::ratio(0.2));
    let first = y.host()?[0];
    let sums = g.run_shaped(100, (&y,))?.into_vec()?;
    assert_eq!(sums, [2 * first; 100]);
    Ok(())
}

#[test]
fn a_lost_container_is_an_error_wherever_it_is_read() -> skel::Result<()> {
    let context = Context::builder()
        .unit(Mock::named("mock").unit()?)
        .build()?;
    let divide = map!(|x: i32| 100 / x).within(context.clone()).on(Device(0));
    let lost = divide.run((&[1, 0, 2],))?;
    let pick = map!(|at: u32, xs: &[i32]| xs[at as usize]).within(context);
    // Element 0 would be there, but containers are read as a whole.
    let found = pick.clone().on(Device(0)).run((&[0], &lost));
    match found.and_then(|v| v.into_vec().map(|_| ())) {
        Err(Error::Trap { index: Some(1), .. }) => {}
        other => panic!("{other:?}"),
    }
    assert!(pick.on(Cpu).run((&[0], &lost)).is_err());
    Ok(())
}

#[test]
fn an_array_is_no_container_on_a_device() -> skel::Result<()> {
    let found = build::build(<array_as_slice as UserFunction<(Each<f32>,)>>::ir);
    let message = found
        .expect_err("there are no slices of locals")
        .to_string();
    assert!(message.contains("let it take `[f32; 2]`"), "{message}");
    // The CPU runs it all the same.
    let f = map!(array_as_slice).on(Cpu);
    assert_eq!(f.run((&[2.0],))?.host()?[..], [3.0]);
    Ok(())
}
