//! What a call reads.

use super::Window;
use crate::{
    Result,
    container::{Buffer, Source},
    frame::{NeighbourhoodView, Slot},
    plan::ArgumentForm,
    space::{IndexSpace, IntervalSet, Layout, Shape, WindowSpecialisation},
};
use std::ops::Range;

/// Elements that a call reads: where they are, and which of them an element of the call sees.
#[derive(Clone)]
pub struct Input<'e> {
    /// Where they are.
    pub source: Source<'e>,
    /// Which of them an element sees.
    pub access: Access<'e>,
}

/// Which elements of an input an element of the call sees.
#[derive(Clone)]
pub enum Access<'e> {
    /// Its own, in row-major order.
    Each,
    /// Its own, which lies where the layout says, as the container or slice counts.
    Strided(Box<Layout>),
    /// The first, whatever the element.
    Uniform,
    /// All of them, in this shape.
    Whole(Shape),
    /// A neighbourhood.
    Window(Box<Window<'e>>),
}

impl<'e> Input<'e> {
    pub(super) fn each(source: Source<'e>) -> Self {
        let access = Access::Each;
        Input { source, access }
    }

    pub(super) fn strided(source: Source<'e>, layout: Layout) -> Self {
        let access = Access::Strided(Box::new(layout));
        Input { source, access }
    }

    pub(super) fn uniform(source: Source<'e>) -> Self {
        let access = Access::Uniform;
        Input { source, access }
    }

    pub(super) fn whole(source: Source<'e>, shape: Shape) -> Self {
        let access = Access::Whole(shape);
        Input { source, access }
    }

    pub(super) fn window(source: Source<'e>, window: Window<'e>) -> Self {
        let access = Access::Window(Box::new(window));
        Input { source, access }
    }

    /// Whether it is one value for all elements.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        matches!(self.access, Access::Uniform)
    }

    /// Where the elements lie that are read one by one, as the source counts; none where they are not.
    #[must_use]
    pub fn layout(&self, space: &IndexSpace) -> Option<Layout> {
        match &self.access {
            Access::Each => Some(Layout::row_major(0, space.arguments())),
            Access::Strided(layout) => Some(**layout),
            Access::Uniform | Access::Whole(_) | Access::Window(_) => None,
        }
    }

    /// The elements that elements `r` of the call need, as the source counts. All that fetches, binds,
    /// uploads, reserves or predicts goes by this.
    #[must_use]
    pub fn needs(&self, space: &IndexSpace, r: &Range<usize>) -> IntervalSet {
        match &self.access {
            Access::Each if space.along().is_none() => IntervalSet::of(r.clone()),
            Access::Each | Access::Strided(_) => match self.layout(space) {
                Some(layout) => IntervalSet::of(layout.needed(r, space.arguments(), space.along())),
                None => IntervalSet::new(),
            },
            Access::Uniform => IntervalSet::of(0..1),
            Access::Whole(_) => IntervalSet::of(0..self.source.len()),
            Access::Window(window) => window.halo(r.clone()),
        }
    }

    /// The container, if a device keeps its array after the call: of parts that are not read element by
    /// element, each call copies what it needs, since devices count the elements of arrays from 0 on.
    #[must_use]
    pub fn kept(&self) -> Option<&'e Buffer> {
        match (&self.source, &self.access) {
            (_, Access::Uniform) | (Source::Slice(_), _) => None,
            (Source::Container { buffer, first, len }, _) => {
                (*first == 0 && *len == buffer.len()).then_some(*buffer)
            }
        }
    }

    /// How it lies, as far as a device's kernel differs.
    pub(super) fn form(&self, space: &IndexSpace) -> ArgumentForm {
        match &self.access {
            Access::Each if space.along().is_none() => ArgumentForm::Plain,
            Access::Each => ArgumentForm::Strided(2),
            Access::Strided(_) if space.along().is_some() => ArgumentForm::Strided(2),
            Access::Strided(layout) => {
                let steps = layout.over(space.arguments());
                match steps.contiguous() {
                    Some(_) => ArgumentForm::Plain,
                    None => ArgumentForm::Strided(steps.dims.len() as u8),
                }
            }
            Access::Window(window) => {
                let specialisation =
                    WindowSpecialisation::of(&window.near, &window.reach, space.arguments().len());
                specialisation.map_or(ArgumentForm::Plain, ArgumentForm::Window)
            }
            Access::Uniform | Access::Whole(_) => ArgumentForm::Plain,
        }
    }

    /// The slot of a piece `r` on the host; downloads what the host lacks.
    pub(super) fn slot(&self, space: &IndexSpace, r: &Range<usize>) -> Result<Slot<'e>> {
        let needs = self.needs(space, r);
        let hull = || match needs.ranges() {
            [first, .., last] => first.start..last.end,
            [only] => only.clone(),
            [] => 0..0,
        };
        Ok(match &self.access {
            Access::Each | Access::Uniform => Slot::In(self.source.host_view(hull())?),
            Access::Strided(layout) => {
                let view = self.source.host_view(hull())?;
                Slot::strided(view, layout.over(space.arguments()))
            }
            Access::Whole(shape) => Slot::Whole(self.source.host_view(hull())?, *shape),
            Access::Window(window) => {
                let parts = self.source.host_parts(&needs)?;
                Slot::Window(Box::new(NeighbourhoodView::new(
                    parts,
                    window.near,
                    window.pad,
                )))
            }
        })
    }
}
