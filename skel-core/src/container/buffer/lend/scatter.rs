//! Scattered outputs that the host writes: elements that are written one by one, between others that stay. Devices
//! compute values that the host then scatters.
#![allow(unsafe_code, reason = "lends each element of the host memory once")]

use super::{BufferMut, Progress};
use crate::{
    Result,
    frame::StridedViewMut,
    space::{CoalescedLayout, IntervalSet},
    unit::NodeId,
};
use std::ops::Range;

/// What a call was lent one by one.
pub(super) struct Scattered {
    /// Elements of the call.
    lent: IntervalSet,
    /// What was valid nowhere when the first of them were lent, as the buffer counts.
    lost: Vec<Range<usize>>,
    /// Whether the first of them have been written.
    wrote: bool,
    /// Where they lie: the same for all, or two of them could lie in one place.
    coalesced: CoalescedLayout,
}

impl<'e> BufferMut<'e> {
    /// Host elements at the places that `coalesced` gives the elements `r`, to be written, and, if `reads` says
    /// so, to be read before. Until [`BufferMut::wrote_scattered`], nothing from the first to the last of
    /// all elements of the call is valid anywhere.
    ///
    /// # Errors
    /// Those of downloading what lies between.
    ///
    /// # Panics
    /// If some of them were lent before, two elements have one place, or the layout is another than the
    /// last time.
    pub fn lend_scattered(
        &mut self,
        coalesced: &CoalescedLayout,
        r: Range<usize>,
        reads: bool,
    ) -> Result<StridedViewMut<'e>> {
        let places = coalesced.places();
        assert!(
            coalesced.is_injective() && r.end <= coalesced.len(),
            "places for one element each"
        );
        assert!(
            coalesced.is_empty()
                || places.is_some_and(|places| {
                    self.window.start <= places.start && places.end <= self.window.end
                }),
            "places outside of {:?}",
            self.window
        );
        let before = self.scattered().map(|scattered| &scattered.coalesced);
        assert!(
            before.is_none_or(|before| before == coalesced),
            "elements of one call that lie otherwise than others"
        );
        self.fetch_scattered(coalesced, &r, reads)?;
        let all = self.window.clone();
        if self.scattered().is_none() {
            let lost = self.nowhere();
            self.lend(&all, false);
            self.invalidate(all.clone());
            self.loans().scattered = Some(Scattered {
                lent: IntervalSet::new(),
                lost,
                wrote: false,
                coalesced: coalesced.clone(),
            });
        }
        if let Some(scattered) = &mut self.loans().scattered
            && !r.is_empty()
        {
            assert!(
                scattered.lent.is_disjoint(&r),
                "elements {r:?} were lent before"
            );
            scattered.lent.insert(r.clone());
        }
        // SAFETY: we have the buffer for `'e`, and elements that are not valid are never read. Other strided views
        // may be lent the same window, but strided views touch their own elements of it only, and each is lent once.
        let out = unsafe { self.buffer.out(all) };
        // SAFETY: the places are all different, as was asserted; if they are to be read, they were valid just
        // before the first ones were lent, and were not written since, as each place is lent to one view.
        Ok(unsafe { StridedViewMut::new(out, coalesced.clone(), r, reads) })
    }

    /// Brings to the host what is written around, and, if `reads` says so, the places of elements `r`
    /// themselves.
    ///
    /// # Errors
    /// Those of downloading, and of the calls that should have written what is to be read.
    pub fn fetch_scattered(
        &mut self,
        coalesced: &CoalescedLayout,
        r: &Range<usize>,
        reads: bool,
    ) -> Result<()> {
        // What is valid nowhere stays so, unless it is written. All else will be valid on the host.
        let lost = match self.scattered() {
            Some(scattered) => scattered.lost.clone(),
            None => {
                let lost = self.nowhere();
                let mut known = IntervalSet::of(self.window.clone());
                lost.iter().for_each(|part| known.remove(part.clone()));
                for part in known.ranges() {
                    self.buffer.host_view(part.clone())?;
                }
                lost
            }
        };
        if !reads || lost.is_empty() {
            return Ok(());
        }
        let is_lost = |place: &usize| lost.iter().any(|part| part.contains(place));
        match r.clone().map(|i| coalesced.at(i)).find(is_lost) {
            Some(place) => Err(self.state().lost(place)),
            None => Ok(()),
        }
    }

    fn scattered(&self) -> Option<&Scattered> {
        match &self.progress {
            Progress::Several(loans) => loans.scattered.as_ref(),
            Progress::Untouched | Progress::Lent { .. } => None,
        }
    }

    /// What of the window is valid nowhere.
    fn nowhere(&mut self) -> Vec<Range<usize>> {
        let all = self.window.clone();
        let sources = self.state().coherence.sources(all);
        let lost = sources.into_iter().filter(|(node, _)| node.is_none());
        lost.map(|(_, part)| part).collect()
    }

    /// The device that was to give elements `r` has failed: they can be lent again.
    ///
    /// # Safety
    /// Host memory that was lent of them is not used any more, by any thread or device.
    pub unsafe fn reclaim_scattered(&mut self, r: &Range<usize>) {
        if let Some(scattered) = &mut self.loans().scattered {
            scattered.lent.remove(r.clone());
        }
    }

    /// The host has written the elements `r` that it was lent by [`BufferMut::lend_scattered`]; what lies
    /// between them is as it was.
    ///
    /// # Safety
    /// It is so; and if others were lent, the call fails, or they will be written as well.
    pub unsafe fn wrote_scattered(&mut self, coalesced: &CoalescedLayout, r: Range<usize>) {
        let Some(scattered) = &mut self.loans().scattered else {
            return;
        };
        let (first, lost) = (
            !std::mem::replace(&mut scattered.wrote, true),
            scattered.lost.clone(),
        );
        let all = self.window.clone();
        let mut state = self.state();
        if first {
            state.write(NodeId::HOST, all);
            for part in &lost {
                state.invalidate(part.clone());
            }
        }
        if !lost.is_empty() {
            for place in r.map(|i| coalesced.at(i)) {
                if lost.iter().any(|part| part.contains(&place)) {
                    state.write(NodeId::HOST, place..place + 1);
                }
            }
        }
        drop(state);
        self.update_complete();
    }
}
