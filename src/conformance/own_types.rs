//! A type with operators and methods of its own.

use super::{
    Case, Check, Context, Outcome, Sizes, Target,
    data::{Sample, input, same, same_value},
};
use crate::prelude::*;
use std::ops::{Mul, MulAssign};

/// `x ↦ factor · x + offset`, modulo 2³².
#[derive(Clone, Copy, Debug, PartialEq, Eq, Element)]
#[repr(C)]
pub struct Affine {
    /// What is multiplied by.
    pub factor: u32,
    /// What is added.
    pub offset: u32,
}

/// Composition, which does not commute: the right one comes first.
#[user_function]
impl Mul for Affine {
    type Output = Affine;
    fn mul(self, first: Affine) -> Affine {
        Affine {
            factor: self.factor.wrapping_mul(first.factor),
            offset: self.at(first.offset),
        }
    }
}

#[user_function]
impl MulAssign<u32> for Affine {
    fn mul_assign(&mut self, k: u32) {
        self.factor = self.factor.wrapping_mul(k);
        self.offset = self.offset.wrapping_mul(k);
    }
}

#[user_function]
impl Affine {
    /// What leaves everything as it is.
    pub const IDENTITY: Affine = Affine {
        factor: 1,
        offset: 0,
    };

    /// The value at `x`.
    #[must_use]
    pub fn at(self, x: u32) -> u32 {
        self.factor.wrapping_mul(x).wrapping_add(self.offset)
    }

    /// Applies it once more.
    pub fn square(&mut self) {
        *self = *self * *self;
    }
}

impl Sample for Affine {
    fn sample(i: usize) -> Self {
        Affine {
            factor: u32::sample(i) | 1,
            offset: u32::sample(i + 7),
        }
    }

    fn bits(self) -> u64 {
        u64::from(self.factor) << 32 | u64::from(self.offset)
    }
}

#[user_function]
fn compose(a: Affine, b: Affine) -> Affine {
    a * b
}

#[user_function]
fn moved(f: Affine, x: u32, y: &mut Affine) -> u32 {
    let mut g = f;
    g.square();
    g *= 3;
    *y = g * *y;
    g.at(x)
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let elems = sizes.elems();
    let checks: [(&str, Check); 2] = [
        ("own_types::elements", elements),
        ("own_types::composition", composition),
    ];
    let cases = checks.into_iter().map(|(name, check)| {
        let ns = elems.clone();
        Case::new(name, move |context, target| {
            ns.iter().try_for_each(|n| check(context, target, *n))
        })
    });
    cases.collect()
}

/// `(f², 3 f²)` in numbers, without the operators.
fn tripled_square(f: Affine) -> (u32, u32) {
    let factor = f.factor.wrapping_mul(f.factor);
    let offset = f.factor.wrapping_mul(f.offset).wrapping_add(f.offset);
    (factor.wrapping_mul(3), offset.wrapping_mul(3))
}

fn elements(context: &Context, target: &Target, n: usize) -> Outcome {
    let (f, x) = (input::<Affine>(n, 1), input::<u32>(n, 2));
    let before = input::<Affine>(n, 3);
    let mut y = Vector::from(before.clone());
    let instance = map!(moved).within(context.clone()).on(target);
    let values = instance.run((&f, &x, &mut y))?;
    let (mut of_values, mut of_y) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (factor, offset) = tripled_square(f[i]);
        of_values.push(factor.wrapping_mul(x[i]).wrapping_add(offset));
        of_y.push(Affine {
            factor: factor.wrapping_mul(before[i].factor),
            offset: factor.wrapping_mul(before[i].offset).wrapping_add(offset),
        });
    }
    same("values", &values.host()?, &of_values)?;
    same("in place", &y.host()?, &of_y)
}

fn composition(context: &Context, target: &Target, n: usize) -> Outcome {
    let f = input::<Affine>(n, 1);
    let instance = reduce!(compose)
        .identity(Affine::IDENTITY)
        .within(context.clone())
        .on(target);
    // From the right: the composition's values at 0 and 1 say all of it.
    let at = |x: u32| {
        f.iter()
            .rev()
            .fold(x, |x, f| f.factor.wrapping_mul(x).wrapping_add(f.offset))
    };
    let expected = Affine {
        factor: at(1).wrapping_sub(at(0)),
        offset: at(0),
    };
    same_value("composition", instance.run((&f,))?, expected)
}
