//! What schedulers may expect of times.

use crate::{Arch, KindId, Ns};

/// How much a task has to do, as far as models need to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Work {
    /// Elements, or any other measure in which the time of one kind of tasks grows.
    pub elems: u64,
}

/// Expected execution times. Those of transfers follow from the machine's links.
pub trait Costs: Send {
    /// How long a task of this kind takes on this architecture, without transfers; nothing where nothing is
    /// known.
    fn exec_ns(&self, kind: KindId, arch: Arch, work: Work) -> Option<Ns>;

    /// So long it took.
    fn observe(&mut self, kind: KindId, arch: Arch, work: Work, took_ns: Ns) {
        let _ = (kind, arch, work, took_ns);
    }
}

/// Nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unknown;

impl Costs for Unknown {
    fn exec_ns(&self, _: KindId, _: Arch, _: Work) -> Option<Ns> {
        None
    }
}

/// Times per element that are known before, by kind and architecture; fractions are rounded.
///
/// ```
/// use skel_tasks::{Arch, Costs, KindId, Rates, Work};
///
/// let rates = Rates::new(vec![vec![Some(10.0), Some(0.5)], vec![Some(3.0), None]]);
/// let work = Work { elems: 100 };
/// assert_eq!(rates.exec_ns(KindId(0), Arch(1), work), Some(50));
/// assert_eq!(rates.exec_ns(KindId(1), Arch(1), work), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rates {
    ns_per_elem: Vec<Vec<Option<f64>>>,
}

impl Rates {
    /// `ns_per_elem[kind][arch]`; nothing where there is no implementation.
    #[must_use]
    pub fn new(ns_per_elem: Vec<Vec<Option<f64>>>) -> Rates {
        Rates { ns_per_elem }
    }

    /// A rate that no time follows from, with the kind and the architecture that it is of.
    pub(crate) fn impossible(&self) -> Option<(usize, usize, f64)> {
        let kinds = self.ns_per_elem.iter().enumerate();
        let rates = kinds.flat_map(|(kind, archs)| {
            let known = archs.iter().enumerate();
            known.filter_map(move |(arch, rate)| Some((kind, arch, (*rate)?)))
        });
        rates
            .into_iter()
            .find(|(_, _, rate)| !(rate.is_finite() && *rate >= 0.0))
    }
}

impl Costs for Rates {
    fn exec_ns(&self, kind: KindId, arch: Arch, work: Work) -> Option<Ns> {
        let kind = self.ns_per_elem.get(kind.0 as usize)?;
        let rate = (*kind.get(usize::from(arch.0))?)?;
        Some((rate * work.elems as f64).round() as Ns)
    }
}
