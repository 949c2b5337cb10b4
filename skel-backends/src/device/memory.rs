//! What a device's thread owns: the driver, the arrays, and what is wrong with them.

use super::{
    Driver, Launch, LaunchArg, TrapWords,
    scatter::Strip,
    taint::{Cause, Taints},
    watched::Watched,
};
use skel_core::{
    Error, Result,
    call::{Along, Layout, Neighbourhood},
    container::{IntervalSet, Shape},
    frame::{ElementLayout, ErasedArray, Partial, View, ViewMut, ViewOut},
    ir::Ty,
    param::Stream,
    plan::{Kernel, Phases},
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// Names an array on its device.
pub(super) type ArrayId = u64;

/// The thread's state.
pub(super) struct Memory<D: Driver> {
    driver: Watched<D>,
    arrays: HashMap<ArrayId, Slot<D::Array>>,
    /// Launches that may have trapped, as long as someone may ask.
    outstanding: Vec<Cause>,
}

struct Slot<A> {
    array: A,
    taints: Taints,
}

/// One piece of a call, as the device's thread gets it.
pub(super) struct Work<'e> {
    pub(super) kernel: Arc<Kernel>,
    pub(super) phases: &'static dyn Phases,
    pub(super) shape: Shape,
    pub(super) along: Option<Along>,
    pub(super) stream: Stream,
    pub(super) range: Range<usize>,
    pub(super) args: Vec<Arg>,
    /// As [`Launch::offsets`].
    pub(super) offsets: Vec<usize>,
    /// Borrowed slices to write: uploaded first if the flag says so, downloaded afterwards.
    pub(super) slices: Vec<(ArrayId, ViewMut<'e>, bool)>,
    /// What is written one by one.
    pub(super) strips: Vec<Strip<'e>>,
    /// Whether to wait for the end, so that it can be timed.
    pub(super) wait: bool,
}

impl Work<'_> {
    /// The elements of the array of argument `k` that the piece reads or writes one by one.
    fn places(&self, k: usize) -> Range<usize> {
        let offset = self.offsets.get(k).copied().unwrap_or(0);
        offset + self.range.start..offset + self.range.end
    }

    /// The same, for good: slices and strips, which borrow, are left out.
    pub(super) fn without_borrows(self) -> Work<'static> {
        let Work {
            kernel,
            phases,
            shape,
            along,
            stream,
            range,
            args,
            offsets,
            wait,
            slices: _,
            strips: _,
        } = self;
        Work {
            kernel,
            phases,
            shape,
            along,
            stream,
            range,
            args,
            offsets,
            wait,
            slices: Vec::new(),
            strips: Vec::new(),
        }
    }
}

/// A scan that waits for its carry.
pub(super) struct Begun<D: Driver> {
    work: Work<'static>,
    pending: Option<D::Pending>,
    causes: Vec<Cause>,
}

/// An argument of a launch.
pub(super) enum Arg {
    In(ArrayId),
    /// With all that the piece needs of it.
    Strided(ArrayId, Layout, Range<usize>),
    InOut(ArrayId),
    Out(ArrayId),
    Uniform(ErasedArray),
    View(ArrayId, Shape),
    Window(ArrayId, Box<NearArg>),
}

/// A container of which each element sees a neighbourhood.
pub(super) struct NearArg {
    pub(super) near: Neighbourhood,
    /// What the piece sees.
    pub(super) halo: IntervalSet,
    pub(super) pad: Option<ErasedArray>,
}

impl<D: Driver> Memory<D> {
    pub(super) fn new(driver: Watched<D>) -> Self {
        Memory {
            driver,
            arrays: HashMap::new(),
            outstanding: Vec::new(),
        }
    }

    pub(super) fn allocate(
        &mut self,
        id: ArrayId,
        layout: ElementLayout,
        ty: &Ty,
        window: Range<usize>,
    ) -> Result<()> {
        let array = self.driver.allocate(layout, ty, window)?;
        self.arrays.insert(
            id,
            Slot {
                array,
                taints: Taints::default(),
            },
        );
        Ok(())
    }

    pub(super) fn free(&mut self, id: ArrayId) {
        self.arrays.remove(&id);
    }

    /// The error of a device that was given up.
    pub(super) fn lost(&self) -> Error {
        self.driver.lost()
    }

    pub(super) fn wait(&mut self) -> Result<()> {
        self.driver.wait()
    }

    /// Waits for everything, and looks at all launches that nobody has looked at: the first error.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.driver.wait()?;
        let mut first = None;
        for cause in std::mem::take(&mut self.outstanding) {
            let error = cause.look(&mut self.driver);
            first = first.or(error);
        }
        first.map_or(Ok(()), Err)
    }

    pub(super) fn name(&self) -> String {
        self.driver.info().name
    }

    /// Copies elements to the host, unless something is wrong with them.
    pub(super) fn download(&mut self, id: ArrayId, into: ViewOut<'_>) -> Result<()> {
        let Some(slot) = self.arrays.get_mut(&id) else {
            return Err(self.no_array("a download"));
        };
        match slot.taints.resolve(&mut self.driver, &into.window()) {
            Some(error) => Err(error),
            None => self.driver.download(&slot.array, into),
        }
    }

    /// Runs a piece. What goes wrong is returned, and taints the outputs for those who read later.
    pub(super) fn run(&mut self, mut work: Work<'_>) -> Result<Partial> {
        let result = self.try_run(&mut work);
        if let Err(error) = &result {
            self.taint_outputs(&work, &[Cause::failed(error.clone())]);
            return result;
        }
        for (id, view, _) in work.slices {
            self.download(id, view.into_out())?;
        }
        self.scatter(work.strips)?;
        if work.wait {
            self.driver.wait()?;
        }
        result
    }

    fn try_run(&mut self, work: &mut Work<'_>) -> Result<Partial> {
        for (id, view, reads) in &work.slices {
            if *reads {
                self.upload(*id, view.as_view());
            }
        }
        self.gather(&work.strips);
        match self.start(work)? {
            (None, _) => Ok(Partial::NONE),
            (Some(pending), causes) => self.partial(pending, &causes),
        }
    }

    /// The launch, and what its outputs hang on.
    fn start(&mut self, work: &Work<'_>) -> Result<(Option<D::Pending>, Vec<Cause>)> {
        let mut causes = self.inherited(work);
        if let Some(error) = causes.iter().find_map(Cause::failure) {
            return Err(error);
        }
        let launched = self.launch(work, |driver, launch| driver.launch(launch))?;
        causes.extend(self.note(launched.traps));
        self.outstanding
            .retain_mut(|cause| !cause.release(&mut self.driver));
        self.taint_outputs(work, &causes);
        Ok((launched.pending, causes))
    }

    fn note(&mut self, words: Option<TrapWords>) -> Option<Cause> {
        let cause = Cause::unknown(words?);
        self.outstanding.push(cause.clone());
        Some(cause)
    }

    /// Waits for a partial. Who waits looks for traps as well.
    fn partial(&mut self, pending: D::Pending, causes: &[Cause]) -> Result<Partial> {
        let partial = self.driver.partial(pending)?;
        match causes
            .iter()
            .find_map(|cause| cause.resolve(&mut self.driver))
        {
            Some(error) => Err(error),
            None => Ok(partial),
        }
    }

    /// Starts a scan, as far as it goes without its carry. What goes wrong taints the outputs.
    pub(super) fn begin(&mut self, work: Work<'static>) -> Result<Begun<D>> {
        match self.start(&work) {
            Ok((pending, causes)) => Ok(Begun {
                work,
                pending,
                causes,
            }),
            Err(error) => {
                self.taint_outputs(&work, &[Cause::failed(error.clone())]);
                Err(error)
            }
        }
    }

    /// The last phase of a scan; the carry of what follows, if it is wanted.
    pub(super) fn finish(
        &mut self,
        begun: Begun<D>,
        carry: Partial,
        wanted: bool,
    ) -> Result<Partial> {
        let Begun {
            work,
            pending,
            causes,
        } = begun;
        let result = self.try_finish(&work, pending, causes, carry, wanted);
        if let Err(error) = &result {
            self.taint_outputs(&work, &[Cause::failed(error.clone())]);
        }
        result
    }

    fn try_finish(
        &mut self,
        work: &Work<'_>,
        pending: Option<D::Pending>,
        mut causes: Vec<Cause>,
        carry: Partial,
        wanted: bool,
    ) -> Result<Partial> {
        let Some(pending) = pending else {
            return Err(Error::Device {
                device: self.driver.info().name,
                operation: "a launch",
                message: "a scan left nothing to finish".into(),
            });
        };
        let launched = self.launch(work, |driver, launch| {
            driver.finish(launch, pending, carry, wanted)
        })?;
        causes.extend(self.note(launched.traps));
        self.taint_outputs(work, &causes);
        match launched.pending {
            Some(pending) if wanted => self.partial(pending, &causes),
            _ => Ok(Partial::NONE),
        }
    }

    /// Copies elements to the device. If that fails, whoever reads them there finds out.
    pub(super) fn upload(&mut self, id: ArrayId, view: View<'_>) {
        if let Some(slot) = self.arrays.get_mut(&id) {
            slot.taints.clear(&view.window());
            if let Err(error) = self.driver.upload(&mut slot.array, view) {
                slot.taints.add(&view.window(), &[Cause::failed(error)]);
            }
        }
    }

    /// The earlier launches that the inputs hang on.
    fn inherited(&mut self, work: &Work<'_>) -> Vec<Cause> {
        let mut causes = Vec::new();
        for (k, arg) in work.args.iter().enumerate() {
            let (id, read) = match arg {
                Arg::In(id) | Arg::InOut(id) => (id, IntervalSet::of(work.places(k))),
                Arg::Strided(id, _, places) => (id, IntervalSet::of(places.clone())),
                Arg::View(id, shape) => (id, IntervalSet::of(0..shape.len())),
                Arg::Window(id, window) => (id, window.halo.clone()),
                Arg::Out(_) | Arg::Uniform(_) => continue,
            };
            if let Some(slot) = self.arrays.get_mut(id) {
                slot.taints.trim(&mut self.driver);
                for range in read.ranges() {
                    slot.taints.of(range, &mut causes);
                }
            }
        }
        causes
    }

    fn taint_outputs(&mut self, work: &Work<'_>, causes: &[Cause]) {
        for (k, arg) in work.args.iter().enumerate() {
            if let Arg::InOut(id) | Arg::Out(id) = arg
                && let Some(slot) = self.arrays.get_mut(id)
            {
                let places = work.places(k);
                slot.taints.clear(&places);
                slot.taints.add(&places, causes);
            }
        }
    }

    fn launch<R>(
        &mut self,
        work: &Work<'_>,
        with: impl FnOnce(&mut Watched<D>, Launch<'_, D::Array>) -> Result<R>,
    ) -> Result<R> {
        // What is written is taken out, so that it can be borrowed beside what is read.
        let written = |arg: &Arg| match arg {
            Arg::InOut(id) | Arg::Out(id) => Some(*id),
            Arg::In(_) | Arg::Strided(..) | Arg::Uniform(_) | Arg::View(..) | Arg::Window(..) => {
                None
            }
        };
        let mut taken: HashMap<ArrayId, Slot<D::Array>> = work
            .args
            .iter()
            .filter_map(written)
            .filter_map(|id| Some((id, self.arrays.remove(&id)?)))
            .collect();
        let result = {
            let mut to_write: HashMap<ArrayId, &mut Slot<D::Array>> =
                taken.iter_mut().map(|(id, slot)| (*id, slot)).collect();
            let args: Option<Vec<LaunchArg<'_, D::Array>>> = work
                .args
                .iter()
                .map(|arg| match arg {
                    Arg::In(id) => self.arrays.get(id).map(|slot| LaunchArg::In(&slot.array)),
                    Arg::Strided(id, layout, _) => {
                        let slot = self.arrays.get(id);
                        slot.map(|slot| LaunchArg::Strided(&slot.array, *layout))
                    }
                    Arg::InOut(id) => to_write
                        .remove(id)
                        .map(|slot| LaunchArg::InOut(&mut slot.array)),
                    Arg::Out(id) => to_write
                        .remove(id)
                        .map(|slot| LaunchArg::Out(&mut slot.array)),
                    Arg::Uniform(value) => Some(LaunchArg::Uniform(value.view(0..1))),
                    Arg::View(id, shape) => {
                        let slot = self.arrays.get(id);
                        slot.map(|slot| LaunchArg::View(&slot.array, *shape))
                    }
                    Arg::Window(id, window) => {
                        let pad = window.pad.as_ref().map(|pad| pad.view(0..1));
                        let slot = self.arrays.get(id);
                        slot.map(|slot| LaunchArg::Window(&slot.array, window.near, pad))
                    }
                })
                .collect();
            match args {
                None => Err(self.no_array("a launch")),
                Some(args) => {
                    let launch = Launch {
                        kernel: &work.kernel,
                        phases: work.phases,
                        args,
                        offsets: work.offsets.clone(),
                        range: work.range.clone(),
                        shape: work.shape,
                        along: work.along,
                        stream: work.stream,
                    };
                    with(&mut self.driver, launch)
                }
            }
        };
        self.arrays.extend(taken);
        result
    }

    /// Cannot happen: handles keep their arrays.
    fn no_array(&self, operation: &'static str) -> Error {
        Error::Device {
            device: self.driver.info().name,
            operation,
            message: "an array was freed before".into(),
        }
    }
}
