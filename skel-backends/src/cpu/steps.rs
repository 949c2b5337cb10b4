//! Folds of rows or columns of which there are too few for all threads: their steps are shared.

use super::{
    guard::Failure,
    in_order::{self, AfterFailure},
    job::Job,
    pieces::{self, Cuts, PER_THREAD, Work, least_of},
};
use crate::trace;
use skel_core::{
    Result,
    caught::{Caught, catch},
    frame::{Before, Frame, Spine},
    ir::Weight,
    plan::{StepFolds, StepTotals},
    space::{Along, Axis},
};
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

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

impl Work {
    /// The number of steps of each part of folds of rows or columns, if these are cut into steps: where there are too few
    /// values for all threads, and wherever columns are long enough, since memory is then read in order. A power of two
    /// times `grain`.
    pub(super) fn steps(self, along: Along, grain: usize) -> Option<usize> {
        let by_values = self.count / self.piece(least_of(along, self.threads));
        let enough = PER_THREAD.saturating_mul(self.threads);
        if along.axis == Axis::Rows && by_values >= enough {
            return None;
        }
        let steps = Work {
            count: self.each_elems,
            each_elems: self.count.max(1),
            ..self
        };
        let each = match (self.weight, self.pace_ns) {
            (Weight::Unknown, pace_ns) => {
                steps.piece_of_unlike(steps.count, pace_ns.map(f64::from))
            }
            _ => steps.piece(1),
        };
        let each = each.max(grain).checked_next_power_of_two()?;
        let least = by_values.clamp(1, enough - 1);
        (steps.count.div_ceil(each) > least).then_some(each)
    }
}

/// Whether it is worth sharing, as far as is known. What has loops is, until it was measured.
fn is_long(job: &Job<'_>) -> bool {
    match job.cuts {
        Cuts::Light { share } => share,
        Cuts::Heavy => job.work.is_long() != Some(false),
    }
}

fn shared<'m>(
    job: &Job<'_>,
    folds: &dyn StepFolds,
    frame: &mut Frame<'m>,
    (depth, each): (usize, usize),
    threads: usize,
) -> Result<Spine> {
    let mut starts = (0..depth).step_by(each);
    let next = || {
        let start = starts.next()?;
        Some((frame.beside(), start..depth.min(start.saturating_add(each))))
    };
    let took_ns = AtomicU64::new(0);
    let compute = |(mut frame, steps): (Frame<'m>, Range<usize>)| {
        let _traced = trace::piece("steps", &steps);
        let started = Instant::now();
        let came_to = catch(|| folds.fold(&mut frame, steps));
        took_ns.fetch_add(pieces::ns_since(started), Ordering::Relaxed);
        came_to
    };
    let most = depth.div_ceil(each);
    let done = in_order::compute(most, threads, AfterFailure::Stop, next, compute)?;
    let totals: std::result::Result<Vec<StepTotals>, Caught> = done.collect();
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

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn few_values_are_shared_by_steps() {
        let steps = |rows, cols, axis, threads, pace_ns| {
            let fold = Along { rows, cols, axis };
            let work = Work {
                count: fold.values(),
                each_elems: fold.depth(),
                weight: Weight::Operations(3),
                pace_ns,
                threads,
                block: 1,
            };
            let grain = if axis == Axis::Cols { 32 } else { 1024 };
            let each = work.steps(fold, grain)?;
            assert!(each.is_power_of_two() && each >= grain);
            Some(fold.depth().div_ceil(each))
        };
        for pace_ns in [None, Some(0.5)] {
            let found = steps(10_000_000, 8, Axis::Cols, 16, pace_ns);
            assert!(
                found.is_some_and(|parts| (128..=256).contains(&parts)),
                "{found:?}"
            );
            let found = steps(2, 10_000_000, Axis::Rows, 16, pace_ns);
            assert!(
                found.is_some_and(|parts| (128..=256).contains(&parts)),
                "{found:?}"
            );
        }
        // As many rows as make pieces for all; columns that are too short to be cut; and one thread's worth.
        assert_eq!(steps(128, 100_000, Axis::Rows, 16, Some(0.5)), None);
        assert_eq!(steps(100, 4096, Axis::Cols, 2, Some(0.1)), None);
        assert_eq!(steps(32, 1, Axis::Cols, 2, None), None);
    }
}
