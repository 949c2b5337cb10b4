//! Windows and pools as parameters: what becomes of them in the IR, and in the interpreter.

use skel::prelude::*;
use skel_core::{
    ir::{TrapKind, Ty, Value, build, eval, functions_that_trap, print},
    param::{Each, EachPool2, EachWindow1, EachWindow2, Params},
    user_function::UserFunction,
};

#[user_function]
fn slope(w: Window1<f32, 1>) -> f32 {
    (w[1] - w[-1]) / 2.0
}

#[user_function]
fn laplacian(w: Window2<i32, 1, 1>) -> i32 {
    w[(-1, 0)] + w[(1, 0)] + w[(0, -1)] + w[(0, 1)] - 4 * w[(0, 0)]
}

#[user_function]
fn weighed(k: i32, w: Window2<i32, 1, 1>, at: Index2) -> i32 {
    k * laplacian(w) + at.col as i32
}

#[user_function]
fn blur<const R: usize>(w: Window1<i32, R>) -> i32 {
    let mut sum = 0;
    let r = R as isize;
    for d in -r..=r {
        sum += w[d];
    }
    sum + w[-1] * 100
}

#[user_function]
fn largest<T: Number>(p: Pool2<T, 2, 3>) -> T {
    let mut most = p[(0, 0)];
    for row in 0..2 {
        for col in 0..3 {
            let at = (row, col);
            most = most.max(p[at]);
        }
    }
    most
}

#[user_function]
fn anywhere(w: Window1<i32, 2>, d: isize) -> i32 {
    w[d] + w[0]
}

/// A neighbourhood whose element at offsets `a, b` is `100 * a + b`.
struct Plane;

impl eval::View for Plane {
    fn extent(&self, _: usize) -> usize {
        unreachable!("neighbourhoods are not asked")
    }

    fn get(&self, offsets: &[isize]) -> Value {
        let weighed = offsets.iter().fold(0, |sum, at| 100 * sum + at);
        Value::I32(i32::try_from(weighed).expect("offsets are small"))
    }
}

fn interpreted<F: UserFunction<P>, P: Params>(args: &[Value]) -> Result<Value, eval::Stop> {
    let (program, function) = build::build(F::ir).expect("it has a device form");
    let env = eval::Env {
        views: &[&Plane],
        ..eval::Env::steps(10_000)
    };
    let params = &program.function(function).params;
    let tys = params
        .iter()
        .map(|p| &program.function(function).local(p.local).ty);
    let mut args = args.iter();
    let args: Vec<Value> = tys
        .map(|ty| match ty {
            Ty::View(view) => Value::View(view.clone(), 0),
            _ => args.next().expect("one for each").clone(),
        })
        .collect();
    eval::call_with(&program, function, &args, env).map(|outcome| outcome.result)
}

#[test]
fn literal_offsets_cannot_trap() {
    let (program, _) = build::build(<slope as UserFunction<(EachWindow1<f32, 1>,)>>::ir).unwrap();
    assert_eq!(functions_that_trap(&program), [false]);
    let text = print(&program);
    assert!(text.contains("w_0: Window1<f32, 1>"), "{text}");
    assert!(text.contains("w_0.at(-1isize)"), "{text}");
    let ir = <anywhere as UserFunction<(EachWindow1<i32, 2>, Each<isize>)>>::ir;
    assert_eq!(functions_that_trap(&build::build(ir).unwrap().0), [true]);
}

#[test]
fn programs_tell_radii_apart() {
    let text = |of: fn(&mut build::Cx) -> skel_core::ir::Imp| print(&build::build(of).unwrap().0);
    let one = text(<blur as UserFunction<(EachWindow1<i32, 1>,)>>::ir);
    let two = text(<blur as UserFunction<(EachWindow1<i32, 2>,)>>::ir);
    assert_ne!(one, two);
}

#[test]
fn the_interpreter_reads_by_offsets() {
    let index = Value::structure(&Index2::ty(), vec![Value::Usize(3), Value::Usize(5)]);
    let found =
        interpreted::<weighed, (Each<i32>, EachWindow2<i32, 1, 1>)>(&[Value::I32(7), index]);
    // The plane is flat.
    assert!(matches!(found, Ok(Value::I32(5))), "{found:?}");
    let found = interpreted::<blur, (EachWindow1<i32, 3>,)>(&[]);
    assert!(matches!(found, Ok(Value::I32(-100))), "{found:?}");
    let found = interpreted::<largest, (EachPool2<i32, 2, 3>,)>(&[]);
    assert!(matches!(found, Ok(Value::I32(102))), "{found:?}");
}

#[test]
fn offsets_beyond_the_radius_trap() {
    for (d, inside) in [
        (2, true),
        (-2, true),
        (3, false),
        (-3, false),
        (isize::MIN, false),
    ] {
        let found = interpreted::<anywhere, (EachWindow1<i32, 2>, Each<isize>)>(&[Value::Isize(d)]);
        match found {
            Ok(_) => assert!(inside, "{d}"),
            Err(eval::Stop::Trap(trap)) => {
                assert!(
                    !inside && trap.kind == TrapKind::OutOfReach,
                    "{d}: {trap:?}"
                );
            }
            Err(other) => panic!("{d}: {other:?}"),
        }
    }
}
