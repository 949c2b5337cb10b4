//! Measuring calls of one size class.

use super::{
    Options,
    journal::About,
    load,
    measure::{Dice, Point, What, rounds},
    places::{placed, points, sizes},
    replay::{Bench, Contender, check},
    session::Session,
    stats,
};
use crate::{
    Context,
    context::{
        FIRST_DEVICE, SEQUENTIAL,
        moves::Situation,
        tuned::{Predicted, supposed},
    },
};
use skel_core::{
    Result,
    call::Call,
    model::{ClassModel, Quality, Reason, Sample, TransferModel, UnitId, UnitModel, fit},
    plan::Blocks,
};
use std::time::Instant;

/// By how much the first point may differ when it is measured again.
const MOST_DRIFT: f64 = 0.05;
/// How noisy measurements are on a machine that is busy with something else.
const MOST_NOISE: f64 = 0.2;
/// So often the parts of the predicted split are measured, and the split is predicted anew.
const MOST_REFINEMENTS: usize = 4;
/// A size that was measured tells enough of others that differ by so much, relatively.
const NEAR: f64 = 0.02;

/// What measuring a class needs to know.
pub(super) struct Job<'j> {
    pub(super) session: &'j Session,
    pub(super) context: &'j Context,
    pub(super) about: About<'j>,
    pub(super) deadline: Instant,
    /// What moving bytes takes, as far as it was measured.
    pub(super) transfers: &'j [(UnitId, TransferModel)],
}

/// What came of it: the model, and by how much the first point had changed in the end.
pub(super) struct Outcome {
    pub(super) model: ClassModel,
    pub(super) drift: f64,
}

impl Job<'_> {
    pub(super) fn options(&self) -> &Options {
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
        let mut bench = Bench::new(self.context, call)?;
        // Kernels are compiled, memory is touched, arguments are where they are needed.
        for contender in contenders.iter().filter(|c| c.index != SEQUENTIAL) {
            bench.single(contender.index, &(0..elems), 1)?;
        }
        let ids: Vec<UnitId> = contenders.iter().map(|c| c.id.clone()).collect();
        let indices: Vec<usize> = contenders.iter().map(|c| c.index).collect();
        let mut dice = Dice::new(self.options().seed ^ elems as u64);
        self.choose_blocks(call, &mut bench, &contenders, &mut dice)?;
        self.session
            .note(|journal| journal.class_started(self.about, &ids, &sizes));
        let mut points = points(&mut bench, &contenders, &sizes)?;
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
            bench.late()?;
        }
        let drift = self.drift(&mut bench, &indices, &points, &mut dice)?;
        let quality = quality(busy && !self.context.is_virtual(), drift, &points);
        let mut model = ClassModel {
            elems,
            beside_elems: self.about.beside_elems,
            units: models(&ids, &indices, &points, &bench),
            split_overhead_ns: 0.0,
            measured: Vec::new(),
            best: None,
            quality,
        };
        let units: Vec<(usize, UnitId)> = indices.iter().copied().zip(ids).collect();
        for situation in Situation::SUPPOSED {
            let split = |model: &ClassModel| {
                supposed(self.context, call, model, &units, self.transfers, situation)
            };
            self.refine(
                &split,
                &mut bench,
                &units,
                &mut points,
                &mut model,
                &mut dice,
            )?;
        }
        let at_rest = Situation::AT_REST;
        let split = supposed(self.context, call, &model, &units, self.transfers, at_rest);
        self.verify(&mut bench, &contenders, split, &mut model, &mut dice)?;
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
        let (mut sound, usual) = (Vec::new(), Blocks::default());
        for contender in self.contenders(call) {
            let checked = match contender.index >= FIRST_DEVICE {
                true => check(self.context, contender.index, &end, call, &usual),
                false => Ok(None),
            };
            // What a device says of itself is a reason to leave it out, and no other.
            let (kind, what) = match checked {
                Ok(None) => {
                    sound.push(contender);
                    continue;
                }
                Ok(Some(difference)) => ("wrong-result", difference),
                Err(error) if error.is_of_device() => ("unit", format!("{error:?}")),
                Err(error) => return Err(error),
            };
            self.leave_out(&contender, kind, &what);
        }
        Ok(sound)
    }

    pub(super) fn leave_out(&self, contender: &Contender, kind: &'static str, what: &str) {
        let what = format!("{}: {what}", contender.id);
        self.session
            .note(|journal| journal.problem(Some(self.about), kind, &what));
        self.session.problem(kind, what);
    }

    /// Measures each unit's part of the predicted split, too, until the split stays where it is: what the
    /// curves say between two sizes matters there more than anywhere else.
    fn refine(
        &self,
        predict: &dyn Fn(&ClassModel) -> Option<Predicted>,
        bench: &mut Bench<'_, '_>,
        units: &[(usize, UnitId)],
        points: &mut Vec<Point>,
        model: &mut ClassModel,
        dice: &mut Dice,
    ) -> Result<()> {
        let (indices, ids): (Vec<usize>, Vec<UnitId>) = units.iter().cloned().unzip();
        for _ in 0..MOST_REFINEMENTS {
            let Some(split) = predict(model).filter(|split| split.parts.len() > 1) else {
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
                    What::Shared(_) | What::InBlock(..) => false,
                };
                if !points.iter().any(near) {
                    let followed = range.end < model.elems;
                    let range = placed(*index, followed, range.len(), model.elems);
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
            model.units = models(&ids, &indices, points, bench);
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
}

/// How many bytes of copies measuring a call takes at the same time.
pub(super) fn copies_bytes(call: &Call<'_>) -> u64 {
    // To compare, two are needed.
    call.replica_bytes().saturating_mul(2)
}

fn models(
    ids: &[UnitId],
    indices: &[usize],
    points: &[Point],
    bench: &Bench<'_, '_>,
) -> Vec<UnitModel> {
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
                block: bench.block(indices[k]),
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
    let noisy = stats::median(&noise).is_some_and(|noise| noise > MOST_NOISE);
    if busy || noisy {
        Quality::Weak(Reason::Busy)
    } else if drift > MOST_DRIFT {
        Quality::Weak(Reason::Drift)
    } else {
        Quality::Good
    }
}
