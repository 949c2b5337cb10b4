//! What of lines lies together.

use super::assert_within;
use crate::space::Lines;
use std::ops::Range;

/// Where copies have the elements of lines: block after block of lines that lie side by side, and in each block as the
/// container has them, so that what lies together is copied together.
pub(super) struct Runs {
    pub(super) lines: Lines,
    /// The lines that the copy has.
    pub(super) copied: Range<usize>,
}

impl Runs {
    /// For elements of lines `r` that lie one after the other: where the first is in the container, where in the copy,
    /// and how many.
    pub(super) fn each(&self, r: &Range<usize>, mut run: impl FnMut(usize, usize, usize)) {
        let (lines, len, stride) = (self.lines, self.lines.len(), self.lines.stride());
        assert_within(&self.copied, r);
        let mut start = r.start;
        while start < r.end && len > 0 {
            let block = start - start % stride;
            let within = |r: &Range<usize>| r.start.max(block)..r.end.min(block + stride);
            let (copied, own) = (within(&self.copied), within(r));
            let (first, width) = (copied.start * len, copied.len());
            if own.len() == stride {
                run(lines.element(own.start, 0), first, len * stride);
            } else {
                for i in 0..len {
                    let at = first + i * width + (own.start - copied.start);
                    run(lines.element(own.start, i), at, own.len());
                }
            }
            start = own.end;
        }
    }
}
