//! The best distribution of those that were tried.

use crate::Ns;
use std::ops::Range;

/// Chunks that were tried, and the best of them.
#[derive(Debug, Default)]
pub(super) struct Tried {
    all: Vec<Vec<Range<usize>>>,
    best: Option<(Ns, Vec<Range<usize>>)>,
}

impl Tried {
    /// A step with these chunks took so long. The first of equally good ones stays the best.
    pub(super) fn add(&mut self, chunks: &[Range<usize>], took_ns: Ns) {
        if !self.has(chunks) {
            self.all.push(chunks.to_vec());
        }
        if self
            .best
            .as_ref()
            .is_none_or(|(best_ns, _)| took_ns < *best_ns)
        {
            self.best = Some((took_ns, chunks.to_vec()));
        }
    }

    /// Whether these were tried.
    pub(super) fn has(&self, chunks: &[Range<usize>]) -> bool {
        self.all.iter().any(|tried| tried == chunks)
    }

    /// How many were tried.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The best of them.
    pub(super) fn best(&self) -> Option<&[Range<usize>]> {
        self.best.as_ref().map(|(_, chunks)| &chunks[..])
    }
}
