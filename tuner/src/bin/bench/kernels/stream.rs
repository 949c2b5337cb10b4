//! The five kernels of BabelStream.

use super::contest::Contest;
use rayon::prelude::*;
use skel::prelude::*;

/// The arrays of all kernels.
#[derive(Clone, PartialEq)]
pub(super) struct Arrays {
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

impl Arrays {
    pub(super) fn new(n: usize) -> Self {
        Arrays {
            a: vec![0.1; n],
            b: vec![0.2; n],
            c: vec![0.3; n],
        }
    }
}

const SCALAR: f64 = 0.4;

/// The kernels.
pub(super) fn contests(n: usize, target: &Target) -> Vec<Contest<Arrays>> {
    let copy = map!(|a: f64| a).on(target.clone());
    let mul = map!(|c: f64, #[uniform] k: f64| k * c).on(target.clone());
    let add = map!(|a: f64, b: f64| a + b).on(target.clone());
    let triad = map!(|b: f64, c: f64, #[uniform] k: f64| b + k * c).on(target.clone());
    let dot = map_reduce!(|a: f64, b: f64| a * b, |a: f64, b: f64| a + b).on(target.clone());
    let contest = |name: &str, arrays: usize| Contest {
        name: name.into(),
        elems: n,
        bytes: arrays * 8 * n,
        plain: |_| 0.0,
        rayon: |_| 0.0,
        skel: Box::new(|_| Ok(0.0)),
    };
    vec![
        Contest {
            plain: |s| {
                s.c.iter_mut().zip(&s.a).for_each(|(c, a)| *c = *a);
                0.0
            },
            rayon: |s| {
                s.c.par_iter_mut().zip(&s.a).for_each(|(c, a)| *c = *a);
                0.0
            },
            skel: Box::new(move |s| copy.run_into((&s.a,), &mut s.c).map(|()| 0.0)),
            ..contest("copy: c = a", 2)
        },
        Contest {
            plain: |s| {
                s.b.iter_mut().zip(&s.c).for_each(|(b, c)| *b = SCALAR * c);
                0.0
            },
            rayon: |s| {
                s.b.par_iter_mut()
                    .zip(&s.c)
                    .for_each(|(b, c)| *b = SCALAR * c);
                0.0
            },
            skel: Box::new(move |s| mul.run_into((&s.c, SCALAR), &mut s.b).map(|()| 0.0)),
            ..contest("mul: b = k · c", 2)
        },
        Contest {
            plain: |s| {
                let ab = s.a.iter().zip(&s.b);
                s.c.iter_mut().zip(ab).for_each(|(c, (a, b))| *c = a + b);
                0.0
            },
            rayon: |s| {
                let ab = s.a.par_iter().zip(&s.b);
                s.c.par_iter_mut()
                    .zip(ab)
                    .for_each(|(c, (a, b))| *c = a + b);
                0.0
            },
            skel: Box::new(move |s| add.run_into((&s.a, &s.b), &mut s.c).map(|()| 0.0)),
            ..contest("add: c = a + b", 3)
        },
        Contest {
            plain: |s| {
                let bc = s.b.iter().zip(&s.c);
                s.a.iter_mut()
                    .zip(bc)
                    .for_each(|(a, (b, c))| *a = b + SCALAR * c);
                0.0
            },
            rayon: |s| {
                let bc = s.b.par_iter().zip(&s.c);
                s.a.par_iter_mut()
                    .zip(bc)
                    .for_each(|(a, (b, c))| *a = b + SCALAR * c);
                0.0
            },
            skel: Box::new(move |s| triad.run_into((&s.b, &s.c, SCALAR), &mut s.a).map(|()| 0.0)),
            ..contest("triad: a = b + k · c", 3)
        },
        Contest {
            plain: |s| s.a.iter().zip(&s.b).map(|(a, b)| a * b).sum(),
            rayon: |s| s.a.par_iter().zip(&s.b).map(|(a, b)| a * b).sum(),
            skel: Box::new(move |s| dot.run((&s.a, &s.b))),
            ..contest("dot: Σ a · b", 2)
        },
    ]
}

#[cfg(test)]
mod test {
    use super::{super::contest::test::all_agree, *};

    #[test]
    fn all_contenders_compute_the_same() {
        all_agree(&contests(1000, &Cpu.into()), &Arrays::new(1000));
    }
}
