//! Which handles stand for which elements of data that tasks access by ranges.
//!
//! Data has one handle until a task accesses a range of it. Then its handle is split where the range begins and ends
//! ([`Engine::split`](skel_tasks::Engine::split)), so the engine orders tasks by ranges, and knows of handles alone. A
//! task that accesses all of the data accesses all of its handles.

use skel_core::space::IntervalSet;
use skel_tasks::{Access, HandleId, Mode};
use std::{collections::HashMap, ops::Range};

/// Data is split into so many parts, at most: tasks that access all of it have that many accesses. From there on, what
/// is accessed is rounded to parts that there are, so tasks may wait for each other that need not.
const MOST_PARTS: usize = 4096;

/// A range of data, and what a task does with it.
pub(super) struct RangeAccess {
    /// The handle of all of the data.
    pub(super) handle: HandleId,
    pub(super) mode: Mode,
    pub(super) elems: IntervalSet,
    /// How many elements there are in all, and how large each is.
    pub(super) len: usize,
    pub(super) elem_bytes: u64,
}

/// Splits so many bytes off the end of a handle's data; the handle for them.
pub(super) type Split<'s> = &'s mut dyn FnMut(HandleId, u64) -> HandleId;

/// The parts of all data that was split, by the handle of all of it.
#[derive(Default)]
pub(super) struct Segments(HashMap<HandleId, SplitData>);

/// In order: each with its first element. The first part has the handle that all had.
struct SplitData {
    len: usize,
    elem_bytes: u64,
    begins: Vec<(usize, HandleId)>,
}

impl Segments {
    /// The accesses of a task to handles, if they are not the given ones: those to parts that there are.
    pub(super) fn resolve(
        &mut self,
        whole: &[Access],
        ranges: &[RangeAccess],
        split: Split<'_>,
    ) -> Option<Vec<Access>> {
        if self.0.is_empty() && ranges.is_empty() {
            return None;
        }
        let mut accesses = Vec::with_capacity(whole.len() + 4 * ranges.len());
        for &access in whole {
            match self.0.get(&access.handle) {
                None => accesses.push(access),
                Some(parts) => {
                    let handles = parts.begins.iter().map(|(_, handle)| *handle);
                    let mode = access.mode;
                    accesses.extend(handles.map(|handle| Access { handle, mode }));
                }
            }
        }
        for access in ranges {
            let parts = self.0.entry(access.handle).or_insert_with(|| SplitData {
                len: access.len,
                elem_bytes: access.elem_bytes,
                begins: vec![(0, access.handle)],
            });
            for r in access.elems.ranges() {
                parts.split_at(r.start, split);
                parts.split_at(r.end, split);
            }
            let mut next = 0;
            for r in access.elems.ranges() {
                for k in parts.of(r).filter(|k| *k >= next) {
                    let mode = match access.mode {
                        // What it does not write stays as it is, with what is wrong with it.
                        Mode::Write if !access.elems.contains(&parts.range(k)) => Mode::Update,
                        mode => mode,
                    };
                    let handle = parts.begins[k].1;
                    accesses.push(Access { handle, mode });
                }
                next = parts.of(r).end;
            }
        }
        Some(accesses)
    }

    /// The handles of data that no task accesses any more, and that is forgotten here: its own, and those split off.
    pub(super) fn forget(&mut self, handle: HandleId) -> Vec<HandleId> {
        match self.0.remove(&handle) {
            None => vec![handle],
            Some(parts) => parts.begins.iter().map(|(_, handle)| *handle).collect(),
        }
    }
}

impl SplitData {
    fn range(&self, k: usize) -> Range<usize> {
        let end = self.begins.get(k + 1).map_or(self.len, |(begin, _)| *begin);
        self.begins[k].0..end
    }

    /// The parts that have elements of a range, which is not empty.
    fn of(&self, r: &Range<usize>) -> Range<usize> {
        let begin = self.begins.partition_point(|(begin, _)| *begin <= r.start);
        begin - 1..self.begins.partition_point(|(begin, _)| *begin < r.end)
    }

    /// Makes a part begin at an element, if there may be further ones.
    fn split_at(&mut self, elem: usize, split: Split<'_>) {
        let next = self.begins.partition_point(|(begin, _)| *begin <= elem);
        let (begin, handle) = self.begins[next - 1];
        if begin == elem || elem >= self.len || self.begins.len() == MOST_PARTS {
            return;
        }
        let bytes = (self.range(next - 1).end - elem) as u64 * self.elem_bytes;
        self.begins.insert(next, (elem, split(handle, bytes)));
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_tasks::{Engine, Machine, MemoryNode, Unknown, scheduler};

    fn engine() -> Engine {
        let machine = Machine::cores(1).unwrap();
        let eager = scheduler::parse("eager").unwrap().build(&machine).unwrap();
        Engine::new(machine, eager, Box::new(Unknown))
    }

    fn range(handle: HandleId, elems: &[Range<usize>]) -> RangeAccess {
        let mut set = IntervalSet::new();
        elems.iter().for_each(|r| set.insert(r.clone()));
        RangeAccess {
            handle,
            mode: Mode::Update,
            elems: set,
            len: 1000,
            elem_bytes: 4,
        }
    }

    #[test]
    fn tasks_share_a_handle_where_their_ranges_overlap_and_nowhere_else() {
        let (mut engine, mut segments) = (engine(), Segments::default());
        let x = engine.register(4000, Some(MemoryNode::HOST));
        let mode = Mode::Update;
        let whole = [Access { handle: x, mode }];
        assert!(segments.resolve(&whole, &[], &mut |_, _| x).is_none());
        let ranges: [&[Range<usize>]; 6] = [
            &[0..100],
            &[100..200],
            &[90..110],
            &[0..1, 999..1000],
            &[500..500],
            &[0..1000],
        ];
        let mut resolve = |elems: &[Range<usize>]| {
            let mut split = |handle, bytes| engine.split(handle, bytes).unwrap();
            segments
                .resolve(&[], &[range(x, elems)], &mut split)
                .unwrap()
        };
        // Once to split, and once to see.
        let _known = ranges.map(&mut resolve);
        let accesses = ranges.map(&mut resolve);
        for (i, a) in accesses.iter().enumerate() {
            for (j, b) in accesses.iter().enumerate() {
                let shares = a.iter().any(|access| b.contains(access));
                let overlaps =
                    |r: &Range<usize>, s: &Range<usize>| r.start.max(s.start) < r.end.min(s.end);
                let overlap = ranges[i]
                    .iter()
                    .any(|r| ranges[j].iter().any(|s| overlaps(r, s)));
                assert_eq!(shares, overlap, "{:?} {:?}", ranges[i], ranges[j]);
            }
        }
        let all = segments.resolve(&whole, &[], &mut |_, _| x).unwrap();
        assert_eq!(all, accesses[5]);
        let handles = segments.forget(x);
        assert_eq!(handles.len(), all.len());
        assert!(segments.resolve(&whole, &[], &mut |_, _| x).is_none());
    }

    #[test]
    fn there_are_so_many_parts_at_most_and_each_element_is_in_one() {
        let (mut engine, mut segments) = (engine(), Segments::default());
        let x = engine.register(4000, Some(MemoryNode::HOST));
        let mut split = |handle, bytes| engine.split(handle, bytes).unwrap();
        let last = 2 * MOST_PARTS;
        let range = |elems: &[Range<usize>]| RangeAccess {
            mode: Mode::Write,
            len: last,
            ..range(x, elems)
        };
        for elem in 0..last {
            let access = range(&[elem..elem + 1]);
            let accesses = segments.resolve(&[], &[access], &mut split).unwrap();
            assert_eq!(accesses.len(), 1, "{elem}");
            // Beyond the last part that could begin, an element is one of many.
            let is_alone = elem + 1 < MOST_PARTS;
            let mode = if is_alone { Mode::Write } else { Mode::Update };
            assert_eq!(accesses[0].mode, mode, "{elem}");
        }
        let access = range(&[last - 2..last - 1, last - 1..last, last - 9..last - 8, 0..1]);
        let accesses = segments.resolve(&[], &[access], &mut split).unwrap();
        assert_eq!(accesses.len(), 2, "a handle once");
        assert_eq!(segments.forget(x).len(), MOST_PARTS);
    }
}
