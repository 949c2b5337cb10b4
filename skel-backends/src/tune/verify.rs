//! Measuring whole calls: what was predicted, and what might be better.

use super::{
    class::Job,
    measure::{Dice, Point, What, rounds},
    replay::{Bench, Contender},
};
use crate::context::{CPU, FIRST_DEVICE, Part, SEQUENTIAL, tuned::Predicted};
use skel_core::{
    Result,
    model::{ClassModel, Measured, UnitId},
    schedule::{Policy, Share, StaticSplit},
};
use std::ops::Range;

/// Steps of the share of the CPU when the best one is searched.
const STEPS: usize = 20;

impl Job<'_> {
    /// Measures whole calls: each unit alone and what is predicted, if that is a split; with `oracle`, the
    /// CPU's shares from 0 to 1.
    pub(super) fn verify(
        &self,
        bench: &mut Bench<'_, '_>,
        contenders: &[Contender],
        predicted: Option<Predicted>,
        model: &mut ClassModel,
        dice: &mut Dice,
    ) -> Result<()> {
        let options = self.options();
        if contenders.iter().all(|c| c.index < FIRST_DEVICE) || !(options.verify || options.oracle)
        {
            return Ok(());
        }
        let whole = 0..model.elems;
        let alone = contenders.iter().filter(|c| c.index != SEQUENTIAL);
        let mut tried: Vec<Vec<Part>> = alone.map(|c| vec![(c.index, whole.clone())]).collect();
        let ours: Vec<(usize, UnitId)> =
            contenders.iter().map(|c| (c.index, c.id.clone())).collect();
        let split = predicted.as_ref().filter(|p| p.parts.len() > 1);
        let mut centre = None;
        if let Some(split) = split {
            centre = Some(tried.len());
            tried.push(split.parts.clone());
        }
        let mut why = vec!["verify"; tried.len()];
        if options.oracle {
            for step in 1..STEPS {
                let parts = self.stepped(contenders, model.elems, step);
                if parts.len() > 1 {
                    tried.push(parts);
                    why.push("oracle");
                }
            }
        }
        let mut points: Vec<Point> = tried
            .into_iter()
            .map(|t| Point::new(What::Shared(t)))
            .collect();
        let complete = rounds(bench, &[], &mut points, options, self.deadline, dice)?;
        let name = |parts: &[Part]| shares(parts, &ours, model.elems);
        for (point, why) in points.iter().zip(why) {
            let What::Shared(parts) = &point.what else {
                continue;
            };
            let Some(sample) = point.sample() else {
                continue;
            };
            let shares = name(parts);
            self.session
                .note(|journal| journal.split(self.about, &shares, &point.ns, why));
            model.measured.push(Measured { shares, sample });
        }
        if let (Some(split), Some(centre)) = (split, centre)
            && let Some(sample) = points[centre].sample()
        {
            // What sharing costs beyond what the longest part takes.
            model.split_overhead_ns = (sample.median_ns - split.ns).max(0.0);
        }
        if complete {
            let fastest = model.measured.iter().min_by(|a, b| {
                let ns = |m: &Measured| m.sample.median_ns;
                ns(a).total_cmp(&ns(b))
            });
            model.best = fastest.map(|fastest| fastest.shares.clone());
        }
        Ok(())
    }

    /// `step` twentieths for the CPU, the rest for the devices, in equal parts.
    fn stepped(&self, contenders: &[Contender], elems: usize, step: usize) -> Vec<Part> {
        let units: Vec<usize> = contenders
            .iter()
            .map(|c| c.index)
            .filter(|index| *index != SEQUENTIAL)
            .collect();
        let cpu = Share::ALL.part(0, STEPS);
        let mut shares = StaticSplit::ratio(cpu, units.len().saturating_sub(1));
        if let Ok(ratio) = Share::from_ratio(step as f64 / STEPS as f64) {
            shares = StaticSplit::ratio(ratio, units.len().saturating_sub(1));
        }
        if units.first() == Some(&CPU) {
            shares.assign(elems, &units).pieces
        } else {
            Vec::new()
        }
    }
}

/// Who took how much of all elements.
fn shares(parts: &[Part], units: &[(usize, UnitId)], elems: usize) -> Vec<(UnitId, f64)> {
    let share = |range: &Range<usize>| range.len() as f64 / elems.max(1) as f64;
    let named = |(index, range): &Part| {
        let (_, id) = units.iter().find(|(known, _)| known == index)?;
        Some((id.clone(), share(range)))
    };
    parts.iter().filter_map(named).collect()
}
