//! Calls infer as they did before they were renamed, and what a user calls `exp` stays the user's.

use super::super::{
    double,
    single::{exp::exp, ln::ln, sin::sin},
};
use crate::{
    Element,
    ir::{Value, build, eval},
    param::{Each, EachMut},
    user_function::{Float, UserFunction},
};
use skel_macros::{Element, user_function};

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Tone {
    pitch: f32,
    level: f32,
}

#[user_function]
impl Tone {
    /// Not the exponential.
    fn exp(self, k: f32) -> f32 {
        self.pitch * k
    }

    /// By reference, and in place: a copy must not be what changes.
    fn ln(&mut self) {
        self.level = self.level.ln();
    }

    fn sin(&self) -> f32 {
        self.pitch.sin()
    }
}

#[user_function]
fn of_own_type(pitch: f32, level: f32) -> f32 {
    let mut tone = Tone { pitch, level };
    tone.ln();
    tone.exp(2.0) + tone.sin() + tone.level
}

#[user_function]
fn in_place(x: &mut f32) {
    *x = x.exp();
    let y = x.sin();
    *x += y;
}

/// Types that are known only from what comes later, or from a neighbour.
#[user_function]
fn inferred(x: f32) -> f32 {
    let half = 0.5;
    let scaled = (half * x).exp();
    let mut sum;
    sum = x;
    sum += (sum - scaled).sin().exp();
    fn inner<T: Float>(x: T) -> T {
        T::exp(x).ln()
    }
    assert!(sum.exp() >= 0.0, "no exponential is negative");
    if sum.sin() > 0.0 {
        inner(sum)
    } else {
        f32::exp(sum)
    }
}

#[user_function]
fn generic<T: Float>(x: T) -> T {
    (x.exp() + T::ONE).ln() * x.sin().exp()
}

#[user_function]
trait Wave: Float {
    fn wave(self) -> Self {
        self.exp().sin()
    }
}

#[user_function]
impl Wave for f32 {}

#[user_function]
fn of_trait<W: Wave + Element>(x: W) -> W {
    x.wave()
}

fn interpreted<F: UserFunction<P>, P: crate::param::Params>(args: &[f32]) -> eval::Evaluated {
    let (program, id) = build::build(F::ir).unwrap();
    let args: Vec<Value> = args.iter().map(|x| Value::F32(*x)).collect();
    eval::call(&program, id, &args, 10_000).unwrap()
}

const VALUES: [f32; 6] = [0.3, 1.0, -0.7, 2.5, 80.0, 100.0];

#[test]
fn a_type_of_the_users_own_keeps_its_methods() {
    for (x, y) in VALUES.into_iter().zip([0.5, 1.5, 3.0, 0.1, 7.0, 9.0]) {
        let expected = x * 2.0 + sin(x) + ln(y);
        assert_eq!(of_own_type(x, y).to_bits(), expected.to_bits());
        let found = interpreted::<of_own_type, (Each<f32>, Each<f32>)>(&[x, y]);
        assert!(found.result.same(&Value::F32(expected)));
    }
}

#[test]
fn receivers_behind_references_are_the_same_floats() {
    for x in VALUES {
        let mut found = x;
        in_place(&mut found);
        assert_eq!(found.to_bits(), (exp(x) + sin(exp(x))).to_bits());
        let by_ir = interpreted::<in_place, (EachMut<f32>,)>(&[x]);
        assert!(by_ir.inout[0].same(&Value::F32(found)));
    }
}

#[test]
fn types_are_found_where_they_were_found() {
    for x in VALUES {
        let sum = x + exp(sin(x - exp(0.5 * x)));
        let expected = if sin(sum) > 0.0 {
            ln(exp(sum))
        } else {
            exp(sum)
        };
        assert!(Value::F32(inferred(x)).same(&Value::F32(expected)), "{x}");
        let found = interpreted::<inferred, (Each<f32>,)>(&[x]);
        assert!(found.result.same(&Value::F32(expected)), "{x}");
    }
}

#[test]
fn generic_functions_have_those_of_their_type() {
    for x in VALUES {
        let expected = ln(exp(x) + 1.0) * exp(sin(x));
        assert!(Value::F32(generic(x)).same(&Value::F32(expected)), "{x}");
        let found = interpreted::<generic, (Each<f32>,)>(&[x]);
        assert!(found.result.same(&Value::F32(expected)), "{x}");
        let wide = f64::from(x);
        let expected =
            double::ln::ln(double::exp::exp(wide) + 1.0) * double::exp::exp(double::sin::sin(wide));
        assert_eq!(generic(wide).to_bits(), expected.to_bits());
        let expected = sin(exp(x));
        assert!(Value::F32(of_trait(x)).same(&Value::F32(expected)), "{x}");
    }
}
