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
use std::{
    ops::Range,
    time::{Duration, Instant},
};

/// Work that is expected to take less stays on the calling thread: calling a worker costs the caller a microsecond if
/// that is awake, and some five if not; it comes after one to fifty.
pub(super) const WORTH_SHARING: Duration = Duration::from_micros(12);

/// What a piece takes at least, where that was measured.
const PIECE: Duration = Duration::from_micros(6);

/// Pieces for each thread, if they take longer than that.
pub(super) const PER_THREAD: usize = 8;

/// What is measured takes so long at least.
pub(super) const MEASURABLE: Duration = Duration::from_micros(2);

/// What a simple operation takes, roughly, before anything was measured: vectorised code does several in a nanosecond,
/// but reads and writes memory as well.
const OPERATION: Duration = Duration::from_nanos(1);

/// Simple functions, before they were measured: a piece has so many elements at least, some microseconds of work.
const LIGHT: usize = 1 << 14;

/// Where it was measured what an element takes, pieces have more than [`LIGHT`] elements only if these take no longer, since
/// each piece costs its thread about half a microsecond; and no more than so many, unless there are very many.
const LONG_PIECE: Duration = Duration::from_micros(64);
const LONGEST: usize = 1 << 16;

/// Elements of functions that may be computed in lanes: pieces are multiples of this, so that each has whole blocks.
pub(super) const BLOCK: usize = isa::MOST_LANES;

/// The pieces of functions with loops on one thread, where they can trap: what is kept of arguments stays in the cache,
/// and not much is computed again to find a trap.
pub(super) const ALONE: usize = 1 << 10;

/// There are at most so many pieces, and so many usually if elements are few and heavy; more where [`PER_THREAD`] of them
/// for all threads are more.
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
    /// What pieces have at least, and what is not left behind one: [`BLOCK`] elements where there may be lanes, or 1.
    pub(super) block: usize,
}

impl Work {
    /// All elements.
    pub(super) fn elems(self) -> usize {
        self.count.saturating_mul(self.each_elems)
    }

    /// The same as [`elem_ns`].
    pub(super) fn elem_ns(self) -> Option<f64> {
        elem_ns(self.weight, self.pace_ns)
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
        let measured = self
            .pace_ns
            .map(|ns| self.long_enough(self.count, ns.into()));
        let few = measured
            .unwrap_or(LIGHT / self.each_elems)
            .max(least)
            .max(1);
        let least = self.count.div_ceil(self.for_all_threads(MOST));
        least.max(1).next_multiple_of(few)
    }

    /// The length of pieces for `left` of the elements where they may be unlike each other, and took so long until now,
    /// if that is known.
    pub(super) fn piece_of_unlike(self, left: usize, elem_ns: Option<f64>) -> usize {
        let [usual, most] = [USUAL, MOST].map(|pieces| left.div_ceil(self.for_all_threads(pieces)));
        let few = usual.min(LIGHT).max(most);
        let least = elem_ns.map_or(1, |ns| self.long_enough(left, ns));
        few.max(least).max(1).next_multiple_of(self.block)
    }

    /// How many of `left` take as long as a piece is to; at least 1, and a power of two of elements.
    fn long_enough(self, left: usize, elem_ns: f64) -> usize {
        let least = (PIECE.as_nanos() as f64 / elem_ns) as usize;
        let elems = left.saturating_mul(self.each_elems);
        let usual = elems / self.for_all_threads(1);
        let longest = (LONG_PIECE.as_nanos() as f64 / elem_ns) as usize;
        let longest = longest.clamp(LIGHT, LONGEST);
        let elems = 1 << least.max(usual).clamp(self.block, longest).ilog2();
        (elems / self.each_elems).max(1)
    }

    /// So many pieces, or [`PER_THREAD`] for each thread.
    fn for_all_threads(self, pieces: usize) -> usize {
        pieces.max(PER_THREAD.saturating_mul(self.threads.max(1)))
    }

    /// Whether it is known of a function with loops that its call is worth sharing, or that it is not.
    pub(super) fn is_long(self) -> Option<bool> {
        let ns = self.elems() as f64 * f64::from(self.pace_ns?);
        Some(ns > WORTH_SHARING.as_nanos() as f64)
    }

    /// Whether work that was measured, and is not worth sharing by that, may be for once.
    pub(super) fn may_be_long(self) -> bool {
        let ns = self.pace_ns.map(|ns| self.elems() as f64 * f64::from(ns));
        ns.is_some_and(|ns| 2.0 * ns > WORTH_SHARING.as_nanos() as f64)
    }

    /// The same as [`is_measurable`].
    pub(super) fn is_measurable(self) -> bool {
        self.elem_ns()
            .is_some_and(|ns| is_measurable(self.elems(), ns))
    }
}

/// What an element takes one thread, roughly: what was measured, or by its operations; nothing where there are loops.
pub(super) fn elem_ns(weight: Weight, pace_ns: Option<f32>) -> Option<f64> {
    match (weight, pace_ns) {
        (Weight::Unknown, _) => None,
        (_, Some(ns)) => Some(ns.into()),
        (Weight::Operations(n), None) => {
            Some(OPERATION.as_nanos() as f64 * f64::from(n.max(2)) / 2.0)
        }
    }
}

/// Whether so many elements take so long that the clock, and opening what they need, count for little.
pub(super) fn is_measurable(elems: usize, elem_ns: f64) -> bool {
    elems as f64 * elem_ns > MEASURABLE.as_nanos() as f64
}

/// The time since then.
pub(super) fn ns_since(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Columns that are folded together at best, so that memory is read in order; and at least, where there are too few for
/// all threads: some cache lines of each row.
const COLUMNS: usize = 512;
const FEW_COLUMNS: usize = 32;

/// How many values of a fold of rows or columns are computed together at least.
pub(super) fn least_of(along: Along, threads: usize) -> usize {
    match along.axis {
        Axis::Rows => 1,
        Axis::Cols => {
            let each = along.values() / PER_THREAD.saturating_mul(threads.max(1));
            1 << each.clamp(FEW_COLUMNS, COLUMNS).ilog2()
        }
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

/// Takes the first `elems` elements; all, if fewer than a `block` were left.
pub(super) fn take<'m>(rest: &mut Frame<'m>, elems: usize, block: usize) -> Frame<'m> {
    let end = first(&rest.range, elems, block);
    rest.take_front(end)
}

/// Where the first `elems` elements end.
fn first(range: &Range<usize>, elems: usize, block: usize) -> usize {
    let cut = range.start.saturating_add(elems);
    match cut.saturating_add(block) > range.end {
        true => range.end,
        false => cut,
    }
}

/// Takes the elements before the next multiple of `elems`, so that most pieces are one node of the grouping.
pub(super) fn take_to<'m>(rest: &mut Frame<'m>, elems: usize, block: usize) -> Frame<'m> {
    let begun = rest.range.start % elems;
    take(rest, elems - begun, block)
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
            block: BLOCK,
        }
    }

    /// The lengths of the pieces that work is cut into.
    fn cut(work: Work, elems: usize) -> Vec<usize> {
        let (mut range, mut pieces) = (0..work.count, Vec::new());
        while !range.is_empty() {
            let end = first(&range, elems, work.block);
            pieces.push(end - range.start);
            range.start = end;
        }
        assert!(pieces.len() <= count(&(0..work.count), elems));
        pieces
    }

    #[test]
    fn pieces_are_neither_too_many_nor_too_short() {
        for all in [1, 255, 256, 5000, 100_000, 1_000_000, 100_000_000, 1 << 40] {
            for pace_ns in [None, Some(0.01), Some(1.0), Some(30.0), Some(1e6)] {
                let work = work(all, Weight::Operations(3), pace_ns);
                let unlike = work.piece_of_unlike(all, pace_ns.map(f64::from));
                for elems in [work.piece(1), unlike] {
                    let pieces = cut(work, elems);
                    assert!(pieces.len() <= MOST);
                    assert!(pieces.iter().all(|piece| *piece >= BLOCK.min(all)));
                }
            }
        }
    }

    /// What all cores are to share must have pieces for all of them: a zone of 16,384 elements, which take long.
    #[test]
    fn slow_elements_make_short_pieces_once_they_are_measured() {
        let pieces = |pace_ns| {
            let work = work(1 << 14, Weight::Operations(3500), pace_ns);
            assert!(matches!(work.cuts(), Cuts::Light { share: true }));
            cut(work, work.piece(1)).len()
        };
        assert_eq!([None, Some(30.0)].map(pieces), [1, 128]);
    }

    /// Each costs its thread something: light elements make eight for each thread, and not four times as many.
    #[test]
    fn light_elements_make_long_pieces_once_they_are_measured() {
        let pieces = |(threads, elem_ns)| {
            let work = Work {
                threads,
                ..work(1 << 20, Weight::Operations(5), Some(elem_ns))
            };
            let unlike = work.piece_of_unlike(work.count, Some(elem_ns.into()));
            assert_eq!(unlike, work.piece(1));
            cut(work, unlike).len()
        };
        let light = [(1, 0.25), (2, 0.25), (4, 0.25)];
        assert_eq!(light.map(pieces), [16, 16, 32]);
        // Of those that take longer, a thread that is late has less to do alone.
        assert_eq!([(2, 1.5), (2, 30.0), (2, 1000.0)].map(pieces), [32, 64, 64]);
    }

    #[test]
    fn many_threads_have_pieces_each() {
        for (threads, least) in [(2, 16), (16, 128), (96, 768)] {
            let heavy = Work {
                threads,
                ..work(100_000, Weight::Unknown, Some(1000.0))
            };
            let elems = Work { block: 1, ..heavy }.piece_of_unlike(heavy.count, Some(1000.0));
            let pieces = heavy.count.div_ceil(elems);
            assert!((least * 9 / 10..=least * 2).contains(&pieces), "{pieces}");
            let light = Work {
                threads,
                ..work(1 << 30, Weight::Operations(3), Some(0.3))
            };
            assert!(light.count.div_ceil(light.piece(1)) >= light.for_all_threads(256) / 2);
        }
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
        let loops = |pace_ns| work(1000, Weight::Unknown, pace_ns).is_long();
        assert_eq!(
            [None, Some(5.0), Some(1000.0)].map(loops),
            [None, Some(false), Some(true)]
        );
        let loops = work(20_000, Weight::Unknown, Some(1.0));
        assert!(matches!(loops.cuts(), Cuts::Heavy) && !loops.is_measurable());
        assert!(!work(100, Weight::Operations(4), None).is_measurable());
    }

    /// Rows and lines are no elements: few long ones are as many pieces, and so are few elements that have no lanes.
    #[test]
    fn few_that_take_long_are_shared_by_all() {
        for (count, each_elems, weight) in [
            (16, 4_000_000, Weight::Operations(3)),
            (64, 1 << 16, Weight::Unknown),
            (40, 1, Weight::Unknown),
        ] {
            let work = Work {
                each_elems,
                block: 1,
                ..work(count, weight, None)
            };
            for ns in [None, Some(1e3)] {
                let ns = ns.map(|ns: f64| ns * 1e6 / each_elems as f64);
                let elems = match weight {
                    Weight::Unknown => work.piece_of_unlike(count, ns),
                    Weight::Operations(_) => work.piece(1),
                };
                let pieces = cut(work, elems);
                assert!(
                    pieces.iter().all(|piece| *piece == 1),
                    "{count}, {each_elems}: {pieces:?}"
                );
            }
        }
        // 5 ns for each element of 2000 rows of 1000: 10 ms.
        let rows = Work {
            each_elems: 1000,
            block: 1,
            ..work(2000, Weight::Unknown, Some(5.0))
        };
        assert!(cut(rows, rows.piece_of_unlike(2000, Some(5.0))).len() >= 16);
    }

    #[test]
    fn pieces_of_folds_are_as_long_as_their_rows_are_short() {
        for (rows, cols) in [(1, 1), (1 << 20, 3), (3, 1 << 20), (1000, 1000)] {
            for axis in [Axis::Rows, Axis::Cols] {
                let fold = Along { rows, cols, axis };
                let work = Work {
                    each_elems: fold.depth(),
                    block: 1,
                    ..work(fold.values(), Weight::Operations(3), None)
                };
                let elems = work.piece(least_of(fold, work.threads));
                assert!(elems > 0 && fold.values().div_ceil(elems) <= MOST);
                assert!(axis == Axis::Rows || elems >= FEW_COLUMNS);
            }
        }
    }

    #[test]
    fn columns_are_many_enough_for_all_threads() {
        let pieces = |cols, threads| {
            let axis = Axis::Cols;
            let fold = Along {
                rows: 4096,
                cols,
                axis,
            };
            let work = Work {
                each_elems: fold.depth(),
                block: 1,
                threads,
                ..work(fold.values(), Weight::Operations(3), Some(0.5))
            };
            fold.values().div_ceil(work.piece(least_of(fold, threads)))
        };
        assert_eq!(pieces(1 << 20, 2), 256);
        assert_eq!(pieces(4096, 2), 16);
        assert_eq!(pieces(4096, 64), 128);
        assert_eq!(pieces(300, 16), 10);
    }

    #[test]
    fn pieces_of_lines_are_few_where_lines_are_long() {
        let pieces = |lines: Lines, pace_ns| {
            let work = Work {
                each_elems: lines.len(),
                block: 1,
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
