//! Work stealing with near victims first (StarPU's `lws`).

use super::{
    Configuration, Scheduler,
    stealing::{Stealing, Victims},
};
use crate::{BadOption, Machine};

/// A queue per worker, filled as by [`Ws`](super::Ws). A worker without tasks steals from workers of its own class,
/// then from others on its memory node, and then from memory nodes in the order of the time that a copy from there
/// takes. This is the locality of StarPU's `lws`, by memory nodes instead of the tree of caches.
///
/// ```
/// use skel_tasks::{Configuration, Machine, scheduler::Lws};
///
/// assert_eq!(Lws.text(), "lws");
/// assert!(Lws.build(&Machine::cores(2)?).is_ok());
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Lws;

impl Configuration for Lws {
    fn text(&self) -> String {
        "lws".into()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(Stealing::new(machine, Victims::nearest(machine))))
    }
}

#[cfg(test)]
mod test {
    use crate::scheduler::test::Bench;
    use crate::{Link, Machine, MemoryNode, WorkerId};

    #[test]
    fn victims_come_by_distance() {
        let link = |latency_ns| Link {
            latency_ns,
            bytes_per_ns: 1.0,
        };
        // Workers 0, 1: cpu; 2, 3: gpu0; 4: gpu1; 5: another architecture on the host's memory.
        let machine = Machine::builder()
            .arch("cpu", 2)
            .device("gpu", 2, None, link(900))
            .device("gpu", 1, None, link(800))
            .arch("helper", 1)
            .link(MemoryNode(1), MemoryNode(2), link(5))
            .build();
        let mut bench = Bench::new(machine.unwrap(), "lws");
        let fill = |bench: &mut Bench| -> Vec<_> {
            let workers = (0..6).map(WorkerId);
            workers
                .map(|worker| bench.task().by(worker).submit())
                .collect()
        };
        let t = fill(&mut bench);
        let all = bench.take_all(WorkerId(0));
        assert_eq!(all, [t[0], t[1], t[5], t[4], t[3], t[2]]);
        let t = fill(&mut bench);
        let all = bench.take_all(WorkerId(3));
        assert_eq!(all, [t[3], t[2], t[4], t[0], t[1], t[5]]);
    }
}
