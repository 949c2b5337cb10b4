//! Steps in virtual time: what a distribution does on machines that are not there.

use super::{Distributor, Outcome, StepReport};
use crate::{BadKnob, Ns};
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
/// # Ok::<(), skel_tasks::BadKnob>(())
/// ```
///
/// # Errors
/// Those of [`Distributor::begin`] and [`Distributor::end`].
pub fn step(
    it: &mut Distributor,
    cost_ns: impl FnMut(usize, usize) -> Ns,
) -> Result<StepReport, BadKnob> {
    step_with_losses(it, cost_ns, &[])
}

/// The same, in which units are lost at given times: what such a unit had is taken by others. If all are lost, the
/// items that are left have failed.
///
/// # Errors
/// Those of [`step`]; [`BadKnob`] from [`Distributor::end`] if no unit is left.
pub fn step_with_losses(
    it: &mut Distributor,
    mut cost_ns: impl FnMut(usize, usize) -> Ns,
    losses: &[(usize, Ns)],
) -> Result<StepReport, BadKnob> {
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
    // What each unit has: since when, and for how long.
    let mut has: Vec<Option<(Ns, Ns)>> = vec![None; it.units().len()];
    let mut makespan_ns = 0;
    while let Some(Reverse((now_ns, event))) = events.pop() {
        match event {
            Event::Lost { unit } => {
                turn.lost(unit);
                has[unit] = None;
                // Units that have found nothing look again.
                for (unit, has) in has.iter().enumerate() {
                    if has.is_none() {
                        events.push(Reverse((now_ns, Event::Free { unit })));
                    }
                }
            }
            Event::Free { unit } => {
                let ends = |(begin_ns, took_ns): (Ns, Ns)| begin_ns.saturating_add(took_ns);
                match has[unit] {
                    // What it has since then ends later.
                    Some(it) if ends(it) != now_ns => continue,
                    Some((begin_ns, took_ns)) => {
                        turn.done(unit, Outcome::Done, begin_ns, took_ns);
                        makespan_ns = now_ns;
                        has[unit] = None;
                    }
                    None => {}
                }
                if let Some(item) = turn.take(unit) {
                    // An item takes some time, or a unit could take all of them at once.
                    let took_ns = cost_ns(item, unit).max(1);
                    has[unit] = Some((now_ns, took_ns));
                    events.push(Reverse((
                        now_ns.saturating_add(took_ns),
                        Event::Free { unit },
                    )));
                }
            }
        }
    }
    it.end(&turn, makespan_ns)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Lost { unit: usize },
    Free { unit: usize },
}
