//! The Mandelbrot set, a function with a loop, beside masked lanes by hand.

#[path = "../lanes/by_hand.rs"]
#[allow(dead_code, reason = "the other functions are those of `--bench lanes`")]
mod by_hand;
#[path = "../lanes/functions.rs"]
#[allow(dead_code, reason = "the other functions are those of `--bench lanes`")]
mod functions;

use crate::{Done, Goal, HAND, PLAIN, RAYON, Row, SKEL};
use functions::mandelbrot;
use rayon::prelude::*;
use skel::prelude::*;
use std::cell::RefCell;
use tuner::{Budget, Race};

const WIDTH: usize = 1024;
const HEIGHT: usize = 768;
const LIMIT: u32 = 1000;

pub(crate) fn rows() -> Vec<Row> {
    let name = format!("Mandelbrot, {WIDTH} × {HEIGHT} × {LIMIT}");
    vec![Row::new(name, Goal::OfHand(0.9), race)]
}

fn race(name: &str, budget: &Budget) -> Done {
    let n = WIDTH * HEIGHT;
    let part = |k: usize, of: usize| k as f32 / of as f32;
    let cx: Vec<f32> = (0..n)
        .map(|i| -2.2 + 3.0 * part(i % WIDTH, WIDTH))
        .collect();
    let cy: Vec<f32> = (0..n)
        .map(|i| -1.2 + 2.4 * part(i / WIDTH, HEIGHT))
        .collect();
    let hand = by_hand::mandelbrot {
        cx: &cx,
        cy: &cy,
        limit: LIMIT,
    };
    let skel = map!(mandelbrot).on(Cpu);
    let plain = |out: &mut [u32]| {
        for (i, out) in out.iter_mut().enumerate() {
            *out = mandelbrot(cx[i], cy[i], LIMIT);
        }
    };
    let (mut expected, mut out) = (vec![0; n], vec![0; n]);
    plain(&mut expected);
    by_hand::run(&hand, &mut out);
    assert!(out == expected, "by hand");
    for _ in 0..3 {
        skel.run_into((&cx, &cy, LIMIT), &mut out[..])?;
        assert!(out == expected, "skel");
    }
    let out = RefCell::new(out);
    let race = Race::new(name, n, 12 * n)
        .contender(PLAIN, || plain(&mut out.borrow_mut()))
        .contender(RAYON, || {
            let mut out = out.borrow_mut();
            let elements = out.par_iter_mut().enumerate();
            elements.for_each(|(i, out)| *out = mandelbrot(cx[i], cy[i], LIMIT));
        })
        .contender(HAND, || by_hand::run(&hand, &mut out.borrow_mut()))
        .contender(SKEL, || {
            skel.run_into((&cx, &cy, LIMIT), &mut out.borrow_mut()[..])
        });
    Ok(race.run(budget))
}
