//! Prefixes on their way to memory past the caches: [`crate::streaming`].

use crate::{
    Element,
    element::zero,
    frame::{Fence, OutSlice},
    param::Outputs,
    plan::grouping::CHUNK,
    streaming,
};

/// The most elements that are streamed at once: those of one byte.
const MOST_AT_ONCE: usize = 128;

/// Whether results of so many elements are streamed.
pub(super) fn pays<T: Outputs>(elems: usize) -> bool {
    let bytes = elems.saturating_mul(size_of::<T>());
    T::STREAMED > 0 && streaming::pays(bytes)
}

/// Prefixes of a chunk, behind those that are left of the chunk before: they do not fill what is streamed at once.
pub(super) struct Stage<T> {
    ready: [T; MOST_AT_ONCE + CHUNK],
    /// How many are left.
    held: usize,
    /// Whether what comes next begins a cache line.
    aligned: bool,
    fence: Fence,
}

impl<T: Element> Stage<T> {
    /// With nothing in it.
    #[inline(always)]
    pub(super) fn new() -> Stage<T> {
        Stage {
            ready: [zero(); MOST_AT_ONCE + CHUNK],
            held: 0,
            aligned: false,
            fence: Fence::new(),
        }
    }

    /// Room for a chunk.
    #[inline(always)]
    pub(super) fn room(&mut self) -> OutSlice<'_, T> {
        OutSlice::of(&mut self.ready[self.held..self.held + CHUNK])
    }

    /// The chunk is there, of which the first is the element `at` of `outputs`: writes as much as can be streamed.
    #[inline(always)]
    pub(super) fn filled(&mut self, outputs: &mut OutSlice<'_, T>, at: usize) {
        let (first, there) = (at - self.held, self.held + CHUNK);
        let mut done = 0;
        if !self.aligned {
            done = outputs.sub(first..first + there).before_line();
            self.put(outputs, first, 0..done);
            // Elements none of which begins a cache line are all there now.
            self.aligned = done < there;
        }
        while done + T::STREAMED <= there {
            let ready = &self.ready[done..done + T::STREAMED];
            <T as Outputs>::stream(outputs, first + done, &self.fence, |k| ready[k]);
            done += T::STREAMED;
        }
        self.ready.copy_within(done..there, 0);
        self.held = there - done;
    }

    /// Writes what is left, which precedes the element `at` of `outputs`.
    #[inline(always)]
    pub(super) fn flush(&mut self, outputs: &mut OutSlice<'_, T>, at: usize) {
        self.put(outputs, at - self.held, 0..self.held);
        (self.held, self.aligned) = (0, false);
    }

    fn put(&self, outputs: &mut OutSlice<'_, T>, first: usize, some: std::ops::Range<usize>) {
        for k in some {
            outputs.put(first + k, self.ready[k]);
        }
    }
}
