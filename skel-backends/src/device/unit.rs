//! A driver as a unit.
#![allow(unsafe_code, reason = "the promise of `Unit`")]

use super::{
    Driver, Scope, VirtualTime,
    begin_time::BeginTime,
    bind::element,
    deadline::{self, CommandKind},
    delivery::Delivery,
    memory::Memory,
    presence::Departures,
    queue::Queue,
    room::Room,
    scan::ScanPiece,
    watch::Watch,
    watched::Watched,
    work::{Job, Wait},
};
use crate::{
    Health, ItemId, Watchdog, exit,
    unit::{Running, Traffic, Unit},
};
use skel_core::{
    Error, Result,
    call::Call,
    plan::{BlockConfigs, Kernel, Pattern},
    unit::{NodeId, UnitInfo},
};
use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::channel,
    },
    time::Duration,
};

/// A device as a unit: everything but the driver.
pub struct DeviceUnit<D: Driver> {
    pub(super) info: UnitInfo,
    pub(super) node: NodeId,
    limits: Arc<D::Limits>,
    pub(super) queue: Queue<Memory<D>>,
    /// What all arrays may take together, if that is known.
    pub(super) capacity_bytes: Option<u64>,
    /// As [`Driver::step_bytes`].
    pub(super) step_bytes: Option<u64>,
    pub(super) counters: Arc<Counters>,
    pub(super) watch: Arc<Watch>,
    virtual_time: Option<Arc<VirtualTime>>,
}

impl<D: Driver> DeviceUnit<D> {
    /// Whether the device can run a kernel of the call, in which it scatters what lies apart or does not.
    pub(super) fn can_run(
        &self,
        call: &Call<'_>,
        kernel: &Kernel,
        by_device: bool,
    ) -> std::result::Result<(), String> {
        for (k, shape) in call.views() {
            D::check_whole(&self.limits, element(&kernel.arguments[k].ty), shape.len())?;
        }
        for need in call.strided(by_device) {
            let ty = &kernel.arguments[need.argument].ty;
            D::check_strided(&self.limits, ty, need.piece_elems, need.end)?;
        }
        D::check(&self.limits, kernel, call.space.arguments())
    }
}

#[derive(Default)]
pub(super) struct Counters {
    pub(super) next_array: AtomicU64,
    pub(super) departures: Departures,
    pub(super) room: Arc<Room>,
    pub(super) uploaded_bytes: AtomicU64,
    pub(super) downloaded_bytes: AtomicU64,
}

impl<D: Driver> DeviceUnit<D> {
    /// Gives the driver a thread of its own.
    ///
    /// # Errors
    /// If the system has no thread to give.
    pub fn new(driver: D) -> Result<Self> {
        let (info, limits) = (driver.info(), driver.limits());
        let (capacity_bytes, step_bytes) = (driver.capacity_bytes(), driver.step_bytes());
        let virtual_time = driver.virtual_time();
        let watch = Arc::new(Watch::new(&*info.name));
        let counters = Arc::<Counters>::default();
        let memory = Memory::new(Watched::new(driver, &watch), Arc::clone(&counters.room));
        exit::listen();
        let queue = Queue::start(&info.name, &watch, memory)?;
        Ok(DeviceUnit {
            info,
            node: NodeId::unique(),
            limits,
            queue,
            capacity_bytes,
            step_bytes,
            counters,
            watch,
            virtual_time,
        })
    }
}

// SAFETY: a piece that ends without an error was launched behind all that it needs, so its elements are written on the
// node. What lands on the host (slices, what is scattered, chunks) was downloaded there without an error, and a driver
// promises that such a download has filled its window.
unsafe impl<D: Driver> Unit for DeviceUnit<D> {
    fn info(&self) -> &UnitInfo {
        &self.info
    }

    fn node(&self) -> NodeId {
        self.node
    }

    fn health(&self) -> Health {
        self.watch.health()
    }

    fn watchdog(&self, watchdog: Watchdog) {
        self.watch.set(watchdog);
    }

    fn compile_budget(&self, budget: Duration) {
        self.watch.compilations.set_budget(budget);
    }

    fn overdue(&self) -> Vec<&'static str> {
        match self.watch.is_left() {
            // What a thread of the parent may have locked when it was forked is not touched.
            true => Vec::new(),
            false => self.watch.compilations.all_overdue(),
        }
    }

    fn has_run(&self, call: &Call<'_>, range: &Range<usize>) -> bool {
        let block = call.blocks.of(self.node);
        let followed = range.end < call.space.elems();
        let scans = call.phases.pattern() == Pattern::Scan;
        call.kernel_that_scatters(self.scatters(call, range))
            .is_ok_and(|kernel| self.watch.has_run(&(kernel.hash, block, scans && followed)))
    }

    fn check(&self, call: &Call<'_>) -> Result<()> {
        if self.health() != Health::Well {
            return Err(self.watch.lost());
        }
        let kernel = call.kernel()?;
        if let Some(reason) = self.watch.unable(kernel.hash) {
            return Err(self.unsupported(call.instance, &reason));
        }
        let able = self.can_run(call, &kernel, false);
        able.map_err(|reason| self.unsupported(call.instance, &reason))
    }

    fn pieces(&self, call: &Call<'_>, range: Range<usize>) -> Vec<Range<usize>> {
        DeviceUnit::pieces(self, call, range)
    }

    fn bring(&self, call: &mut Call<'_>, range: &Range<usize>) -> Result<()> {
        self.bring_ahead(call, range)
    }

    fn block_configs(&self, call: &Call<'_>) -> BlockConfigs {
        let configs = |kernel: Arc<Kernel>| D::block_configs(&self.limits, &kernel);
        call.kernel().map(configs).unwrap_or_default()
    }

    fn start<'u, 'e: 'u>(
        &'u self,
        scope: &'u Scope<'e>,
        call: &mut Call<'e>,
        range: Range<usize>,
    ) -> Result<Box<dyn Running + 'u>> {
        let permit = self.admit(call)?;
        let since = BeginTime::next(&self.queue);
        let reserved = match self.reserve_scattering(call, &range) {
            // Lines are not taken in chunks: what a device has no room for is computed elsewhere, or not at all.
            // Nor is a sweep.
            Err(full @ Error::OutOfMemory { .. }) if call.has_lines() || call.is_sweep() => {
                return Err(full);
            }
            Err(full @ Error::OutOfMemory { .. }) => {
                // In chunks: no model has seen that.
                return deadline::on(CommandKind::Other, || {
                    self.stream(scope, call, range, (full, since, permit))
                });
            }
            reserved => reserved?,
        };
        let pattern = call.phases.pattern();
        let wait = Wait::of_calls_here(pattern);
        let mut work = Job::of(call, self.node, wait)?.piece(range);
        let mut bound = self.bind(scope, call, &work.range, reserved)?;
        work.args = std::mem::take(&mut bound.args);
        work.offsets = std::mem::take(&mut bound.offsets);
        if pattern == Pattern::Scan {
            let delivery = (work, bound, (since, permit));
            let piece = ScanPiece::start(self, scope, call.instance, delivery)?;
            return Ok(Box::new(piece));
        }
        let delivery = Delivery {
            unit: self,
            scope,
            call: call.instance,
            work,
            bound,
            since,
            permit,
        };
        Ok(Box::new(delivery.post()))
    }

    fn virtual_time(&self) -> Option<Arc<VirtualTime>> {
        self.virtual_time.clone()
    }

    fn forget_orphans(&self) {
        self.queue.post(Memory::forget_orphans);
    }

    fn time_transfer(&self, bytes: usize) -> Result<Option<(Duration, Duration)>> {
        if self.health() != Health::Well {
            return Err(self.watch.lost());
        }
        let times = self.queue.ask(move |memory| memory.time_transfer(bytes));
        times.map(Some)
    }

    fn sync(&self) -> Result<()> {
        if self.watch.is_left() {
            return Err(self.watch.lost());
        }
        let waited = match (self.watch.is_gone(), self.watch.take_stranded()) {
            (_, true) => Err(self.watch.lost()),
            // What it was given fails, and that is noted.
            (true, false) => self.queue.ask(|_| Ok(())).or(Ok(())),
            (false, false) => {
                let waits = CommandKind::Fetch { bytes: 0 };
                deadline::on(waits, || self.queue.ask(Memory::sync))
            }
        };
        self.watch.take_late().map_or(waited, Err)
    }

    fn settle(&self, item: ItemId) -> Result<()> {
        if self.watch.is_left() {
            return Err(self.watch.lost());
        }
        let waited = match self.watch.is_gone() {
            // What it was given fails, and that is noted.
            true => self.queue.ask(|_| Ok(())).or(Ok(())),
            false => {
                let (answer, answered) = channel();
                let kind = CommandKind::Fetch { bytes: 0 };
                let answer = Box::new(move |told| drop(answer.send(told)));
                let settle = move |memory: &mut Memory<D>| memory.settle(item, kind, answer);
                deadline::on(kind, || self.queue.post(settle));
                self.queue.answer(&answered).map(drop)
            }
        };
        self.watch.take_late_of(item).map_or(waited, Err)
    }

    fn traffic(&self) -> Traffic {
        Traffic {
            uploaded_bytes: self.counters.uploaded_bytes.load(Ordering::Relaxed),
            downloaded_bytes: self.counters.downloaded_bytes.load(Ordering::Relaxed),
        }
    }
}
