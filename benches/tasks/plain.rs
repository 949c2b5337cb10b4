//! Rivals that this program has anyway: a loop, and rayon.

use crate::{
    contender::{Batch, Contender, Effort, Sample},
    load::{Meter, arithmetic},
};
use std::{hint::black_box, time::Instant};

/// All in one thread.
pub(crate) struct Loop;

impl Contender for Loop {
    fn name(&self) -> String {
        "plain loop".into()
    }

    fn grain(&mut self, batches: &[Batch]) -> Result<Vec<Sample>, String> {
        let run = |batch: &Batch| {
            let meter = Meter::start();
            for _ in 0..batch.tasks {
                black_box(arithmetic(batch.rounds));
            }
            Sample::each(batch.name(), &meter.stop(), 1)
        };
        Ok(batches.iter().map(run).collect())
    }
}

/// Scopes of rayon.
pub(crate) struct Rayon;

impl Contender for Rayon {
    fn name(&self) -> String {
        "rayon scope".into()
    }

    fn overhead(&mut self, effort: &Effort) -> Result<Vec<Sample>, String> {
        let meter = Meter::start();
        rayon::scope(|scope| {
            for _ in 0..effort.tasks {
                scope.spawn(|_| {
                    black_box(());
                });
            }
        });
        let mut samples = vec![Sample::each("empty task", &meter.stop(), effort.tasks)];
        let meter = Meter::start();
        rayon::scope(|scope| link(scope, effort.tasks));
        samples.push(Sample::each("link of a chain", &meter.stop(), effort.tasks));
        samples.extend(trips(effort, || rayon::scope(|scope| scope.spawn(|_| ()))));
        Ok(samples)
    }

    fn grain(&mut self, batches: &[Batch]) -> Result<Vec<Sample>, String> {
        let run = |batch: &Batch| {
            let rounds = batch.rounds;
            let meter = Meter::start();
            rayon::scope(|scope| {
                for _ in 0..batch.tasks {
                    scope.spawn(move |_| {
                        black_box(arithmetic(rounds));
                    });
                }
            });
            Sample::each(batch.name(), &meter.stop(), 1)
        };
        Ok(batches.iter().map(run).collect())
    }
}

/// A task that spawns the next one: rayon has no other chains.
fn link<'s>(scope: &rayon::Scope<'s>, more: usize) {
    if more > 0 {
        scope.spawn(move |scope| link(scope, more - 1));
    }
}

/// One empty task at a time.
pub(crate) fn trips(effort: &Effort, trip: impl Fn()) -> Vec<Sample> {
    let time = |_| {
        let started = Instant::now();
        trip();
        started.elapsed().as_secs_f64()
    };
    let times_s = (0..effort.round_trips).map(time).collect();
    Sample::quantiles("submit and wait", times_s)
}

/// How many threads there are, of every contender.
pub(crate) fn workers() -> usize {
    rayon::current_num_threads()
}
