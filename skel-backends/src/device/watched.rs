//! A driver, watched: errors of the device are noted, and a lost device is not called any more.
#![allow(unsafe_code, reason = "passes the promise of `Driver` on")]

use super::{
    Compilation, Driver, Launch, Launched, Mark, TrapWords, Trapped, VirtualTime,
    compile::{self, OverBudget},
    watch::{LaunchKey, Watch},
};
use crate::trace::{self, DeviceLanes, Span};
use skel_core::{
    Error, Result,
    frame::{ElementLayout, Spine, View, ViewOut},
    ir::Ty,
    plan::{BlockConfigs, Kernel, Pattern},
    space::Shape,
    unit::UnitInfo,
};
use std::{ops::Range, sync::Arc, time::Duration};

/// A launch in a trace.
fn traced<A>(lanes: DeviceLanes, phase: &'static str, launch: &Launch<'_, A>) -> Span {
    let name = launch.kernel.program.function(launch.kernel.map).name;
    trace::launch(lanes.kernels, phase, name, &launch.range)
}

/// What was compiled for a launch.
fn ran<A>(launch: &Launch<'_, A>) -> LaunchKey {
    let scans = launch.phases.pattern() == Pattern::Scan;
    (launch.kernel.hash, launch.block, scans && launch.followed)
}

/// A driver of a device that may be given up.
pub(super) struct Watched<D> {
    driver: D,
    watch: Arc<Watch>,
    lanes: Option<DeviceLanes>,
}

impl<D: Driver> Watched<D> {
    pub(super) fn new(driver: D, watch: &Arc<Watch>) -> Self {
        let watch = Arc::clone(watch);
        Watched {
            driver,
            watch,
            lanes: None,
        }
    }

    /// What is known of the device.
    pub(super) fn watch(&self) -> &Arc<Watch> {
        &self.watch
    }

    /// Shows what follows in a trace, if there is one.
    fn trace(&mut self, span: impl FnOnce(DeviceLanes) -> Span) -> Option<Span> {
        if !trace::is_on() {
            return None;
        }
        let name = || self.driver.info().name;
        let lanes = *self.lanes.get_or_insert_with(|| {
            let lanes = DeviceLanes::new(&name());
            // What the driver does by itself is part of a launch.
            lanes.kernels.adopt();
            lanes
        });
        Some(span(lanes))
    }

    /// Asks the driver, if its device is not gone.
    fn ask<R>(&mut self, operation: impl FnOnce(&mut D) -> Result<R>) -> Result<R> {
        if self.watch.is_gone() {
            return Err(self.watch.lost());
        }
        let result = operation(&mut self.driver);
        if let Err(Error::DeviceLost { reason, .. }) = &result {
            self.watch.lose(reason);
        }
        result
    }

    /// The same, where an error says that a launch has failed.
    fn ask_launch<R>(&mut self, operation: impl FnOnce(&mut D) -> Result<R>) -> Result<R> {
        let result = self.ask(operation);
        if let Err(error @ Error::Device { .. }) = &result {
            self.watch.fail(&error.without_device());
        }
        result
    }

    /// Compiles what a launch lacks. The launch reports the result. It takes no longer than the budget, but
    /// where the launch may wait; what is wrong then says nothing of the kernel, and nothing has been
    /// launched.
    pub(super) fn compile(
        &mut self,
        launch: &Launch<'_, D::Array>,
        over_budget: OverBudget,
    ) -> Result<()> {
        if self.watch.is_gone() {
            return Ok(());
        }
        let kernel = launch.kernel;
        let (hash, name) = (kernel.hash, kernel.program.function(kernel.map).name);
        let mut work = self.driver.compilation(launch);
        let compilations = &self.watch.compilations;
        let waits = work.is_some() && over_budget == OverBudget::Wait;
        if waits && self.watch.aside(|| compilations.wait_for_turn(hash, name)) {
            work = self.driver.compilation(launch);
        }
        match work {
            Some(work) => self
                .watch
                .aside(|| compile::run(&self.watch, (hash, name), work, over_budget)),
            None => {
                compilations.ready(hash);
                Ok(())
            }
        }
    }

    /// The same, of what waits for all launches before.
    fn ask_waiting<R>(&mut self, operation: impl FnOnce(&mut D) -> Result<R>) -> Result<R> {
        let result = self.ask(operation);
        self.settle();
        result
    }

    /// A wait ended: perhaps nothing is queued any more. Not asked without a watchdog.
    fn settle(&mut self) {
        if self.watch.is_timed() && !self.watch.is_gone() && self.driver.is_idle() {
            self.watch.settled();
        }
    }

    /// `last` says whether it was the last phase, so that nothing of the kernel is left to be compiled.
    fn note_launch<R>(&self, kernel: LaunchKey, last: bool, result: Result<R>) -> Result<R> {
        match &result {
            Ok(_) => self.watch.launched(last.then_some(kernel)),
            // It may also be a value of this call that does not fit.
            Err(Error::Unsupported { reason, .. }) if self.driver.refuses(kernel.0) => {
                self.watch.cannot(kernel.0, reason);
            }
            Err(_) => {}
        }
        result
    }
}

// SAFETY: a download is the driver's, which promises that one without an error has filled its window; without asking it,
// none is without an error.
unsafe impl<D: Driver> Driver for Watched<D> {
    type Array = D::Array;
    type Pending = D::Pending;
    type Limits = D::Limits;

    fn info(&self) -> UnitInfo {
        self.driver.info()
    }

    fn limits(&self) -> Arc<D::Limits> {
        self.driver.limits()
    }

    fn check(limits: &D::Limits, kernel: &Kernel, shape: Shape) -> std::result::Result<(), String> {
        D::check(limits, kernel, shape)
    }

    fn check_whole(limits: &D::Limits, ty: &Ty, elems: usize) -> std::result::Result<(), String> {
        D::check_whole(limits, ty, elems)
    }

    fn check_strided(
        limits: &D::Limits,
        ty: &Ty,
        elems: usize,
        together: usize,
    ) -> std::result::Result<(), String> {
        D::check_strided(limits, ty, elems, together)
    }

    fn block_configs(limits: &D::Limits, kernel: &Kernel) -> BlockConfigs {
        D::block_configs(limits, kernel)
    }

    fn array_bytes(layout: ElementLayout, ty: &Ty, elems: usize) -> u64 {
        D::array_bytes(layout, ty, elems)
    }

    fn is_idle(&mut self) -> bool {
        self.driver.is_idle()
    }

    fn step_bytes(&self) -> Option<u64> {
        self.driver.step_bytes()
    }

    fn clock(&self) -> Duration {
        self.driver.clock()
    }

    fn virtual_time(&self) -> Option<Arc<VirtualTime>> {
        self.driver.virtual_time()
    }

    fn start_timer(&mut self) {
        if !self.watch.is_gone() {
            self.driver.start_timer();
        }
    }

    fn stop_timer(&mut self) {
        if !self.watch.is_gone() {
            self.driver.stop_timer();
        }
    }

    fn trim(&mut self) {
        if !self.watch.is_gone() {
            self.driver.trim();
        }
    }

    fn timed(&mut self) -> Option<Duration> {
        match self.watch.is_gone() {
            true => None,
            false => self.driver.timed(),
        }
    }

    fn capacity_bytes(&self) -> Option<u64> {
        self.driver.capacity_bytes()
    }

    fn allocate(
        &mut self,
        layout: ElementLayout,
        ty: &Ty,
        window: Range<usize>,
    ) -> Result<D::Array> {
        self.ask(|driver| driver.allocate(layout, ty, window))
    }

    fn upload(&mut self, to: &mut D::Array, from: View<'_>) -> Result<()> {
        let bytes = from.len_bytes();
        let _traced = self.trace(|lanes| trace::transfer(lanes.uploads, "upload", bytes));
        self.ask(|driver| driver.upload(to, from))
    }

    fn download(&mut self, from: &D::Array, to: ViewOut<'_>) -> Result<()> {
        let bytes = to.len_bytes();
        let _traced = self.trace(|lanes| trace::transfer(lanes.downloads, "download", bytes));
        self.ask_waiting(|driver| driver.download(from, to))
    }

    fn copy(&mut self, from: &D::Array, to: &mut D::Array, elements: Range<usize>) -> Result<()> {
        self.ask(|driver| driver.copy(from, to, elements))
    }

    fn compilation(&mut self, launch: &Launch<'_, D::Array>) -> Option<Compilation> {
        self.driver.compilation(launch)
    }

    fn launch(&mut self, launch: Launch<'_, D::Array>) -> Result<Launched<D::Pending>> {
        let scans = launch.phases.pattern() == Pattern::Scan;
        let kernel = ran(&launch);
        let _traced = self.trace(|lanes| traced(lanes, "local", &launch));
        let result = self.ask_launch(|driver| driver.launch(launch));
        self.note_launch(kernel, !scans, result)
    }

    fn finish(
        &mut self,
        launch: Launch<'_, D::Array>,
        pending: D::Pending,
        carry: Spine,
        wanted: bool,
    ) -> Result<Launched<D::Pending>> {
        let kernel = ran(&launch);
        let _traced = self.trace(|lanes| traced(lanes, "finish", &launch));
        let result = self.ask_launch(|driver| driver.finish(launch, pending, carry, wanted));
        self.note_launch(kernel, true, result)
    }

    fn partial(&mut self, pending: D::Pending) -> Result<Spine> {
        let _traced = self.trace(|lanes| trace::settle(lanes.kernels, "value"));
        let result = self.ask_launch(|driver| driver.partial(pending));
        self.settle();
        result
    }

    fn wait(&mut self) -> Result<()> {
        let _traced = self.trace(|lanes| trace::settle(lanes.kernels, "wait"));
        let result = self.ask_launch(D::wait);
        self.watch.settled();
        result
    }

    fn mark(&mut self, traps: &[TrapWords]) -> Result<Option<Mark>> {
        self.ask_launch(|driver| driver.mark(traps))
    }

    fn has_passed(&mut self, mark: Mark) -> Result<bool> {
        self.ask_launch(|driver| driver.has_passed(mark))
    }

    fn read_traps(&mut self, traps: TrapWords) -> Result<Option<Trapped>> {
        let result = self.ask_launch(|driver| driver.read_traps(traps));
        self.settle();
        result
    }

    fn forget_traps(&mut self, traps: TrapWords) {
        if !self.watch.is_gone() {
            self.driver.forget_traps(traps);
        }
    }
}
