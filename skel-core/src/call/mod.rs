//! A call: a plan bound to its operands, on its way to an executor.
#![allow(unsafe_code, reason = "passes a promise on")]

mod along;
mod fit;
mod later;
mod layout;
mod lender;
mod neighbourhood;
mod operand;
mod reclaim;
mod replica;
mod source;

pub use along::{Along, Axis, Cells};
pub use fit::{ArgumentShapes, Fit};
pub use later::Later;
pub use layout::{Layout, Run, Steps};
pub use lender::SliceMut;
pub use neighbourhood::{EdgeKind, Neighbourhood, Reach, Sight, Window};
pub use operand::{Operand, Operands};
pub use reclaim::Remains;
pub use replica::Replica;
pub use source::Source;

use crate::{
    Error, Result,
    container::Shape,
    frame::{Frame, Near, Partial, Parts, Slot},
    param::Stream,
    plan::{self, Blocks, Form, Kernel, Phases},
    schedule::Target,
    unit::NodeId,
};
use arrayvec::ArrayVec;
use std::{ops::Range, sync::Arc};

/// Who runs calls: a context of units. Skeletons are generic over it; the facade fixes it to the
/// default context.
pub trait Executor {
    /// Runs the call, and gives the combined partial of all elements (`Partial::NONE` for patterns
    /// that have none, and for no elements).
    ///
    /// # Errors
    /// Whatever a unit reports. The outputs of a failed call are poisoned.
    fn execute(&self, call: Call<'_>, target: &Target) -> Result<Partial>;

    /// The same, for callers who need not know the partial yet; **may** wait for it all the same.
    ///
    /// # Errors
    /// As [`Executor::execute`], as far as they show by now.
    fn execute_later(&self, call: Call<'_>, target: &Target) -> Result<Later<Partial>> {
        self.execute(call, target).map(Later::Known)
    }
}

impl<E: Executor + ?Sized> Executor for &E {
    fn execute(&self, call: Call<'_>, target: &Target) -> Result<Partial> {
        (**self).execute(call, target)
    }

    fn execute_later(&self, call: Call<'_>, target: &Target) -> Result<Later<Partial>> {
        (**self).execute_later(call, target)
    }
}

/// One call of a skeleton instance. Its operands have been checked: every one that is neither a uniform
/// nor a view has the elements of `shape`; if the call folds rows or columns, the arguments have those of
/// [`Along::space`].
pub struct Call<'e> {
    /// The instance's name.
    pub instance: &'e str,
    /// The host face of the plan.
    pub phases: &'static dyn Phases,
    /// What precedes all elements, in folds and scans; mostly `Partial::NONE`.
    pub initial: Partial,
    /// The index space.
    pub shape: Shape,
    /// What each element folds, if it folds a row or column.
    pub along: Option<Along>,
    /// Which random numbers the elements get.
    pub stream: Stream,
    /// How devices divide it, where that was chosen.
    pub blocks: Blocks,
    /// Arguments, then outputs.
    pub operands: Operands<'e>,
}

impl<'e> Call<'e> {
    /// The memory of the elements `r` on the host; downloads what the host lacks. Each element of
    /// an output can be had once; when they are written, say so to [`Call::wrote_on_host`].
    ///
    /// # Errors
    /// Those of downloading.
    pub fn host_frame(&mut self, r: Range<usize>) -> Result<Frame<'e>> {
        // Everything that is read is fetched before anything is lent to be written: a call that cannot
        // be run leaves its outputs as they were.
        let (needs, space, along) = (self.needs(&r), self.space(), self.along);
        for operand in &mut self.operands {
            match operand {
                Operand::Read(buffer) => _ = buffer.host_view(needs.clone())?,
                Operand::Strided(source, layout) => {
                    _ = source.host_view(layout.needed(&r, space, along))?;
                }
                Operand::Scatter(target, layout, reads) => {
                    target.fetch_scattered(&layout.over(self.shape), &r, *reads)?;
                }
                Operand::Scalar(buffer) | Operand::View(buffer, _) => {
                    _ = buffer.host_view(0..buffer.len())?;
                }
                Operand::ViewPart(source, part, _) => _ = source.host_view(part.clone())?,
                Operand::Window(buffer, window) => _ = buffer.host_parts(window.halo(r.clone()))?,
                Operand::WindowPart(source, part, window) => {
                    _ = source.host_parts(part.start, &window.halo(r.clone()))?;
                }
                Operand::Update(target) => {
                    _ = target.buffer().host_view(target.places(&r))?;
                }
                _ => {}
            }
        }
        let mut slots = ArrayVec::new();
        for operand in &mut self.operands {
            slots.push(match operand {
                Operand::Read(buffer) => Slot::In(buffer.host_view(needs.clone())?),
                Operand::ReadSlice(view) => Slot::In(view.narrow(needs.clone())),
                Operand::Strided(source, layout) => {
                    let steps = layout.over(space);
                    let places = layout.needed(&r, space, along);
                    Slot::strided(source.host_view(places)?, steps)
                }
                Operand::Uniform(view) => Slot::In(*view),
                Operand::Scalar(buffer) => Slot::In(buffer.host_view(0..1)?),
                Operand::View(buffer, shape) => {
                    Slot::Whole(buffer.host_view(0..buffer.len())?, *shape)
                }
                Operand::ViewSlice(view) => Slot::Whole(*view, Shape::D1(view.window().len())),
                Operand::ViewPart(source, part, shape) => {
                    let view = source.host_view(part.clone())?;
                    Slot::Whole(view.counted_from(part.start), *shape)
                }
                Operand::WindowPart(source, part, window) => {
                    let parts = source.host_parts(part.start, &window.halo(r.clone()))?;
                    Slot::Window(Box::new(Near::new(parts, window.near, window.pad)))
                }
                Operand::Window(buffer, window) => {
                    let parts = buffer.host_parts(window.halo(r.clone()))?;
                    Slot::Window(Box::new(Near::new(parts, window.near, window.pad)))
                }
                Operand::WindowSlice(view, window) => {
                    let parts = Parts::of(*view);
                    Slot::Window(Box::new(Near::new(parts, window.near, window.pad)))
                }
                Operand::Update(target) => {
                    let (first, places) = (target.window().start, target.places(&r));
                    Slot::InOut(target.lend_mut(places)?.counted_from(first))
                }
                Operand::Scatter(target, layout, reads) => {
                    let steps = layout.over(self.shape);
                    Slot::Scattered(target.lend_scattered(&steps, r.clone(), *reads)?)
                }
                Operand::UpdateSlice(slice) => Slot::InOut(slice.lend(r.clone())),
                Operand::Write(target) => {
                    let (first, places) = (target.window().start, target.places(&r));
                    Slot::Out(target.lend_out(places).counted_from(first))
                }
                Operand::WriteSlice(slice) => Slot::Out(slice.lend(r.clone()).into_out()),
            });
        }
        Ok(Frame {
            slots,
            range: r,
            shape: self.shape,
            along: self.along,
            stream: self.stream,
        })
    }

    /// The index space of the arguments.
    #[must_use]
    pub fn space(&self) -> Shape {
        self.along.map_or(self.shape, Along::space)
    }

    /// The elements of an argument, counted as the call counts them, that the call's elements `r` need,
    /// with whatever lies between.
    #[must_use]
    pub fn needs(&self, r: &Range<usize>) -> Range<usize> {
        match self.along {
            None => r.clone(),
            Some(along) => {
                let space = along.space();
                Layout::row_major(0, space).needed(r, space, Some(along))
            }
        }
    }

    /// The device face of the plan, for operands that lie as these do.
    ///
    /// # Errors
    /// As [`Phases::kernel`].
    pub fn kernel(&self) -> Result<Arc<Kernel>> {
        let kernel = self.phases.kernel()?;
        let space = self.space();
        let forms = self.operands.iter().map(|operand| match operand {
            Operand::Read(_) | Operand::ReadSlice(_) | Operand::Strided(..)
                if self.along.is_some() =>
            {
                Form::Strided(2)
            }
            Operand::Strided(_, layout) => {
                let steps = layout.over(space);
                match steps.contiguous() {
                    Some(_) => Form::Plain,
                    None => Form::Strided(steps.dims.len() as u8),
                }
            }
            Operand::Window(_, window) | Operand::WindowSlice(_, window) => {
                let sight = Sight::of(&window.near, &window.reach, space.len());
                sight.map_or(Form::Plain, Form::Seen)
            }
            _ => Form::Plain,
        });
        Ok(plan::formed(kernel, forms.collect()))
    }

    /// The shapes of the operands that devices bind as a whole, with their positions: views, and what is
    /// seen through windows.
    pub fn views(&self) -> impl Iterator<Item = (usize, Shape)> {
        let operands = self.operands.iter().enumerate();
        operands.filter_map(|(k, operand)| match operand {
            Operand::View(_, shape) | Operand::ViewPart(_, _, shape) => Some((k, *shape)),
            Operand::WindowPart(_, part, _) => Some((k, Shape::D1(part.len()))),
            Operand::Window(buffer, _) => Some((k, Shape::D1(buffer.len()))),
            Operand::ViewSlice(view) | Operand::WindowSlice(view, _) => {
                Some((k, Shape::D1(view.window().len())))
            }
            _ => None,
        })
    }

    /// The arguments that are read by strides, for devices whose bindings are limited. Of each: its
    /// position; how many elements, with whatever lies between, the smallest piece of the call needs of it (a
    /// step along the outermost dimension, or what is folded to one value); and, in folds of rows and
    /// columns, the end of all that is read, else 0.
    pub fn scattered(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let (space, along) = (self.space(), self.along);
        let step = match along {
            Some(_) => 1,
            None => {
                let outermost = space.extents().into_iter().find(|extent| *extent > 1);
                space.len() / outermost.unwrap_or(1).max(1)
            }
        };
        let operands = self.operands.iter().enumerate();
        operands.filter_map(move |(k, operand)| {
            let layout = match operand {
                Operand::Strided(_, layout) => *layout,
                Operand::Read(_) | Operand::ReadSlice(_) if along.is_some() => {
                    Layout::row_major(0, space)
                }
                _ => return None,
            };
            if along.is_none() && layout.over(space).contiguous().is_some() {
                return None;
            }
            let together = match along {
                Some(along) => layout.needed(&(0..along.values()), space, Some(along)).end,
                None => 0,
            };
            let at_once = layout.needed(&(0..step), space, along).len();
            Some((k, at_once, together))
        })
    }

    /// The host has written elements `r` of all outputs that are containers.
    ///
    /// # Safety
    /// It is so: a frame of them went through the phase of the plan that writes, without a panic.
    pub unsafe fn wrote_on_host(&mut self, r: &Range<usize>) {
        for operand in &mut self.operands {
            match operand {
                Operand::Update(target) | Operand::Write(target) => {
                    let places = target.places(r);
                    // SAFETY: by the contract above.
                    unsafe { target.wrote(NodeId::HOST, places) };
                }
                _ => {}
            }
        }
        // SAFETY: by the contract above.
        unsafe { self.wrote_scattered(r) };
    }

    /// The elements `r` of all outputs that are written one by one are in their places, whoever has computed
    /// them.
    ///
    /// # Safety
    /// It is so.
    pub unsafe fn wrote_scattered(&mut self, r: &Range<usize>) {
        for operand in &mut self.operands {
            if let Operand::Scatter(target, layout, _) = operand {
                let steps = layout.over(self.shape);
                // SAFETY: by the contract above. If another piece was not written, the call has failed, and
                // poisons everything.
                unsafe { target.wrote_scattered(&steps, r.clone()) };
            }
        }
    }

    /// The call failed: what it had begun to write is valid nowhere.
    pub fn poison_outputs(&mut self, cause: &Error) {
        // An inherited cause is passed on as it is: chains of causes would grow without end.
        let mut shared = match cause {
            Error::Poisoned { cause } => Some(cause.clone()),
            _ => None,
        };
        for operand in &mut self.operands {
            if let Operand::Update(target) | Operand::Write(target) | Operand::Scatter(target, ..) =
                operand
            {
                target.poison(shared.get_or_insert_with(|| cause.clone().into()));
            }
        }
    }
}
