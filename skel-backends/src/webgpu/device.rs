//! The driver.
#![allow(unsafe_code, reason = "the promise of `Driver`")]

use super::{
    along,
    cache::{Cache, Compiled},
    chunk,
    fold::{self, Scratch},
    gpu::Gpu,
    launch::{Blocks, Dispatch, Extra, Recorder, grid, narrow},
    limits::Limits,
    marks::Marks,
    memory::{self, Array, Staging},
    pool::{Pool, class_bytes},
    scan,
    status::{LaunchStatus, Status, UNTRAPPED},
};
use crate::{
    arithmetic::Arithmetic,
    codegen::wgsl::stored_bytes,
    device::{Compilation, Driver, Launch, Launched, Mark, TrapWords, Trapped},
    numbers::Numbers,
};
use skel_core::{
    Error, Result,
    frame::{ElementLayout, Spine, View, ViewOut},
    ir::{TrapKind, Ty},
    plan::{BlockConfigs, Kernel, Pattern},
    space::Shape,
    unit::UnitInfo,
};
use std::{ops::Range, sync::Arc};

/// What a launch leaves behind.
#[derive(Debug)]
pub enum Pending {
    /// A value to be read.
    Value(Box<fold::Value>),
    /// A scan that waits for its carry.
    Scan(scan::PendingScan),
}

/// A device that wgpu drives.
#[derive(Debug)]
pub struct WebGpu {
    pub(super) gpu: Gpu,
    info: UnitInfo,
    pub(super) limits: Arc<Limits>,
    pub(super) cache: Cache,
    pub(super) blocks: Blocks,
    staging: Staging,
    pool: Pool,
    pub(super) scratch: Scratch,
    pub(super) totals: scan::Totals,
    pub(super) status: Status,
    marks: Marks,
    /// Whether something was uploaded since all was waited for.
    uploaded: bool,
}

impl WebGpu {
    pub(super) fn new(gpu: Gpu, info: UnitInfo, limits: Limits) -> Result<WebGpu> {
        Ok(WebGpu {
            blocks: Blocks::new(&gpu, &limits)?,
            gpu,
            info,
            limits: Arc::new(limits),
            cache: Cache::default(),
            staging: Staging::default(),
            pool: Pool::default(),
            scratch: Scratch::default(),
            totals: scan::Totals::default(),
            status: Status::default(),
            marks: Marks::default(),
            uploaded: false,
        })
    }

    /// Goes by what is known of the device's arithmetic from now on.
    pub(super) fn set_arithmetic(&mut self, arithmetic: Arithmetic) -> Result<()> {
        self.info.limits.retain(|(what, _)| *what != "arithmetic");
        self.info.limits.push(("arithmetic", arithmetic.summary()));
        let Some(limits) = Arc::get_mut(&mut self.limits) else {
            return Err(self
                .gpu
                .failed("opening the device", "it is in use already"));
        };
        limits.set_arithmetic(arithmetic);
        self.cache = Cache::default();
        Ok(())
    }

    /// Queues all chunks of an elementwise launch.
    fn elementwise(
        &self,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        words: Option<(&wgpu::Buffer, u32)>,
    ) -> Result<()> {
        let (block, most) = (kernel.prepared.block, self.limits.groups);
        let of_group = u64::from(block.lanes) * u64::from(block.elems_per_lane);
        let reach = of_group * u64::from(most) * u64::from(most);
        let reach = usize::try_from(reach).unwrap_or(usize::MAX);
        let mut recorder = Recorder::new(&self.gpu, &self.limits, &self.blocks);
        for chunk in chunk::chunks(&self.limits, launch, reach) {
            let numbers = Numbers {
                count: chunk.len(),
                ..Numbers::default()
            };
            let groups = grid(chunk.len().div_ceil(of_group as usize) as u32, most);
            let extra = Extra {
                status: words,
                ..Extra::default()
            };
            let dispatch = Dispatch {
                stage: 0,
                chunk: &chunk,
                numbers,
                extra,
                groups,
            };
            recorder.dispatch(kernel, launch, dispatch)?;
        }
        recorder.submit().map(|_| ())
    }

    /// If there was no room: what is kept for later is given back, so that a retry may have it.
    fn relieved<R>(&self, result: Result<R>) -> Result<R> {
        if let Err(Error::OutOfMemory { .. }) = &result {
            self.pool.clear();
            self.gpu.idle()?;
        }
        result
    }

    /// The launch's kernel, compiled.
    pub(super) fn kernel(&mut self, launch: &Launch<'_, Array>) -> Result<Arc<Compiled>> {
        self.cache
            .get(&self.gpu, &self.limits, launch.kernel, launch.block)
    }

    /// Queues the local phase.
    fn begin(&mut self, launch: Launch<'_, Array>) -> Result<Launched<Pending>> {
        let kernel = self.kernel(&launch)?;
        for shader in &kernel.prepared.shaders {
            self.blocks
                .fit(&self.gpu, shader.params.size_bytes() as u64)?;
        }
        let words = kernel.prepared.status_words;
        let mut traps = None;
        if words > 0 {
            let start = launch.range.start;
            let from = (launch.kernel, start, launch.sweep());
            traps = Some(self.status.reserve(&self.gpu, &self.limits, from, words)?);
        }
        let status = traps.and_then(|(number, at)| Some((self.status.buffer(number)?, at as u32)));
        let pending = match launch.kernel.pattern {
            Pattern::Elementwise => match launch.space.along() {
                None => self.elementwise(&kernel, &launch, status),
                Some(along) => along::launch(
                    &self.gpu,
                    &self.limits,
                    &self.blocks,
                    &mut self.scratch,
                    &kernel,
                    &launch,
                    (along, status),
                ),
            }
            .map(|()| None),
            Pattern::Sweep => self.sweep(&kernel, &launch, status).map(|()| None),
            Pattern::Fold => fold::launch(
                &self.gpu,
                &self.limits,
                &self.blocks,
                &mut self.scratch,
                &kernel,
                &launch,
                status,
            )
            .map(|value| Some(Pending::Value(Box::new(value)))),
            Pattern::Scan => self
                .begin_scan(&kernel, &launch, traps)
                .map(|begun| Some(Pending::Scan(begun))),
        };
        let traps = traps.map(|(number, _)| TrapWords(number));
        if pending.is_err()
            && let Some(traps) = traps
        {
            self.forget_traps(traps);
        }
        Ok(Launched {
            pending: pending?,
            traps,
        })
    }

    /// What the words of a launch say.
    fn trapped(&self, noted: &LaunchStatus, words: &[u32]) -> Result<Option<Trapped>> {
        // The sites are the same in all block configurations.
        let usual = self.limits.usual(&noted.kernel);
        let Ok(prepared) = self.limits.generate(&noted.kernel, usual) else {
            return Ok(None);
        };
        let Some(shader) = prepared.shaders.first() else {
            return Ok(None);
        };
        let (elements, operator) = words.split_at(shader.sites.len().min(words.len()));
        let found = elements
            .iter()
            .zip(&shader.sites)
            .min_by_key(|(word, _)| **word);
        let (index, site) = match found.filter(|(word, _)| **word != UNTRAPPED) {
            Some((word, site)) => (Some(noted.element(*word)), site),
            None => {
                let found = operator
                    .iter()
                    .zip(&shader.sites)
                    .find(|(word, _)| **word != UNTRAPPED);
                let Some((_, site)) = found else {
                    return Ok(None);
                };
                (None, site)
            }
        };
        let function = noted.kernel.program.function(site.function);
        let error = if site.kind == TrapKind::Narrow {
            let place = format!("{} ({}:{})", function.name, function.file, site.line);
            narrow(&self.gpu, &noted.kernel, place)
        } else {
            Error::Trap {
                function: function.name.to_owned(),
                file: function.file.to_owned(),
                line: site.line,
                index,
                message: site.kind.message().to_owned(),
            }
        };
        Ok(Some(Trapped { index, error }))
    }
}

// SAFETY: a download copies all bytes of the window from mapped memory, or fails.
unsafe impl Driver for WebGpu {
    type Array = Array;
    type Pending = Pending;
    type Limits = Limits;

    fn info(&self) -> UnitInfo {
        self.info.clone()
    }

    fn limits(&self) -> Arc<Limits> {
        self.limits.clone()
    }

    fn check(limits: &Limits, kernel: &Kernel, shape: Shape) -> std::result::Result<(), String> {
        limits.check(kernel, shape)
    }

    fn block_configs(limits: &Limits, kernel: &Kernel) -> BlockConfigs {
        limits.block_configs(kernel)
    }

    fn check_whole(limits: &Limits, ty: &Ty, elems: usize) -> std::result::Result<(), String> {
        limits.check_whole(ty, elems)
    }

    fn check_strided(
        limits: &Limits,
        ty: &Ty,
        elems: usize,
        together: usize,
    ) -> std::result::Result<(), String> {
        limits.check_strided(ty, elems, together)
    }

    fn array_bytes(_: ElementLayout, ty: &Ty, elems: usize) -> u64 {
        class_bytes((elems as u64).saturating_mul(stored_bytes(ty)))
    }

    fn trim(&mut self) {
        self.pool.clear();
    }

    fn allocate(&mut self, _: ElementLayout, ty: &Ty, window: Range<usize>) -> Result<Array> {
        Array::new(&self.gpu, &self.limits, &self.pool, ty, window)
    }

    fn upload(&mut self, to: &mut Array, from: View<'_>) -> Result<()> {
        self.uploaded = true;
        let result = memory::upload(&self.gpu, to, from);
        self.relieved(result)
    }

    fn download(&mut self, from: &Array, to: ViewOut<'_>) -> Result<()> {
        let result = memory::download(&self.gpu, &self.limits, &mut self.staging, from, to);
        self.relieved(result)
    }

    fn copy(&mut self, from: &Array, to: &mut Array, elements: Range<usize>) -> Result<()> {
        let result = memory::copy(&self.gpu, from, to, elements);
        self.relieved(result)
    }

    fn refuses(&self, kernel: u64) -> bool {
        self.cache.refuses(kernel)
    }

    fn compilation(&mut self, launch: &Launch<'_, Array>) -> Option<Compilation> {
        self.cache
            .compilation(&self.gpu, &self.limits, launch.kernel, launch.block)
    }

    fn launch(&mut self, launch: Launch<'_, Array>) -> Result<Launched<Pending>> {
        let result = self.begin(launch);
        self.relieved(result)
    }

    fn finish(
        &mut self,
        launch: Launch<'_, Array>,
        pending: Pending,
        carry: Spine,
        wanted: bool,
    ) -> Result<Launched<Pending>> {
        let Pending::Scan(begun) = pending else {
            return Err(self.gpu.failed("launch", "a scan left a value behind"));
        };
        let value = self.finish_scan(&launch, begun, carry, wanted);
        let value = self.relieved(value)?;
        Ok(Launched {
            pending: value.map(|value| Pending::Value(Box::new(value))),
            traps: None,
        })
    }

    fn partial(&mut self, pending: Pending) -> Result<Spine> {
        match pending {
            Pending::Value(value) => self.scratch.spine(&self.gpu, *value),
            Pending::Scan(_) => Err(self.gpu.failed("reduction", "a scan has no value yet")),
        }
    }

    fn wait(&mut self) -> Result<()> {
        // What is written to buffers goes to the device with the next submission.
        if std::mem::take(&mut self.uploaded) {
            self.gpu.scoped("waiting", 0, |_, queue| queue.submit([]))?;
        }
        self.gpu.idle()
    }

    fn mark(&mut self, traps: &[TrapWords]) -> Result<Option<Mark>> {
        for TrapWords(number) in traps {
            match self.status.fetch_ahead(&self.gpu, *number) {
                // They are read when they are asked for.
                Err(Error::OutOfMemory { .. }) => {}
                fetched => fetched?,
            }
        }
        self.marks.set(&self.gpu).map(Some)
    }

    fn has_passed(&mut self, mark: Mark) -> Result<bool> {
        self.marks.has_passed(&self.gpu, mark)
    }

    fn read_traps(&mut self, traps: TrapWords) -> Result<Option<Trapped>> {
        let taken = self.status.take(&self.gpu, traps.0);
        match self.relieved(taken)? {
            Some((noted, words)) => self.trapped(&noted, &words),
            None => Ok(None),
        }
    }

    fn forget_traps(&mut self, traps: TrapWords) {
        self.status.forget(traps.0);
    }
}
