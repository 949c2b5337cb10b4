//! The driver.
#![allow(unsafe_code, reason = "the promise of `Driver`")]

use super::{
    fold::{Arrived, Value},
    launch::{Extra, Stage},
    limits::Limits,
    marks::Marks,
    memory::{self, Array, Pool, PooledMemory, Staging},
    module::{Compiled, Compiler},
    options::Options,
    raw::Gpu,
    scan::PendingScan,
    spans::Spans,
    status::Status,
    streams::Streams,
    timer::Timer,
};
use crate::{
    arithmetic::Arithmetic,
    device::{Compilation, Driver, Launch, Launched, Mark, TrapWords, Trapped},
    numbers::Numbers,
    sweep::{SweptKernel, Tiles},
};
use skel_core::{
    Result,
    frame::{ElementLayout, Spine, View, ViewOut},
    ir::Ty,
    plan::{BlockConfigs, Kernel, Pattern},
    space::{Shape, SweepOrder},
    unit::UnitInfo,
};
use std::{
    ops::Range,
    sync::Arc,
    thread::{self, ThreadId},
    time::Duration,
};

/// What a launch leaves behind.
#[derive(Debug)]
pub enum Pending {
    /// A value on its way to the host.
    Value(Box<Value>),
    /// A scan that waits for its carry.
    Scan(Box<PendingScan>),
}

/// Blocks of an elementwise kernel for each multiprocessor, at most: their threads go on with further elements. On an
/// H100, a copy of 2^26 `f32` by 8 of them has 0.94 of the speed of the driver's own, by 32 of them 0.97, and by as many
/// as there are vectors 1.00.
pub(super) const BLOCKS_EACH: usize = 4096;

/// The same, of kernels whose threads have much to find out first: several for each that it has at once.
const GOING_ON_EACH: usize = 32;

/// Blocks of a launch along its first dimension.
const MOST_GROUPS: usize = (1 << 31) - 1;

/// Bytes of a step of a large call: long enough to hide what a step costs, several milliseconds of copying
/// at most.
const STEP_BYTES: u64 = 32 << 20;

/// A GPU that CUDA drives.
#[derive(Debug)]
pub struct CudaGpu {
    pub(super) gpu: Arc<Gpu>,
    info: UnitInfo,
    pub(super) limits: Arc<Limits>,
    compiler: Compiler,
    pub(super) multiprocessors: usize,
    pub(super) streams: Streams,
    pub(super) pool: Pool,
    pub(super) staging: Staging,
    pub(super) status: Status,
    pub(super) marks: Marks,
    /// Of each queue, once it has had a fold.
    pub(super) arrived: Vec<Option<Arrived>>,
    /// The block of parameters of the last launch, to be used again.
    pub(super) params: Vec<u64>,
    /// As [`Driver::step_bytes`].
    step_bytes: Option<u64>,
    /// Whether scans are made in one pass where they can be.
    one_pass: bool,
    timer: Timer,
    pub(super) spans: Spans,
    /// The thread that works on the device.
    thread: Option<ThreadId>,
}

impl CudaGpu {
    pub(super) fn new(
        gpu: Arc<Gpu>,
        info: UnitInfo,
        compiler: Compiler,
        multiprocessors: usize,
        options: &Options,
    ) -> Result<CudaGpu> {
        let options = options.within_bounds();
        let streams = Streams::new(&gpu, &options)?;
        let mut spans = Spans::new(&gpu);
        spans.compare(&streams);
        Ok(CudaGpu {
            info,
            limits: Arc::new(Limits::new(&options)),
            compiler,
            multiprocessors: multiprocessors.max(1),
            streams,
            spans,
            pool: Pool::new(&gpu, options.pool),
            staging: Staging::new(&gpu, &options),
            status: Status::default(),
            marks: Marks::default(),
            arrived: Vec::new(),
            params: Vec::new(),
            // Without streams of their own, or through ordinary memory, transfers do not overlap.
            step_bytes: (options.steps && options.pinned && options.streams > 0)
                .then_some(STEP_BYTES),
            one_pass: options.one_pass,
            timer: Timer::new(&gpu),
            thread: None,
            gpu,
        })
    }

    /// Says of itself what its arithmetic was found to be like.
    pub(super) fn note_arithmetic(&mut self, arithmetic: &Arithmetic) {
        self.info.limits.push(("arithmetic", arithmetic.summary()));
        // It was asked on a thread that has its own context again.
        self.thread = None;
    }

    /// Before everything: a device that is gone says so at once, and a thread that is new here gets the
    /// device's context.
    fn enter(&mut self) -> Result<()> {
        self.gpu.alive()?;
        let here = Some(thread::current().id());
        if self.thread != here {
            self.gpu.enter()?;
            self.thread = here;
        }
        Ok(())
    }

    /// Whether it is a scan in one pass: a piece that a later one waits for begins with totals, and needs
    /// three.
    fn is_one_pass(&self, launch: &Launch<'_, Array>) -> bool {
        let scans = launch.kernel.pattern == Pattern::Scan;
        scans && self.one_pass && !launch.followed
    }

    /// The kernel, in one pass only if it is to be.
    fn compiled(&mut self, launch: &Launch<'_, Array>, one_pass: bool) -> Result<Arc<Compiled>> {
        let (gpu, limits) = (&self.gpu, &self.limits);
        self.compiler
            .get(gpu, limits, launch.kernel, launch.block, one_pass)
    }

    /// Queues an elementwise kernel.
    fn elementwise(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        status: Option<&PooledMemory>,
    ) -> Result<()> {
        let source = &kernel.prepared.sources[0];
        let blocks = launch.range.len().div_ceil(source.elems_per_block());
        let columns = launch.space.arguments().row_elems();
        let in_rows = columns >= source.lanes as usize && launch.range.len() > columns;
        let each = match source.goes_on && in_rows {
            true => GOING_ON_EACH,
            false => BLOCKS_EACH,
        };
        let blocks = blocks.clamp(1, self.multiprocessors * each);
        let extra = Extra {
            status,
            ..Extra::default()
        };
        let stage = Stage {
            number: 0,
            blocks: u32::try_from(blocks).unwrap_or(u32::MAX),
            numbers: Numbers {
                count: launch.range.len(),
                ..Numbers::default()
            },
            extra,
        };
        self.stage(queue, kernel, launch, &stage).map(|_| ())
    }
}

impl Drop for CudaGpu {
    fn drop(&mut self) {
        // Arrays may outlive the driver; nothing may be at work on them then. Where it fails, the device is
        // gone, and nothing is at work either.
        if self.enter().is_ok() {
            let _gone = self.streams.wait_for_all();
            self.spans.collect(&self.streams);
        }
    }
}

// SAFETY: a download copies all bytes of the window from host memory that a copy has filled, or fails.
unsafe impl Driver for CudaGpu {
    type Array = Array;
    type Pending = Pending;
    type Limits = Limits;

    fn info(&self) -> UnitInfo {
        self.info.clone()
    }

    fn limits(&self) -> Arc<Limits> {
        Arc::clone(&self.limits)
    }

    fn check(limits: &Limits, kernel: &Kernel, shape: Shape) -> std::result::Result<(), String> {
        let form = limits.usual_form(kernel);
        let groups = SweptKernel::of(kernel).map_or(0, |swept| {
            let order = SweepOrder::over(shape, swept.radius);
            Tiles::new(&order, form.block.lanes).most_groups()
        });
        if groups > MOST_GROUPS {
            return Err(format!(
                "a sweep of {groups} rows of tiles, of which a launch has {MOST_GROUPS} at most"
            ));
        }
        limits.prepare(kernel, form).map(|_| ())
    }

    fn block_configs(limits: &Limits, kernel: &Kernel) -> BlockConfigs {
        limits.block_configs(kernel)
    }

    fn is_idle(&mut self) -> bool {
        self.enter().is_ok() && self.streams.are_idle().unwrap_or(false)
    }

    fn step_bytes(&self) -> Option<u64> {
        self.step_bytes
    }

    fn start_timer(&mut self) {
        // A device that is gone says so to what follows.
        if self.enter().is_ok() {
            self.timer.start(&self.streams);
        }
    }

    fn stop_timer(&mut self) {
        if self.enter().is_ok() {
            self.timer.stop(&self.streams);
        }
    }

    fn timed(&mut self) -> Option<Duration> {
        self.enter().ok()?;
        self.timer.take()
    }

    fn array_bytes(layout: ElementLayout, _: &Ty, elems: usize) -> u64 {
        let len_bytes = (elems as u64).saturating_mul(layout.size_bytes() as u64);
        memory::piece_bytes(len_bytes).unwrap_or(u64::MAX)
    }

    fn trim(&mut self) {
        if self.enter().is_ok() {
            // A device that is gone has nothing.
            let _gone = self.pool.trim(&mut self.streams);
        }
    }

    fn allocate(&mut self, layout: ElementLayout, _: &Ty, window: Range<usize>) -> Result<Array> {
        self.enter()?;
        Array::new(&self.pool, &mut self.streams, layout, window)
    }

    fn upload(&mut self, to: &mut Array, from: View<'_>) -> Result<()> {
        self.enter()?;
        memory::upload(&mut self.streams, &self.staging, to, from)
    }

    fn download(&mut self, from: &Array, to: ViewOut<'_>) -> Result<()> {
        self.enter()?;
        let copied = memory::download(&mut self.streams, &self.staging, from, to);
        self.spans.collect(&self.streams);
        copied?.map_err(|error| self.gpu.failed("download", error.to_string()))
    }

    fn copy(&mut self, from: &Array, to: &mut Array, elements: Range<usize>) -> Result<()> {
        self.enter()?;
        memory::copy(&mut self.streams, from, to, elements)
    }

    fn refuses(&self, kernel: u64) -> bool {
        self.compiler.refuses(kernel)
    }

    fn compilation(&mut self, launch: &Launch<'_, Array>) -> Option<Compilation> {
        let one_pass = self.is_one_pass(launch);
        let (gpu, limits) = (&self.gpu, &self.limits);
        self.compiler
            .compilation(gpu, limits, launch.kernel, launch.block, one_pass)
    }

    fn launch(&mut self, launch: Launch<'_, Array>) -> Result<Launched<Pending>> {
        self.enter()?;
        if self.spans.are_many() {
            self.spans.collect(&self.streams);
        }
        let kernel = self.compiled(&launch, self.is_one_pass(&launch))?;
        let queue = self.queue_for(&launch);
        let noted = match kernel.prepared.status_words {
            0 => None,
            count => Some(self.reserve(queue, (launch.kernel, launch.sweep()), count)?),
        };
        let status = noted.as_ref().map(|noted| &noted.words);
        let mut pending = match launch.kernel.pattern {
            Pattern::Elementwise => {
                match launch.space.along() {
                    None => self.elementwise(queue, &kernel, &launch, status)?,
                    Some(along) => self.along(queue, &kernel, &launch, status, along)?,
                }
                None
            }
            Pattern::Sweep => {
                self.sweep(queue, &kernel, &launch, status)?;
                None
            }
            Pattern::Fold => Some(self.fold(queue, &kernel, &launch, status)?),
            Pattern::Scan => {
                let begun = match kernel.prepared.form.one_pass {
                    true => self.begin_one_pass(queue, &kernel, &launch)?,
                    false => self.begin_scan(queue, &kernel, &launch, status)?,
                };
                Some(Pending::Scan(Box::new(begun)))
            }
        };
        let number = noted.map(|noted| self.status.keep(noted));
        if let Some(Pending::Scan(begun)) = &mut pending {
            begun.words = number;
        }
        Ok(Launched {
            pending,
            traps: number.map(TrapWords),
        })
    }

    fn finish(
        &mut self,
        launch: Launch<'_, Array>,
        pending: Pending,
        carry: Spine,
        wanted: bool,
    ) -> Result<Launched<Pending>> {
        self.enter()?;
        let Pending::Scan(begun) = pending else {
            return Err(self.gpu.failed("launch", "a scan left a value behind"));
        };
        let kernel = self.compiled(&launch, begun.states.is_some())?;
        self.finish_scan(&kernel, &launch, *begun, carry, wanted)
    }

    fn partial(&mut self, pending: Pending) -> Result<Spine> {
        self.enter()?;
        match pending {
            Pending::Value(value) => {
                let landed = self.landed(*value);
                self.spans.collect(&self.streams);
                landed
            }
            Pending::Scan(_) => Err(self.gpu.failed("reduction", "a scan has no value yet")),
        }
    }

    fn wait(&mut self) -> Result<()> {
        self.enter()?;
        let waited = self.streams.wait_for_all();
        self.spans.collect(&self.streams);
        waited
    }

    fn mark(&mut self, traps: &[TrapWords]) -> Result<Option<Mark>> {
        self.enter()?;
        self.set_mark(traps).map(Some)
    }

    fn has_passed(&mut self, mark: Mark) -> Result<bool> {
        self.enter()?;
        self.is_behind(mark)
    }

    fn read_traps(&mut self, traps: TrapWords) -> Result<Option<Trapped>> {
        self.enter()?;
        self.trapped(traps.0)
    }

    fn forget_traps(&mut self, traps: TrapWords) {
        self.status.take(traps.0);
    }
}
