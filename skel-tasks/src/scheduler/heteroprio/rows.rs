//! Buckets as they are met: which tasks are alike, what is known of them, and the order of each architecture.

use super::{buckets::Declared, slow};
use crate::{Arch, ArchSet, ClassId, ClassSet, KindId, Machine, TaskId, View};
use std::{cmp::Ordering, collections::HashMap};

/// After so many pushes, orders follow from times anew.
const PUSHES_PER_ORDER: u32 = 32;

/// From so many tasks on, the times of earlier ones count for half.
const SAMPLES: u32 = 64;

/// What tasks of a row have in common beside the architectures.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Group {
    Bucket(usize),
    Kind(KindId),
}

/// The tasks of a bucket that the same classes take: those that have an implementation, list the bucket, and have
/// room for the data. So whatever is first in a row, each of these can run it.
struct Row {
    bucket: Option<usize>,
    classes: ClassSet,
    archs: ArchSet,
    /// How many tasks are ready.
    ready: usize,
    /// Expected execution times by architecture, summed up over so many tasks.
    times_ns: Vec<u128>,
    samples: u32,
    /// The fastest architecture, if that is known.
    best: Option<Arch>,
    /// By how much the others are slower.
    slow: Vec<f64>,
    /// The architectures that may take even the last task.
    unrestrained: ArchSet,
}

/// What follows from counting a task in its row.
pub(crate) struct Entered {
    pub(crate) row: usize,
    /// Whether the orders of rows have changed, or rows were added.
    pub(crate) is_reordered: bool,
    /// The classes of which a worker is to be woken.
    pub(crate) classes: ClassSet,
}

impl Row {
    /// Whether a worker of an architecture may take from the row if so many tasks are ready. One of the best
    /// architecture always may.
    fn may_take(&self, arch: Arch, ready: usize, live: &[u32]) -> bool {
        match self.best {
            Some(best) if best != arch => {
                let workers = live[usize::from(best.0)];
                slow::may_take(ready, workers, self.slow[usize::from(arch.0)])
            }
            _ => true,
        }
    }
}

/// See [the module](self).
pub(crate) struct Rows {
    declared: Declared,
    rows: Vec<Row>,
    by_group: HashMap<(Group, ClassSet), usize>,
    /// Of each class its architecture; the rows that it takes from, by descending priority; how many tasks are ready
    /// in them.
    class_archs: Vec<Arch>,
    orders: Vec<Vec<usize>>,
    ready: Vec<usize>,
    /// How many workers of each architecture are there; out of date after a loss.
    live: Vec<u32>,
    is_live_known: bool,
    pushes: u32,
}

impl Rows {
    pub(crate) fn new(declared: Declared, machine: &Machine) -> Rows {
        let archs = machine.archs().len();
        let class_archs: Vec<Arch> = machine.classes().iter().map(|class| class.arch).collect();
        let mut rows = Rows {
            rows: Vec::new(),
            by_group: HashMap::new(),
            orders: vec![Vec::new(); class_archs.len()],
            ready: vec![0; class_archs.len()],
            class_archs,
            live: vec![0; archs],
            is_live_known: false,
            pushes: 0,
            declared,
        };
        let all: ArchSet = (0..archs as u8).map(Arch).collect();
        for bucket in 0..rows.declared.count() {
            let archs = rows.declared.taking(bucket, all);
            rows.add(Group::Bucket(bucket), machine.classes_of(archs));
        }
        rows.sort();
        rows
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows that a class takes from, by descending priority.
    pub(crate) fn order(&self, class: usize) -> &[usize] {
        &self.orders[class]
    }

    /// An upper bound of the tasks that a class may take.
    pub(crate) fn ready(&self, class: usize) -> usize {
        self.ready[class]
    }

    /// Counts a task that is pushed in its row.
    ///
    /// The classes to be woken are those that the slow factor lets take from the row now. So that no row is left
    /// while all workers sleep, a worker has to be awake that may take even its last task, until the row is empty.
    /// The first push to an empty row names only such workers. Later ones need not, unless new times make
    /// architectures restrained that were not: then those that are left are named.
    pub(crate) fn enter(&mut self, task: TaskId, view: &View<'_>) -> Entered {
        self.look(view);
        let info = view.task(task);
        let bucket = self.declared.bucket_of(info.kind);
        let classes = self.takers(view.able(task).collect(), bucket);
        let group = bucket.map_or(Group::Kind(info.kind), Group::Bucket);
        let known = self.by_group.get(&(group, classes)).copied();
        let row = known.unwrap_or_else(|| self.add(group, classes));
        let before = self.rows[row].unrestrained;
        let is_first = self.learn(row, task, view);
        self.count(row, true);
        self.pushes = (self.pushes + 1) % PUSHES_PER_ORDER;
        let is_due = is_first || self.pushes == 0;
        let is_other = (known.is_none() || is_due) && self.sort();
        let after = self.rows[row].unrestrained;
        let has_fewer = before.and(after) != before;
        let may_take = |class: &ClassId| {
            let arch = view.machine().class(*class).arch;
            match has_fewer {
                true => after.contains(arch),
                false => self.may_take(row, arch),
            }
        };
        Entered {
            row,
            is_reordered: known.is_none() || is_other,
            classes: classes.iter().filter(may_take).collect(),
        }
    }

    /// Which classes take a task that these can run: those whose architecture lists its bucket, if any does, so that
    /// no task is without.
    fn takers(&self, able: ClassSet, bucket: Option<usize>) -> ClassSet {
        let Some(bucket) = bucket else {
            return able;
        };
        let taking = self.declared.taking(bucket, self.archs(able));
        let takes = |class: &ClassId| taking.contains(self.class_archs[usize::from(class.0)]);
        let takers: ClassSet = able.iter().filter(takes).collect();
        if takers.is_empty() { able } else { takers }
    }

    fn archs(&self, classes: ClassSet) -> ArchSet {
        let archs = classes.iter();
        archs
            .map(|class| self.class_archs[usize::from(class.0)])
            .collect()
    }

    fn add(&mut self, group: Group, classes: ClassSet) -> usize {
        let (row, archs) = (self.rows.len(), self.archs(classes));
        self.by_group.insert((group, classes), row);
        self.rows.push(Row {
            bucket: match group {
                Group::Bucket(bucket) => Some(bucket),
                Group::Kind(_) => None,
            },
            classes,
            archs,
            ready: 0,
            times_ns: vec![0; self.live.len()],
            samples: 0,
            best: None,
            slow: vec![1.0; self.live.len()],
            unrestrained: archs,
        });
        for class in classes.iter() {
            self.orders[usize::from(class.0)].push(row);
        }
        self.conclude(row);
        row
    }

    /// Takes the expected times of a task into account, if all are known; whether these are the first ones.
    fn learn(&mut self, row: usize, task: TaskId, view: &View<'_>) -> bool {
        let of = &mut self.rows[row];
        let mut known = of.archs.iter();
        if !known.all(|arch| view.exec_ns(task, arch).is_some()) {
            return false;
        }
        if of.samples == SAMPLES {
            of.samples /= 2;
            of.times_ns.iter_mut().for_each(|time| *time /= 2);
        }
        of.samples += 1;
        for arch in of.archs.iter() {
            let time = view.exec_ns(task, arch).unwrap_or(0);
            // A time of 0 has no ratio to others.
            of.times_ns[usize::from(arch.0)] += u128::from(time.max(1));
        }
        let is_first = of.samples == 1;
        self.conclude(row);
        is_first
    }

    /// The best architecture of a row, and by how much the others are slower: as it was said, else by times.
    fn conclude(&mut self, row: usize) {
        let row = &mut self.rows[row];
        let said = row.bucket.and_then(|bucket| self.declared.best(bucket));
        let time = |arch: Arch| row.times_ns[usize::from(arch.0)];
        let known = (row.samples > 0).then(|| row.archs.iter().min_by_key(|arch| time(*arch)));
        row.best = match said {
            Some(best) => row.archs.contains(best).then_some(best),
            None => known.flatten(),
        };
        if let Some(best) = row.best {
            for arch in row.archs.iter() {
                let bucket = row.bucket;
                let said = bucket.and_then(|bucket| self.declared.slow(bucket, arch));
                let ratio = (row.samples > 0).then(|| time(arch) as f64 / time(best) as f64);
                row.slow[usize::from(arch.0)] = said.or(ratio).unwrap_or(1.0);
            }
        }
        let may_take_last = |arch: &Arch| row.may_take(*arch, 1, &self.live);
        row.unrestrained = row.archs.iter().filter(may_take_last).collect();
    }

    /// By how much an architecture is faster than the best of the others; infinitely where there is no other.
    fn acceleration(&self, row: usize, arch: Arch) -> f64 {
        let row = &self.rows[row];
        let time = |arch: Arch| row.times_ns[usize::from(arch.0)];
        let others = row.archs.iter().filter(|other| *other != arch);
        match others.map(time).min() {
            None => f64::INFINITY,
            Some(_) if row.samples == 0 => 1.0,
            Some(other) => other as f64 / time(arch) as f64,
        }
    }

    /// Puts rows into the order of each class, which is that of its architecture: as it was said, else the most accelerated first, else
    /// those that were met first. Whether any order has changed.
    fn sort(&mut self) -> bool {
        let mut orders = std::mem::take(&mut self.orders);
        let mut has_changed = false;
        for (class, order) in orders.iter_mut().enumerate() {
            let arch = self.class_archs[class];
            let place = |row: usize| self.declared.position(self.rows[row].bucket, arch);
            let compare = |a: &usize, b: &usize| -> Ordering {
                let speeds = self
                    .acceleration(*b, arch)
                    .total_cmp(&self.acceleration(*a, arch));
                place(*a).cmp(&place(*b)).then(speeds).then(a.cmp(b))
            };
            if !order.is_sorted_by(|a, b| compare(a, b).is_lt()) {
                order.sort_unstable_by(compare);
                has_changed = true;
            }
        }
        self.orders = orders;
        has_changed
    }

    /// Whether a worker of an architecture may take from a row, by the slow factor.
    pub(crate) fn may_take(&self, row: usize, arch: Arch) -> bool {
        let row = &self.rows[row];
        row.may_take(arch, row.ready, &self.live)
    }

    fn count(&mut self, row: usize, is_more: bool) {
        let step = |count: &mut usize| match is_more {
            true => *count += 1,
            false => *count -= 1,
        };
        let row = &mut self.rows[row];
        step(&mut row.ready);
        for class in row.classes.iter() {
            step(&mut self.ready[usize::from(class.0)]);
        }
    }

    /// A task of a row was taken.
    pub(crate) fn leave(&mut self, row: usize) {
        self.count(row, false);
    }

    /// All tasks were taken, since a worker is lost.
    pub(crate) fn clear(&mut self) {
        self.rows.iter_mut().for_each(|row| row.ready = 0);
        self.ready.fill(0);
        self.is_live_known = false;
    }

    /// Looks how many workers are there.
    fn look(&mut self, view: &View<'_>) {
        if !std::mem::replace(&mut self.is_live_known, true) {
            for (arch, live) in self.live.iter_mut().enumerate() {
                *live = view.live_of(Arch(arch as u8));
            }
            (0..self.rows.len()).for_each(|row| self.conclude(row));
        }
    }
}
