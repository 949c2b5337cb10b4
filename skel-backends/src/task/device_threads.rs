//! Threads for devices in calls as tasks.
//!
//! Starting a thread takes 30 to 60 µs, and a device needs one for each chunk that it has at once. So a context keeps them
//! from call to call, asleep.

use crate::fork::{OwnerProcess, ProcessLocal};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// Those of a context, from the first call on that needs some.
pub(crate) struct DeviceThreads {
    /// Those of the parent are none of a child's, which must not end them either.
    pool: ProcessLocal<Mutex<Option<Arc<ThreadPool>>>>,
    owner: OwnerProcess,
}

impl DeviceThreads {
    pub(crate) fn new() -> DeviceThreads {
        DeviceThreads {
            pool: ProcessLocal::new(Mutex::default()),
            owner: OwnerProcess::here(),
        }
    }

    /// So many, or more. Calls that are made at the same time share them; the caller does what is left where
    /// that are too few, or none: where the system gives none, and in a child of the process.
    pub(super) fn get(&self, wanted: usize) -> Option<Arc<ThreadPool>> {
        if wanted == 0 || self.owner.is_ancestor() {
            return None;
        }
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool
            .as_ref()
            .is_none_or(|pool| pool.current_num_threads() < wanted)
        {
            let builder = ThreadPoolBuilder::new().num_threads(wanted);
            let named = builder.thread_name(|k| format!("skel tasks {k}"));
            // Without, the call runs as well.
            *pool = named.build().ok().map(Arc::new).or_else(|| pool.take());
        }
        pool.clone()
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn threads_are_kept_and_more_come_when_more_are_wanted() {
        let threads = DeviceThreads::new();
        assert!(threads.get(0).is_none());
        let two = threads.get(2).unwrap();
        assert!(Arc::ptr_eq(&two, &threads.get(1).unwrap()));
        assert!(Arc::ptr_eq(&two, &threads.get(2).unwrap()));
        assert_eq!(threads.get(3).unwrap().current_num_threads(), 3);
    }
}
