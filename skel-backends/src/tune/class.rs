//! Measuring calls of one size class, for as long as there is time.

use super::{
    Options,
    journal::Subject,
    load,
    measure::run,
    places::sizes,
    planner::{Planner, Sizes},
    replay::{Bench, Contender, check},
    session::Session,
};
use crate::{
    Context,
    context::{moves::Situation, tuned::supposed},
    positions::{FIRST_DEVICE, SEQUENTIAL},
};
use skel_core::{Result, call::Call, plan::Blocks};
use skel_model::{ClassModel, Evidence, TransferModel, UnitId};
use skel_tasks::SplitMix;
use std::time::{Duration, Instant};

/// The kind of problem that a unit is which computes something else.
pub(super) const WRONG_RESULT: &str = "wrong-result";
/// Where less time is left, nothing is said of how much is needed.
const WORTH_ESTIMATING: Duration = Duration::from_secs(2);

/// What measuring a class needs to know.
pub(super) struct Job<'j> {
    pub(super) session: &'j Session,
    pub(super) context: &'j Context,
    pub(super) about: Subject<'j>,
    /// When other classes have their turns. Until there is a model, it is measured on, up to `end`.
    pub(super) deadline: Instant,
    /// When the time for all is over.
    pub(super) end: Instant,
    /// What moving bytes takes, as far as it was measured.
    pub(super) transfers: &'j [(UnitId, TransferModel)],
}

impl Job<'_> {
    pub(super) fn options(&self) -> &Options {
        &self.session.options
    }

    /// Goes on measuring where `evidence` ends. Whether nothing more is worth it.
    ///
    /// # Errors
    /// Those of the call, which the program will see when it makes it.
    pub(super) fn run(&self, call: &Call<'_>, evidence: &mut Evidence) -> Result<bool> {
        let elems = call.space.elems();
        let sizes = match call.is_sweep() {
            true => vec![elems],
            false => sizes(elems, self.options().points),
        };
        let is_new = evidence.units.is_empty();
        let contenders = match is_new {
            true => {
                // Compiling kernels may take long, and the run may be ended meanwhile: the journal knows that it was
                // begun.
                let nothing = Evidence::default();
                self.session
                    .note(|journal| journal.class_started(self.about, &[], &nothing));
                self.sound(call, sizes[0], self.contenders(call), evidence)?
            }
            // What was measured of them was compared before; others were not to be measured then, or were not there.
            false => {
                let new = self.newcomers(call, evidence);
                let new = self.sound(call, sizes[0], new, evidence)?;
                let mut all = self.contenders(call);
                all.retain(|contender| {
                    let is_sound = new.iter().any(|new| new.id == contender.id);
                    is_sound || evidence.units.contains(&contender.id)
                });
                all
            }
        };
        let mut bench = Bench::new(self.context, call)?;
        // Kernels are compiled, memory is touched, arguments are where they are needed.
        for contender in contenders.iter().filter(|c| c.index != SEQUENTIAL) {
            bench.single(contender.index, &(0..elems), 1)?;
        }
        let ids: Vec<UnitId> = contenders.iter().map(|c| c.id.clone()).collect();
        let known = std::mem::take(&mut evidence.units);
        let mut new = contenders.clone();
        new.retain(|contender| !known.contains(&contender.id));
        if !new.is_empty() {
            self.choose_blocks(call, &mut bench, &new, evidence)?;
        }
        if is_new {
            evidence.is_busy = load::is_busy() && !self.context.is_virtual();
        }
        for contender in &contenders {
            bench.launch_in(contender.index, evidence.blocks.get(&contender.id).copied());
        }
        evidence.units = ids;
        self.session
            .note(|journal| journal.class_started(self.about, &sizes, evidence));
        let is_settled = self.rounds(call, &mut bench, &contenders, evidence)?;
        // A launch that traps stops early, and says so when its results are read.
        if call.phases.kernel()?.can_trap {
            bench.late()?;
        }
        Ok(is_settled)
    }

    /// Runs what is planned, until nothing is or the time is over.
    fn rounds(
        &self,
        call: &Call<'_>,
        bench: &mut Bench<'_, '_>,
        contenders: &[Contender],
        evidence: &mut Evidence,
    ) -> Result<bool> {
        let predicted = |model: &ClassModel| self.predicted(call, contenders, model);
        let planner = Planner {
            options: self.options(),
            predicted: &predicted,
            can_divide: !call.is_sweep(),
        };
        // The clock of laws knows no pauses, and without a device there is little to wake up.
        let has_device = contenders.iter().any(|c| c.index >= FIRST_DEVICE);
        let pauses = has_device && !self.context.is_virtual();
        let mut is_expected = false;
        loop {
            let mut round = planner.next(evidence);
            if round.is_empty() {
                return Ok(true);
            }
            // The first runs are over: they tell how long the others take. That takes time as well.
            let is_long = self.end.saturating_duration_since(Instant::now()) >= WORTH_ESTIMATING;
            if is_long
                && !is_expected
                && let Some(needs) = planner.expected(evidence, pauses)
            {
                is_expected = true;
                self.session
                    .note(|journal| journal.expected(self.about, needs));
            }
            let seed = self.options().seed ^ evidence.elems as u64;
            SplitMix::new(seed ^ (evidence.runs() as u64).rotate_left(32)).shuffle(&mut round);
            for what in round {
                let now = Instant::now();
                if now >= self.end || now >= self.deadline && evidence.model().is_some() {
                    return Ok(false);
                }
                let ns = run(bench, contenders, evidence, &what, pauses)?;
                self.session
                    .note(|journal| journal.run(self.about, evidence, &what, ns));
                evidence.add(what, ns);
            }
        }
    }

    /// The splits that a model predicts for calls of this size, in all situations.
    fn predicted(
        &self,
        call: &Call<'_>,
        contenders: &[Contender],
        model: &ClassModel,
    ) -> Vec<Sizes> {
        let units: Vec<(usize, UnitId)> =
            contenders.iter().map(|c| (c.index, c.id.clone())).collect();
        let named = |(index, range): &crate::context::UnitRange| {
            let (_, id) = units.iter().find(|(known, _)| known == index)?;
            Some((id.clone(), range.len()))
        };
        let splits = Situation::SUPPOSED.iter().filter_map(|situation| {
            let split = supposed(
                self.context,
                call,
                model,
                &units,
                self.transfers,
                *situation,
            )?;
            Some(split.parts.iter().filter_map(named).collect())
        });
        splits.collect()
    }

    /// The units to measure.
    fn contenders(&self, call: &Call<'_>) -> Vec<Contender> {
        let all = self.context.contenders(call).into_iter();
        all.filter(|c| self.options().wants(c.index, &c.id))
            .collect()
    }

    /// The units to measure of which the evidence says nothing.
    fn newcomers(&self, call: &Call<'_>, evidence: &Evidence) -> Vec<Contender> {
        let mut all = self.contenders(call);
        all.retain(|c| !evidence.units.contains(&c.id) && !evidence.wrong.contains(&c.id));
        all
    }

    /// Those of these units that compute what the CPU does; devices that do not are noted in the evidence.
    fn sound(
        &self,
        call: &Call<'_>,
        smallest: usize,
        units: Vec<Contender>,
        evidence: &mut Evidence,
    ) -> Result<Vec<Contender>> {
        let end = call.space.elems() - smallest..call.space.elems();
        let (mut sound, usual) = (Vec::new(), Blocks::default());
        for contender in units {
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
                Ok(Some(difference)) => {
                    evidence.wrong.push(contender.id.clone());
                    (WRONG_RESULT, difference)
                }
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
}

/// Whether a class that was measured to the end is to be gone on with: there are units of which nothing is known.
pub(super) fn has_newcomers(
    context: &Context,
    options: &Options,
    call: &Call<'_>,
    evidence: &Evidence,
) -> bool {
    let mut wanted = context.contenders(call).into_iter();
    let is_known = |id: &UnitId| evidence.units.contains(id) || evidence.wrong.contains(id);
    wanted.any(|c| options.wants(c.index, &c.id) && !is_known(&c.id))
}

/// How many bytes of copies measuring a call takes at the same time.
pub(super) fn copies_bytes(call: &Call<'_>) -> u64 {
    // To compare, two are needed.
    call.replica_bytes().saturating_mul(2)
}
