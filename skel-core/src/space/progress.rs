//! How far the computation of a box of a sweep has come.

use super::{MAX_RANK, ROWS_AT_ONCE, SweepBox};
use std::cell::Cell;

/// Which elements of a box are computed, while they are and when it ended early. Rows of a box are computed in order, up
/// to [`ROWS_AT_ONCE`] of them at once, and the elements of each row one after the other; so a count for each row says it.
///
/// ```
/// use skel_core::space::{Shape, SweepOrder, SweepProgress};
///
/// let all = SweepOrder::over(Shape::D2(3, 4), [0, 0, 1, 1]).all();
/// let progress = SweepProgress::default();
/// progress.begin_rows(1);
/// progress.set_row(0, 2);
/// assert!(progress.has(&all, [0, 0, 0, 3]) && progress.has(&all, [0, 0, 1, 1]));
/// assert!(!progress.has(&all, [0, 0, 1, 2]) && !progress.has(&all, [0, 0, 2, 0]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct SweepProgress {
    /// Rows of which all elements are computed.
    rows: Cell<usize>,
    /// Of those that are computed at once, how many elements are.
    elems: [Cell<usize>; ROWS_AT_ONCE],
}

impl SweepProgress {
    /// So many rows of the box are done, and the next ones begin.
    #[inline]
    pub fn begin_rows(&self, done: usize) {
        self.rows.set(done);
        self.elems.iter().for_each(|elems| elems.set(0));
    }

    /// Of those that have begun, row `row` has come so far.
    ///
    /// # Panics
    /// If it is none of them.
    #[inline(always)]
    pub fn set_row(&self, row: usize, elems: usize) {
        self.elems[row].set(elems);
    }

    /// Whether the element of the box at these places is computed.
    #[must_use]
    pub fn has(&self, all: &SweepBox, places: [usize; MAX_RANK]) -> bool {
        let place = places[MAX_RANK - 1] - all.start[MAX_RANK - 1];
        match all.row_number(places).checked_sub(self.rows.get()) {
            None => true,
            Some(row) => self.elems.get(row).is_some_and(|elems| place < elems.get()),
        }
    }
}
