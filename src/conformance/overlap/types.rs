//! Windows of elements of every type, along two dimensions and one.

use super::{
    Sizes, Whole, compare,
    oracle::{ALL, Radius, windows},
};
use crate::{
    conformance::{
        Outcome,
        data::{Sample, scramble},
    },
    prelude::*,
};

/// An element of several parts.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Cell {
    heat: f32,
    count: u32,
}

impl Sample for Cell {
    fn sample(i: usize) -> Self {
        Cell {
            heat: f32::sample(i),
            count: u32::sample(i + 5),
        }
    }

    fn bits(self) -> u64 {
        self.heat.bits() << 32 | self.count.bits()
    }
}

impl Sample for u8 {
    fn sample(i: usize) -> Self {
        scramble(i) as u8
    }

    fn bits(self) -> u64 {
        u64::from(self)
    }
}

/// One step for a device, and the same for the oracle; a window of one dimension, and one of two.
macro_rules! types {
    ($($t:ident $step:ident $plain:ident $one:ident $two:ident $check:ident |$sum:ident, $x:ident| $value:expr;)*) => { $(
        #[user_function]
        fn $step($sum: $t, $x: $t) -> $t {
            $value
        }

        fn $plain($sum: $t, $x: $t) -> $t {
            $value
        }

        #[user_function]
        fn $one(w: Window1<$t, 1>) -> $t {
            $step($step($step(w[0], w[-1]), w[0]), w[1])
        }

        #[user_function]
        fn $two(w: Window2<$t, 1, 1>) -> $t {
            let mut sum = w[(0, 0)];
            for dy in -1..=1 {
                for dx in -1..=1 {
                    sum = $step(sum, w[(dy, dx)]);
                }
            }
            sum
        }

        fn $check(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
            let pad = $t::sample(4321);
            let one: Radius = [None, None, None, Some(1)];
            let two: Radius = [None, None, Some(1), Some(1)];
            let f = map_overlap!($one).within(context.clone()).on(target);
            let g = map_overlap!($two).within(context.clone()).on(target);
            for edge in ALL {
                for n in [0, 1, 2, 67, 509] {
                    let x = Vector::from(super::input::<$t>(n));
                    let found = f.clone().pad(pad).edge(edge).run((&x,));
                    let found = found.and_then(|y| Ok((y.shape(), y.to_vec()?)));
                    let expected = windows(x.shape(), &x.host()?, one, edge, pad, $plain);
                    compare(&format!("{n} elements with {edge:?}"), found, expected)?;
                }
                for (rows, cols) in [(1, 1), (2, 9), (29, 17)] {
                    let x = Matrix::from_vec(rows, cols, super::input::<$t>(rows * cols))?;
                    let found = g.clone().pad(pad).edge(edge).run((&x,));
                    let found = found.and_then(|y| Ok((y.shape(), y.to_vec()?)));
                    let expected = windows(x.shape(), &x.host()?, two, edge, pad, $plain);
                    compare(&format!("{rows} rows, {cols} columns with {edge:?}"), found, expected)?;
                }
            }
            Ok(())
        }
    )* };
}
types! {
    f32 step_f32 plain_f32 one_f32 two_f32 check_f32 |sum, x| 0.5 * sum + x;
    f64 step_f64 plain_f64 one_f64 two_f64 check_f64 |sum, x| 0.5 * sum + x;
    i32 step_i32 plain_i32 one_i32 two_i32 check_i32 |sum, x| sum.wrapping_mul(31).wrapping_add(x);
    u8 step_u8 plain_u8 one_u8 two_u8 check_u8 |sum, x| sum.wrapping_mul(31).wrapping_add(x);
    Cell step_cell plain_cell one_cell two_cell check_cell |sum, x| Cell {
        heat: 0.5 * sum.heat + x.heat,
        count: sum.count.wrapping_mul(31).wrapping_add(x.count),
    };
}

pub(super) const CHECKS: &[(&str, Whole)] = &[
    ("of::f32", check_f32),
    ("of::f64", check_f64),
    ("of::i32", check_i32),
    ("of::u8", check_u8),
    ("of::a_struct", check_cell),
];
