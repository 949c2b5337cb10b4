//! How a range is cut on the CPU, and when it is worth sharing.
//!
//! The cuts depend on the number of elements and the user function alone, never on time or threads. Those of folds
//! and scans are multiples of tiles, so that they change no bit. Time, where the function does not tell it,
//! decides only which thread takes the pieces.

use skel_core::{
    frame::Frame,
    ir::Weight,
    space::{Along, Axis, Lines},
};
use std::{ops::Range, time::Duration};

/// Work that is expected to take less stays on the calling thread: waking a worker costs from a few
/// microseconds, if it is awake, to some 50.
pub(super) const WORTH_SHARING: Duration = Duration::from_micros(20);

/// What a simple operation takes, roughly: vectorised code does several in a nanosecond, but reads and
/// writes memory as well.
const OPERATION: Duration = Duration::from_nanos(1);

/// Simple functions: a piece has so many elements at least, some microseconds of work.
const LIGHT: usize = 1 << 14;

/// Functions with loops: pieces are multiples of this.
const HEAVY: usize = 16;

/// Their first pieces are short, so that not much time has passed when it is first looked at.
pub(super) const PROBES: [usize; 2] = [HEAVY, 15 * HEAVY];

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

impl Cuts {
    /// The cuts for `elems` elements of this weight.
    pub(super) fn new(weight: Weight, elems: usize) -> Cuts {
        match weight {
            Weight::Unknown => Cuts::Heavy,
            Weight::Operations(n) => {
                let operations = elems as f64 * f64::from(n.max(2)) / 2.0;
                Cuts::Light {
                    share: OPERATION.mul_f64(operations) > WORTH_SHARING,
                }
            }
        }
    }

    /// The length of the pieces after the probes, for `rest` elements.
    pub(super) fn piece_elems(self, rest: usize) -> usize {
        match self {
            Cuts::Light { .. } => rest.div_ceil(MOST).next_multiple_of(LIGHT),
            Cuts::Heavy => {
                let elems = rest.div_ceil(USUAL).min(LIGHT).max(rest.div_ceil(MOST));
                elems.max(1).next_multiple_of(HEAVY)
            }
        }
    }
}

/// Columns that are folded together at least, so that memory is read in order.
const COLUMNS: usize = 512;

/// The cuts of a call that folds rows or columns, and the length of its pieces: each value is as much work as
/// a row or column is long. `None` if the function has loops.
pub(super) fn along(weight: Weight, along: Along) -> Option<(Cuts, usize)> {
    let Weight::Operations(n) = weight else {
        return None;
    };
    let (depth, values) = (along.depth().max(1), along.values());
    let elems = depth.saturating_mul(values);
    let cuts = Cuts::new(Weight::Operations(n), elems);
    let least = match along.axis {
        Axis::Rows => 1,
        Axis::Cols => COLUMNS,
    };
    Some((cuts, (LIGHT / depth).max(values.div_ceil(MOST)).max(least)))
}

/// The operations that an element of a line takes, roughly: what solvers do.
const LINE_OPERATIONS: u32 = 8;

/// Neighbouring lines that are taken together at least, where they lie between each other's elements: what lies
/// together in memory goes through one core's cache.
const BESIDE: usize = 16;

/// The cuts of a call whose elements see lines, and the length of its pieces.
pub(super) fn lines(lines: Lines) -> (Cuts, usize) {
    let (len, count) = (lines.len().max(1), lines.count());
    let elems = len.saturating_mul(count);
    let cuts = Cuts::new(Weight::Operations(LINE_OPERATIONS), elems);
    let least = match lines.stride() {
        1 => 1,
        _ => BESIDE,
    };
    (cuts, (LIGHT / len).max(count.div_ceil(MOST)).max(least))
}

/// Takes the first `elems` elements.
pub(super) fn take<'m>(rest: &mut Frame<'m>, elems: usize) -> Frame<'m> {
    let end = rest.range.end.min(rest.range.start.saturating_add(elems));
    rest.take_front(end)
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

    #[test]
    fn pieces_are_neither_too_many_nor_too_short() {
        for weight in [Weight::Unknown, Weight::Operations(3)] {
            for rest in [1, 255, 256, 5000, 100_000, 1_000_000, 100_000_000, 1 << 40] {
                let cuts = Cuts::new(weight, rest);
                let elems = cuts.piece_elems(rest);
                assert!(rest.div_ceil(elems) <= MOST);
                assert!(elems.is_multiple_of(HEAVY));
            }
        }
    }

    #[test]
    fn pieces_of_folds_are_as_long_as_their_rows_are_short() {
        let weight = Weight::Operations(3);
        for (rows, cols) in [(1, 1), (1 << 20, 3), (3, 1 << 20), (1000, 1000)] {
            for axis in [Axis::Rows, Axis::Cols] {
                let fold = Along { rows, cols, axis };
                let (_, elems) = along(weight, fold).unwrap();
                assert!(elems > 0 && fold.values().div_ceil(elems) <= MOST);
                assert!(axis == Axis::Rows || elems >= COLUMNS);
            }
        }
        let (axis, rows, cols) = (Axis::Rows, 5, 5);
        assert!(along(Weight::Unknown, Along { rows, cols, axis }).is_none());
    }

    #[test]
    fn pieces_of_lines_are_few_where_lines_are_long() {
        for (shape, axis) in [
            (Shape::D2(1 << 20, 3), 1),
            (Shape::D2(3, 1 << 20), 1),
            (Shape::D2(1000, 1000), 0),
            (Shape::D3(60, 70, 80), 1),
        ] {
            let of = Lines::along(shape, axis);
            let (cuts, elems) = lines(of);
            assert!(matches!(cuts, Cuts::Light { share: true }));
            assert!(elems > 0 && of.count().div_ceil(elems) <= MOST);
            assert!(of.stride() == 1 || elems >= BESIDE);
        }
        let (_, long) = lines(Lines::along(Shape::D2(3, 1 << 20), 1));
        assert_eq!(long, 1);
    }

    #[test]
    fn few_elements_are_enough_if_they_are_heavy() {
        assert!(Cuts::Heavy.piece_elems(100) < 100);
    }
}
