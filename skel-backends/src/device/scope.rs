//! Scopes, in which callers lend host memory to commands.
//!
//! A scope waits for its commands, or, if their device hangs, sees to it that nothing that was lent is touched any more
//! (see [`lease`](super::lease)). Commands borrow nothing themselves: they own what is [`Lent`], which knows its lease.
#![allow(unsafe_code, reason = "lends until a scope has waited")]

use super::{
    lease::{Lease, LeaseGuard},
    lent::Lent,
    queue::Queue,
};
use skel_core::{
    Result,
    caught::catch,
    frame::{StridedViewMut, View, ViewMut, ViewOut},
};
use std::{
    cell::{Cell, RefCell},
    marker::PhantomData,
    sync::{Arc, mpsc::channel},
    thread,
};

/// Lends what is borrowed for `'e`, no more and no less.
///
/// Invariant: none of its leases is held any more when `scopes`, which made it, ends.
pub struct Scope<'e> {
    leases: RefCell<Vec<Arc<Lease>>>,
    _invariant: PhantomData<Cell<&'e ()>>,
}

/// Runs `body`; returns, or goes on panicking, when all commands posted in it are gone, or those of
/// devices that hang have nothing of the caller's any more.
pub fn scope<'e, R>(body: impl FnOnce(&Scope<'e>) -> R) -> R {
    scopes(1, |scopes| body(&scopes[0]))
}

/// As [`scope`], with several, of which each can be waited for.
pub(crate) fn scopes<'e, R>(count: usize, body: impl FnOnce(&[Scope<'e>]) -> R) -> R {
    struct Wait<'e>(Vec<Scope<'e>>);
    impl Drop for Wait<'_> {
        fn drop(&mut self) {
            let leases = self.0.iter_mut().flat_map(|scope| scope.leases.get_mut());
            settle_all(leases.map(|lease| &**lease), Lease::settle);
        }
    }
    let scope = || Scope {
        leases: RefCell::default(),
        _invariant: PhantomData,
    };
    let wait = Wait((0..count).map(|_| scope()).collect());
    body(&wait.0)
}

/// Settles all leases, also if one of them panics: the caller may go on unwinding, and free what the others
/// were lent. What panicked is revoked; the first panic goes on, unless the thread unwinds already.
fn settle_all<'l>(leases: impl Iterator<Item = &'l Lease>, settle: impl Fn(&Lease)) {
    let mut first = None;
    for lease in leases {
        if let Err(caught) = catch(|| settle(lease)) {
            lease.revoke();
            first.get_or_insert(caught);
        }
    }
    if let Some(caught) = first
        && !thread::panicking()
    {
        std::panic::resume_unwind(Box::new(caught.message()));
    }
}

impl<'e> Scope<'e> {
    /// Lends to one command in this queue.
    pub(super) fn lender<'s, S: 'static>(&'s self, queue: &'s Queue<S>) -> Lender<'s, 'e, S> {
        let held = LeaseGuard::new(queue.watch());
        self.leases.borrow_mut().push(Arc::clone(held.lease()));
        Lender {
            queue,
            held,
            _of: PhantomData,
        }
    }

    /// Queues a command that is lent nothing, and is waited for nevertheless.
    pub(super) fn post<S: 'static>(
        &self,
        queue: &Queue<S>,
        work: impl FnOnce(&mut S) + Send + 'static,
    ) {
        self.lender(queue).post(work);
    }

    /// Waits for all commands, as the end of the scope does.
    pub(crate) fn wait(&self) {
        for lease in self.leases.borrow().iter() {
            lease.settle();
        }
    }

    /// The end of the elements of which everything has been brought to its place, by a command that takes a
    /// piece in chunks; 0 if there is none.
    pub(crate) fn landed(&self) -> usize {
        let leases = self.leases.borrow();
        let landed = leases.iter().map(|lease| lease.landed());
        landed.max().unwrap_or(0)
    }

    /// Whether a command may have written host memory, besides that.
    pub(crate) fn has_written(&self) -> bool {
        self.leases.borrow().iter().any(|lease| lease.has_written())
    }
}

/// What one command is lent, until it is posted.
pub(super) struct Lender<'s, 'e, S> {
    queue: &'s Queue<S>,
    held: LeaseGuard,
    _of: PhantomData<&'s Scope<'e>>,
}

impl<'e, S: 'static> Lender<'_, 'e, S> {
    /// Lends a view, as long as the scope waits for the command.
    pub(super) fn lend<V: Lend<'e>>(&self, view: V) -> Lent<V::Lent> {
        view.lent_by(self)
    }

    /// By what it is lent.
    pub(super) fn held(&self) -> LeaseGuard {
        self.held.clone()
    }

    /// Queues the command.
    pub(super) fn post(self, work: impl FnOnce(&mut S) + Send + 'static) {
        self.queue.send(work, Some(self.held));
    }

    /// The same, and waits for its answer.
    pub(super) fn ask<R: Send + 'static>(
        self,
        work: impl FnOnce(&mut S) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        let (queue, (answer, answered)) = (self.queue, channel());
        self.post(move |state| {
            // The asker may have given up.
            let _receiver_gone = answer.send(work(state));
        });
        queue.answer(&answered)
    }
}

/// What can be lent.
pub(super) trait Lend<'e> {
    /// The same, of which the compiler does not know any more how long it is there.
    type Lent: Send + 'static;

    fn lent_by<S>(self, lender: &Lender<'_, 'e, S>) -> Lent<Self::Lent>;
}

macro_rules! lend {
    ($($view:ident $(after $end:expr)?),*) => {
        $(impl<'e> Lend<'e> for $view<'e> {
            type Lent = $view<'static>;

            fn lent_by<S>(self, lender: &Lender<'_, 'e, S>) -> Lent<$view<'static>> {
                let view = self;
                $(let view = $end(view);)?
                // SAFETY: only the lifetime changes, of which nothing comes out of `Lent`: by its invariant, it shows
                // the memory only while its lease is held. A lender has no lease but one of a scope for exactly `'e`,
                // since `Scope` is invariant. That was made by `scopes`, of whose call `'e` is a parameter, so `'e` is
                // not over before that call has ended. Its last act, when it returns and when it unwinds, is to drop
                // `Wait`, a variable of its own, which no other code can leak or drop; and that goes on only when none
                // of the leases is held. None is held later, by the invariant of `Lease`. What leaks a `Lent` or its
                // command keeps a lease held, so the scope waits for ever or revokes the lease, but shortens nothing.
                let view = unsafe { std::mem::transmute::<$view<'e>, $view<'static>>(view) };
                Lent::new(view, lender.held.clone())
            }
        })*
    };
}
// All that is opened in it comes to its place first.
lend!(View, ViewMut, ViewOut, StridedViewMut after |mut view: StridedViewMut<'e>| view.take_front(view.range().end));

#[cfg(test)]
mod test;
