//! What a call writes.

use crate::{
    Result,
    container::{Buffer, BufferMut, SliceMut},
    frame::{ElementLayout, LinesMut, Slot, SweepMut, View, ViewMut},
    plan::{Role, SweepForm},
    space::{CoalescedLayout, IndexSpace, Layout, Lines, Shape, SweepOrder},
};
use std::ops::Range;

/// Elements that a call writes.
pub struct Output<'e> {
    /// Where they are.
    pub target: OutputTarget<'e>,
    /// Whether they are read before: they are changed in place.
    pub reads: bool,
    /// Which of them an element of the call changes, and sees, if that is not its own alone.
    pub access: Option<Box<OutputAccess<'e>>>,
}

/// Which elements of an output an element of the call changes, and sees, where that is not its own alone.
#[derive(Clone)]
pub enum OutputAccess<'e> {
    /// A line.
    Lines(Lines),
    /// It changes its own, and sees others of a sweep.
    Sweep(SweptOutput<'e>),
    /// Its own, which lies apart from those of its neighbours.
    Scattered(ScatteredOutput),
}

/// Elements that lie between others that stay: each in a place of its own, within the window of the target.
#[derive(Clone, Copy, Debug)]
pub struct ScatteredOutput {
    /// Where they lie, as the container counts.
    pub layout: Layout,
    /// Whether one device takes the whole call, and stores them by strides into its array of the container.
    /// Otherwise the host puts them into their places, whichever unit computes them.
    pub by_device: bool,
}

/// What is swept, as an output.
#[derive(Clone)]
pub struct SweptOutput<'e> {
    /// Which elements are computed before which.
    pub order: SweepOrder,
    /// The one value beyond edges that are padded.
    pub pad: Option<View<'e>>,
}

impl<'e> Output<'e> {
    /// Where its lines lie, if elements see lines of it.
    #[must_use]
    pub fn lines(&self) -> Option<Lines> {
        match self.access.as_deref() {
            Some(OutputAccess::Lines(lines)) => Some(*lines),
            Some(OutputAccess::Sweep(_) | OutputAccess::Scattered(_)) | None => None,
        }
    }

    /// How its elements lie, if they lie apart.
    #[must_use]
    #[inline]
    pub fn scattered(&self) -> Option<&ScatteredOutput> {
        match self.access.as_deref()? {
            OutputAccess::Scattered(scattered) => Some(scattered),
            OutputAccess::Lines(_) | OutputAccess::Sweep(_) => None,
        }
    }

    /// The container and the places of elements that the host puts there one by one.
    #[inline]
    pub fn scattered_by_host(
        &mut self,
        shape: impl FnOnce() -> Shape,
    ) -> Option<(&mut BufferMut<'e>, CoalescedLayout)> {
        let layout = self.scattered().filter(|s| !s.by_device)?.layout;
        match &mut self.target {
            OutputTarget::Container(target) => Some((target, layout.over(shape()))),
            // Of a slice there are no parts with gaps.
            OutputTarget::Slice(_) => None,
        }
    }

    /// Whether ranges of the call take ranges of the target: all but what the host scatters.
    #[must_use]
    #[inline]
    pub fn is_ranged(&self) -> bool {
        self.scattered().is_none_or(|scattered| scattered.by_device)
    }

    /// Whether the unit that computes elements needs what was there before: it reads them, or writes between others.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.reads
            || self
                .scattered()
                .is_some_and(|scattered| scattered.by_device)
    }

    /// How it is swept, if it is.
    #[must_use]
    pub fn swept(&self) -> Option<&SweptOutput<'e>> {
        match self.access.as_deref() {
            Some(OutputAccess::Sweep(swept)) => Some(swept),
            Some(OutputAccess::Lines(_) | OutputAccess::Scattered(_)) | None => None,
        }
    }

    /// The elements of the target that elements `r` of the call write, as the target counts; of lines, from the
    /// first to the last of them. What the host scatters counts as the call does; if a device does, it has the
    /// whole window.
    #[must_use]
    #[inline]
    pub fn elements(&self, r: &Range<usize>) -> Range<usize> {
        match self.access.as_deref() {
            None | Some(OutputAccess::Sweep(_)) => r.clone(),
            Some(OutputAccess::Lines(lines)) => lines.hull(r),
            Some(OutputAccess::Scattered(scattered)) => match scattered.by_device {
                true => 0..self.target.len(),
                false => r.clone(),
            },
        }
    }

    /// Its role in the kernel of a device, if that is specialised; `by_device` says whether it stores by strides.
    pub(super) fn role(&self, space: &IndexSpace, by_device: bool) -> Option<Role> {
        match self.access.as_deref()? {
            OutputAccess::Sweep(swept) => Some(Role::Sweep(SweepForm::from(&swept.order))),
            OutputAccess::Scattered(scattered) if by_device || scattered.by_device => {
                let coalesced = scattered.layout.over(space.shape());
                Some(Role::StridedOut(coalesced.dims.len() as u8, self.reads))
            }
            OutputAccess::Scattered(_) | OutputAccess::Lines(_) => None,
        }
    }

    /// Brings to the host what elements `r` of the call read, and what lies between those that are written.
    ///
    /// # Errors
    /// Those of downloading.
    pub(super) fn fetch(&mut self, space: &IndexSpace, r: &Range<usize>) -> Result<()> {
        let (elements, reads) = (self.elements(r), self.reads);
        if let Some((target, coalesced)) = self.scattered_by_host(|| space.shape()) {
            return target.fetch_scattered(&coalesced, r, reads);
        }
        if let OutputTarget::Container(target) = &mut self.target
            && reads
        {
            let _fetched = target.buffer().host_view(target.places(&elements))?;
        }
        Ok(())
    }
}

impl<'e> Output<'e> {
    /// The slot of a piece `r` on the host. Each element can be had once.
    pub(super) fn slot(&mut self, space: &IndexSpace, r: &Range<usize>) -> Result<Slot<'e>> {
        let (elements, reads) = (self.elements(r), self.reads);
        if let Some((target, coalesced)) = self.scattered_by_host(|| space.shape()) {
            let scattered = target.lend_scattered(&coalesced, r.clone(), reads)?;
            return Ok(Slot::Scattered(Box::new(scattered)));
        }
        match self.access.as_deref() {
            None | Some(OutputAccess::Scattered(_)) => {}
            Some(OutputAccess::Lines(lines)) => {
                let lines = *lines;
                let lines = LinesMut::new(self.target.lend(elements)?, lines, r.clone());
                return Ok(Slot::LinesMut(Box::new(lines)));
            }
            Some(OutputAccess::Sweep(swept)) => {
                let SweptOutput { order, pad } = *swept;
                let sweep = SweepMut::new(self.target.lend(elements)?, order, pad);
                return Ok(Slot::Sweep(Box::new(sweep)));
            }
        }
        Ok(match &mut self.target {
            OutputTarget::Container(target) => {
                let (first, places) = (target.window().start, target.places(r));
                match self.reads {
                    true => Slot::InOut(target.lend_mut(places)?.counted_from(first)),
                    false => Slot::Out(target.lend_out(places).counted_from(first)),
                }
            }
            OutputTarget::Slice(slice) => match self.reads {
                true => Slot::InOut(slice.lend(r.clone())),
                false => Slot::Out(slice.lend(r.clone()).into_out()),
            },
        })
    }
}

/// Where the elements are that an operand writes.
pub enum OutputTarget<'e> {
    /// A container, or neighbouring elements of one.
    Container(BufferMut<'e>),
    /// A borrowed slice.
    Slice(SliceMut<'e>),
}

impl<'e> From<BufferMut<'e>> for OutputTarget<'e> {
    fn from(target: BufferMut<'e>) -> Self {
        OutputTarget::Container(target)
    }
}

impl<'e> From<SliceMut<'e>> for OutputTarget<'e> {
    fn from(slice: SliceMut<'e>) -> Self {
        OutputTarget::Slice(slice)
    }
}

impl<'e> OutputTarget<'e> {
    /// Elements to read and write, as the target counts; of what has no gaps.
    fn lend(&mut self, elements: Range<usize>) -> Result<ViewMut<'e>> {
        match self {
            OutputTarget::Container(target) => {
                let (first, places) = (target.window().start, target.places(&elements));
                Ok(target.lend_mut(places)?.counted_from(first))
            }
            OutputTarget::Slice(slice) => Ok(slice.lend(elements)),
        }
    }
}

impl OutputTarget<'_> {
    /// The number of elements; of those that lie apart, with what is between them.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            OutputTarget::Container(target) => target.window().len(),
            OutputTarget::Slice(slice) => slice.len(),
        }
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The layout of each element.
    #[must_use]
    pub fn element_layout(&self) -> ElementLayout {
        match self {
            OutputTarget::Container(target) => target.buffer().layout(),
            OutputTarget::Slice(slice) => slice.layout(),
        }
    }

    /// The container.
    #[must_use]
    pub fn buffer(&self) -> Option<&Buffer> {
        match self {
            OutputTarget::Container(target) => Some(target.buffer()),
            OutputTarget::Slice(_) => None,
        }
    }
}
