//! Reclaiming: taking back a loan to a device that failed.
#![allow(unsafe_code, reason = "elements are lent again")]

use super::BufferMut;
use crate::{space::IntervalSet, unit::NodeId};
use std::{ops::Range, sync::Arc};

/// What a device may have done of a piece before it failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remains {
    /// It may have computed: what it changes in place on the device is not what it was.
    pub began: bool,
    /// It may have copied results to host memory that it was lent: that is not what it was.
    pub overwrote: bool,
}

/// Elements that a device was to write.
pub(super) struct PromisedWrite {
    node: NodeId,
    range: Range<usize>,
    /// Which of them it had before.
    before: IntervalSet,
}

impl BufferMut<'_> {
    /// Remembers how elements `r` were, before `node` writes them.
    pub(super) fn take_note(&mut self, node: NodeId, r: &Range<usize>) {
        let part = |set: IntervalSet| {
            let mut within = IntervalSet::new();
            set.present(r.clone())
                .into_iter()
                .for_each(|found| within.insert(found));
            within
        };
        let (host, before) = {
            let coherence = &self.state().coherence;
            (coherence.valid(NodeId::HOST), part(coherence.valid(node)))
        };
        let loans = self.loans();
        for found in host.present(r.clone()) {
            loans.intact.insert(found);
        }
        loans.taken.push(PromisedWrite {
            node,
            range: r.clone(),
            before,
        });
    }

    /// The device that was to write elements `r` has failed: they are lent again, and have their values of
    /// before the call, as far as a node still has these. Gives those that no node has.
    ///
    /// # Safety
    /// Host memory that was lent of `r` is not used any more, by any thread or device. If `remains` does not
    /// say otherwise, it has only been read.
    pub unsafe fn reclaim(&mut self, r: &Range<usize>, remains: Remains) -> IntervalSet {
        let is_within =
            |taken: &PromisedWrite| r.start <= taken.range.start && taken.range.end <= r.end;
        let loans = self.loans();
        let (taken, others): (Vec<PromisedWrite>, Vec<PromisedWrite>) =
            std::mem::take(&mut loans.taken)
                .into_iter()
                .partition(is_within);
        loans.taken = others;
        // What is gone, and what of it is still in host memory. A device that has an array of its own does
        // not write there before the call is over.
        let (mut gone, mut intact) = (IntervalSet::new(), IntervalSet::new());
        for part in loans.lent.present(r.clone()) {
            gone.insert(part.clone());
            if !remains.overwrote {
                let kept = loans.intact.present(part);
                kept.into_iter().for_each(|kept| intact.insert(kept));
            }
        }
        for taken in &taken {
            gone.insert(taken.range.clone());
            let kept = loans.intact.present(taken.range.clone());
            kept.into_iter().for_each(|kept| intact.insert(kept));
        }
        loans.lent.remove(r.clone());
        loans.intact.remove(r.clone());
        let mut state = self.state();
        for part in gone.ranges() {
            state.invalidate(part.clone());
        }
        for part in intact.ranges() {
            state.coherence.download(part.clone());
            gone.remove(part.clone());
        }
        for taken in taken.iter().filter(|_| !remains.began) {
            for part in taken.before.ranges() {
                state.restore(taken.node, part.clone());
                gone.remove(part.clone());
            }
        }
        drop(state);
        self.update_complete();
        if gone.is_empty() {
            self.has_been_given_back();
        }
        gone
    }

    /// What devices write here, they write for this call.
    pub fn sign(&mut self, call: &Arc<str>) {
        let taken = self.taken().iter();
        let ranges: Vec<Range<usize>> = taken.map(|t| t.range.clone()).collect();
        for range in ranges {
            self.state().writers.note(&range, call);
        }
    }
}

#[cfg(test)]
mod test;
