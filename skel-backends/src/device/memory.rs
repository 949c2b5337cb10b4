//! What a device's thread owns: the driver, the arrays, and their taints.

mod launch;

use super::{
    Driver, Launched, TrapWords,
    lent::{Readable, Writable},
    presence::Presence,
    queue::Waits,
    residency::{Admission, ArrayForm, Arrays},
    room::Room,
    taint::{Outstanding, TaintSource},
    under_way::UnderWay,
    watch::Watch,
    watched::Watched,
    work::{ArrayId, Need, PendingScan, Wait, Work},
};
use crate::{ItemId, exit::GivingBack};
use skel_core::{Error, Result, frame::Spine, ir::Weight, plan::Pattern};
use std::{ops::Range, sync::Arc, time::Duration};

/// The thread's state.
pub(super) struct Memory<D: Driver> {
    /// Pieces that callers wait for. They are told, by what is dropped, before the driver is.
    pub(super) under_way: UnderWay<D>,
    driver: Watched<D>,
    pub(super) arrays: Arrays<Watched<D>>,
    /// Launches that may have trapped, as long as their status may be read.
    outstanding: Outstanding,
    /// No call will use the device any more.
    pub(super) retired: bool,
    /// How many arrays have changed since all of them were looked at, for a device that is retired.
    pub(super) let_go_since: usize,
    /// How often something began to be timed.
    timers: u64,
    /// From when the thread is to end; behind the driver, which is dropped before.
    pub(super) giving_back: Option<GivingBack>,
}

/// When a piece began, and by which timer that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Started {
    at: Duration,
    timer: Option<u64>,
}

impl Started {
    /// By the device's clock.
    pub(super) fn at(&self) -> Duration {
        self.at
    }
}

impl<D: Driver> Memory<D> {
    pub(super) fn new(driver: Watched<D>, room: Arc<Room>) -> Self {
        Memory {
            arrays: Arrays::new(&driver, room),
            driver,
            outstanding: Outstanding::default(),
            retired: false,
            let_go_since: 0,
            timers: 0,
            giving_back: None,
            under_way: UnderWay::default(),
        }
    }

    /// Launches of an item's calls that may have trapped.
    pub(super) fn outstanding_of(&self, item: ItemId) -> Vec<TaintSource> {
        self.outstanding.of(item)
    }

    /// Drops launches that no array depends on any more.
    pub(super) fn forget_orphans(&mut self) {
        self.outstanding.release(&mut self.driver);
    }

    /// The driver, for what concerns no array of a container.
    pub(super) fn driver_mut(&mut self) -> &mut Watched<D> {
        &mut self.driver
    }

    /// Arrays take no more bytes than this from now on.
    pub(super) fn set_capacity(&mut self, bytes: u64) {
        self.arrays.set_capacity(bytes);
    }

    /// What leaves the device takes no more bytes on the host than this from now on.
    pub(super) fn set_most_spilled(&mut self, bytes: u64) {
        self.arrays.set_most_spilled(bytes);
    }

    /// An array that has no memory yet.
    pub(super) fn declare(
        &mut self,
        id: ArrayId,
        form: ArrayForm,
        extent: Range<usize>,
        presence: Arc<Presence>,
    ) {
        self.arrays.declare(id, form, extent, presence);
    }

    pub(super) fn free(&mut self, id: ArrayId) {
        self.arrays.free(id);
        self.let_go(Some(id));
    }

    /// Gives all of these arrays memory for what is needed of them, at the same time.
    pub(super) fn reside(&mut self, needs: &[Need], admission: Admission<'_>) -> Result<()> {
        self.arrays.reside(&mut self.driver, needs, admission)
    }

    /// Makes room for arrays of these forms beside what is needed of others, all at the same time, as far as
    /// that can be found out: it allocates them, and frees them again.
    pub(super) fn has_room(&mut self, needs: &[Need], forms: &[ArrayForm]) -> Result<()> {
        self.arrays.has_room(&mut self.driver, needs, forms)
    }

    pub(super) fn wait(&mut self) -> Result<()> {
        self.driver.wait()
    }

    /// Waits for everything, and checks all launches that were not checked yet: the first error.
    pub(super) fn sync(&mut self) -> Result<()> {
        let waited = self.driver.wait();
        // Values that have no reader yet tell their errors.
        self.look();
        waited?;
        let first = self.outstanding.look_at_all(&mut self.driver);
        first.map_or(Ok(()), Err)
    }

    /// The device's clock.
    pub(super) fn now(&self) -> Duration {
        self.driver.clock()
    }

    /// Times what is queued next, by the device's own clock if it has one.
    pub(super) fn start_timer(&mut self) -> Started {
        self.driver.start_timer();
        self.timers += 1;
        Started {
            at: self.now(),
            timer: Some(self.timers),
        }
    }

    /// Now, by the clock that all devices have.
    pub(super) fn untimed(&self) -> Started {
        Started {
            at: self.now(),
            timer: None,
        }
    }

    /// How long the device was at work since then, now that it is done. It has one timer: where another piece
    /// has begun to be timed meanwhile, the clock has to do.
    pub(super) fn since(&mut self, started: Started) -> Duration {
        let timed = match started.timer {
            Some(timer) if timer == self.timers => self.driver.timed(),
            _ => None,
        };
        timed.unwrap_or_else(|| self.under_way.passed(started.at, self.now()))
    }

    /// What is known of the device.
    pub(super) fn watch(&self) -> &Arc<Watch> {
        self.driver.watch()
    }

    pub(super) fn name(&self) -> String {
        self.driver.info().name
    }

    /// Copies elements to the host, unless something is wrong with them.
    pub(super) fn download(&mut self, id: ArrayId, into: impl Writable) -> Result<()> {
        let downloaded = self.arrays.download(&mut self.driver, id, into, true);
        self.let_go(Some(id));
        downloaded.unwrap_or_else(|| Err(self.no_array("a download")))
    }

    /// The same to elsewhere than the array's container, which goes on to have them here.
    pub(super) fn peek(&mut self, id: ArrayId, into: impl Writable) -> Result<()> {
        let downloaded = self.arrays.download(&mut self.driver, id, into, false);
        downloaded.unwrap_or_else(|| Err(self.no_array("a download")))
    }

    /// Copies elements to the device. If that fails, the command that reads them there reports it.
    pub(super) fn upload(&mut self, id: ArrayId, view: &impl Readable) {
        self.arrays.upload(&mut self.driver, id, view);
    }

    /// Runs a piece. An error is returned, and taints the outputs for later reads.
    pub(super) fn run(&mut self, mut work: Work) -> Result<Spine> {
        let (partial, causes) = match self.try_run(&mut work) {
            Ok(done) => done,
            Err(error) => {
                self.taint_failed(&work, &error);
                return Err(error);
            }
        };
        // What is downloaded has been waited for, and what others have launched need not be.
        let has_landed = !work.slices.is_empty() || !work.staged.is_empty();
        for (id, view, _) in work.slices {
            self.download(id, view.into_out())?;
        }
        self.scatter(work.staged)?;
        match has_landed && work.job.wait == Wait::Ahead {
            true => self.outcome(None, &causes).map(drop)?,
            false => self.wait_as(work.job.wait, &causes)?,
        }
        Ok(partial)
    }

    /// Waits for the end of a piece that depends on these launches, as its caller wants.
    pub(super) fn wait_as(&mut self, wait: Wait, causes: &[TaintSource]) -> Result<()> {
        match wait {
            Wait::No => Ok(()),
            Wait::Timed => self.driver.wait(),
            Wait::Ahead => {
                self.driver.wait()?;
                self.outcome(None, causes).map(drop)
            }
        }
    }

    fn try_run(&mut self, work: &mut Work) -> Result<(Spine, Vec<TaintSource>)> {
        for (id, view, reads) in &work.slices {
            if *reads {
                self.upload(*id, view);
            }
        }
        self.gather(&work.staged)?;
        let (pending, causes) = self.start(work)?;
        let partial = match pending {
            None => Spine::EMPTY,
            pending => self.outcome(pending, &causes)?,
        };
        Ok((partial, causes))
    }

    /// The launch, and the launches that its outputs depend on.
    pub(super) fn start(&mut self, work: &Work) -> Result<(Option<D::Pending>, Vec<TaintSource>)> {
        let (launched, mut causes) = self.begin_launch(work)?;
        causes.extend(self.note(launched.traps, work.job.item));
        self.taint_outputs(work, &causes);
        Ok((launched.pending, causes))
    }

    /// The launch, and those that its arguments depend on.
    fn begin_launch(&mut self, work: &Work) -> Result<(Launched<D::Pending>, Vec<TaintSource>)> {
        let causes = self.inherited(work);
        if let Some(error) = causes.iter().find_map(TaintSource::failure) {
            return Err(error);
        }
        let launched = loop {
            match self.launch(work, |driver, launch| driver.launch(launch)) {
                // Once more with fewer arrays beside it; but what was changed in place may be half changed.
                Err(Error::OutOfMemory { .. })
                    if work.job.kernel.can_be_repeated()
                        && self.arrays.evict_one(&mut self.driver, &work.arrays()) => {}
                other => break other?,
            }
        };
        // What is downloaded behind it takes time as well, and so do the totals of a scan.
        let is_last = work.slices.is_empty() && work.staged.is_empty();
        if work.job.wait == Wait::Timed && is_last && work.job.phases.pattern() != Pattern::Scan {
            self.driver.stop_timer();
        }
        Ok((launched, causes))
    }

    fn note(&mut self, words: Option<TrapWords>, item: Option<ItemId>) -> Option<TaintSource> {
        let cause = TaintSource::unknown(words?, item);
        self.outstanding.push(cause.clone(), &mut self.driver);
        Some(cause)
    }

    /// Waits for a partial, if there is one, and checks for traps as well. Where there is none, and no memory to look for
    /// traps, they are found when the results are read.
    pub(super) fn outcome(
        &mut self,
        pending: Option<D::Pending>,
        causes: &[TaintSource],
    ) -> Result<Spine> {
        let is_last = pending.is_none();
        let partial = match pending {
            Some(pending) => self.driver.partial(pending),
            None => Ok(Spine::EMPTY),
        };
        let mut errors = causes
            .iter()
            .filter_map(|cause| cause.resolve(&mut self.driver))
            .filter(|error| !(is_last && matches!(error, Error::OutOfMemory { .. })));
        match (errors.next(), partial) {
            // What elements that trapped were combined to may be no value at all.
            (Some(trap @ Error::Trap { .. }), _) | (Some(trap), Ok(_)) => Err(trap),
            (_, partial) => partial,
        }
    }

    /// Starts a scan, as far as it goes without its carry. What goes wrong taints the outputs.
    pub(super) fn begin(&mut self, work: Work) -> Result<PendingScan<D>> {
        match self.begin_launch(&work) {
            Ok((launched, causes)) => {
                self.taint_outputs(&work, &causes);
                Ok(PendingScan {
                    work,
                    launched,
                    causes,
                })
            }
            Err(error) => {
                self.taint_failed(&work, &error);
                Err(error)
            }
        }
    }

    /// A scan that has begun will not go on.
    pub(super) fn abandon(&mut self, begun: PendingScan<D>) {
        self.forget(begun.launched.traps);
    }

    fn forget(&mut self, traps: Option<TrapWords>) {
        if let Some(words) = traps {
            self.driver.forget_traps(words);
        }
    }

    /// The last phase of a scan; the carry of what follows, if it is wanted.
    pub(super) fn finish(
        &mut self,
        begun: PendingScan<D>,
        carry: Spine,
        wanted: bool,
    ) -> Result<Spine> {
        let PendingScan {
            work,
            launched,
            causes,
        } = begun;
        let result = self.try_finish(&work, launched, causes, carry, wanted);
        if let Err(error) = &result {
            self.taint_failed(&work, error);
        }
        result
    }

    fn try_finish(
        &mut self,
        work: &Work,
        begun: Launched<D::Pending>,
        mut causes: Vec<TaintSource>,
        carry: Spine,
        wanted: bool,
    ) -> Result<Spine> {
        let Launched { pending, traps } = begun;
        let Some(pending) = pending else {
            return Err(Error::Device {
                device: self.driver.info().name,
                operation: "a launch",
                message: "a scan left nothing to finish".into(),
            });
        };
        let precedes = !carry.is_empty();
        let finished = self.launch(work, |driver, launch| {
            driver.finish(launch, pending, carry, wanted)
        });
        let launched = match finished {
            Ok(launched) => launched,
            Err(error) => {
                self.forget(traps);
                return Err(error);
            }
        };
        if work.job.wait == Wait::Timed {
            self.driver.stop_timer();
        }
        for words in [traps, launched.traps] {
            causes.extend(self.note(words, work.job.item));
        }
        self.taint_outputs(work, &causes);
        // The host combines the total with what precedes it. Where something trapped, it may be no value, and an operator
        // with loops might not end.
        if wanted && precedes && work.job.kernel.weight == Weight::Unknown {
            self.outcome(None, &causes)?;
        }
        let partial = match launched.pending {
            Some(pending) if wanted => self.outcome(Some(pending), &causes)?,
            _ => Spine::EMPTY,
        };
        self.wait_as(work.job.wait, &causes)?;
        Ok(partial)
    }
}
