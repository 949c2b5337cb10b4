//! What is known of the times of a graph's tasks, by kind.

use crate::task::Measured;
use skel_tasks::{Arch, Costs, KindId, Ns, Work};

#[derive(Default)]
pub(super) struct Times {
    kinds: Vec<Measured>,
}

impl Costs for Times {
    fn exec_ns(&self, kind: KindId, arch: Arch, work: Work) -> Option<Ns> {
        self.kinds.get(kind.0 as usize)?.exec_ns(kind, arch, work)
    }

    fn observe(&mut self, kind: KindId, arch: Arch, work: Work, took_ns: Ns) {
        let k = kind.0 as usize;
        if took_ns > 0 {
            if self.kinds.len() <= k {
                self.kinds.resize_with(k + 1, Measured::default);
            }
            self.kinds[k].observe(kind, arch, work, took_ns);
        }
    }
}
