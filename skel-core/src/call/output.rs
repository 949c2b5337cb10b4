//! What a call writes.

use crate::{
    Result,
    container::{Buffer, BufferMut, SliceMut},
    frame::{ElementLayout, LinesMut, Slot, SweepMut, View, ViewMut},
    plan::{ArgumentForm, SweepForm},
    space::{IndexSpace, Layout, Lines, SweepOrder},
};
use std::ops::Range;

/// Elements that a call writes.
pub struct Output<'e> {
    /// Where they are.
    pub target: Target<'e>,
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
            Some(OutputAccess::Sweep(_)) | None => None,
        }
    }

    /// How it is swept, if it is.
    #[must_use]
    pub fn swept(&self) -> Option<&SweptOutput<'e>> {
        match self.access.as_deref() {
            Some(OutputAccess::Sweep(swept)) => Some(swept),
            Some(OutputAccess::Lines(_)) | None => None,
        }
    }

    /// The elements of the target that elements `r` of the call write, as the target counts; of lines, from the
    /// first to the last of them.
    #[must_use]
    pub fn elements(&self, r: &Range<usize>) -> Range<usize> {
        match self.access.as_deref() {
            None | Some(OutputAccess::Sweep(_)) => r.clone(),
            Some(OutputAccess::Lines(lines)) => lines.hull(r),
        }
    }

    /// How it lies, as far as a device's kernel differs.
    pub(super) fn form(&self) -> ArgumentForm {
        match self.swept() {
            None => ArgumentForm::Plain,
            Some(swept) => ArgumentForm::Sweep(SweepForm::from(&swept.order)),
        }
    }

    /// Brings to the host what elements `r` of the call read, and what lies between those that are written.
    ///
    /// # Errors
    /// Those of downloading.
    pub(super) fn fetch(&mut self, space: &IndexSpace, r: &Range<usize>) -> Result<()> {
        let elements = self.elements(r);
        match &mut self.target {
            Target::Container(target) if self.reads => {
                let _fetched = target.buffer().host_view(target.places(&elements))?;
            }
            Target::Scattered(target, layout) => {
                target.fetch_scattered(&layout.over(space.shape()), r, self.reads)?;
            }
            Target::Container(_) | Target::Slice(_) => {}
        }
        Ok(())
    }
}

impl<'e> Output<'e> {
    /// The slot of a piece `r` on the host. Each element can be had once.
    pub(super) fn slot(&mut self, space: &IndexSpace, r: &Range<usize>) -> Result<Slot<'e>> {
        let elements = self.elements(r);
        match self.access.as_deref() {
            None => {}
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
            Target::Container(target) => {
                let (first, places) = (target.window().start, target.places(r));
                match self.reads {
                    true => Slot::InOut(target.lend_mut(places)?.counted_from(first)),
                    false => Slot::Out(target.lend_out(places).counted_from(first)),
                }
            }
            Target::Scattered(target, layout) => {
                let steps = layout.over(space.shape());
                let strip = target.lend_scattered(&steps, r.clone(), self.reads)?;
                Slot::Scattered(Box::new(strip))
            }
            Target::Slice(slice) => match self.reads {
                true => Slot::InOut(slice.lend(r.clone())),
                false => Slot::Out(slice.lend(r.clone()).into_out()),
            },
        })
    }
}

/// Where the elements are that an operand writes.
pub enum Target<'e> {
    /// A container, or neighbouring elements of one.
    Container(BufferMut<'e>),
    /// Elements of a container that lie where the layout says, as the container counts.
    Scattered(BufferMut<'e>, Box<Layout>),
    /// A borrowed slice.
    Slice(SliceMut<'e>),
}

impl<'e> From<BufferMut<'e>> for Target<'e> {
    fn from(target: BufferMut<'e>) -> Self {
        Target::Container(target)
    }
}

impl<'e> From<SliceMut<'e>> for Target<'e> {
    fn from(slice: SliceMut<'e>) -> Self {
        Target::Slice(slice)
    }
}

impl<'e> Target<'e> {
    /// Elements to read and write, as the target counts; of what has no gaps.
    fn lend(&mut self, elements: Range<usize>) -> Result<ViewMut<'e>> {
        match self {
            Target::Container(target) => {
                let (first, places) = (target.window().start, target.places(&elements));
                Ok(target.lend_mut(places)?.counted_from(first))
            }
            Target::Slice(slice) => Ok(slice.lend(elements)),
            Target::Scattered(..) => unreachable!("lines and sweeps are of parts without gaps"),
        }
    }
}

impl Target<'_> {
    /// The number of elements; of [`Target::Scattered`], with those between them.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Target::Container(target) | Target::Scattered(target, _) => target.window().len(),
            Target::Slice(slice) => slice.len(),
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
            Target::Container(target) | Target::Scattered(target, _) => target.buffer().layout(),
            Target::Slice(slice) => slice.layout(),
        }
    }

    /// The container.
    #[must_use]
    pub fn buffer(&self) -> Option<&Buffer> {
        match self {
            Target::Container(target) | Target::Scattered(target, _) => Some(target.buffer()),
            Target::Slice(_) => None,
        }
    }
}
