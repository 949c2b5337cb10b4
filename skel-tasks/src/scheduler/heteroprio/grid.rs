//! First-in-first-out lists of tasks, by row and column, and for each class of workers the order in which it
//! looks at them.
//!
//! Each class has a bit for each list that is not empty, in its own order, so that the first list with a task is
//! the first bit that is set: words are looked at, not lists. A bit changes only when a list becomes empty
//! or ceases to be. Tasks are linked through a table by slot, which grows to the number of tasks that are
//! pending at once; no list allocates.

use crate::TaskId;

const NONE: u32 = u32::MAX;

/// The first and the last task of a list, by slot.
#[derive(Clone, Copy)]
struct List {
    first: u32,
    last: u32,
}

/// A task in a list.
#[derive(Clone, Copy)]
struct Link {
    task: TaskId,
    next: u32,
}

/// The order in which a class looks at lists.
#[derive(Default)]
struct Order {
    /// The list at each place of the order.
    lists: Vec<u32>,
    /// The place of each list; none for lists that the class takes nothing from.
    places: Vec<u32>,
    /// Which places have lists with tasks.
    bits: Vec<u64>,
}

/// See [the module](self).
pub(crate) struct Grid {
    columns: usize,
    lists: Vec<List>,
    links: Vec<Option<Link>>,
    orders: Vec<Order>,
}

impl Grid {
    /// Without rows, for so many classes.
    pub(crate) fn new(columns: usize, classes: usize) -> Grid {
        Grid {
            columns,
            lists: Vec::new(),
            links: Vec::new(),
            orders: (0..classes).map(|_| Order::default()).collect(),
        }
    }

    /// Adds rows until there are so many.
    pub(crate) fn grow(&mut self, rows: usize) {
        let empty = List {
            first: NONE,
            last: NONE,
        };
        let lists = rows * self.columns;
        if self.lists.len() < lists {
            self.lists.resize(lists, empty);
            for order in &mut self.orders {
                order.places.resize(lists, NONE);
            }
        }
    }

    /// Sets the lists that a class takes from, each once, in its order.
    pub(crate) fn set_order(
        &mut self,
        class: usize,
        lists: impl IntoIterator<Item = (usize, usize)>,
    ) {
        let order = &mut self.orders[class];
        order.places.fill(NONE);
        order.lists.clear();
        order.bits.clear();
        for (row, column) in lists {
            let (list, place) = (row * self.columns + column, order.lists.len());
            order.lists.push(list as u32);
            order.places[list] = place as u32;
            if place.is_multiple_of(64) {
                order.bits.push(0);
            }
            let has_tasks = self.lists[list].first != NONE;
            order.bits[place / 64] |= u64::from(has_tasks) << (place % 64);
        }
    }

    /// Adds a task behind the others of a list.
    pub(crate) fn push(&mut self, row: usize, column: usize, task: TaskId) {
        let (slot, at) = (task.slot(), row * self.columns + column);
        if self.links.len() <= slot {
            self.links.resize(slot + 1, None);
        }
        self.links[slot] = Some(Link { task, next: NONE });
        let list = &mut self.lists[at];
        let last = std::mem::replace(&mut list.last, slot as u32);
        if let Some(Some(before)) = self.links.get_mut(last as usize) {
            before.next = slot as u32;
            return;
        }
        list.first = slot as u32;
        for order in &mut self.orders {
            let place = order.places[at] as usize;
            if let Some(word) = order.bits.get_mut(place / 64) {
                *word |= 1 << (place % 64);
            }
        }
    }

    /// Takes the first task of the first list in the class's order whose row it may take from; the row, too.
    pub(crate) fn pop(
        &mut self,
        class: usize,
        may_take: impl Fn(usize) -> bool,
    ) -> Option<(TaskId, usize)> {
        let order = &self.orders[class];
        for (k, &word) in order.bits.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let list = order.lists[k * 64 + rest.trailing_zeros() as usize] as usize;
                let row = list / self.columns;
                if may_take(row) {
                    return Some((self.take(list)?, row));
                }
                rest &= rest - 1;
            }
        }
        None
    }

    /// Takes the first task of a list.
    fn take(&mut self, at: usize) -> Option<TaskId> {
        let list = &mut self.lists[at];
        let link = self.links.get_mut(list.first as usize)?.take()?;
        list.first = link.next;
        if link.next == NONE {
            list.last = NONE;
            for order in &mut self.orders {
                let place = order.places[at] as usize;
                if let Some(word) = order.bits.get_mut(place / 64) {
                    *word &= !(1 << (place % 64));
                }
            }
        }
        Some(link.task)
    }

    /// Takes all tasks: by rows, then by columns, each list from its first.
    pub(crate) fn drain(&mut self) -> Vec<TaskId> {
        let mut all = Vec::new();
        for list in 0..self.lists.len() {
            while let Some(task) = self.take(list) {
                all.push(task);
            }
        }
        all
    }
}
