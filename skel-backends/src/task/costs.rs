//! What is known of an instance's chunks: how long an element takes on each architecture.

use skel_tasks::{Arch, Costs, KindId, Ns, Work};

/// How much a new measurement counts beside all that were before. It counts as at most twice and at least half of them:
/// a spike, as when the machine does something else, changes little, and a real change is followed in some steps.
const NEW: f64 = 0.25;

/// Times of an instance, by the architectures of a team.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    ns_per_elem: Vec<Option<f64>>,
}

impl Measured {
    /// Whether anything is known of an architecture.
    pub(super) fn knows(&self, arch: Arch) -> bool {
        matches!(self.ns_per_elem.get(usize::from(arch.0)), Some(Some(_)))
    }

    /// So long an element took.
    pub(super) fn note(&mut self, arch: Arch, ns_per_elem: f64) {
        if !(ns_per_elem.is_finite() && ns_per_elem > 0.0) {
            return;
        }
        let arch = usize::from(arch.0);
        if self.ns_per_elem.len() <= arch {
            self.ns_per_elem.resize(arch + 1, None);
        }
        let known = &mut self.ns_per_elem[arch];
        *known = Some(known.map_or(ns_per_elem, |known| {
            let new = ns_per_elem.clamp(known / 2.0, known * 2.0);
            known + NEW * (new - known)
        }));
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

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn a_spike_changes_little_and_a_drift_is_followed() {
        let (arch, work) = (Arch(0), Work { elems: 100 });
        let mut measured = Measured::default();
        let mut see = |took_ns: Ns, times: usize| {
            (0..times).for_each(|_| measured.observe(KindId(0), arch, work, took_ns));
            measured.exec_ns(KindId(0), arch, work).unwrap()
        };
        assert_eq!(see(1_000, 1), 1_000);
        assert_eq!(see(100_000, 1), 1_250);
        assert!(see(1_000, 8) < 1_030);
        assert!(see(4_000, 20) > 3_900);
        measured.note(arch, f64::NAN);
        measured.note(arch, -1.0);
        assert!(measured.exec_ns(KindId(0), arch, work).unwrap() > 3_900);
    }
}
