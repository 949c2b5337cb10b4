//! Which tasks share a bucket, and what architectures do with buckets, where a program says so.

use crate::{Arch, ArchSet, BadOption, KindId, Machine};
use std::collections::HashMap;

/// The highest number that a bucket can have.
const LAST_BUCKET: usize = 1023;

/// The buckets of Heteroprio and LAHeteroprio, as far as they are not to be derived from times.
///
/// By default nothing is said: each kind of tasks has a bucket of its own, an architecture looks first into
/// the bucket that it accelerates most, and the best architecture of a bucket and how much slower the others are
/// follow from expected execution times. Each part can be said instead:
///
/// ```
/// use skel_tasks::{Configuration, KindId, Machine};
/// use skel_tasks::scheduler::{Buckets, Heteroprio};
///
/// // Kinds 1 and 3 share a bucket, which a CPU takes from only if there are twice as many tasks as GPUs.
/// let buckets = Buckets::default()
///     .kind(KindId(0), 0)
///     .kind(KindId(1), 1)
///     .kind(KindId(3), 1)
///     .order("cpu", &[0, 1])
///     .best(1, "cpu")
///     .slow(1, "cpu", 2.0);
/// let heteroprio = Heteroprio { buckets };
/// assert_eq!(
///     heteroprio.text(),
///     "heteroprio,kinds=0:0/1:1/3:1,order=cpu:0+1,best=1:cpu,slow=1:cpu:2",
/// );
/// assert!(heteroprio.build(&Machine::cores(2)?).is_ok());
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Buckets {
    /// The bucket of a kind. Kinds that are not named have buckets of their own; where none is named, kind k is
    /// of bucket k, if that is named elsewhere.
    pub kinds: Vec<(KindId, usize)>,
    /// The buckets of an architecture, by descending priority. It takes no task from others, unless no
    /// architecture that can run the task lists its bucket. An architecture without a list takes from all, in the
    /// order of acceleration.
    pub orders: Vec<(String, Vec<usize>)>,
    /// The architecture that runs tasks of a bucket fastest.
    pub best: Vec<(usize, String)>,
    /// By how much an architecture is slower than the best one of a bucket.
    pub slow: Vec<(usize, String, f64)>,
}

impl Buckets {
    /// Puts tasks of a kind into a bucket.
    #[must_use]
    pub fn kind(mut self, kind: KindId, bucket: usize) -> Self {
        self.kinds.push((kind, bucket));
        self
    }

    /// Sets the buckets that workers of an architecture take tasks from, by descending priority.
    #[must_use]
    pub fn order(mut self, arch: &str, buckets: &[usize]) -> Self {
        self.orders.push((arch.into(), buckets.into()));
        self
    }

    /// Sets the architecture that runs tasks of a bucket fastest.
    #[must_use]
    pub fn best(mut self, bucket: usize, arch: &str) -> Self {
        self.best.push((bucket, arch.into()));
        self
    }

    /// Sets by how much an architecture is slower than the best one of a bucket.
    #[must_use]
    pub fn slow(mut self, bucket: usize, arch: &str, factor: f64) -> Self {
        self.slow.push((bucket, arch.into(), factor));
        self
    }

    /// The same by numbers of this machine.
    pub(crate) fn declare(&self, machine: &Machine) -> Result<Declared, BadOption> {
        let archs = machine.archs().len();
        let named = self.kinds.iter().map(|(_, bucket)| ("kinds", *bucket));
        let listed = self.orders.iter().flat_map(|(_, order)| order);
        let named = named
            .chain(listed.map(|bucket| ("order", *bucket)))
            .chain(self.best.iter().map(|(bucket, _)| ("best", *bucket)))
            .chain(self.slow.iter().map(|(bucket, ..)| ("slow", *bucket)));
        let mut count = 0;
        for (option, bucket) in named {
            if bucket > LAST_BUCKET {
                let expected = format!("buckets from 0 to {LAST_BUCKET}");
                return Err(BadOption::new(option, bucket, expected));
            }
            count = count.max(bucket + 1);
        }
        let mut declared = Declared {
            bucket_of: HashMap::new(),
            is_by_number: self.kinds.is_empty(),
            positions: vec![None; archs],
            best: vec![None; count],
            slow: vec![vec![None; archs]; count],
        };
        for &(kind, bucket) in &self.kinds {
            if declared.bucket_of.insert(kind, bucket).is_some() {
                return Err(twice("kinds", format!("kind {}", kind.0)));
            }
        }
        for (name, order) in &self.orders {
            let arch = usize::from(arch_named("order", name, machine)?.0);
            let mut positions = vec![None; count];
            for (position, &bucket) in order.iter().enumerate() {
                if positions[bucket].replace(position).is_some() {
                    return Err(twice("order", format!("bucket {bucket} for {name}")));
                }
            }
            if declared.positions[arch].replace(positions).is_some() {
                return Err(twice("order", name));
            }
        }
        for (bucket, name) in &self.best {
            let arch = arch_named("best", name, machine)?;
            if declared.best[*bucket].replace(arch).is_some() {
                return Err(twice("best", format!("bucket {bucket}")));
            }
        }
        for (bucket, name, factor) in &self.slow {
            let arch = usize::from(arch_named("slow", name, machine)?.0);
            if !(factor.is_finite() && *factor >= 0.0) {
                return Err(BadOption::new("slow", factor, "a factor of 0 or more"));
            }
            if declared.slow[*bucket][arch].replace(*factor).is_some() {
                return Err(twice("slow", format!("bucket {bucket} for {name}")));
            }
        }
        Ok(declared)
    }
}

fn twice(option: &str, what: impl std::fmt::Display) -> BadOption {
    BadOption::new(option, format!("{what}, twice"), "each once")
}

/// The architecture of this name.
pub(crate) fn arch_named(option: &str, name: &str, machine: &Machine) -> Result<Arch, BadOption> {
    let archs = machine.archs();
    match archs.iter().position(|arch| arch == name) {
        Some(arch) => Ok(Arch(arch as u8)),
        None => Err(BadOption::new(
            option,
            name,
            format!("one of {}", archs.join(", ")),
        )),
    }
}

/// [`Buckets`] by the numbers of a machine.
#[derive(Debug)]
pub(crate) struct Declared {
    bucket_of: HashMap<KindId, usize>,
    is_by_number: bool,
    /// Of each architecture that has an order, the position of each bucket in it.
    positions: Vec<Option<Vec<Option<usize>>>>,
    best: Vec<Option<Arch>>,
    slow: Vec<Vec<Option<f64>>>,
}

impl Declared {
    pub(super) fn count(&self) -> usize {
        self.best.len()
    }

    pub(super) fn bucket_of(&self, kind: KindId) -> Option<usize> {
        let by_number = kind.0 as usize;
        let is_by_number = self.is_by_number && by_number < self.count();
        let named = self.bucket_of.get(&kind).copied();
        named.or(is_by_number.then_some(by_number))
    }

    /// The architectures that take tasks from a bucket, of these.
    pub(super) fn taking(&self, bucket: usize, archs: ArchSet) -> ArchSet {
        let takes = |arch: &Arch| {
            let positions = self.positions.get(usize::from(arch.0));
            positions.is_some_and(|of| of.as_ref().is_none_or(|of| of[bucket].is_some()))
        };
        archs.iter().filter(takes).collect()
    }

    /// Where a bucket stands in the order of an architecture; behind all others where it does not.
    pub(super) fn position(&self, bucket: Option<usize>, arch: Arch) -> usize {
        let positions = self.positions[usize::from(arch.0)].as_ref();
        let position = positions.zip(bucket).and_then(|(of, bucket)| of[bucket]);
        position.unwrap_or(usize::MAX)
    }

    pub(super) fn best(&self, bucket: usize) -> Option<Arch> {
        self.best[bucket]
    }

    pub(super) fn slow(&self, bucket: usize, arch: Arch) -> Option<f64> {
        self.slow[bucket][usize::from(arch.0)]
    }
}
