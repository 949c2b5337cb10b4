//! InOrder of a call that threads take one after the other, and what came of them in order.

use super::crew;
use skel_core::{Result, host_memory};
use std::{
    mem,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    vec,
};

/// How far a part has come.
enum State<T, R> {
    Waiting(T),
    Taken,
    Done(R),
}

/// InOrder that wait to be computed.
pub(super) struct InOrder<T, R>(Vec<Mutex<State<T, R>>>);

/// What is done where a part fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterFailure {
    /// InOrder behind it need not begin.
    Stop,
    /// They are computed all the same: what comes of them may count more.
    GoOn,
}

impl<T: Send, R: Send> InOrder<T, R> {
    /// None yet, with room for so many.
    pub(super) fn with_capacity(parts: usize) -> Result<InOrder<T, R>> {
        host_memory::vec(parts).map(InOrder)
    }

    /// Puts one more part behind the others.
    pub(super) fn push(&mut self, part: T) {
        self.0.push(Mutex::new(State::Waiting(part)));
    }
}

impl<T: Send, R: Send, E: Send> InOrder<T, std::result::Result<R, E>> {
    /// Computes each part once, on the caller and the pool's idle workers; gives what came of them in order, of which the
    /// first failure ends what is to be read, if it ends what is computed. `compute` must not panic.
    pub(super) fn compute(
        self,
        threads: usize,
        after_failure: AfterFailure,
        compute: impl Fn(T) -> std::result::Result<R, E> + Sync,
    ) -> Computed<T, std::result::Result<R, E>> {
        let InOrder(parts) = self;
        // InOrder before a failure have begun, since they are taken in order, and run to their end: so the first in order
        // is found.
        let limit = AtomicUsize::new(parts.len());
        crew::run(parts.len(), threads.saturating_sub(1), &|k| {
            if k > limit.load(Ordering::Relaxed) {
                return;
            }
            let mut state = parts[k].lock().unwrap_or_else(PoisonError::into_inner);
            let State::Waiting(part) = mem::replace(&mut *state, State::Taken) else {
                return;
            };
            let done = compute(part);
            if done.is_err() && after_failure == AfterFailure::Stop {
                limit.fetch_min(k, Ordering::Relaxed);
            }
            *state = State::Done(done);
        });
        Computed(parts.into_iter())
    }
}

/// What came of parts, in their order.
pub(super) struct Computed<T, R>(vec::IntoIter<Mutex<State<T, R>>>);

impl<T, R> Iterator for Computed<T, R> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        let state = self.0.next()?.into_inner();
        match state.unwrap_or_else(PoisonError::into_inner) {
            State::Done(done) => Some(done),
            State::Waiting(_) | State::Taken => {
                unreachable!("a part was left behind, without a failure before it")
            }
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    fn parts(count: usize) -> InOrder<usize, std::result::Result<usize, usize>> {
        let mut parts = InOrder::with_capacity(count).unwrap();
        (0..count).for_each(|part| parts.push(part));
        parts
    }

    #[test]
    fn results_come_in_the_order_of_the_parts() {
        let done = parts(1000).compute(4, AfterFailure::Stop, |k| Ok(2 * k));
        assert!(done.eq((0..1000).map(|k| Ok(2 * k))));
        assert_eq!(parts(0).compute(4, AfterFailure::Stop, Ok).count(), 0);
    }

    #[test]
    fn the_first_failure_is_found_and_those_before_it_are_computed() {
        let fails = |k| if k % 300 == 299 { Err(k) } else { Ok(k) };
        for threads in [1, 4] {
            let done = parts(1000).compute(threads, AfterFailure::Stop, fails);
            let done: std::result::Result<Vec<usize>, usize> = done.collect();
            assert_eq!(done, Err(299));
            let all = parts(1000).compute(threads, AfterFailure::GoOn, fails);
            assert!(all.eq((0..1000).map(fails)));
        }
    }

    #[test]
    fn parts_behind_a_failure_need_not_begin() {
        let begun = AtomicUsize::new(0);
        let mut done = parts(1000).compute(1, AfterFailure::Stop, |k| {
            begun.fetch_add(1, Ordering::Relaxed);
            if k == 10 { Err(k) } else { Ok(k) }
        });
        assert_eq!(done.find(std::result::Result::is_err), Some(Err(10)));
        assert_eq!(begun.into_inner(), 11);
    }
}
