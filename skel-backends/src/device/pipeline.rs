//! Transfers overlap with computation: a large piece is given to a device as several, and while it computes
//! one, the next one's elements are uploaded. So a call on data of the host takes as long as the longer of
//! the two, not their sum.
//!
//! A piece whose data is resident is not cut: there is nothing to overlap. Nor are folds, whose floats would
//! be grouped by what is resident, nor scans, whose pieces wait for each other.

use super::{Driver, unit::DeviceUnit};
use skel_core::{
    call::{Access, Call, Operand},
    container::Buffer,
    plan::Pattern,
};
use std::ops::Range;

/// Pieces of one call on one device, at most.
const MOST: usize = 16;

/// Pieces begin at multiples of so many elements, but for the first.
const ALIGNED: usize = 64;

impl<D: Driver> DeviceUnit<D> {
    /// The pieces that elements `r` are taken in.
    pub(super) fn pieces(&self, call: &Call<'_>, r: Range<usize>) -> Vec<Range<usize>> {
        let overlaps = self.overlaps(call) && !self.scatters(call, &r);
        let Some(step_bytes) = self.step_bytes.filter(|_| overlaps) else {
            return vec![r];
        };
        let steps = self.moved_bytes(call, &r) / step_bytes.max(1);
        let count = usize::try_from(steps).unwrap_or(MOST).min(MOST);
        // What does not fit goes through in chunks of its own. What goes wrong otherwise shows when the piece
        // is started.
        if count < 2 || !matches!(self.reserve_containers(call, &r), Ok(true)) {
            return vec![r];
        }
        cut(r, count)
    }

    /// Whether pieces of the call can be at work one after the other.
    fn overlaps(&self, call: &Call<'_>) -> bool {
        // Pieces of a call over lines end between blocks of those, which nothing here knows.
        call.phases.pattern() == Pattern::Elementwise
            && call.space.along().is_none()
            && !call.has_lines()
    }

    /// How much of what the elements read is not there yet.
    fn moved_bytes(&self, call: &Call<'_>, r: &Range<usize>) -> u64 {
        let missing = |buffer: &Buffer, r: Range<usize>| -> u64 {
            let parts = buffer.missing(self.node, r);
            let elems: usize = parts.into_iter().map(|part| part.len()).sum();
            (elems * buffer.layout().size_bytes()) as u64
        };
        let operands = call.operands.iter().map(|operand| {
            let divided = match operand {
                // What is read by strides or as a whole is not divided, and nor are windows over what the device
                // keeps no array of: each piece would send it again.
                Operand::Input(input) => match input.access {
                    Access::Each => true,
                    Access::Window(_) => input.kept().is_some(),
                    Access::Strided(_) | Access::Uniform | Access::Whole(_) => false,
                    Access::Lines(_) => true,
                },
                Operand::Output(output) => output.reads,
            };
            match operand.kept(&call.space, r) {
                _ if !divided => 0,
                Some((buffer, needs)) => {
                    let parts = needs.ranges().iter();
                    parts.map(|part| missing(buffer, part.clone())).sum()
                }
                None if operand.is_slice() => {
                    (r.len() * operand.element_layout().size_bytes()) as u64
                }
                None => 0,
            }
        });
        operands.sum()
    }
}

/// So many pieces, of nearly the same size.
fn cut(r: Range<usize>, count: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = r.start;
    for k in 1..=count {
        let end = r.start + (r.len() as u128 * k as u128 / count as u128) as usize;
        let end = if k == count {
            r.end
        } else {
            (end / ALIGNED * ALIGNED).max(start)
        };
        if start < end {
            pieces.push(start..end);
        }
        start = end;
    }
    if pieces.is_empty() {
        pieces.push(r);
    }
    pieces
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn pieces_follow_each_other_and_are_aligned() {
        for (r, count) in [(0..10, 0), (0..10, 3), (5..100_000, 7), (4096..8192, 16)] {
            let pieces = cut(r.clone(), count);
            assert_eq!(pieces.first().map(|p| p.start), Some(r.start));
            assert_eq!(pieces.last().map(|p| p.end), Some(r.end));
            assert!(pieces.windows(2).all(|two| two[0].end == two[1].start));
            assert!(pieces[1..].iter().all(|p| p.start % ALIGNED == 0));
            assert!(pieces.iter().all(|p| !p.is_empty()) && pieces.len() <= count.max(1));
        }
        assert_eq!(cut(5..100_000, 7).len(), 7);
    }
}
