//! What is known of an instance's chunks: how long an element takes on each architecture.

use skel_tasks::{Arch, Costs, KindId, Ns, Work};

/// How much a new measurement counts beside all that were before.
const NEW: f64 = 0.25;

/// Times of an instance, by the architectures of a team.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    ns_per_elem: Vec<Option<f64>>,
}

impl Measured {
    /// So long an element took.
    pub(super) fn note(&mut self, arch: Arch, ns_per_elem: f64) {
        let arch = usize::from(arch.0);
        if self.ns_per_elem.len() <= arch {
            self.ns_per_elem.resize(arch + 1, None);
        }
        let known = &mut self.ns_per_elem[arch];
        *known = Some(known.map_or(ns_per_elem, |known| known + NEW * (ns_per_elem - known)));
    }
}

impl Costs for Measured {
    fn exec_ns(&self, _: KindId, arch: Arch, work: Work) -> Option<Ns> {
        let ns_per_elem = (*self.ns_per_elem.get(usize::from(arch.0))?)?;
        Some((ns_per_elem * work.elems as f64) as Ns)
    }

    fn observe(&mut self, _: KindId, arch: Arch, work: Work, took_ns: Ns) {
        // Chunks that were left out after an error take no time.
        if work.elems > 0 && took_ns > 0 {
            self.note(arch, took_ns as f64 / work.elems as f64);
        }
    }
}
