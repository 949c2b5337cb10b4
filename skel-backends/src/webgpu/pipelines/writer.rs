//! Writes on a thread of its own, so that no call waits for a disk.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
        mpsc::{SyncSender, channel, sync_channel},
    },
    thread,
};

/// What may wait to be written. What comes beyond that is not: the next process compiles it again.
const MOST_WAITING: usize = 64;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that is started when there is something to write, and ends with the last handle. What is left to be written
/// when the process ends is lost, and a file that is not finished is never read.
#[derive(Debug, Default)]
pub(super) struct Writer {
    queue: OnceLock<Option<SyncSender<Job>>>,
    done: Arc<AtomicU64>,
}

impl Writer {
    /// Writes soon, beginning now: a process may be about to end.
    pub(super) fn later(&self, write: impl FnOnce() + Send + 'static) {
        let Some(queue) = self.queue.get_or_init(start) else {
            return;
        };
        let done = Arc::clone(&self.done);
        let job: Job = Box::new(move || {
            write();
            done.fetch_add(1, Ordering::Relaxed);
        });
        let _taken = queue.try_send(job).is_ok();
    }

    /// How often something was written, once all is that waits now.
    pub(super) fn done(&self) -> u64 {
        if let Some(Some(queue)) = self.queue.get() {
            let (sender, all) = channel();
            let job: Job = Box::new(move || drop(sender));
            if queue.send(job).is_ok() {
                // It ends when the job has dropped its end.
                let _ended: Result<(), _> = all.recv();
            }
        }
        self.done.load(Ordering::Relaxed)
    }
}

/// None where no thread can be started.
fn start() -> Option<SyncSender<Job>> {
    let (queue, jobs) = sync_channel::<Job>(MOST_WAITING);
    let work = move || jobs.into_iter().for_each(|job| job());
    let started = thread::Builder::new()
        .name("skel-pipelines".into())
        .spawn(work);
    started.is_ok().then_some(queue)
}

#[cfg(test)]
mod test {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender};

    #[test]
    fn what_is_written_is_not_waited_for_and_is_bounded() {
        let writer = Writer::default();
        let (go, wait): (Sender<()>, Receiver<()>) = channel();
        writer.later(move || assert!(wait.recv().is_err()));
        // The thread may have the first one in hand, or not yet.
        for _ in 0..MOST_WAITING + 10 {
            writer.later(|| {});
        }
        drop(go);
        let most = MOST_WAITING as u64;
        assert!((most..=most + 1).contains(&writer.done()));
    }

    #[test]
    fn what_waits_is_written_when_the_last_handle_goes() {
        let writer = Writer::default();
        let (sender, all) = channel();
        for k in 0..5 {
            let sender = sender.clone();
            writer.later(move || sender.send(k).unwrap());
        }
        drop((writer, sender));
        assert_eq!(all.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }
}
