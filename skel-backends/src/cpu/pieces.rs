//! How a range is cut on the CPU, and when it is worth sharing.
//!
//! The cuts depend on the number of elements, the user function, and how fast it was in calls before. Those of folds
//! and scans are multiples of tiles, so that they change no bit; where others lie makes no difference.

use skel_core::{
    frame::Frame,
    ir::Weight,
    isa,
    space::{Along, Axis, Lines},
};
use std::{ops::Range, time::Duration};

/// Work that is expected to take less stays on the calling thread: calling a worker costs the caller a microsecond if
/// that is awake, and some five if not; it comes after one to fifty.
pub(super) const WORTH_SHARING: Duration = Duration::from_micros(12);

/// What a piece takes at least, where that was measured.
const PIECE: Duration = Duration::from_micros(6);

/// Pieces for each thread, if they take longer than that.
const PER_THREAD: usize = 8;

/// What is measured takes so long at least.
const MEASURABLE: Duration = Duration::from_micros(2);

/// What a simple operation takes, roughly, before anything was measured: vectorised code does several in a nanosecond,
/// but reads and writes memory as well.
const OPERATION: Duration = Duration::from_nanos(1);

/// Simple functions, before they were measured: a piece has so many elements at least, some microseconds of work.
const LIGHT: usize = 1 << 14;

/// Functions with loops, and slow ones: pieces are multiples of this, so that each has whole blocks of lanes.
const HEAVY: usize = isa::MOST_LANES;

/// Their first pieces are short, so that not much time has passed when it is first looked at.
pub(super) const PROBES: [usize; 2] = [HEAVY, 7 * HEAVY];

/// The pieces of functions with loops on one thread, where they can trap: what is kept of arguments stays in the cache,
/// and not much is computed again to find a trap.
pub(super) const ALONE: usize = 1 << 10;

/// There are at most so many pieces, and so many usually if elements are few and heavy.
const MOST: usize = 256;
const USUAL: usize = 64;

/// How the work of a call is divided.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cuts {
    /// The time is known beforehand.
    Light {
        /// Whether it is worth sharing.
        share: bool,
    },
    /// Time will tell.
    Heavy,
}

/// The work of a call, as far as it is known beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// What a frame's range counts: elements, or rows, columns and lines.
    pub(super) count: usize,
    /// The elements of each.
    pub(super) each_elems: usize,
    /// As the user function's text says it.
    pub(super) weight: Weight,
    /// Nanoseconds for an element on one thread, where that was measured.
    pub(super) pace_ns: Option<f32>,
    /// The threads that there are.
    pub(super) threads: usize,
}

impl Work {
    /// All elements.
    pub(super) fn elems(self) -> usize {
        self.count.saturating_mul(self.each_elems)
    }

    /// What an element takes one thread, roughly; nothing where there are loops.
    pub(super) fn elem_ns(self) -> Option<f64> {
        match (self.weight, self.pace_ns) {
            (Weight::Unknown, _) => None,
            (_, Some(ns)) => Some(ns.into()),
            (Weight::Operations(n), None) => {
                Some(OPERATION.as_nanos() as f64 * f64::from(n.max(2)) / 2.0)
            }
        }
    }

    /// Whether one thread is to compute all.
    pub(super) fn cuts(self) -> Cuts {
        match self.elem_ns() {
            None => Cuts::Heavy,
            Some(ns) => Cuts::Light {
                share: self.elems() as f64 * ns > WORTH_SHARING.as_nanos() as f64,
            },
        }
    }

    /// The length of pieces where the time is known, at least `least`.
    pub(super) fn piece(self, least: usize) -> usize {
        let elems = self.measured_piece().unwrap_or(LIGHT);
        let few = (elems / self.each_elems.max(1)).max(least).max(1);
        self.count.div_ceil(MOST).max(1).next_multiple_of(few)
    }

    /// The length of pieces of functions with loops, for `rest` of the elements.
    pub(super) fn heavy_piece(self, rest: usize) -> usize {
        let elems = rest.div_ceil(USUAL).min(LIGHT).max(rest.div_ceil(MOST));
        let elems = elems.max(1).next_multiple_of(HEAVY);
        elems.max(self.measured_piece().unwrap_or(0))
    }

    /// How many elements take as long as a piece is to, a power of two.
    fn measured_piece(self) -> Option<usize> {
        let least = (PIECE.as_nanos() as f64 / f64::from(self.pace_ns?)) as usize;
        let usual = self.elems() / PER_THREAD.saturating_mul(self.threads.max(1));
        Some(1 << least.max(usual).clamp(HEAVY, LIGHT).ilog2())
    }

    /// Whether it is known of a function with loops that its call is worth sharing, or that it is not.
    pub(super) fn is_long(self) -> Option<bool> {
        let ns = self.elems() as f64 * f64::from(self.pace_ns?);
        Some(ns > WORTH_SHARING.as_nanos() as f64)
    }

    /// Whether it takes so long that the clock, and opening what it needs, count for little.
    pub(super) fn is_measurable(self) -> bool {
        let elems = self.elems() as f64;
        self.elem_ns()
            .is_some_and(|ns| elems * ns > MEASURABLE.as_nanos() as f64)
    }
}

/// Columns that are folded together at least, so that memory is read in order.
const COLUMNS: usize = 512;

/// How many values of a fold of rows or columns are computed together at least.
pub(super) fn least_of(along: Along) -> usize {
    match along.axis {
        Axis::Rows => 1,
        Axis::Cols => COLUMNS,
    }
}

/// The operations that an element of a line takes, roughly, before anything was measured: what solvers do.
pub(super) const LINE_OPERATIONS: u32 = 8;

/// Neighbouring lines that are taken together at least, where they lie between each other's elements: what lies
/// together in memory goes through one core's cache.
const BESIDE: usize = 16;

/// How many lines are taken together at least.
pub(super) fn least_lines(lines: Lines) -> usize {
    match lines.stride() {
        1 => 1,
        _ => BESIDE,
    }
}

/// Takes the first `elems` elements; all, if the few that were left would make no block of lanes.
pub(super) fn take<'m>(rest: &mut Frame<'m>, elems: usize) -> Frame<'m> {
    let Range { start, end } = rest.range;
    let cut = start.saturating_add(elems);
    rest.take_front(if cut.saturating_add(HEAVY) > end {
        end
    } else {
        cut
    })
}

/// Takes the elements before the next multiple of `elems`, so that most pieces are one node of the grouping.
pub(super) fn take_to<'m>(rest: &mut Frame<'m>, elems: usize) -> Frame<'m> {
    let begun = rest.range.start % elems;
    take(rest, elems - begun)
}

/// How many pieces that makes, or fewer, at most.
pub(super) fn count(range: &Range<usize>, elems: usize) -> usize {
    range.len().div_ceil(elems) + usize::from(!range.start.is_multiple_of(elems))
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_core::space::Shape;

    fn work(count: usize, weight: Weight, pace_ns: Option<f32>) -> Work {
        Work {
            count,
            each_elems: 1,
            weight,
            pace_ns,
            threads: 16,
        }
    }

    #[test]
    fn pieces_are_neither_too_many_nor_too_short() {
        for rest in [1, 255, 256, 5000, 100_000, 1_000_000, 100_000_000, 1 << 40] {
            for pace_ns in [None, Some(0.01), Some(1.0), Some(30.0), Some(1e6)] {
                let elems = work(rest, Weight::Operations(3), pace_ns).piece(1);
                assert!(rest.div_ceil(elems) <= MOST);
                assert!(elems.is_multiple_of(HEAVY));
            }
            let elems = work(rest, Weight::Unknown, None).heavy_piece(rest);
            assert!(rest.div_ceil(elems) <= MOST && elems.is_multiple_of(HEAVY));
        }
    }

    /// What all cores are to share must have pieces for all of them: a zone of 16,384 elements, which take long.
    #[test]
    fn slow_elements_make_short_pieces_once_they_are_measured() {
        let pieces = |pace_ns| {
            let work = work(1 << 14, Weight::Operations(3500), pace_ns);
            assert!(matches!(work.cuts(), Cuts::Light { share: true }));
            (1_usize << 14).div_ceil(work.piece(1))
        };
        assert_eq!([None, Some(30.0)].map(pieces), [1, 128]);
    }

    #[test]
    fn what_was_measured_says_whether_to_share() {
        for (pace_ns, is_shared) in [(None, true), (Some(0.1), false), (Some(2.0), true)] {
            let work = work(20_000, Weight::Operations(4), pace_ns);
            let Cuts::Light { share } = work.cuts() else {
                panic!("the time is known");
            };
            assert_eq!(
                (share, work.is_measurable()),
                (is_shared, true),
                "{pace_ns:?}"
            );
        }
        let heavy = |pace_ns| {
            let work = work(1000, Weight::Unknown, pace_ns);
            (work.is_long(), work.heavy_piece(1000))
        };
        assert_eq!(heavy(None), (None, 32));
        assert_eq!(heavy(Some(5.0)), (Some(false), 1024));
        assert_eq!(heavy(Some(1000.0)), (Some(true), 32));
        let loops = work(20_000, Weight::Unknown, Some(1.0));
        assert!(matches!(loops.cuts(), Cuts::Heavy) && !loops.is_measurable());
        assert!(!work(100, Weight::Operations(4), None).is_measurable());
    }

    #[test]
    fn pieces_of_folds_are_as_long_as_their_rows_are_short() {
        for (rows, cols) in [(1, 1), (1 << 20, 3), (3, 1 << 20), (1000, 1000)] {
            for axis in [Axis::Rows, Axis::Cols] {
                let fold = Along { rows, cols, axis };
                let work = Work {
                    each_elems: fold.depth(),
                    ..work(fold.values(), Weight::Operations(3), None)
                };
                let elems = work.piece(least_of(fold));
                assert!(elems > 0 && fold.values().div_ceil(elems) <= MOST);
                assert!(axis == Axis::Rows || elems >= COLUMNS);
            }
        }
    }

    #[test]
    fn pieces_of_lines_are_few_where_lines_are_long() {
        let pieces = |lines: Lines, pace_ns| {
            let work = Work {
                each_elems: lines.len(),
                ..work(lines.count(), Weight::Operations(LINE_OPERATIONS), pace_ns)
            };
            assert!(matches!(work.cuts(), Cuts::Light { share: true }));
            work.piece(least_lines(lines))
        };
        for (shape, axis) in [
            (Shape::D2(1 << 20, 3), 1),
            (Shape::D2(3, 1 << 20), 1),
            (Shape::D2(1000, 1000), 0),
            (Shape::D3(60, 70, 80), 1),
        ] {
            let of = Lines::along(shape, axis);
            let elems = pieces(of, None);
            assert!(elems > 0 && of.count().div_ceil(elems) <= MOST);
            assert!(of.stride() == 1 || elems >= BESIDE);
        }
        assert_eq!(pieces(Lines::along(Shape::D2(3, 1 << 20), 1), None), 1);
        // 512 lines of a zone, and what a solver of systems takes.
        let zone = Lines::along(Shape::D3(16, 32, 32), 2);
        assert_eq!(
            [None, Some(26.0)].map(|pace_ns| pieces(zone, pace_ns)),
            [512, 4]
        );
    }
}
