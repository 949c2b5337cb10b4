//! Steps in virtual time: what a distribution does on machines that are not there.

use super::{Distributor, Outcome, StepReport};
use crate::{BadOption, Ns};
use std::{cmp::Reverse, collections::BinaryHeap};

/// A step on units that all begin at once, where an item on a unit takes the time that `cost_ns` says. Of units that
/// are free at the same time, the one with the lowest number takes an item first.
///
/// ```
/// use skel_tasks::distribution::{Distributor, Dynamic, Sizes, virtual_time};
///
/// // Eight items alike, two cores, and two devices that are four times as fast.
/// let scheme = Box::new(Dynamic::default());
/// let mut it = Distributor::new(scheme, "2x1+2".parse()?, Sizes::equal(8))?;
/// let report = virtual_time::step(&mut it, |_, unit| if unit < 2 { 4 } else { 1 })?;
/// assert_eq!(report.busy_ns(), [4, 4, 3, 3]);
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
///
/// # Errors
/// Those of [`Distributor::begin`] and [`Distributor::end`].
pub fn step(
    it: &mut Distributor,
    cost_ns: impl FnMut(usize, usize) -> Ns,
) -> Result<StepReport, BadOption> {
    step_with_losses(it, cost_ns, &[])
}

/// The same, in which units are lost at given times: what such a unit had is taken by others. If all are lost, the
/// items that are left have failed.
///
/// # Errors
/// Those of [`step`].
pub fn step_with_losses(
    it: &mut Distributor,
    mut cost_ns: impl FnMut(usize, usize) -> Ns,
    losses: &[(usize, Ns)],
) -> Result<StepReport, BadOption> {
    let ran = |item, unit| Ran {
        took_ns: cost_ns(item, unit),
        outcome: Outcome::Done,
        is_lost: false,
    };
    step_of(it, ran, losses)
}

/// What came of an item on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How long it took.
    pub took_ns: Ns,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the unit takes no more items.
    pub is_lost: bool,
}

/// A step in which items can fail, and units be lost with them; `run` is called once for each item that a unit takes, in
/// the order of the begins, and may compute it.
///
/// # Errors
/// Those of [`step`].
pub fn step_of(
    it: &mut Distributor,
    mut run: impl FnMut(usize, usize) -> Ran,
    losses: &[(usize, Ns)],
) -> Result<StepReport, BadOption> {
    let mut turn = it.begin()?;
    // What happens next, by time: first losses, then ends of items and units that look for one.
    let mut events = BinaryHeap::new();
    for unit in 0..it.units().len() {
        events.push(Reverse((0, Event::Free { unit })));
    }
    for (unit, at_ns) in losses {
        if *unit < it.units().len() {
            events.push(Reverse((*at_ns, Event::Lost { unit: *unit })));
        }
    }
    // What each unit has, since when, and how it ends.
    let mut has: Vec<Option<(usize, Ns, Ran)>> = vec![None; it.units().len()];
    let mut makespan_ns = 0;
    while let Some(Reverse((now_ns, event))) = events.pop() {
        let mut is_left = false;
        match event {
            Event::Lost { unit } => {
                turn.lost(unit);
                has[unit] = None;
                is_left = true;
            }
            Event::Free { unit } => {
                match has[unit] {
                    // What it has since then ends later.
                    Some((_, begin_ns, ran)) if begin_ns.saturating_add(ran.took_ns) != now_ns => {
                        continue;
                    }
                    Some((item, begin_ns, ran)) => {
                        turn.done(unit, item, ran.outcome, begin_ns..now_ns);
                        (makespan_ns, has[unit]) = (now_ns, None);
                        is_left = ran.is_lost || ran.outcome == Outcome::Again;
                        if ran.is_lost {
                            turn.lost(unit);
                        }
                    }
                    None => {}
                }
                if let Some(item) = turn.take(unit) {
                    let mut ran = run(item, unit);
                    // An item takes some time, or a unit could take all of them at once.
                    ran.took_ns = ran.took_ns.max(1);
                    // A unit that would compute it again could do so for ever.
                    ran.is_lost |= ran.outcome == Outcome::Again;
                    has[unit] = Some((item, now_ns, ran));
                    let end_ns = now_ns.saturating_add(ran.took_ns);
                    events.push(Reverse((end_ns, Event::Free { unit })));
                }
            }
        }
        if is_left {
            // Units that have found nothing look again.
            let idle = (0..has.len()).filter(|unit| has[*unit].is_none());
            events.extend(idle.map(|unit| Reverse((now_ns, Event::Free { unit }))));
        }
    }
    Ok(it.end(&turn, makespan_ns))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Lost { unit: usize },
    Free { unit: usize },
}
