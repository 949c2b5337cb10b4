//! Dependencies between queues: pure bookkeeping with vector clocks, without any device.
//!
//! What is queued gets a **ticket**, a number that counts up in its queue. A **clock** names one ticket for
//! each queue: all that must be done before something else may begin. Memory carries clocks, also while it is
//! free, so that its next user begins when the last one is done, and no queue ever waits for the host. Queues
//! wait for events, which are recorded when they are needed, behind whatever is queued by then; so what stays
//! in one queue costs no event.

use skel_core::Result;

/// Queues, at most.
pub(super) const MOST_QUEUES: usize = 8;

/// Events of a queue. The older ones name earlier tickets; a queue that needs no more waits for these.
const EVENTS: usize = 4;

/// For each queue, a ticket that must have been done; 0: nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock([u64; MOST_QUEUES]);

impl Clock {
    /// One ticket of one queue.
    pub(super) fn of(queue: usize, ticket: u64) -> Clock {
        let mut clock = Clock::default();
        clock.0[queue] = ticket;
        clock
    }

    /// All that both name.
    pub(super) fn join(&mut self, other: &Clock) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = (*a).max(b);
        }
    }

    /// The ticket of a queue.
    pub(super) fn ticket(&self, queue: usize) -> u64 {
        self.0[queue]
    }
}

/// What the bookkeeping makes the queues do.
pub(super) trait Queues {
    /// Records event `event` of the queue, behind all that is in it.
    fn record(&mut self, queue: usize, event: usize) -> Result<()>;

    /// Makes the queue wait for an event of another one, as it is now.
    fn wait(&mut self, queue: usize, other: usize, event: usize) -> Result<()>;
}

/// What is known of all queues.
#[derive(Debug)]
pub(super) struct Order {
    queues: Vec<Queue>,
}

#[derive(Clone, Debug, Default)]
struct Queue {
    /// The last ticket.
    issued: u64,
    /// All up to this one are known to be done.
    done: u64,
    /// What the queue has waited for, or will have before it goes on.
    knows: Clock,
    /// The ticket that each event stands behind; 0 if it was never recorded.
    events: [u64; EVENTS],
    next_event: usize,
}

impl Order {
    /// Of so many queues.
    pub(super) fn new(queues: usize) -> Order {
        assert!(queues <= MOST_QUEUES, "{queues} queues");
        Order {
            queues: vec![Queue::default(); queues],
        }
    }

    /// Makes what is queued next begin after all that the clock names.
    pub(super) fn before(
        &mut self,
        queues: &mut impl Queues,
        queue: usize,
        after: &Clock,
    ) -> Result<()> {
        for other in (0..self.queues.len()).filter(|other| *other != queue) {
            let needed = after.ticket(other);
            if needed <= self.queues[other].done || needed <= self.queues[queue].knows.0[other] {
                continue;
            }
            let event = self.event(queues, other, needed)?;
            queues.wait(queue, other, event)?;
            self.queues[queue].knows.0[other] = self.queues[other].events[event];
        }
        Ok(())
    }

    /// An event that stands behind the ticket: the first such, or a new one.
    pub(super) fn event(
        &mut self,
        queues: &mut impl Queues,
        queue: usize,
        ticket: u64,
    ) -> Result<usize> {
        let state = &mut self.queues[queue];
        let known = (0..EVENTS).filter(|event| state.events[*event] >= ticket);
        if let Some(event) = known.min_by_key(|event| state.events[*event]) {
            return Ok(event);
        }
        let event = state.next_event;
        queues.record(queue, event)?;
        state.events[event] = state.issued;
        state.next_event = (event + 1) % EVENTS;
        Ok(event)
    }

    /// The ticket of what was just queued.
    pub(super) fn issue(&mut self, queue: usize) -> u64 {
        self.queues[queue].issued += 1;
        self.queues[queue].issued
    }

    /// The host has seen the event.
    pub(super) fn seen(&mut self, queue: usize, event: usize) {
        let state = &mut self.queues[queue];
        state.done = state.done.max(state.events[event]);
    }

    /// The host has seen a ticket done, by an event that is not among these.
    pub(super) fn saw(&mut self, queue: usize, ticket: u64) {
        let state = &mut self.queues[queue];
        state.done = state.done.max(ticket);
    }

    /// The host has seen the queue empty.
    pub(super) fn seen_all(&mut self, queue: usize) {
        self.queues[queue].done = self.queues[queue].issued;
    }

    /// The ticket of what was queued last.
    pub(super) fn last(&self, queue: usize) -> u64 {
        self.queues[queue].issued
    }

    /// Whether it is known to be done.
    pub(super) fn is_done(&self, queue: usize, ticket: u64) -> bool {
        ticket <= self.queues[queue].done
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    const QUEUES: usize = 4;

    /// Queues in which every operation and event notes all that certainly precedes it.
    #[derive(Default)]
    struct Model {
        /// What precedes whatever is queued next: a ticket of each queue.
        after: [[u64; QUEUES]; QUEUES],
        events: [[[u64; QUEUES]; EVENTS]; QUEUES],
        records: usize,
    }

    impl Queues for Model {
        fn record(&mut self, queue: usize, event: usize) -> Result<()> {
            self.events[queue][event] = self.after[queue];
            self.records += 1;
            Ok(())
        }

        fn wait(&mut self, queue: usize, other: usize, event: usize) -> Result<()> {
            let seen = self.events[other][event];
            for (a, b) in self.after[queue].iter_mut().zip(seen) {
                *a = (*a).max(b);
            }
            Ok(())
        }
    }

    proptest! {
        /// Whatever is asked for has been waited for, by the queue or by the host.
        #[test]
        fn nothing_begins_too_early(
            steps in prop::collection::vec(
                (0..QUEUES, prop::collection::vec((0..QUEUES, 0..20_u64), 0..4), 0..12_u32),
                1..60,
            )
        ) {
            let (mut order, mut model) = (Order::new(QUEUES), Model::default());
            let mut host = [0; QUEUES];
            for (queue, wanted, also) in steps {
                let mut after = Clock::default();
                for (other, back) in wanted {
                    let last = order.queues[other].issued;
                    after.join(&Clock::of(other, last.saturating_sub(back)));
                }
                order.before(&mut model, queue, &after).unwrap();
                for (other, seen) in host.iter().enumerate() {
                    let known = model.after[queue][other].max(*seen);
                    prop_assert!(after.ticket(other) <= known, "{queue} runs ahead of {other}");
                }
                model.after[queue][queue] = order.issue(queue);
                if also == 0 {
                    // The host looks at an event.
                    let event = order.event(&mut model, queue, 1).unwrap();
                    order.seen(queue, event);
                    let seen = model.events[queue][event][queue];
                    host[queue] = host[queue].max(seen);
                    prop_assert!(order.is_done(queue, seen));
                    prop_assert!(seen == order.queues[queue].issued || !order.is_done(queue, seen + 1));
                }
            }
        }
    }

    #[test]
    fn one_queue_needs_no_events() {
        let (mut order, mut model) = (Order::new(2), Model::default());
        for _ in 0..5 {
            let last = order.queues[1].issued;
            order.before(&mut model, 1, &Clock::of(1, last)).unwrap();
            order.issue(1);
        }
        assert_eq!(model.records, 0);
        // One event serves all queues that wait for the same ticket.
        order.before(&mut model, 0, &Clock::of(1, 3)).unwrap();
        order.before(&mut model, 0, &Clock::of(1, 5)).unwrap();
        assert_eq!(model.records, 1);
    }
}
