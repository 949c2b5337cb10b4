//! The streams of a device: one for uploads, one for downloads, several for kernels.

use super::{
    options::{MOST_STREAMS, Options},
    order::{Clock, MOST_QUEUES, Order, Queues},
    raw::{Event, Gpu, Stream},
};
use skel_core::Result;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

const _: () = assert!(MOST_STREAMS + 2 <= MOST_QUEUES);

/// For so long the host looks whether the device is done, before it sleeps: waking takes longer.
const LOOKS: Duration = Duration::from_micros(20);

/// Commands of a stream that the device may have in front of it. CUDA has a bound of its own, of some thousand, at
/// which it blocks; but what is read waits for all of them.
pub(super) const MOST_FLYING: u64 = 64;

/// Something that was queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Queued {
    queue: usize,
    ticket: u64,
}

impl Queued {
    /// What must be done before it is over.
    pub(super) fn clock(self) -> Clock {
        Clock::of(self.queue, self.ticket)
    }
}

/// The streams, and what is known of them.
#[derive(Debug)]
pub(super) struct Streams {
    lanes: Lanes,
    order: Order,
    uploads: usize,
    downloads: usize,
    first_kernel: usize,
    turn: usize,
}

#[derive(Debug)]
struct Lanes {
    gpu: Arc<Gpu>,
    streams: Vec<Stream>,
    /// Of each stream; made when they are first recorded.
    events: Vec<Vec<Event>>,
}

impl Streams {
    /// As many as the options say.
    pub(super) fn new(gpu: &Arc<Gpu>, options: &Options) -> Result<Streams> {
        let count = match options.streams {
            0 => 1,
            kernels => kernels + 2,
        };
        let [uploads, downloads, first_kernel] = match options.streams {
            0 => [0; 3],
            _ => [0, 1, 2],
        };
        let streams: Result<Vec<Stream>> = (0..count).map(|_| Stream::new(gpu)).collect();
        Ok(Streams {
            lanes: Lanes {
                gpu: Arc::clone(gpu),
                streams: streams?,
                events: (0..count).map(|_| Vec::new()).collect(),
            },
            order: Order::new(count),
            uploads,
            downloads,
            first_kernel,
            turn: 0,
        })
    }

    /// The queue of uploads.
    pub(super) fn uploads(&self) -> usize {
        self.uploads
    }

    /// The queue of downloads.
    pub(super) fn downloads(&self) -> usize {
        self.downloads
    }

    /// How many queues there are.
    pub(super) fn count(&self) -> usize {
        self.lanes.streams.len()
    }

    /// All that has been queued.
    pub(super) fn issued(&self) -> Clock {
        let mut clock = Clock::default();
        for queue in 0..self.count() {
            clock.join(&Clock::of(queue, self.order.last(queue)));
        }
        clock
    }

    /// Puts a mark behind all that is in a queue.
    pub(super) fn record(&self, queue: usize, event: &Event) -> Result<()> {
        event.record(&self.lanes.streams[queue])
    }

    /// The same, where uploads are; what is queued from now on, anywhere, comes after it.
    pub(super) fn record_ahead(&self, event: &Event) -> Result<()> {
        self.record(self.uploads, event)?;
        let others = self.lanes.streams.iter().enumerate();
        let mut others = others.filter(|(queue, _)| *queue != self.uploads);
        others.try_for_each(|(_, stream)| stream.wait(event))
    }

    /// A queue for a kernel that comes after all that the clock names: one that it would wait for, so that
    /// chains stay in one queue; else each in turn.
    pub(super) fn for_kernel(&mut self, after: &Clock) -> usize {
        let kernels = self.first_kernel..self.lanes.streams.len();
        let pending = |queue: &usize| !self.order.is_done(*queue, after.ticket(*queue));
        if let Some(queue) = kernels.clone().find(pending) {
            return queue;
        }
        self.turn = (self.turn + 1) % kernels.len();
        kernels.start + self.turn
    }

    /// Queues something that begins after all that the clock names.
    pub(super) fn queue(
        &mut self,
        queue: usize,
        after: &Clock,
        work: impl FnOnce(&Stream) -> Result<()>,
    ) -> Result<Queued> {
        self.order.before(&mut self.lanes, queue, after)?;
        // Ahead of the work: what is queued has a ticket, whatever goes wrong.
        let last = self.order.last(queue);
        if last > 0 && last.is_multiple_of(MOST_FLYING / 2) {
            self.hold_back(queue, last)?;
        }
        work(&self.lanes.streams[queue])?;
        let ticket = self.order.issue(queue);
        Ok(Queued { queue, ticket })
    }

    /// Leaves a mark in the stream, and waits for the one before it.
    fn hold_back(&mut self, queue: usize, ticket: u64) -> Result<()> {
        self.order.event(&mut self.lanes, queue, ticket)?;
        let ticket = ticket - MOST_FLYING / 2;
        self.wait(Queued { queue, ticket })
    }

    /// Whether it is done; does not wait.
    pub(super) fn is_done(&mut self, queued: Queued) -> Result<bool> {
        let Queued { queue, ticket } = queued;
        if self.order.is_done(queue, ticket) {
            return Ok(true);
        }
        let event = self.order.event(&mut self.lanes, queue, ticket)?;
        let done = self.lanes.events[queue][event].is_done()?;
        if done {
            self.order.seen(queue, event);
        }
        Ok(done)
    }

    /// The queues that are not known to have done everything.
    pub(super) fn at_work(&self) -> Vec<usize> {
        let at_work = |queue: &usize| !self.order.is_done(*queue, self.order.last(*queue));
        (0..self.count()).filter(at_work).collect()
    }

    /// What was queued last in a queue.
    pub(super) fn last(&self, queue: usize) -> Queued {
        let ticket = self.order.last(queue);
        Queued { queue, ticket }
    }

    /// The host has seen it done.
    pub(super) fn saw(&mut self, queued: Queued) {
        self.order.saw(queued.queue, queued.ticket);
    }

    /// Whether everything is done; does not wait.
    pub(super) fn are_idle(&mut self) -> Result<bool> {
        for queue in 0..self.lanes.streams.len() {
            let ticket = self.order.last(queue);
            if !self.is_done(Queued { queue, ticket })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Waits until it is done: looks at once and for a while, then sleeps.
    pub(super) fn wait(&mut self, queued: Queued) -> Result<()> {
        let Queued { queue, ticket } = queued;
        if self.order.is_done(queue, ticket) {
            return Ok(());
        }
        let event = self.order.event(&mut self.lanes, queue, ticket)?;
        let mark = &self.lanes.events[queue][event];
        let started = Instant::now();
        while !mark.is_done()? {
            if started.elapsed() > LOOKS {
                mark.synchronize()?;
                break;
            }
            std::hint::spin_loop();
        }
        self.order.seen(queue, event);
        Ok(())
    }

    /// Waits for all that the clock names.
    pub(super) fn wait_for(&mut self, clock: &Clock) -> Result<()> {
        for queue in 0..self.lanes.streams.len() {
            let ticket = clock.ticket(queue);
            self.wait(Queued { queue, ticket })?;
        }
        Ok(())
    }

    /// Waits until everything is done.
    pub(super) fn wait_for_all(&mut self) -> Result<()> {
        for queue in 0..self.lanes.streams.len() {
            self.lanes.streams[queue].synchronize()?;
            self.order.seen_all(queue);
        }
        Ok(())
    }
}

impl Queues for Lanes {
    fn record(&mut self, queue: usize, event: usize) -> Result<()> {
        while self.events[queue].len() <= event {
            self.events[queue].push(Event::new(&self.gpu)?);
        }
        self.events[queue][event].record(&self.streams[queue])
    }

    fn wait(&mut self, queue: usize, other: usize, event: usize) -> Result<()> {
        self.streams[queue].wait(&self.events[other][event])
    }
}
