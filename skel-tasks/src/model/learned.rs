//! What engines are given: all that was learned, and a prior.

use super::{History, HistoryRules, Regression, whole_ns};
use crate::{Arch, Costs, KindId, Ns, Work};
use std::{
    collections::HashMap,
    fmt,
    hash::{BuildHasherDefault, Hasher},
};

/// So many work sizes have a history of their own. Programs whose sizes never come again would fill memory; the law
/// through all sizes learns from the others as well.
const MOST_SIZES: usize = 4096;

/// A map by ids, which no input chooses: asked several times per task, so it must not cost more than a look.
pub(super) type ById<K, V> = HashMap<K, V, BuildHasherDefault<IdHasher>>;

/// Multiplies and rotates.
#[derive(Default)]
pub(super) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        // 2⁶⁴ over the golden ratio, made odd.
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        // Tables take the low bits, which products leave poor.
        self.0 ^ (self.0 >> 32)
    }
}

/// Execution times that are learned from samples: the mean of the same work size, or else a law through other
/// sizes, or else a prior.
///
/// ```
/// use skel_tasks::{Arch, Costs, KindId, Rates, Work, model::Learned};
///
/// let prior = Rates::new(vec![vec![Some(2.0)]]);
/// let mut costs = Learned::default().with_prior(Box::new(prior));
/// let (gemm, cpu, work) = (KindId(0), Arch(0), Work { elems: 100 });
/// assert_eq!(costs.exec_ns(gemm, cpu, work), Some(200));
/// for took_ns in [90_000].into_iter().chain([700; 10]) { // the first one is dropped
///     costs.observe(gemm, cpu, work, took_ns);
/// }
/// assert_eq!(costs.exec_ns(gemm, cpu, work), Some(700));
/// ```
#[derive(Default)]
pub struct Learned {
    rules: HistoryRules,
    pub(super) histories: ById<(KindId, Arch, u64), History>,
    pub(super) regressions: ById<(KindId, Arch), Regression>,
    prior: Option<Box<dyn Costs>>,
}

impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned")
            .field("rules", &self.rules)
            .field("histories", &self.histories)
            .field("regressions", &self.regressions)
            .field("has_prior", &self.prior.is_some())
            .finish()
    }
}

impl Learned {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(rules: HistoryRules) -> Learned {
        Learned {
            rules,
            ..Learned::default()
        }
    }

    /// What is believed where nothing is learned.
    #[must_use]
    pub fn with_prior(self, prior: Box<dyn Costs>) -> Learned {
        Learned {
            prior: Some(prior),
            ..self
        }
    }

    /// The history of one work size.
    #[must_use]
    pub fn history(&self, kind: KindId, arch: Arch, work: Work) -> Option<&History> {
        self.histories.get(&(kind, arch, work.elems))
    }

    /// The law through all work sizes.
    #[must_use]
    pub fn regression(&self, kind: KindId, arch: Arch) -> Option<&Regression> {
        self.regressions.get(&(kind, arch))
    }
}

impl Costs for Learned {
    fn exec_ns(&self, kind: KindId, arch: Arch, work: Work) -> Option<Ns> {
        let history = self.history(kind, arch, work);
        let same = || history.and_then(|history| history.expected_ns(&self.rules));
        let regression = self.regression(kind, arch);
        let law = || regression.and_then(|law| law.expected_ns(work.elems as f64));
        let prior = || self.prior.as_ref()?.exec_ns(kind, arch, work);
        same().or_else(law).and_then(whole_ns).or_else(prior)
    }

    fn observe(&mut self, kind: KindId, arch: Arch, work: Work, took_ns: Ns) {
        let ns = took_ns as f64;
        if !super::is_time(ns) {
            return; // no entry for what is no time
        }
        let key = (kind, arch, work.elems);
        if self.histories.len() < MOST_SIZES || self.histories.contains_key(&key) {
            self.histories.entry(key).or_default().add(ns, &self.rules);
        }
        if work.elems > 0 {
            let law = self.regressions.entry((kind, arch)).or_default();
            law.add(work.elems as f64, ns, &self.rules);
        }
        if let Some(prior) = &mut self.prior {
            prior.observe(kind, arch, work, took_ns);
        }
    }
}
