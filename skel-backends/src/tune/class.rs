//! Measuring calls of one size class.

use super::{
    Options,
    journal::About,
    load,
    measure::{Dice, Point, What, rounds},
    replay::{Bench, Contender, check},
    session::Session,
    stats,
};
use crate::{
    Context,
    context::{CPU, FIRST_DEVICE, Part, SEQUENTIAL},
};
use skel_core::{
    Result,
    call::{Call, Operand},
    model::{ClassModel, Measured, Quality, Reason, Sample, UnitId, UnitModel, fit},
    schedule::{Policy, Share, StaticSplit},
};
use std::{ops::Range, time::Instant};

/// A unit of its own is not worth measuring where a call on one thread takes longer than this.
const LONGEST_ALONE_NS: f64 = 500_000.0;
/// By how much the first point may differ when it is measured again.
const MOST_DRIFT: f64 = 0.05;
/// How noisy measurements are on a machine that is busy with something else.
const MOST_NOISE: f64 = 0.2;
/// So often the parts of the predicted split are measured, and the split is predicted anew.
const MOST_REFINEMENTS: usize = 4;
/// A size that was measured tells enough of others that differ by so much, relatively.
const NEAR: f64 = 0.02;
/// Steps of the share of the CPU when the best one is searched.
const STEPS: usize = 20;

/// What measuring a class needs to know.
pub(super) struct Job<'j> {
    pub(super) session: &'j Session,
    pub(super) context: &'j Context,
    pub(super) about: About<'j>,
    pub(super) deadline: Instant,
}

/// What came of it: the model, and by how much the first point had changed in the end.
pub(super) struct Outcome {
    pub(super) model: ClassModel,
    pub(super) drift: f64,
}

impl Job<'_> {
    fn options(&self) -> &Options {
        &self.session.options
    }

    /// Measures the units one by one, fits, and checks what is predicted. `None` if the time is over before each
    /// point was measured as often as it must be.
    ///
    /// # Errors
    /// Those of the call, which the program will see when it makes it.
    pub(super) fn run(&self, call: &Call<'_>) -> Result<Option<Outcome>> {
        let elems = call.shape.len();
        let sizes = sizes(elems, self.options().points);
        let contenders = self.sound(call, sizes[0])?;
        let on_device = contenders.iter().filter(|c| c.index >= FIRST_DEVICE);
        let mut bench = Bench::new(self.context, call, on_device.count())?;
        // Kernels are compiled, memory is touched, arguments are where they are needed.
        for contender in contenders.iter().filter(|c| c.index != SEQUENTIAL) {
            bench.single(contender.index, &(0..elems), 1)?;
        }
        let ids: Vec<UnitId> = contenders.iter().map(|c| c.id.clone()).collect();
        let indices: Vec<usize> = contenders.iter().map(|c| c.index).collect();
        self.session
            .note(|journal| journal.class_started(self.about, &ids, &sizes));
        let mut points = points(&mut bench, &contenders, &sizes)?;
        let mut dice = Dice::new(self.options().seed ^ elems as u64);
        let busy = load::is_busy();
        let complete = rounds(
            &mut bench,
            &indices,
            &mut points,
            self.options(),
            self.deadline,
            &mut dice,
        )?;
        self.note_samples(&ids, &points);
        if !complete {
            return Ok(None);
        }
        // A launch that traps stops early, and says so when its results are read.
        if call.phases.kernel()?.can_trap {
            for contender in contenders.iter().filter(|c| c.index >= FIRST_DEVICE) {
                bench.late(contender.index)?;
            }
        }
        let drift = self.drift(&mut bench, &indices, &points, &mut dice)?;
        let quality = quality(busy && !self.context.is_virtual(), drift, &points);
        let mut model = ClassModel {
            elems,
            beside_elems: self.about.beside_elems,
            units: models(&ids, &points),
            split_overhead_ns: 0.0,
            measured: Vec::new(),
            best: None,
            quality,
        };
        self.refine(&mut bench, &contenders, &mut points, &mut model, &mut dice)?;
        self.verify(&mut bench, &contenders, &mut model, &mut dice)?;
        Ok(Some(Outcome { model, drift }))
    }

    /// The units to measure.
    fn contenders(&self, call: &Call<'_>) -> Vec<Contender> {
        let all = self.context.contenders(call).into_iter();
        all.filter(|c| self.options().wants(c.index, &c.id))
            .collect()
    }

    /// The units to measure: of devices those that compute what the CPU does.
    fn sound(&self, call: &Call<'_>, smallest: usize) -> Result<Vec<Contender>> {
        let end = call.shape.len() - smallest..call.shape.len();
        let mut sound = Vec::new();
        for contender in self.contenders(call) {
            let checked = match contender.index >= FIRST_DEVICE {
                true => check(self.context, contender.index, &end, call),
                false => Ok(None),
            };
            // What a device says of itself is a reason to leave it out, and no other.
            let (kind, what) = match checked {
                Ok(None) => {
                    sound.push(contender);
                    continue;
                }
                Ok(Some(difference)) => ("wrong-result", difference),
                Err(error) if error.is_of_device() => ("unit", error.to_string()),
                Err(error) => return Err(error),
            };
            self.leave_out(&contender, kind, &what);
        }
        Ok(sound)
    }

    fn leave_out(&self, contender: &Contender, kind: &'static str, what: &str) {
        let what = format!("{}: {what}", contender.id);
        self.session
            .note(|journal| journal.problem(Some(self.about), kind, &what));
        self.session.problem(kind, what);
    }

    /// Measures each unit's part of the predicted split, too, until the split stays where it is: what the
    /// curves say between two sizes matters there more than anywhere else.
    fn refine(
        &self,
        bench: &mut Bench<'_, '_>,
        contenders: &[Contender],
        points: &mut Vec<Point>,
        model: &mut ClassModel,
        dice: &mut Dice,
    ) -> Result<()> {
        let ids: Vec<UnitId> = contenders.iter().map(|c| c.id.clone()).collect();
        let indices: Vec<usize> = contenders.iter().map(|c| c.index).collect();
        let units: Vec<(usize, UnitId)> = indices.iter().copied().zip(ids.clone()).collect();
        for _ in 0..MOST_REFINEMENTS {
            let split = crate::context::tuned::resident(model, &units);
            let Some(split) = split.filter(|split| split.parts.len() > 1) else {
                return Ok(());
            };
            let mut more = Vec::new();
            for (index, range) in &split.parts {
                let Some(k) = indices.iter().position(|known| known == index) else {
                    continue;
                };
                let near = |point: &Point| match &point.what {
                    What::Single(of, known) => {
                        let apart = known.len().abs_diff(range.len());
                        *of == k && apart as f64 <= NEAR * range.len() as f64
                    }
                    What::Shared(_) => false,
                };
                if !points.iter().any(near) {
                    let range = placed(*index, range.len(), model.elems);
                    more.push(Point::new(What::Single(k, range)));
                }
            }
            if more.is_empty()
                || !rounds(
                    bench,
                    &indices,
                    &mut more,
                    self.options(),
                    self.deadline,
                    dice,
                )?
            {
                return Ok(());
            }
            self.note_samples(&ids, &more);
            points.extend(more);
            model.units = models(&ids, points);
        }
        Ok(())
    }

    fn note_samples(&self, ids: &[UnitId], points: &[Point]) {
        for point in points {
            if let (What::Single(contender, range), false) = (&point.what, point.ns.is_empty()) {
                let unit = &ids[*contender];
                self.session
                    .note(|journal| journal.sample(self.about, unit, range.len(), &point.ns));
            }
        }
    }

    /// By how much the first point has changed meanwhile, relatively; measured twice if it seems to have.
    fn drift(
        &self,
        bench: &mut Bench<'_, '_>,
        indices: &[usize],
        points: &[Point],
        dice: &mut Dice,
    ) -> Result<f64> {
        let Some((first, before)) = points
            .first()
            .and_then(|p| Some((p, stats::median(&p.ns)?)))
        else {
            return Ok(0.0);
        };
        let mut drift = 0.0;
        for _ in 0..2 {
            let mut again = [Point::new(first.what.clone())];
            rounds(
                bench,
                indices,
                &mut again,
                self.options(),
                self.deadline,
                dice,
            )?;
            let Some(now) = stats::median(&again[0].ns) else {
                return Ok(drift);
            };
            drift = (now / before - 1.0).abs();
            if drift <= MOST_DRIFT {
                break;
            }
        }
        Ok(drift)
    }

    /// Measures whole calls: each unit alone and what is predicted to be the best split, and looks around
    /// it; with `oracle`, the CPU's shares from 0 to 1.
    fn verify(
        &self,
        bench: &mut Bench<'_, '_>,
        contenders: &[Contender],
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
        let predicted = crate::context::tuned::resident(model, &ours);
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
        // Where arguments are changed in place, the copies of all units are needed to measure one alone.
        if bench.restores {
            return Ok(());
        }
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

/// How many bytes of copies measuring a call takes at the same time.
pub(super) fn copies_bytes(context: &Context, call: &Call<'_>) -> u64 {
    let in_place = |operand: &Operand<'_>| {
        matches!(
            operand,
            Operand::Update(_) | Operand::UpdateSlice(_) | Operand::Scatter(.., true)
        )
    };
    // Where arguments are changed in place, each device has copies of its own. To compare, two are needed.
    let copies = match call.operands.iter().any(in_place) {
        true => 1 + context.device_ids().len(),
        false => 1,
    };
    call.replica_bytes().saturating_mul(copies.max(2) as u64)
}

/// Geometric sizes up to all elements, the smallest first.
fn sizes(elems: usize, points: usize) -> Vec<usize> {
    let smallest = (elems / 256).max(elems.min(64)).max(1);
    let steps = points.max(2) - 1;
    let ratio = elems as f64 / smallest as f64;
    let at = |k: usize| (smallest as f64 * ratio.powf(k as f64 / steps as f64)).round() as usize;
    let mut sizes: Vec<usize> = (0..=steps).map(at).map(|n| n.clamp(1, elems)).collect();
    sizes.dedup();
    if let Some(last) = sizes.last_mut() {
        *last = elems;
    }
    sizes
}

/// Prefixes for units of the host, suffixes for devices: where each will work.
fn points(
    bench: &mut Bench<'_, '_>,
    contenders: &[Contender],
    sizes: &[usize],
) -> Result<Vec<Point>> {
    let elems = bench.elems;
    let mut points = Vec::new();
    for (k, contender) in contenders.iter().enumerate() {
        let mut longest = elems;
        if contender.index == SEQUENTIAL {
            let first = 0..sizes[0];
            bench.single(SEQUENTIAL, &first, 1)?;
            let per_elem = bench.single(SEQUENTIAL, &first, 1)? / sizes[0] as f64;
            longest = (LONGEST_ALONE_NS / per_elem.max(1e-3)) as usize;
        }
        for size in sizes.iter().copied().filter(|size| *size <= longest) {
            let range = placed(contender.index, size, elems);
            points.push(Point::new(What::Single(k, range)));
        }
    }
    Ok(points)
}

/// Where a unit works.
fn placed(index: usize, size: usize, elems: usize) -> Range<usize> {
    if index >= FIRST_DEVICE {
        elems - size..elems
    } else {
        0..size
    }
}

fn models(ids: &[UnitId], points: &[Point]) -> Vec<UnitModel> {
    let mut units = Vec::new();
    for (k, unit) in ids.iter().enumerate() {
        let of_unit = points
            .iter()
            .filter(|point| matches!(&point.what, What::Single(c, _) if *c == k));
        let samples: Vec<Sample> = of_unit.filter_map(Point::sample).collect();
        if let Some(fit) = fit(&samples) {
            units.push(UnitModel {
                unit: unit.clone(),
                fit,
                samples,
            });
        }
    }
    units
}

fn quality(busy: bool, drift: f64, points: &[Point]) -> Quality {
    let noise: Vec<f64> = points
        .iter()
        .filter_map(|point| Some(stats::mad(&point.ns)? / stats::median(&point.ns)?.max(1.0)))
        .collect();
    if busy {
        Quality::Weak(Reason::Busy)
    } else if stats::median(&noise).is_some_and(|noise| noise > MOST_NOISE) {
        Quality::Weak(Reason::Busy)
    } else if drift > MOST_DRIFT {
        Quality::Weak(Reason::Drift)
    } else {
        Quality::Good
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

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn sizes_are_geometric_and_end_with_all() {
        assert_eq!(sizes(1, 8), [1]);
        assert_eq!(sizes(64, 8), [64]);
        let many = sizes(1 << 20, 9);
        assert_eq!(many, (12..=20).map(|k| 1 << k).collect::<Vec<usize>>());
        for elems in [2, 3, 65, 100, 1000, 12_345] {
            let sizes = sizes(elems, 8);
            assert!(
                sizes.is_sorted() && sizes.last() == Some(&elems),
                "{sizes:?}"
            );
            assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]), "{sizes:?}");
        }
    }
}
