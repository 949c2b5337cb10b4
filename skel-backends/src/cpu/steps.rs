//! Folds of rows or columns of which there are too few for all threads: their steps are shared.

use super::{crew, guard::Failure, job::Job, pieces::Cuts};
use crate::trace;
use skel_core::{
    Result,
    caught::{Caught, catch},
    frame::{Before, Frame, Spine},
    host_memory,
    plan::{StepFolds, StepTotals},
};
use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// Some steps of all folds.
struct Part<'m> {
    frame: Frame<'m>,
    steps: Range<usize>,
    came_to: Option<std::result::Result<StepTotals, Caught>>,
}

/// Computes a piece step by step, if more threads have something to do that way.
pub(super) fn run(job: &Job<'_>, frame: &mut Frame<'_>, threads: usize) -> Option<Result<Spine>> {
    let along = frame.space.along()?;
    if threads <= 1 || !is_long(job) {
        return None;
    }
    let folds = job.phases.step_folds()?;
    let each = job.work.steps(along, folds.grain(frame))?;
    Some(shared(job, folds, frame, (along.depth(), each), threads))
}

/// Whether it is worth sharing, as far as is known: there are many elements where it is not.
fn is_long(job: &Job<'_>) -> bool {
    match job.cuts {
        Cuts::Light { share } => share,
        Cuts::Heavy => job.work.is_long() != Some(false),
    }
}

fn shared(
    job: &Job<'_>,
    folds: &dyn StepFolds,
    frame: &mut Frame<'_>,
    (depth, each): (usize, usize),
    threads: usize,
) -> Result<Spine> {
    let mut parts = host_memory::vec(depth.div_ceil(each))?;
    for start in (0..depth).step_by(each) {
        parts.push(Mutex::new(Part {
            frame: frame.beside(),
            steps: start..depth.min(start.saturating_add(each)),
            came_to: None,
        }));
    }
    let took_ns = AtomicU64::new(0);
    // Behind a panic, none need begin.
    let limit = AtomicUsize::new(parts.len());
    crew::run(parts.len(), threads - 1, &|k| {
        if k > limit.load(Ordering::Relaxed) {
            return;
        }
        let mut part = parts[k].lock().unwrap_or_else(PoisonError::into_inner);
        let Part { frame, steps, .. } = &mut *part;
        let _traced = trace::piece("steps", steps);
        let started = Instant::now();
        let came_to = catch(|| folds.fold(frame, steps.clone()));
        let ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        took_ns.fetch_add(ns, Ordering::Relaxed);
        if came_to.is_err() {
            limit.fetch_min(k, Ordering::Relaxed);
        }
        part.came_to = Some(came_to);
    });
    let parts = parts.into_iter().map(|part| {
        let part = part.into_inner().unwrap_or_else(PoisonError::into_inner);
        part.came_to
            .unwrap_or_else(|| unreachable!("steps were left behind, without a panic before them"))
    });
    let totals: std::result::Result<Vec<StepTotals>, Caught> = parts.collect();
    let put = totals.and_then(|totals| catch(|| folds.put(frame, totals)));
    match put {
        Ok(()) => {
            let took = Duration::from_nanos(took_ns.into_inner());
            job.note(frame.range.len(), took);
            Ok(Spine::EMPTY)
        }
        Err(caught) => {
            // Nothing is changed in place by folds of rows and columns.
            let failure = Failure::of_whole(caught, frame.take(), Before::default());
            Err(failure.explain(job.phases, job.instance))
        }
    }
}
