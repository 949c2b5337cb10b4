//! Five points of a matrix, of `f32`, `f64` and bytes.

use crate::{Done, Goal, HAND, PLAIN, RAYON, Row, SKEL, by_hand, vectorised};
use rayon::prelude::*;
use skel::prelude::*;
use std::cell::RefCell;
use tuner::{Budget, Race};

pub(crate) fn rows() -> Vec<Row> {
    type Points = fn(&str, usize, &Budget) -> Done;
    let all: [(&str, Points, usize, f64); 5] = [
        ("f32", of_f32::race, 64, 0.7),
        ("f32", of_f32::race, 1024, 0.95),
        ("f32", of_f32::race, 4096, 0.95),
        ("f64", of_f64::race, 1024, 0.95),
        ("u8", of_u8::race, 4096, 0.95),
    ];
    all.map(|(ty, points, side, goal)| {
        let name = format!("5 points {ty}, {side}²");
        Row::new(name, Goal::OfHand(goal), move |name, budget| {
            points(name, side, budget)
        })
    })
    .into()
}

/// The race of a type: what is made of the points above, below, left and right, and of the one between.
macro_rules! five_points {
    ($module:ident, $ty:ty, |$up:ident, $down:ident, $left:ident, $right:ident, $here:ident| $value:expr) => {
        mod $module {
            use super::*;

            #[user_function]
            fn points(u: Window2<$ty, 1, 1>) -> $ty {
                let ($up, $down, $left, $right, $here) =
                    (u[(-1, 0)], u[(1, 0)], u[(0, -1)], u[(0, 1)], u[(0, 0)]);
                $value
            }

            #[inline(always)]
            fn of($up: $ty, $down: $ty, $left: $ty, $right: $ty, $here: $ty) -> $ty {
                $value
            }

            vectorised! {
                /// One row, but for its ends.
                fn row(above: &[$ty], here: &[$ty], below: &[$ty], out: &mut [$ty]) {
                    let n = out.len();
                    let inner = out[1..n - 1].iter_mut().enumerate();
                    for (k, out) in inner {
                        *out = of(above[k + 1], below[k + 1], here[k], here[k + 2], here[k + 1]);
                    }
                }
            }

            /// The rows from `first` on of those inside; borders are left as they are.
            fn rows_by_hand(u: &[$ty], side: usize, first: usize, out: &mut [$ty]) {
                for (k, out) in out.chunks_exact_mut(side).enumerate() {
                    let at = (first + k) * side;
                    row(
                        &u[at - side..at],
                        &u[at..at + side],
                        &u[at + side..at + 2 * side],
                        out,
                    );
                }
            }

            fn hand(u: &[$ty], side: usize, out: &mut [$ty]) {
                let inner = &mut out[side..side * (side - 1)];
                let rows = (by_hand::chunk_elems(inner.len(), 2 * size_of::<$ty>()) / side).max(1);
                match rows * side >= inner.len() {
                    true => rows_by_hand(u, side, 1, inner),
                    false => inner
                        .par_chunks_mut(rows * side)
                        .enumerate()
                        .for_each(|(k, out)| rows_by_hand(u, side, 1 + k * rows, out)),
                }
            }

            pub(super) fn race(name: &str, side: usize, budget: &Budget) -> Done {
                let n = side * side;
                let values = (0..n).map(|i| (i * 7919 % 251) as u8 as $ty).collect();
                let u = Matrix::from_vec(side, side, values)?;
                let plain = u.host()?;
                let skel = map_overlap!(points).pad(0 as $ty).on(Cpu);
                let at = |y: usize, x: usize| {
                    let at = y * side + x;
                    of(
                        plain[at - side],
                        plain[at + side],
                        plain[at - 1],
                        plain[at + 1],
                        plain[at],
                    )
                };
                let mut result = Matrix::filled(side, side, 0 as $ty);
                for is_by_hand in [false, true] {
                    match is_by_hand {
                        false => skel.run_into((&u,), &mut result)?,
                        true => hand(&plain, side, &mut result.host_mut()?),
                    }
                    let found = result.host()?;
                    for (y, x) in (1..side - 1).flat_map(|y| (1..side - 1).map(move |x| (y, x))) {
                        assert!(found[y * side + x] == at(y, x), "{y} {x}");
                    }
                    result.host_mut()?.fill(0 as $ty);
                }
                // The same arrays for all, so that none finds more in the caches than others.
                let result = RefCell::new(result);
                let on_host = |work: &dyn Fn(&mut [$ty])| {
                    let mut result = result.borrow_mut();
                    work(&mut result.host_mut().expect("it lies on the host"));
                };
                let race = Race::new(name, n, 2 * size_of::<$ty>() * n)
                    .contender(PLAIN, || {
                        on_host(&|out| {
                            for y in 1..side - 1 {
                                for x in 1..side - 1 {
                                    out[y * side + x] = at(y, x);
                                }
                            }
                        });
                    })
                    .contender(RAYON, || {
                        on_host(&|out| {
                            let inner = out[side..side * (side - 1)].par_chunks_mut(side);
                            inner.enumerate().for_each(|(y, out)| {
                                for (x, out) in out.iter_mut().enumerate().take(side - 1).skip(1) {
                                    *out = at(y + 1, x);
                                }
                            });
                        });
                    })
                    .contender(HAND, || on_host(&|out| hand(&plain, side, out)))
                    .contender(SKEL, || skel.run_into((&u,), &mut *result.borrow_mut()));
                Ok(race.run(budget))
            }
        }
    };
}

five_points!(of_f32, f32, |up, down, left, right, here| 0.25
    * (up + down + left + right)
    - here);
five_points!(of_f64, f64, |up, down, left, right, here| 0.25
    * (up + down + left + right)
    - here);
five_points!(of_u8, u8, |up, down, left, right, here| {
    ((up as u16 + down as u16 + left as u16 + right as u16 + 4 * here as u16) / 8) as u8
});
