//! Calls of a hundred elements: what a call costs.

use crate::{Done, Goal, HAND, PLAIN, RAYON, Row, SKEL, floats};
use rayon::prelude::*;
use skel::prelude::*;
use std::cell::RefCell;
use tuner::{Budget, Race};

const ELEMS: usize = 100;

pub(crate) fn rows() -> Vec<Row> {
    vec![
        few("map of 100 f32", |name, budget| {
            map_of_few(name, Some(Cpu.into()), budget)
        }),
        few("reduce of 100 f32", |name, budget| {
            reduce_of_few(name, Some(Cpu.into()), budget)
        }),
        few("map of 100 f32, Auto", |name, budget| {
            map_of_few(name, None, budget)
        }),
        few("reduce of 100 f32, Auto", |name, budget| {
            reduce_of_few(name, None, budget)
        }),
    ]
}

fn few(name: &str, run: fn(&str, &Budget) -> Done) -> Row {
    Row::new(name, Goal::OverPlainNs(250.0), run)
}

/// Where nothing is said of it, `Auto` decides, which knows that few elements are computed here.
fn map_of_few(name: &str, target: Option<Target>, budget: &Budget) -> Done {
    let x = floats(ELEMS);
    let double = map!(|x: f32| 2.0 * x + 1.0).on(target.unwrap_or(Target::Auto));
    let out = RefCell::new(vec![0.0_f32; ELEMS]);
    let plain = || {
        for (x, out) in x.iter().zip(out.borrow_mut().iter_mut()) {
            *out = 2.0 * x + 1.0;
        }
    };
    let race = Race::new(name, ELEMS, 8 * ELEMS)
        .contender(PLAIN, plain)
        .contender(RAYON, || {
            let mut out = out.borrow_mut();
            out.par_iter_mut()
                .zip(&x)
                .for_each(|(out, x)| *out = 2.0 * x + 1.0);
        })
        // Nothing beats the loop.
        .contender(HAND, plain)
        .contender(SKEL, || double.run_into((&x,), &mut out.borrow_mut()[..]));
    Ok(race.run(budget))
}

fn reduce_of_few(name: &str, target: Option<Target>, budget: &Budget) -> Done {
    let x = floats(ELEMS);
    let sum = reduce!(|a: f32, b: f32| a + b).on(target.unwrap_or(Target::Auto));
    let plain = || x.iter().sum::<f32>();
    let race = Race::new(name, ELEMS, 4 * ELEMS)
        .contender(PLAIN, plain)
        .contender(RAYON, || x.par_iter().sum::<f32>())
        .contender(HAND, plain)
        .contender(SKEL, || sum.run((&x,)));
    Ok(race.run(budget))
}
