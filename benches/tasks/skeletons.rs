//! Task graphs of this library, under several schedulers.

use crate::{
    contender::{Batch, Contender, Effort, Sample},
    load::{Meter, arithmetic},
};
use skel::{
    Context, Error, Result,
    tasks::{Handle, TaskGraph, scheduler},
};
use std::{hint::black_box, time::Instant};

/// Tasks that update data take turns with so many sets of it.
const SETS: usize = 64;

/// A task graph.
pub(crate) struct Skel {
    scheduler: &'static str,
    graph: TaskGraph,
    sets: Vec<[Handle<f64>; 8]>,
}

impl Skel {
    /// Those that are measured.
    pub(crate) fn all() -> std::result::Result<Vec<Box<dyn Contender>>, String> {
        let mut all: Vec<Box<dyn Contender>> = Vec::new();
        for scheduler in ["eager", "lws", "dmda"] {
            all.push(Box::new(Skel::new(scheduler).map_err(|e| e.to_string())?));
        }
        Ok(all)
    }

    fn new(scheduler: &'static str) -> Result<Skel> {
        let context = Context::builder().build()?;
        let configuration = scheduler::parse(scheduler).map_err(Error::BadOption)?;
        let graph = TaskGraph::builder(&context)
            .scheduler(configuration)
            .build()?;
        let set = || std::array::from_fn(|_| graph.handle(0.0));
        let sets = std::iter::repeat_with(set).take(SETS).collect();
        Ok(Skel {
            scheduler,
            graph,
            sets,
        })
    }

    /// What each of `count` tasks takes that `submit` submits.
    fn each(
        &self,
        what: &str,
        count: usize,
        submit: impl Fn(&TaskGraph, usize) -> Result<()>,
    ) -> Result<Sample> {
        let meter = Meter::start();
        for i in 0..count {
            submit(&self.graph, i)?;
        }
        self.graph.wait()?;
        Ok(Sample::each(what, &meter.stop(), count))
    }

    fn tasks(&self, count: usize, trips: usize) -> Result<Vec<Sample>> {
        let sets = &self.sets;
        let empty = |graph: &TaskGraph, _| graph.task("empty", (), |()| Ok(())).submit().map(drop);
        let link = |graph: &TaskGraph, _| {
            let link = graph.task("link", (sets[0][0].update(),), |_| Ok(()));
            link.submit().map(drop)
        };
        macro_rules! handles {
            ($mode:ident of $set:expr; $($index:literal)*) => { |graph: &TaskGraph, i: usize| {
                let set = &sets[$set(i)];
                let task = graph.task("handles", ($(set[$index].$mode(),)*), |_| Ok(()));
                task.submit().map(drop)
            } };
        }
        let (same, turns) = (|_| 0, |i| i % SETS);
        let mut samples = vec![
            self.each("empty task", count, empty)?,
            self.each("link of a chain", count, link)?,
            self.each("reads 1", count, handles!(read of same; 0))?,
            self.each("reads 3", count, handles!(read of same; 0 1 2))?,
            self.each("reads 8", count, handles!(read of same; 0 1 2 3 4 5 6 7))?,
            self.each("updates 1", count, handles!(update of turns; 0))?,
            self.each("updates 3", count, handles!(update of turns; 0 1 2))?,
            self.each(
                "updates 8",
                count,
                handles!(update of turns; 0 1 2 3 4 5 6 7),
            )?,
        ];
        let mut times_s = Vec::with_capacity(trips);
        for _ in 0..trips {
            let started = Instant::now();
            let task = self.graph.task("empty", (), |()| Ok(())).submit()?;
            task.wait()?;
            times_s.push(started.elapsed().as_secs_f64());
        }
        samples.extend(Sample::quantiles("submit and wait", times_s));
        Ok(samples)
    }

    fn batch(&self, batch: Batch) -> Result<Sample> {
        let rounds = batch.rounds;
        let meter = Meter::start();
        for _ in 0..batch.tasks {
            let work = move |()| {
                black_box(arithmetic(rounds));
                Ok(())
            };
            self.graph.task("work", (), work).submit()?;
        }
        self.graph.wait()?;
        Ok(Sample::each(batch.name(), &meter.stop(), 1))
    }
}

impl Contender for Skel {
    fn name(&self) -> String {
        format!("skel {}", self.scheduler)
    }

    fn overhead(&mut self, effort: &Effort) -> std::result::Result<Vec<Sample>, String> {
        let samples = self.tasks(effort.tasks, effort.round_trips);
        samples.map_err(|error| error.to_string())
    }

    fn grain(&mut self, batches: &[Batch]) -> std::result::Result<Vec<Sample>, String> {
        let samples = batches.iter().map(|batch| self.batch(*batch));
        samples.collect::<Result<_>>().map_err(|e| e.to_string())
    }
}
