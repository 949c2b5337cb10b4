//! Parts of a call that threads take one after the other, and what came of them in order.

use super::crew;
use skel_core::{Result, host_memory};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    vec,
};

/// What is done where a part fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterFailure {
    /// Parts behind it need not begin.
    Stop,
    /// They are computed all the same: what comes of them may count more.
    GoOn,
}

/// Computes each part that `next` gives, of which there are `most` at most, on the caller and the pool's idle workers.
/// Parts are made as they are taken, so that helpers are on their way meanwhile. Gives what came of them in order, of
/// which the first failure ends what is to be read, if it ends what is computed. Neither function must panic.
///
/// # Errors
/// [`OutOfMemory`](skel_core::Error::OutOfMemory), before anything is computed.
pub(super) fn compute<T, R: Send, E: Send>(
    most: usize,
    threads: usize,
    after_failure: AfterFailure,
    next: impl FnMut() -> Option<T> + Send,
    compute: impl Fn(T) -> std::result::Result<R, E> + Sync,
) -> Result<Computed<std::result::Result<R, E>>> {
    let mut done = host_memory::vec(most)?;
    done.resize_with(most, || Mutex::new(None));
    // The number of the next part.
    let rest = Mutex::new((0, next));
    // Parts before a failure have begun, since they are taken in order, and run to their end: so the first in order is
    // found.
    let limit = AtomicUsize::new(most);
    crew::run(most, threads.saturating_sub(1), &|_| {
        let mut rest = rest.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, next) = &mut *rest;
        if *number > limit.load(Ordering::Relaxed) {
            return;
        }
        let Some(part) = next() else { return };
        let k = *number;
        *number += 1;
        drop(rest);
        let came = compute(part);
        if came.is_err() && after_failure == AfterFailure::Stop {
            limit.fetch_min(k, Ordering::Relaxed);
        }
        *done[k].lock().unwrap_or_else(PoisonError::into_inner) = Some(came);
    });
    let (begun, mut next) = rest.into_inner().unwrap_or_else(PoisonError::into_inner);
    let failed = limit.into_inner() < most;
    // What is said to be written is written: callers rely on it.
    assert!(failed || next().is_none(), "more parts than there can be");
    done.truncate(begun);
    Ok(Computed(done.into_iter()))
}

/// What came of parts, in their order.
pub(super) struct Computed<R>(vec::IntoIter<Mutex<Option<R>>>);

impl<R> Iterator for Computed<R> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        let came = self.0.next()?.into_inner();
        let came = came.unwrap_or_else(PoisonError::into_inner);
        Some(came.unwrap_or_else(|| unreachable!("a part that was begun has ended")))
    }
}

#[cfg(test)]
mod test {
    use super::*;

    /// Computes so many numbers, of which there might be some more.
    fn numbers(
        count: usize,
        threads: usize,
        after_failure: AfterFailure,
        step: impl Fn(usize) -> std::result::Result<usize, usize> + Sync,
    ) -> Computed<std::result::Result<usize, usize>> {
        let mut parts = 0..count;
        compute(count + 1, threads, after_failure, || parts.next(), step).unwrap()
    }

    #[test]
    fn results_come_in_the_order_of_the_parts() {
        let done = numbers(1000, 4, AfterFailure::Stop, |k| Ok(2 * k));
        assert!(done.eq((0..1000).map(|k| Ok(2 * k))));
        assert_eq!(numbers(0, 4, AfterFailure::Stop, Ok).count(), 0);
    }

    #[test]
    fn the_first_failure_is_found_and_those_before_it_are_computed() {
        let fails = |k| if k % 300 == 299 { Err(k) } else { Ok(k) };
        for threads in [1, 4] {
            let done = numbers(1000, threads, AfterFailure::Stop, fails);
            let done: std::result::Result<Vec<usize>, usize> = done.collect();
            assert_eq!(done, Err(299));
            let all = numbers(1000, threads, AfterFailure::GoOn, fails);
            assert!(all.eq((0..1000).map(fails)));
        }
    }

    #[test]
    #[should_panic(expected = "more parts than there can be")]
    fn parts_that_are_left_behind_are_found() {
        let mut parts = 0..3;
        let next = || parts.next();
        let _ = compute(2, 1, AfterFailure::Stop, next, Ok::<usize, usize>);
    }

    #[test]
    fn parts_behind_a_failure_need_not_begin() {
        let begun = AtomicUsize::new(0);
        let mut done = numbers(1000, 1, AfterFailure::Stop, |k| {
            begun.fetch_add(1, Ordering::Relaxed);
            if k == 10 { Err(k) } else { Ok(k) }
        });
        assert_eq!(done.find(std::result::Result::is_err), Some(Err(10)));
        assert_eq!(begun.into_inner(), 11);
    }
}
