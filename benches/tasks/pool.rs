//! Threads with a queue, as programs write them themselves.

use crate::{
    contender::{Batch, Contender, Effort, Sample},
    load::{Meter, arithmetic},
    plain::{trips, workers},
};
use std::{
    collections::VecDeque,
    hint::black_box,
    sync::{Arc, Condvar, Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
};

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    /// None: no more will come.
    jobs: Mutex<VecDeque<Option<Job>>>,
    more: Condvar,
}

/// Threads that take jobs from one queue; who waits is told through a channel.
pub(crate) struct Pool {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
    is_static: bool,
}

impl Pool {
    /// A job for each task; or, `is_static`, for each thread, which then does its part of all tasks.
    pub(crate) fn new(is_static: bool) -> Result<Pool, String> {
        let queue: Arc<Queue> = Arc::default();
        let mut pool = Pool {
            queue,
            threads: Vec::new(),
            is_static,
        };
        for _ in 0..workers() {
            let queue = Arc::clone(&pool.queue);
            let thread = thread::Builder::new().spawn(move || queue.serve());
            pool.threads
                .push(thread.map_err(|e| format!("a thread: {e}"))?);
        }
        Ok(pool)
    }

    /// Runs so many jobs, and waits for all of them.
    fn run(&self, jobs: usize, work: impl Fn() + Send + Clone + 'static) {
        let (done, all_done) = mpsc::channel::<()>();
        for _ in 0..jobs {
            let (work, done) = (work.clone(), done.clone());
            self.queue.push(Some(Box::new(move || {
                work();
                drop(done);
            })));
        }
        drop(done);
        // No message comes: it ends when all jobs have dropped their ends.
        let _ended = all_done.recv();
    }
}

impl Queue {
    fn push(&self, job: Option<Job>) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.push_back(job);
        self.more.notify_one();
    }

    fn serve(&self) {
        loop {
            let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            let job = loop {
                match jobs.pop_front() {
                    Some(job) => break job,
                    None => jobs = self.more.wait(jobs).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(jobs);
            match job {
                Some(job) => job(),
                None => return,
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.threads.iter().for_each(|_| self.queue.push(None));
        for thread in self.threads.drain(..) {
            // It has printed why.
            let _panicked = thread.join();
        }
    }
}

impl Contender for Pool {
    fn name(&self) -> String {
        if self.is_static {
            "static threads"
        } else {
            "pool"
        }
        .into()
    }

    fn overhead(&mut self, effort: &Effort) -> Result<Vec<Sample>, String> {
        let meter = Meter::start();
        self.run(effort.tasks, || ());
        let mut samples = vec![Sample::each("empty task", &meter.stop(), effort.tasks)];
        let trips = trips(effort, || self.run(1, || ()));
        samples.extend(trips);
        Ok(samples)
    }

    fn grain(&mut self, batches: &[Batch]) -> Result<Vec<Sample>, String> {
        let run = |batch: &Batch| {
            let Batch { tasks, rounds } = *batch;
            let (jobs, of_each) = match self.is_static {
                true => (workers(), tasks / workers()),
                false => (tasks, 1),
            };
            let meter = Meter::start();
            self.run(jobs, move || {
                for _ in 0..of_each {
                    black_box(arithmetic(rounds));
                }
            });
            Sample::each(batch.name(), &meter.stop(), 1)
        };
        Ok(batches.iter().map(run).collect())
    }
}
