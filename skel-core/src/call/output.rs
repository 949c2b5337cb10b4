//! What a call writes.

use crate::{
    Result,
    container::{Buffer, BufferMut, SliceMut},
    frame::{ElementLayout, LinesMut, Slot},
    space::{IndexSpace, Layout, Lines},
};
use std::ops::Range;

/// Elements that a call writes.
pub struct Output<'e> {
    /// Where they are.
    pub target: Target<'e>,
    /// Whether they are read before: they are changed in place.
    pub reads: bool,
    /// If each element of the call changes a line of them, where those lie.
    pub lines: Option<Box<Lines>>,
}

impl Output<'_> {
    /// The elements of the target that elements `r` of the call write, as the target counts; of lines, from the
    /// first to the last of them.
    #[must_use]
    pub fn elements(&self, r: &Range<usize>) -> Range<usize> {
        match &self.lines {
            None => r.clone(),
            Some(lines) => lines.hull(r),
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
        if let Some(lines) = self.lines.as_deref().copied() {
            let elements = lines.hull(r);
            let all = match &mut self.target {
                Target::Container(target) => {
                    let (first, places) = (target.window().start, target.places(&elements));
                    target.lend_mut(places)?.counted_from(first)
                }
                Target::Slice(slice) => slice.lend(elements),
                Target::Scattered(..) => unreachable!("lines of parts without gaps alone"),
            };
            return Ok(Slot::LinesMut(Box::new(LinesMut::new(
                all,
                lines,
                r.clone(),
            ))));
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
