//! Arrays.

use super::pool::{Pool, PooledMemory};
use crate::cuda::streams::Streams;
use skel_core::{Result, frame::ElementLayout};
use std::ops::Range;

/// The elements of one container, as they lie on the host.
#[derive(Debug)]
pub struct Array {
    pub(in crate::cuda) piece: PooledMemory,
    pub(in crate::cuda) window: Range<usize>,
    pub(in crate::cuda) element_bytes: usize,
}

impl Array {
    /// Room for elements `window`.
    pub(in crate::cuda) fn new(
        pool: &Pool,
        streams: &mut Streams,
        layout: ElementLayout,
        window: Range<usize>,
    ) -> Result<Array> {
        let element_bytes = layout.size_bytes();
        let len_bytes = (window.len() as u64).saturating_mul(element_bytes as u64);
        Ok(Array {
            piece: pool.take(streams, len_bytes)?,
            window,
            element_bytes,
        })
    }

    /// The bytes of its piece that hold elements `r`.
    pub(in crate::cuda) fn bytes_of(&self, r: Range<usize>) -> Range<u64> {
        let at = |element: usize| {
            let within = element.clamp(self.window.start, self.window.end) - self.window.start;
            (within * self.element_bytes) as u64
        };
        at(r.start)..at(r.end)
    }

    /// Where an element lies; of one before the window, where it would.
    pub(in crate::cuda) fn address_of(&self, element: usize) -> u64 {
        let before = element.wrapping_sub(self.window.start) as u64;
        let before_bytes = before.wrapping_mul(self.element_bytes as u64);
        self.piece.address().wrapping_add(before_bytes)
    }
}
