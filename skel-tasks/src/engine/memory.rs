//! Books of the memories that have a limit: what lies there, since when it was not used, and what must stay.
//!
//! They predict. What a real device evicts, its residency decides; in virtual time these decide.

use crate::{HandleId, Machine, MemoryNode};
use std::collections::{BTreeMap, HashMap};

/// What a copy is to the books.
#[derive(Clone, Copy)]
struct Copy {
    bytes: u64,
    /// When it was used last, in uses of this memory.
    used: u64,
    /// How many tasks that were placed here need it.
    pins: u32,
}

/// The book of one memory.
struct Book {
    capacity_bytes: u64,
    used_bytes: u64,
    uses: u64,
    copies: HashMap<HandleId, Copy>,
    by_use: BTreeMap<u64, HandleId>,
}

impl Book {
    fn touch(&mut self, handle: HandleId, bytes: u64) {
        self.uses += 1;
        let new = Copy {
            bytes,
            used: self.uses,
            pins: 0,
        };
        let copy = self.copies.entry(handle).or_insert_with(|| {
            self.used_bytes += bytes;
            new
        });
        self.by_use.remove(&copy.used);
        copy.used = self.uses;
        self.by_use.insert(self.uses, handle);
    }

    /// The bytes of what is there and of these.
    fn with<'w>(&self, missing: impl Iterator<Item = &'w (HandleId, u64)>) -> u64 {
        missing.fold(self.used_bytes, |all, (_, bytes)| {
            all.saturating_add(*bytes)
        })
    }

    fn remove(&mut self, handle: HandleId) {
        if let Some(copy) = self.copies.remove(&handle) {
            self.by_use.remove(&copy.used);
            self.used_bytes -= copy.bytes;
        }
    }
}

/// The books of all memories; nothing for those without a limit.
pub(super) struct Books {
    nodes: Vec<Option<Book>>,
}

impl Books {
    pub(super) fn new(machine: &Machine) -> Books {
        let book = |capacity_bytes| Book {
            capacity_bytes,
            used_bytes: 0,
            uses: 0,
            copies: HashMap::new(),
            by_use: BTreeMap::new(),
        };
        let nodes = machine.nodes().iter();
        Books {
            nodes: nodes.map(|node| node.capacity_bytes.map(book)).collect(),
        }
    }

    fn book(&mut self, node: MemoryNode) -> Option<&mut Book> {
        self.nodes[usize::from(node.0)].as_mut()
    }

    pub(super) fn is_limited(&self, node: MemoryNode) -> bool {
        self.nodes[usize::from(node.0)].is_some()
    }

    pub(super) fn capacity_bytes(&self, node: MemoryNode) -> Option<u64> {
        self.nodes[usize::from(node.0)]
            .as_ref()
            .map(|book| book.capacity_bytes)
    }

    /// A copy is there, or on its way, and in use.
    pub(super) fn arrive(&mut self, node: MemoryNode, handle: HandleId, bytes: u64) {
        if let Some(book) = self.book(node) {
            book.touch(handle, bytes);
        }
    }

    /// A copy is worth nothing any more.
    pub(super) fn leave(&mut self, node: MemoryNode, handle: HandleId) {
        if let Some(book) = self.book(node) {
            // What a placed task needs keeps its room.
            if book.copies.get(&handle).is_some_and(|copy| copy.pins == 0) {
                book.remove(handle);
            }
        }
    }

    /// The last bytes of a copy are a copy of their own, which the same tasks need.
    pub(super) fn split(&mut self, handle: HandleId, part: HandleId, bytes: u64) {
        for book in self.nodes.iter_mut().flatten() {
            let Some(copy) = book.copies.get_mut(&handle) else {
                continue;
            };
            let bytes = bytes.min(copy.bytes);
            copy.bytes -= bytes;
            book.uses += 1;
            let copy = Copy {
                bytes,
                used: book.uses,
                pins: copy.pins,
            };
            book.by_use.insert(copy.used, part);
            book.copies.insert(part, copy);
        }
    }

    pub(super) fn forget(&mut self, handle: HandleId) {
        for book in self.nodes.iter_mut().flatten() {
            book.remove(handle);
        }
    }

    pub(super) fn pin(&mut self, node: MemoryNode, handle: HandleId) {
        if let Some(copy) = self
            .book(node)
            .and_then(|book| book.copies.get_mut(&handle))
        {
            copy.pins += 1;
        }
    }

    pub(super) fn unpin(&mut self, node: MemoryNode, handle: HandleId) {
        if let Some(copy) = self
            .book(node)
            .and_then(|book| book.copies.get_mut(&handle))
        {
            copy.pins = copy.pins.saturating_sub(1);
        }
    }

    /// Whether these can be there together without another leaving.
    pub(super) fn has_room(&self, node: MemoryNode, wanted: &[(HandleId, u64)]) -> bool {
        let Some(book) = &self.nodes[usize::from(node.0)] else {
            return true;
        };
        let missing = wanted
            .iter()
            .filter(|(handle, _)| !book.copies.contains_key(handle));
        book.with(missing) <= book.capacity_bytes
    }

    /// What has to leave a memory, so that these can be there together: what was not used for longest first, and
    /// what other memories have before what only this one has. Nothing where it cannot be done.
    pub(super) fn make_room(
        &mut self,
        node: MemoryNode,
        wanted: &[(HandleId, u64)],
        is_elsewhere: impl Fn(HandleId) -> bool,
    ) -> Option<Vec<HandleId>> {
        let Some(book) = self.book(node) else {
            return Some(Vec::new());
        };
        let missing = wanted
            .iter()
            .filter(|(handle, _)| !book.copies.contains_key(handle));
        let needed = book.with(missing);
        let mut excess = needed.saturating_sub(book.capacity_bytes);
        let mut victims = Vec::new();
        if excess == 0 {
            // As a rule there is room, and what lies there need not be looked through.
            return Some(victims);
        }
        for clean in [true, false] {
            let candidates = book.by_use.values().filter(|handle| {
                let is_wanted = wanted.iter().any(|(other, _)| other == *handle);
                book.copies[*handle].pins == 0 && !is_wanted && is_elsewhere(**handle) == clean
            });
            for handle in candidates {
                if excess == 0 {
                    break;
                }
                excess = excess.saturating_sub(book.copies[handle].bytes);
                victims.push(*handle);
            }
        }
        if excess > 0 {
            return None;
        }
        victims.iter().for_each(|handle| book.remove(*handle));
        Some(victims)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{Engine, Link, Unknown, scheduler};

    #[test]
    fn clean_copies_leave_before_dirty_ones_the_oldest_first() {
        let bus = Link {
            latency_ns: 1,
            bytes_per_ns: 1.0,
        };
        let machine = Machine::builder()
            .device("gpu", 1, Some(40), bus)
            .build()
            .unwrap();
        let (mut books, gpu) = (Books::new(&machine), MemoryNode(1));
        let eager = scheduler::parse("eager").unwrap().build(&machine).unwrap();
        let mut engine = Engine::new(machine, eager, Box::new(Unknown));
        let h: Vec<HandleId> = (0..6).map(|_| engine.register(10, None)).collect();
        for handle in &h[..4] {
            books.arrive(gpu, *handle, 10);
        }
        books.arrive(gpu, h[0], 10); // used again
        let room = |books: &mut Books, wanted: &[(HandleId, u64)]| {
            books.make_room(gpu, wanted, |handle| handle != h[1])
        };
        // h[1] is the oldest, but nowhere else.
        assert_eq!(room(&mut books, &[(h[4], 10)]), Some(vec![h[2]]));
        books.arrive(gpu, h[4], 10);
        books.pin(gpu, h[3]);
        assert_eq!(room(&mut books, &[(h[5], 20)]), Some(vec![h[0], h[4]]));
        assert_eq!(room(&mut books, &[(h[5], 40)]), None);
        books.unpin(gpu, h[3]);
        assert_eq!(room(&mut books, &[(h[5], 40)]), Some(vec![h[3], h[1]]));
    }

    #[test]
    fn where_there_is_room_nothing_that_lies_there_is_looked_at() {
        let bus = Link {
            latency_ns: 1,
            bytes_per_ns: 1.0,
        };
        let builder = Machine::builder().device("gpu", 1, Some(10_000), bus);
        let (mut books, gpu) = (Books::new(&builder.build().unwrap()), MemoryNode(1));
        let handle = |slot| HandleId {
            slot,
            generation: 0,
        };
        (0..900).for_each(|k| books.arrive(gpu, handle(k), 10));
        let looked = std::cell::Cell::new(0);
        let mut room = |bytes| {
            books.make_room(gpu, &[(handle(1_000), bytes)], |_| {
                looked.set(looked.get() + 1);
                true
            })
        };
        assert_eq!(room(1_000), Some(Vec::new()));
        assert_eq!(looked.get(), 0);
        assert_eq!(room(1_001), Some(vec![handle(0)]));
    }
}
