//! Values to which tasks contribute.
//!
//! Contributions are combined in the order of submission, as soon as all before them have ended, by the task that ended
//! last. So only those are kept that wait for an earlier one: few, unless that one is slow.

use super::{access::Contribute, shared::Shared};
use skel_core::caught::catch;
use skel_tasks::{HandleId, TaskError};
use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// Combines two contributions, the earlier one first.
type Combine<T> = dyn Fn(T, T) -> T + Send + Sync;

/// A value, and contributions to it that were not combined yet.
pub(super) struct Sum<T> {
    pub(super) value: RwLock<Option<T>>,
    turns: Mutex<Turns<T>>,
    submitted: AtomicU64,
    combine: Box<Combine<T>>,
    pub(super) id: HandleId,
    pub(super) shared: Arc<Shared>,
}

/// What has ended, and whose turn it is.
struct Turns<T> {
    /// All tasks before this one have ended, and what they gave is in the value, or is being combined.
    next: u64,
    /// What later ones gave, or that they gave nothing.
    ended: BTreeMap<u64, Option<T>>,
    is_combining: bool,
    /// What combining has panicked with: the value is lost.
    panicked: Option<TaskError>,
}

impl<T> Sum<T> {
    /// The number of a task that contributes. Called in the order of submission.
    pub(super) fn number(&self) -> u64 {
        self.submitted.fetch_add(1, Ordering::Relaxed)
    }

    fn turns(&self) -> MutexGuard<'_, Turns<T>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a task gives.
    ///
    /// # Errors
    /// Combining has panicked.
    pub(super) fn contribute(&self, number: u64, contribution: T) -> Result<(), TaskError> {
        let mut turns = self.turns();
        turns.end(number, Some(contribution));
        if turns.is_combining {
            return turns.state();
        }
        turns.is_combining = true;
        loop {
            let ready = turns.take_ready();
            if ready.is_empty() || turns.panicked.is_some() {
                turns.is_combining = false;
                return turns.state();
            }
            drop(turns);
            let combined = self.combine(ready);
            turns = self.turns();
            turns.note(combined);
        }
    }

    /// A task has ended that may have given nothing. What others gave behind it is combined by the next one.
    pub(super) fn end(&self, number: u64) {
        self.turns().end(number, None);
    }

    /// Combines all that there is. Called by readers, which come when no task contributes.
    ///
    /// # Errors
    /// Combining has panicked.
    pub(super) fn settle(&self) -> Result<(), TaskError> {
        let mut turns = self.turns();
        let all = turns.take_all();
        if !all.is_empty() && turns.panicked.is_none() {
            let combined = self.combine(all);
            turns.note(combined);
        }
        turns.state()
    }

    fn combine(&self, contributions: Vec<T>) -> Result<(), TaskError> {
        let mut value = self.value.write().unwrap_or_else(PoisonError::into_inner);
        let combined = catch(|| {
            for contribution in contributions {
                *value = value
                    .take()
                    .map(|value| (self.combine)(value, contribution));
            }
        });
        combined.map_err(|caught| TaskError::Panicked {
            kind: "combining".into(),
            message: caught.message().to_string(),
        })
    }
}

impl<T> Turns<T> {
    fn end(&mut self, number: u64, contribution: Option<T>) {
        if number >= self.next {
            self.ended.entry(number).or_insert(contribution);
        }
    }

    /// What all those gave that have ended one behind the other.
    fn take_ready(&mut self) -> Vec<T> {
        let mut ready = Vec::new();
        while let Some(contribution) = self.ended.remove(&self.next) {
            self.next += 1;
            ready.extend(contribution);
        }
        ready
    }

    /// What was given, also behind tasks that were cancelled, of which that was not said yet.
    fn take_all(&mut self) -> Vec<T> {
        let all = std::mem::take(&mut self.ended);
        self.next = all.keys().next_back().map_or(self.next, |last| last + 1);
        all.into_values().flatten().collect()
    }

    fn note(&mut self, combined: Result<(), TaskError>) {
        if let Err(error) = combined {
            self.panicked.get_or_insert(error);
        }
    }

    fn state(&self) -> Result<(), TaskError> {
        self.panicked.clone().map_or(Ok(()), Err)
    }
}

impl<T> Drop for Sum<T> {
    fn drop(&mut self) {
        self.shared.unregister(self.id);
    }
}

/// A value to which tasks contribute: see [`TaskGraph::reduction`](super::TaskGraph::reduction).
pub struct Reduction<T> {
    sum: Arc<Sum<T>>,
}

impl<T> Clone for Reduction<T> {
    fn clone(&self) -> Self {
        Reduction {
            sum: Arc::clone(&self.sum),
        }
    }
}

impl<T: Send + Sync + 'static> Reduction<T> {
    pub(super) fn new(
        shared: &Arc<Shared>,
        initial: T,
        combine: impl Fn(T, T) -> T + Send + Sync + 'static,
    ) -> Reduction<T> {
        let bytes = size_of::<T>() as u64;
        let id = shared.register(bytes, None);
        Reduction {
            sum: Arc::new(Sum {
                value: RwLock::new(Some(initial)),
                turns: Mutex::new(Turns {
                    next: 0,
                    ended: BTreeMap::new(),
                    is_combining: false,
                    panicked: None,
                }),
                submitted: AtomicU64::new(0),
                combine: Box::new(combine),
                id,
                shared: Arc::clone(shared),
            }),
        }
    }

    /// The task gets `&mut Option<T>`, and what it leaves there is its contribution, which is combined when all
    /// those before have ended. If it fails, or combining panics, the value is lost to all tasks that read it later.
    #[must_use]
    pub fn contribute(&self) -> Contribute<T> {
        Contribute {
            sum: Arc::clone(&self.sum),
            number: None,
        }
    }

    /// The task gets `&T`, with all contributions of tasks that were submitted before.
    #[must_use]
    pub fn read(&self) -> super::access::ReadSum<T> {
        super::access::ReadSum(Arc::clone(&self.sum))
    }
}

impl<T> fmt::Debug for Reduction<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sum.id)
    }
}
