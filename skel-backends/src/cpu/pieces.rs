//! How a range is cut on the CPU.
//!
//! The cuts depend on the number of elements alone, never on time or threads, so that a float
//! reduction gives the same bits on any number of cores. Time decides only *who* takes the pieces.

use std::{ops::Range, time::Duration};

/// The first pieces are short: the caller computes them to learn what an element costs.
pub(super) const PROBES: [usize; 2] = [16, 256];

/// Pieces are multiples of this, but for the last.
const GRAIN: usize = 256;

/// At most so many elements in a piece, unless there would be more than [`MOST`] pieces.
const LARGE: usize = 1 << 14;
const MOST: usize = 256;
/// So many pieces, if that keeps them short enough.
const USUAL: usize = 64;

/// Work that is expected to take less stays on the calling thread: waking a worker costs from a few
/// microseconds, if it is awake, to some 50.
pub(super) const WORTH_SHARING: Duration = Duration::from_micros(20);

/// The length of the pieces after the probes, for `rest` elements.
pub(super) fn piece_elems(rest: usize) -> usize {
    let elems = rest.div_ceil(USUAL).min(LARGE).max(rest.div_ceil(MOST));
    elems.max(1).next_multiple_of(GRAIN)
}

/// Where to cut `range` next: the end of its first piece.
pub(super) fn next_piece(range: &Range<usize>, piece_elems: usize) -> usize {
    range.end.min(range.start.saturating_add(piece_elems))
}

/// What `left` elements will take if `done` of them took `time`. The clock itself costs some
/// nanoseconds, which count where few cheap elements were timed.
pub(super) fn estimate(time: Duration, done: usize, left: usize) -> Duration {
    const CLOCK: Duration = Duration::from_nanos(25);
    time.saturating_sub(CLOCK).mul_f64(left as f64 / done.max(1) as f64)
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn pieces_are_neither_too_many_nor_too_long() {
        for rest in [1, 255, 256, 5000, 100_000, 1_000_000, 100_000_000, 1 << 40] {
            let elems = piece_elems(rest);
            assert!(elems.is_multiple_of(GRAIN));
            assert!(rest.div_ceil(elems) <= MOST);
            assert!(elems <= LARGE || rest.div_ceil(elems) > MOST / 2);
        }
    }
}
