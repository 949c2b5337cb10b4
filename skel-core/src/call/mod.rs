//! A call: a plan bound to its operands, on its way to an executor.
#![allow(unsafe_code, reason = "passes a promise on")]

mod fit;
mod input;
mod operand;
mod output;
mod reclaim;
mod replica;
mod temporal;
mod window;

pub use fit::{ArgumentShapes, Fit};
pub use input::{Access, Input};
pub use operand::{Operand, Operands};
pub use output::{Output, OutputAccess, OutputTarget, ScatteredOutput, SweptOutput};
pub use replica::Replica;
pub use window::Window;

use crate::{
    Error, Result,
    frame::{Frame, Partial, Slots},
    later::Later,
    plan::{self, Blocks, Grouping, Kernel, Pattern, Phases},
    schedule,
    space::{IndexSpace, Lines, Shape},
    unit::NodeId,
};
use std::{ops::Range, sync::Arc};

/// What runs calls: a context of units. Skeletons are generic over it; the facade fixes it to the
/// default context.
pub trait Executor {
    /// Runs the call, and gives the combined partial of all elements (`Partial::NONE` for patterns
    /// that have none, and for no elements).
    ///
    /// # Errors
    /// Whatever a unit reports. The outputs of a failed call are poisoned.
    fn execute(&self, call: &mut Call<'_>, target: &schedule::Target) -> Result<Partial>;

    /// The same, for callers that do not need the partial yet; **may** wait for it all the same.
    ///
    /// # Errors
    /// As [`Executor::execute`], as far as they show by now.
    fn execute_later(
        &self,
        call: &mut Call<'_>,
        target: &schedule::Target,
    ) -> Result<Later<Partial>> {
        self.execute(call, target).map(Later::Known)
    }

    /// Runs at most `most_steps` steps of a call together, if that is expected to be faster than one after the other:
    /// from step to step, the outputs take the place of as many first arguments, which are seen through windows. Gives how
    /// many it has run; after none, which is what other calls get, the call is as it was.
    ///
    /// # Errors
    /// As [`Executor::execute`]; what the first arguments are has not changed.
    fn execute_steps(
        &self,
        call: &mut Call<'_>,
        target: &schedule::Target,
        most_steps: usize,
    ) -> Result<usize> {
        let _ = (call, target, most_steps);
        Ok(0)
    }

    /// Whether the host computes all calls for this target, as far as is known: then what devices are slow at is no reason
    /// to do it otherwise.
    fn stays_on_host(&self, target: &schedule::Target) -> bool {
        let _ = target;
        false
    }
}

impl<E: Executor + ?Sized> Executor for &E {
    fn execute(&self, call: &mut Call<'_>, target: &schedule::Target) -> Result<Partial> {
        (**self).execute(call, target)
    }

    fn execute_later(
        &self,
        call: &mut Call<'_>,
        target: &schedule::Target,
    ) -> Result<Later<Partial>> {
        (**self).execute_later(call, target)
    }

    fn execute_steps(
        &self,
        call: &mut Call<'_>,
        target: &schedule::Target,
        most_steps: usize,
    ) -> Result<usize> {
        (**self).execute_steps(call, target, most_steps)
    }

    fn stays_on_host(&self, target: &schedule::Target) -> bool {
        (**self).stays_on_host(target)
    }
}

/// One call of a skeleton instance. Its operands have been checked: every one that is neither a uniform
/// nor a view has the elements of `shape`; if the call folds rows or columns, the arguments have those of
/// [`IndexSpace::arguments`].
pub struct Call<'e> {
    /// The instance's name.
    pub instance: &'e str,
    /// The host face of the plan.
    pub phases: &'static dyn Phases,
    /// What precedes all elements, in folds and scans; mostly `Partial::NONE`.
    pub initial: Partial,
    /// The index space.
    pub space: IndexSpace,
    /// How devices divide it, where that was chosen.
    pub blocks: Blocks,
    /// Arguments, then outputs.
    pub operands: Operands<'e>,
}

/// How much a device needs of an operand that is read or stored by strides, with whatever lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StridedNeed {
    /// The operand's position.
    pub argument: usize,
    /// Elements for the smallest piece of the call: a step along the outermost dimension, what is folded to one value,
    /// or all of a sweep.
    pub piece_elems: usize,
    /// Folds of rows and columns: the end of all that is read; else 0.
    pub end: usize,
}

impl<'e> Call<'e> {
    /// The memory of the elements `r` on the host, which are grouped as the plan's kernel says
    /// ([`Grouping::of`]); downloads what the host lacks. Each element of an output can be had once; when they are
    /// written, say so to [`Call::wrote_on_host`].
    ///
    /// # Errors
    /// Those of downloading.
    pub fn host_frame(&mut self, r: Range<usize>, grouping: Grouping) -> Result<Frame<'e>> {
        let mut frame = self.closed_frame(r, grouping);
        self.open_frame(&mut frame)?;
        Ok(frame)
    }

    /// A frame of these elements, for [`Call::open_frame`].
    #[inline]
    #[must_use]
    pub fn closed_frame(&self, r: Range<usize>, grouping: Grouping) -> Frame<'e> {
        Frame {
            slots: Slots::new(),
            range: r,
            space: self.space,
            grouping,
        }
    }

    /// Gives a new frame from [`Call::closed_frame`] its slots, where it lies: see [`Call::host_frame`]. After an error it has
    /// some of them, and is of no use.
    ///
    /// # Errors
    /// Those of downloading.
    pub fn open_frame(&mut self, frame: &mut Frame<'e>) -> Result<()> {
        // Whatever a device was to do that has failed.
        self.scatter_by_device(false);
        // Everything that is read is fetched before anything is lent to be written: a call that cannot
        // be run leaves its outputs as they were.
        self.fetch(&frame.range)?;
        for operand in &mut self.operands {
            frame.slots.push(match operand {
                Operand::Input(input) => input.slot(&self.space, &frame.range)?,
                Operand::Output(output) => output.slot(&self.space, &frame.range)?,
            });
        }
        Ok(())
    }

    /// Brings to the host all that elements `r` read.
    fn fetch(&mut self, r: &Range<usize>) -> Result<()> {
        let complete = self.operands.iter().all(Operand::is_complete_on_host);
        if complete {
            return Ok(());
        }
        for operand in &mut self.operands {
            match operand {
                Operand::Input(input) => input.source.fetch(&input.needs(&self.space, r))?,
                Operand::Output(output) => output.fetch(&self.space, r)?,
            }
        }
        Ok(())
    }

    /// What the boundaries between units, and between all that a unit divides its part into, are multiples of:
    /// see [`Grouping::grain`]. None where nothing is combined, or no float is. Of lines, what parts have between their
    /// first and last elements must not overlap: [`Lines::grain`]. A sweep is a whole.
    #[must_use]
    pub fn grain(&self) -> Option<usize> {
        if self.is_sweep() {
            return Some(self.space.elems().max(1));
        }
        let lines = self.operands.iter().filter_map(Operand::seen_lines);
        if let Some(grain) = lines.map(Lines::grain).max().filter(|grain| *grain > 1) {
            return Some(grain);
        }
        let is_exact = || self.phases.kernel().is_ok_and(|kernel| kernel.is_exact);
        if !self.phases.pattern().combines() || is_exact() {
            return None;
        }
        Some(Grouping::of(self.phases).grain(self.space.elems()))
    }

    /// Whether its elements see lines of containers.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        self.operands
            .iter()
            .any(|operand| operand.seen_lines().is_some())
    }

    /// Whether its elements see what others of the call were made into, in an order: then it is not cut.
    #[must_use]
    pub fn is_sweep(&self) -> bool {
        self.phases.pattern() == Pattern::Sweep
    }

    /// The device face of the plan, for operands that lie as these do.
    ///
    /// # Errors
    /// As [`Phases::kernel`].
    pub fn kernel(&self) -> Result<Arc<Kernel>> {
        self.kernel_that_scatters(false)
    }

    /// The same, for a device that scatters, whether the operands say so by now or not: see
    /// [`ScatteredOutput::by_device`].
    ///
    /// # Errors
    /// As [`Phases::kernel`].
    pub fn kernel_that_scatters(&self, by_device: bool) -> Result<Arc<Kernel>> {
        let kernel = self.phases.kernel()?;
        let space = &self.space;
        let roles = self.operands.iter().map(|operand| match operand {
            Operand::Input(input) => input.role(space),
            Operand::Output(output) => output.role(space, by_device),
        });
        Ok(plan::specialised(Arc::clone(kernel), roles.collect()))
    }

    /// Says whether the device that takes all elements scatters those that lie apart, or the host: see
    /// [`ScatteredOutput::by_device`]. Before anything is lent.
    pub fn scatter_by_device(&mut self, by_device: bool) {
        for output in self.outputs() {
            if let Some(OutputAccess::Scattered(scattered)) = output.access.as_deref_mut() {
                scattered.by_device = by_device;
            }
        }
    }

    /// The shapes of the operands that devices bind as a whole, with their positions: views, what is
    /// seen through windows or line by line, and all arrays of a sweep.
    pub fn views(&self) -> impl Iterator<Item = (usize, Shape)> {
        let operands = self.operands.iter().enumerate();
        operands.filter_map(|(k, operand)| match operand {
            Operand::Input(input) => match &input.access {
                Access::Whole(shape) => Some((k, *shape)),
                Access::Window(_) | Access::Lines(_) => Some((k, Shape::D1(input.source.len()))),
                Access::Each if self.is_sweep() => Some((k, Shape::D1(input.source.len()))),
                Access::Each | Access::Strided(_) | Access::Uniform => None,
            },
            Operand::Output(output) => {
                // Of a part, the container: a device may have an array of all of it.
                let target = &output.target;
                let elems = target.buffer().map_or(target.len(), |buffer| buffer.len());
                let seen_whole = output.lines().is_some() || output.swept().is_some();
                seen_whole.then_some((k, Shape::D1(elems)))
            }
        })
    }

    /// What is read or stored by strides, the latter if a device scatters, for devices whose bindings are limited.
    pub fn strided(&self, by_device: bool) -> impl Iterator<Item = StridedNeed> {
        let (space, along) = (self.space.arguments(), self.space.along());
        let step = match along {
            Some(_) => 1,
            None if self.is_sweep() => space.len(),
            None => {
                let outermost = space.extents().into_iter().find(|extent| *extent > 1);
                space.len() / outermost.unwrap_or(1).max(1)
            }
        };
        let operands = self.operands.iter().enumerate();
        operands.filter_map(move |(k, operand)| {
            let layout = match operand {
                Operand::Input(input) => input.layout(&self.space)?,
                Operand::Output(output) => output.scattered().filter(|_| by_device)?.layout,
            };
            if along.is_none() && layout.over(space).contiguous().is_some() {
                return None;
            }
            let end = match along {
                Some(along) => layout.needed(&(0..along.values()), space, Some(along)).end,
                None => 0,
            };
            Some(StridedNeed {
                argument: k,
                piece_elems: layout.needed(&(0..step), space, along).len(),
                end,
            })
        })
    }

    /// The host has written elements `r` of all outputs that are containers.
    ///
    /// # Safety
    /// It is so: a frame of them went through the phase of the plan that writes, without a panic.
    pub unsafe fn wrote_on_host(&mut self, r: &Range<usize>) {
        let space = self.space;
        for output in self.outputs() {
            if let Some((target, coalesced)) = output.scattered_by_host(|| space.shape()) {
                // SAFETY: what the host was lent of these elements is at its places, as the caller says. If another piece
                // was not written, the call has failed, and poisons everything.
                unsafe { target.wrote_scattered(&coalesced, r.clone()) };
                continue;
            }
            let r = output.elements(r);
            if let OutputTarget::Container(target) = &mut output.target {
                let places = target.places(&r);
                // SAFETY: a frame of `r`, which lent these places of the container, was written without a panic: that is
                // what the caller says.
                unsafe { target.wrote(NodeId::HOST, places) };
            }
        }
    }

    /// The elements `r` of all outputs that the host puts to their places one by one are there, whichever unit has
    /// computed them.
    ///
    /// # Safety
    /// It is so.
    pub unsafe fn wrote_scattered(&mut self, r: &Range<usize>) {
        let space = self.space;
        for output in self.outputs() {
            if let Some((target, coalesced)) = output.scattered_by_host(|| space.shape()) {
                // SAFETY: they were written, as the caller says. If another piece was not written, the call
                // has failed, and poisons everything.
                unsafe { target.wrote_scattered(&coalesced, r.clone()) };
            }
        }
    }

    /// What the call writes.
    pub fn outputs(&mut self) -> impl Iterator<Item = &mut Output<'e>> {
        self.operands
            .iter_mut()
            .filter_map(|operand| match operand {
                Operand::Output(output) => Some(output),
                Operand::Input(_) => None,
            })
    }

    /// Waits for elements `r` of all outputs, and brings them to the host.
    ///
    /// # Errors
    /// That of the launch that was to write them: a trap, for example, of which the device has not told yet.
    pub fn await_outputs(&mut self, r: &Range<usize>) -> Result<()> {
        for output in self.outputs().filter(|output| output.is_ranged()) {
            if let OutputTarget::Container(target) = &output.target {
                let places = target.places(&output.elements(r));
                let _there = target.buffer().host_view(places)?;
            }
        }
        Ok(())
    }

    /// The call failed: what it had begun to write is valid nowhere.
    pub fn poison_outputs(&mut self, cause: &Error) {
        // An inherited cause is passed on as it is: chains of causes would grow without end.
        let mut shared = match cause {
            Error::Poisoned { cause } => Some(cause.clone()),
            _ => None,
        };
        for output in self.outputs() {
            if let OutputTarget::Container(target) = &mut output.target {
                target.poison(shared.get_or_insert_with(|| cause.clone().into()));
            }
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    /// Workers take parts of a call on threads of their own.
    #[test]
    fn calls_and_their_parts_go_to_other_threads() {
        fn goes<T: Send>() {}
        goes::<Call<'_>>();
        goes::<Frame<'_>>();
    }

    /// These are made for every call; what is large here is copied on its way.
    #[test]
    fn calls_and_their_parts_stay_small() {
        assert!(size_of::<Operand<'_>>() <= 80);
        assert!(size_of::<Call<'_>>() <= 720);
        assert!(size_of::<Frame<'_>>() <= 392);
    }
}
