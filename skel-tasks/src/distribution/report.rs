//! What happened in a step.

use super::{ComputeUnits, Distributor, Turn};
use crate::Ns;
use std::fmt;

/// How an item ended on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done.
    Done,
    /// It failed, and is not tried again in this step.
    Failed,
    /// It failed, since its unit did, and is for another one.
    Again,
}

/// An item on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemRun {
    /// The item.
    pub item: usize,
    /// The unit.
    pub unit: usize,
    /// When it began, from the begin of the step on.
    pub begin_ns: Ns,
    /// How long it took.
    pub took_ns: Ns,
    /// How it ended.
    pub outcome: Outcome,
}

/// Which unit took which items of a step, and how long it was at work.
///
/// ```
/// use skel_tasks::distribution::{ComputeUnits, Distributor, Sizes, Static, virtual_time};
///
/// let units: ComputeUnits = "2x1".parse()?;
/// let mut it = Distributor::new(Box::new(Static), units, Sizes::new([1.0, 2.0, 3.0])?)?;
/// let report = virtual_time::step(&mut it, |item, _| 100 * (item as u64 + 1))?;
/// assert_eq!(report.items(0).collect::<Vec<_>>(), [0, 1]);
/// assert_eq!((report.busy_ns(), report.makespan_ns), (vec![300, 300], 300));
/// assert_eq!(report.imbalance(), 0.0);
/// assert!(report.svg(600).starts_with("<svg"));
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// The number of the step, from 0 on.
    pub step: usize,
    /// The scheme, with its settings.
    pub scheme: String,
    /// What the step was for: `probe` or `steady`, say.
    pub phase: &'static str,
    /// The units.
    pub units: ComputeUnits,
    /// How many items there are.
    pub items: usize,
    /// What ran, in the order of the ends.
    pub runs: Vec<ItemRun>,
    /// The units that are not used any more.
    pub lost: Vec<usize>,
    /// From the begin of the step to the end of its last item.
    pub makespan_ns: Ns,
}

impl StepReport {
    pub(super) fn new(of: &Distributor, turn: &Turn, makespan_ns: Ns) -> StepReport {
        StepReport {
            step: of.steps().saturating_sub(1),
            scheme: of.scheme(),
            phase: of.phase(),
            units: of.units(),
            items: of.sizes().len(),
            runs: turn.runs().to_vec(),
            lost: turn.lost_units().collect(),
            makespan_ns,
        }
    }

    /// The items that a unit has done, in their order in time.
    pub fn items(&self, unit: usize) -> impl Iterator<Item = usize> + '_ {
        let runs = self.runs.iter();
        let done = runs.filter(move |run| run.unit == unit && run.outcome == Outcome::Done);
        done.map(|run| run.item)
    }

    /// The unit that has done each item; none for those that failed.
    #[must_use]
    pub fn owners(&self) -> Vec<Option<usize>> {
        let mut owners = vec![None; self.items];
        for run in self.runs.iter().filter(|run| run.outcome == Outcome::Done) {
            owners[run.item] = Some(run.unit);
        }
        owners
    }

    /// The items that failed, in ascending order.
    #[must_use]
    pub fn failed(&self) -> Vec<usize> {
        let owners = self.owners();
        (0..self.items)
            .filter(|item| owners[*item].is_none())
            .collect()
    }

    /// How long each unit was at work.
    #[must_use]
    pub fn busy_ns(&self) -> Vec<Ns> {
        let mut sums = vec![0; self.units.len()];
        for run in &self.runs {
            sums[run.unit] += run.took_ns;
        }
        sums
    }

    /// By how much the unit that was at work longest was so longer than the mean of all that are left: 0 if all took
    /// the same time, 1 if it took twice the mean.
    #[must_use]
    pub fn imbalance(&self) -> f64 {
        let busy_ns = self.busy_ns();
        let total: Ns = busy_ns.iter().sum();
        let longest = busy_ns.iter().copied().max().unwrap_or(0);
        let units = self.units.len() - self.lost.len().min(self.units.len() - 1);
        match total {
            0 => 0.0,
            total => longest as f64 * units as f64 / total as f64 - 1.0,
        }
    }
}

/// A line for the step, one for each unit, and one for items that failed.
impl fmt::Display for StepReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "step {}, {} on {}, {}: {} items in {:.3} ms, imbalance {:.1} %",
            self.step,
            self.scheme,
            self.units,
            self.phase,
            self.items,
            self.makespan_ns as f64 / 1e6,
            100.0 * self.imbalance(),
        )?;
        for (unit, busy_ns) in self.busy_ns().into_iter().enumerate() {
            let (name, ms) = (self.units.name(unit), busy_ns as f64 / 1e6);
            let lost = match self.lost.contains(&unit) {
                true => ", lost",
                false => "",
            };
            let items: Vec<usize> = self.items(unit).collect();
            writeln!(f, "  {name:<8} {ms:>10.3} ms  {}{lost}", Spans(&items))?;
        }
        let failed = self.failed();
        if !failed.is_empty() {
            writeln!(f, "  failed: {}", Spans(&failed))?;
        }
        Ok(())
    }
}

/// Numbers, neighbours together: `0..4, 7, 9..11`.
struct Spans<'s>(&'s [usize]);

impl fmt::Display for Spans<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut spans: Vec<std::ops::Range<usize>> = Vec::new();
        for item in self.0 {
            match spans.last_mut() {
                Some(last) if last.end == *item => last.end += 1,
                _ => spans.push(*item..*item + 1),
            }
        }
        if spans.is_empty() {
            return f.write_str("nothing");
        }
        for (k, span) in spans.iter().enumerate() {
            let comma = if k > 0 { ", " } else { "" };
            match span.len() {
                1 => write!(f, "{comma}{}", span.start)?,
                _ => write!(f, "{comma}{}..{}", span.start, span.end)?,
            }
        }
        Ok(())
    }
}
