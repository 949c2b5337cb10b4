//! Work stealing with victims in turn (StarPU's `ws`).

use super::{
    Configuration, Scheduler,
    stealing::{Stealing, Victims},
};
use crate::{BadOption, Machine};

/// A queue per worker. A task goes to the worker whose task made it ready, or, if there is none or it cannot run
/// it, to the workers that can in turn. A worker without tasks steals from the next worker that has some, behind
/// the one that it stole from last. This is StarPU's `ws`; stealing scans a bit per worker, by words.
///
/// ```
/// use skel_tasks::{Configuration, Machine, scheduler::Ws};
///
/// assert_eq!(Ws.text(), "ws");
/// assert!(Ws.build(&Machine::cores(2)?).is_ok());
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Ws;

impl Configuration for Ws {
    fn text(&self) -> String {
        "ws".into()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(Stealing::new(
            machine,
            Victims::round_robin(machine),
        )))
    }
}

#[cfg(test)]
mod test {
    use crate::scheduler::test::Bench;
    use crate::{Arch, ArchSet, Machine, WorkerId};

    #[test]
    fn the_own_newest_then_the_oldest_of_victims_in_turn() {
        let mut bench = Bench::new(Machine::cores(4).unwrap(), "ws");
        let by = |bench: &mut Bench, worker| bench.task().by(WorkerId(worker)).submit();
        let two: Vec<_> = (0..2).map(|_| by(&mut bench, 2)).collect();
        let three: Vec<_> = (0..3).map(|_| by(&mut bench, 3)).collect();
        assert_eq!(bench.take(WorkerId(2)), Some(two[1]));
        // 0 steals from 2, then from 3, behind it, and then from 3 again: nothing is left elsewhere.
        assert_eq!(
            bench.take_all(WorkerId(0)),
            [two[0], three[0], three[1], three[2]]
        );
    }

    #[test]
    fn without_a_pusher_each_has_its_turn_and_thieves_respect_architectures() {
        let machine = Machine::builder().arch("a", 2).arch("b", 1).build();
        let mut bench = Bench::new(machine.unwrap(), "ws");
        let any: Vec<_> = (0..3).map(|_| bench.task().submit()).collect();
        let only_b = bench.task().archs(ArchSet::only(Arch(1))).submit();
        assert_eq!(bench.take(WorkerId(2)), Some(only_b));
        assert_eq!(bench.take_all(WorkerId(1)), [any[2], any[1], any[0]]);
        let only_b = bench.task().archs(ArchSet::only(Arch(1))).submit();
        assert_eq!(bench.take(WorkerId(0)), None);
        assert_eq!(bench.take(WorkerId(2)), Some(only_b));
    }

    #[test]
    fn a_lost_workers_queue_goes_to_others() {
        let mut bench = Bench::new(Machine::cores(2).unwrap(), "ws");
        let t: Vec<_> = (0..3)
            .map(|_| bench.task().by(WorkerId(0)).submit())
            .collect();
        bench.engine.lost(WorkerId(0), 0);
        let last = bench.task().by(WorkerId(0)).submit();
        assert_eq!(bench.take_all(WorkerId(1)), [last, t[2], t[1], t[0]]);
    }
}
