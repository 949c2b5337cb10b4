//! Lines that are computed on a copy, one behind the other, since where they lie, their elements share few sets of the
//! caches, and are not there any more when the next line needs their neighbours.

use super::{
    super::{ElementLayout, band::CACHE_LINE_BYTES, room::Room},
    access::LinesAccess,
};
use crate::{Element, space::Lines};
use std::ops::Range;

/// Elements that lie a multiple of so many bytes apart share few sets: an eighth of those of a first cache, or fewer.
const CONFLICT_BYTES: usize = 512;

/// Lines of fewer elements are in the first cache, as they lie.
const LEAST_ELEMS: usize = 64;

/// Some lines, gathered.
#[derive(Debug)]
pub(super) struct Gathered {
    /// So many at once.
    most: usize,
    room: Room,
    /// Which are in the room, if they are to be brought back.
    open: Range<usize>,
}

impl Gathered {
    /// For lines that lie so, where they are not gathered yet, if that pays where most of their elements are used.
    pub(super) fn begin(kept: &mut Option<Gathered>, lines: Lines, layout: ElementLayout) {
        if kept.is_none() {
            *kept = Self::pays(lines, layout);
        }
    }

    /// Lines whose elements share a cache line are gathered together.
    fn pays(lines: Lines, layout: ElementLayout) -> Option<Gathered> {
        let size_bytes = layout.size_bytes();
        let most = CACHE_LINE_BYTES / size_bytes;
        let pays = lines.stride() > 1
            && (lines.stride().saturating_mul(size_bytes)).is_multiple_of(CONFLICT_BYTES)
            && lines.len() >= LEAST_ELEMS
            && most > 1;
        pays.then_some(Gathered {
            most,
            room: Room::default(),
            open: 0..0,
        })
    }

    /// How many lines are gathered at once.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// From the beginning of a line to that of the next: an odd number of cache lines, so that no two lines meet in a set of
    /// the caches.
    fn pitch(lines: Lines, size_bytes: usize) -> usize {
        let in_line = (CACHE_LINE_BYTES / size_bytes).max(1);
        (lines.len().div_ceil(in_line) | 1) * in_line
    }

    /// Opens lines `r`, of which `read` gives elements that lie side by side, one of each of some lines.
    pub(super) fn open<'a, 's, T: Element, const WRITES: bool>(
        &'a mut self,
        (lines, layout): (Lines, ElementLayout),
        r: Range<usize>,
        read: impl Fn(Range<usize>) -> &'s [T],
    ) -> LinesAccess<'a, T, WRITES> {
        let pitch = Self::pitch(lines, layout.size_bytes());
        let room = self.room.of(layout, r.len() * pitch);
        let to = room.view_mut(0..r.len() * pitch).into_slice::<T>();
        side_by_side(lines, &r, |i, first, places| {
            for (k, x) in read(places).iter().enumerate() {
                to[(first - r.start + k) * pitch + i] = *x;
            }
        });
        if WRITES {
            self.open = r.clone();
        }
        LinesAccess::over(to, r.len(), (lines.len(), pitch))
    }

    /// Brings back what is open: `write` is given the places of elements that lie side by side, one of each of some lines,
    /// and what they are now.
    pub(super) fn bring_back<T: Element>(
        &mut self,
        (lines, layout): (Lines, ElementLayout),
        mut write: impl FnMut(Range<usize>, &mut dyn Iterator<Item = T>),
    ) {
        let open = std::mem::replace(&mut self.open, 0..0);
        let pitch = Self::pitch(lines, layout.size_bytes());
        let Some(room) = self.room.array().filter(|_| !open.is_empty()) else {
            return;
        };
        let from = room
            .view(0..open.len() * pitch)
            .slice::<T>(0..open.len() * pitch);
        side_by_side(lines, &open, |i, first, places| {
            let own = (0..places.len()).map(|k| from[(first - open.start + k) * pitch + i]);
            write(places, &mut { own });
        });
    }
}

/// Elements of lines `r` that lie side by side: which of their lines' they are, of which line the first is, and their places.
fn side_by_side(lines: Lines, r: &Range<usize>, mut visit: impl FnMut(usize, usize, Range<usize>)) {
    let mut start = r.start;
    while start < r.end {
        let end = r.end.min(start - start % lines.stride() + lines.stride());
        for i in 0..lines.len() {
            let place = lines.element(start, i);
            visit(i, start, place..place + (end - start));
        }
        start = end;
    }
}
