//! A piece of a scan on a device: begun when the call is made, finished when its carry is known.
//!
//! Neither command borrows anything: slices that are to be written are downloaded in the end, by the
//! caller's request.
//!
//! A scan in place ([`Scan::run_in_place`](skel_core::skeleton::Scan::run_in_place)) leaves nothing from which its
//! result could be computed again. So the caller waits until the first launch of a kernel has been queued: if its
//! compiler takes too long, the call says so or another unit computes the piece, while the elements are still there.

use super::{
    Driver,
    asynchronous::AsyncCommand,
    back_pressure::Permit,
    begin_time::BeginTime,
    bind::Bound,
    memory::Memory,
    scatter,
    scope::Scope,
    unit::DeviceUnit,
    work::{PendingScan, Wait, Work},
};
use crate::unit::Running;
use skel_core::{Error, Result, frame::Spine};
use std::{
    ops::Range,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, channel},
    },
    time::Duration,
};

/// What the first command leaves to the second.
type Cell<D> = Arc<Mutex<Option<Result<PendingScan<D>>>>>;

/// What a command says when it is done: the carry, if it is wanted, and how long it was at work.
type Answer = Receiver<Result<(Spine, Duration)>>;

/// A piece of a scan.
pub(super) struct ScanPiece<'u, 'e, D: Driver> {
    unit: &'u DeviceUnit<D>,
    scope: &'u Scope<'e>,
    call: &'e str,
    range: Range<usize>,
    bound: Bound<'e, D>,
    begun: Cell<D>,
    /// The answer of the first command, if the caller has to know of it.
    started: Option<Answer>,
    /// Whether the driver was asked to launch anything of it.
    launched: Arc<AtomicBool>,
    /// Whether the carry came.
    going_on: bool,
    /// The answer of the second, if the caller waits for it.
    finished: Option<Answer>,
    wait: Wait,
    busy: Duration,
}

impl<'u, 'e, D: Driver> ScanPiece<'u, 'e, D> {
    /// Queues what can be done without the carry.
    pub(super) fn start(
        unit: &'u DeviceUnit<D>,
        scope: &'u Scope<'e>,
        call: &'e str,
        (work, bound, (since, permit)): (Work, Bound<'e, D>, (BeginTime, Permit)),
    ) -> Result<Self> {
        for (id, view, reads) in &bound.slices {
            if *reads {
                let (id, view) = (*id, view.as_view());
                unit.count_upload(view);
                unit.queue.ask_lending(view, move |memory, view| {
                    memory.upload(id, &view);
                    Ok(())
                })?;
            }
        }
        let moved = bound.staged.iter().map(|output| &output.elements);
        unit.counters
            .count(moved.map(|elements| (elements.reads(), elements.len_bytes())));
        for (id, copy) in scatter::read(&bound.staged)? {
            unit.queue
                .post(move |memory| memory.upload(id, &copy.all()));
        }
        // Uploads, which may borrow, are queued already.
        let is_first = !unit.watch.compilations.is_ready(work.job.kernel.hash);
        let wait = work.job.wait;
        let waits = is_first || bound.borrows || !bound.uploads.is_empty();
        let (begun, range) = (Cell::<D>::default(), work.range.clone());
        let launched = Arc::clone(&work.job.launched);
        let (cell, (answer, answered)) = (Arc::clone(&begun), channel());
        let command = move |memory: &mut Memory<D>| {
            let started = since.began(memory);
            let result = memory.begin(work);
            let failed = result.as_ref().err().cloned();
            *cell.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            let told = failed.map_or(Ok((Spine::EMPTY, memory.since(started))), Err);
            // Mostly no caller waits for it.
            let _receiver_gone = answer.send(told);
            drop(permit);
        };
        match waits {
            true => scope.post(&unit.queue, command),
            false => unit.queue.post(command),
        }
        Ok(ScanPiece {
            unit,
            scope,
            call,
            range,
            bound,
            begun,
            started: (waits || wait != Wait::No).then_some(answered),
            launched,
            going_on: false,
            finished: None,
            wait,
            busy: Duration::ZERO,
        })
    }

    /// Waits for a command.
    fn hear(&mut self, answered: Answer) -> Result<Spine> {
        let (partial, busy) = self.unit.queue.answer(&answered)?;
        self.busy += busy;
        Ok(partial)
    }
}

impl<D: Driver> Running for ScanPiece<'_, '_, D> {
    fn partial(&mut self) -> Result<Spine> {
        self.complete().map(|()| Spine::EMPTY)
    }

    fn finish(&mut self, carry: Spine, wanted: bool) -> Result<Spine> {
        self.going_on = true;
        let (cell, wait) = (Arc::clone(&self.begun), self.wait);
        let timed = wait != Wait::No;
        let (answer, answered) = channel();
        // Arrays stay until they are not needed any more, whether or not the piece fails.
        let held = self.bound.held.clone();
        let async_command = (!wanted && !timed)
            .then(|| AsyncCommand::new(&self.unit.watch, self.call, &self.range));
        let hears = self.started.is_some();
        self.unit.queue.post(move |memory| {
            let started = match wait {
                Wait::Timed => memory.start_timer(),
                Wait::Ahead | Wait::No => memory.untimed(),
            };
            let begun = cell.lock().unwrap_or_else(PoisonError::into_inner).take();
            // What the caller hears of the first command is not to be reported later.
            let is_known = hears && matches!(begun, Some(Err(_)));
            let result = match begun {
                Some(begun) => begun.and_then(|begun| memory.finish(begun, carry, wanted)),
                None => Err(Error::Device {
                    device: memory.name(),
                    operation: "a launch",
                    message: "a scan was finished that had not begun".into(),
                }),
            };
            if let Some(async_command) = async_command {
                match is_known {
                    true => async_command.finish(&Ok(())),
                    false => async_command.finish(&result),
                }
            }
            let _receiver_gone =
                answer.send(result.map(|partial| (partial, memory.since(started))));
            drop(held);
        });
        match (wanted, timed) {
            (true, _) => self.hear(answered),
            (false, true) => {
                self.finished = Some(answered);
                Ok(Spine::EMPTY)
            }
            (false, false) => Ok(Spine::EMPTY),
        }
    }

    fn complete(&mut self) -> Result<()> {
        if !self.going_on {
            // An error elsewhere. The device's thread frees what it holds for the scan.
            let cell = Arc::clone(&self.begun);
            self.unit.queue.post(move |memory| {
                let begun = cell.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(Ok(begun)) = begun {
                    memory.abandon(begun);
                }
            });
        }
        if let Some(answered) = self.started.take() {
            self.hear(answered)?;
            self.bound.uploads.confirm();
        }
        if let Some(answered) = self.finished.take() {
            self.hear(answered)?;
        }
        for (id, view, _) in std::mem::take(&mut self.bound.slices) {
            if self.going_on {
                let bytes = view.len_bytes() as u64;
                let counter = &self.unit.counters.downloaded_bytes;
                counter.fetch_add(bytes, Ordering::Relaxed);
                let lender = self.scope.lender(&self.unit.queue);
                let view = lender.lend(view.into_out());
                lender.ask(move |memory| memory.download(id, view))?;
            }
        }
        let staged = std::mem::take(&mut self.bound.staged);
        if self.going_on && !staged.is_empty() {
            let lender = self.scope.lender(&self.unit.queue);
            let staged = scatter::lent(staged, &lender);
            lender.ask(move |memory| memory.scatter(staged))?;
        }
        Ok(())
    }

    fn has_begun(&self) -> bool {
        // Elements on a lost device cannot be read.
        self.unit.watch.is_gone() || self.launched.load(Ordering::Acquire)
    }

    fn busy(&self) -> Duration {
        self.busy
    }
}
