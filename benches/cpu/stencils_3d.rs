//! Seven points of a tensor of `f32`.

use crate::{Done, Goal, HAND, PLAIN, RAYON, Row, SKEL, by_hand, vectorised};
use rayon::prelude::*;
use skel::prelude::*;
use std::cell::RefCell;
use tuner::{Budget, Race};

pub(crate) fn rows() -> Vec<Row> {
    [32, 128, 256]
        .map(|side| {
            let name = format!("7 points f32, {side}³");
            Row::new(name, Goal::OfHand(0.95), move |name, budget| {
                race(name, side, budget)
            })
        })
        .into()
}

#[user_function]
fn points(u: Window3<f32, 1, 1, 1>) -> f32 {
    let sides = u[(-1, 0, 0)] + u[(1, 0, 0)] + u[(0, -1, 0)] + u[(0, 1, 0)];
    0.125 * (sides + u[(0, 0, -1)] + u[(0, 0, 1)]) + 0.25 * u[(0, 0, 0)]
}

vectorised! {
    /// Row `at` inside of a tensor with rows of `side` elements, but for its ends.
    fn row(u: &[f32], at: usize, side: usize, out: &mut [f32]) {
        let plane = side * side;
        let of = |at: usize| &u[at..at + side];
        let (far, near) = (of(at - plane), of(at + plane));
        let (above, below, here) = (of(at - side), of(at + side), of(at));
        let out = &mut out[..side];
        for x in 1..side - 1 {
            let sides = far[x] + near[x] + above[x] + below[x];
            out[x] = 0.125 * (sides + here[x - 1] + here[x + 1]) + 0.25 * here[x];
        }
    }
}

/// The planes from `first` on; what is at the borders is left as it is.
fn planes(u: &[f32], side: usize, first: usize, out: &mut [f32]) {
    for (z, out) in out.chunks_exact_mut(side * side).enumerate() {
        for y in 1..side - 1 {
            row(
                u,
                ((first + z) * side + y) * side,
                side,
                &mut out[y * side..],
            );
        }
    }
}

fn hand(u: &[f32], side: usize, out: &mut [f32]) {
    let plane = side * side;
    let inner = &mut out[plane..plane * (side - 1)];
    let at_once = (by_hand::chunk_elems(inner.len(), 8) / plane).max(1);
    match at_once * plane >= inner.len() {
        true => planes(u, side, 1, inner),
        false => inner
            .par_chunks_mut(at_once * plane)
            .enumerate()
            .for_each(|(k, out)| planes(u, side, 1 + k * at_once, out)),
    }
}

fn race(name: &str, side: usize, budget: &Budget) -> Done {
    let (n, plane) = (side * side * side, side * side);
    let values = (0..n).map(|i| (i * 7919 % 251) as f32).collect();
    let u = Tensor3::from_vec(side, side, side, values)?;
    let plain = u.host()?;
    let skel = map_overlap!(points).pad(0.0_f32).on(Cpu);
    let at = |i: usize| {
        let sides = plain[i - plane] + plain[i + plane] + plain[i - side] + plain[i + side];
        0.125 * (sides + plain[i - 1] + plain[i + 1]) + 0.25 * plain[i]
    };
    let inside = || 1..side - 1;
    let rows = || inside().flat_map(|z| inside().map(move |y| z * plane + y * side));
    let mut result = Tensor3::filled(side, side, side, 0.0_f32);
    for is_by_hand in [false, true] {
        match is_by_hand {
            false => skel.run_into((&u,), &mut result)?,
            true => hand(&plain, side, &mut result.host_mut()?),
        }
        let found = result.host()?;
        let mut elements = rows().flat_map(|row| inside().map(move |x| row + x));
        assert!(elements.all(|i| found[i] == at(i)));
        result.host_mut()?.fill(0.0);
    }
    // The same arrays for all, so that none finds more in the caches than others.
    let result = RefCell::new(result);
    let on_host = |work: &dyn Fn(&mut [f32])| {
        let mut result = result.borrow_mut();
        work(&mut result.host_mut().expect("it lies on the host"));
    };
    let race = Race::new(name, n, 8 * n)
        .contender(PLAIN, || {
            on_host(&|out| {
                for i in rows().flat_map(|row| inside().map(move |x| row + x)) {
                    out[i] = at(i);
                }
            });
        })
        .contender(RAYON, || {
            on_host(&|out| {
                let inner = out[plane..plane * (side - 1)].par_chunks_mut(side);
                let rows = inner.enumerate();
                let rows = rows.filter(|(k, _)| inside().contains(&(k % side)));
                rows.for_each(|(k, out)| {
                    for x in inside() {
                        out[x] = at(plane + k * side + x);
                    }
                });
            });
        })
        .contender(HAND, || on_host(&|out| hand(&plain, side, out)))
        .contender(SKEL, || skel.run_into((&u,), &mut *result.borrow_mut()));
    Ok(race.run(budget))
}
