//! What a call reads.

use super::Window;
use crate::{
    Result,
    container::{Buffer, Source},
    frame::{LinesView, NeighbourhoodView, Slot},
    plan::Role,
    space::{IndexSpace, IntervalSet, Layout, Lines, Shape, WindowSpecialisation},
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
    /// A line.
    Lines(Box<Lines>),
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

    pub(super) fn lines(source: Source<'e>, lines: Lines) -> Self {
        let access = Access::Lines(Box::new(lines));
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
            Access::Uniform | Access::Whole(_) | Access::Window(_) | Access::Lines(_) => None,
        }
    }

    /// The elements that elements `r` of the call need, as the source counts. All that fetches, binds,
    /// uploads, reserves or predicts goes by this.
    #[must_use]
    pub fn needs(&self, space: &IndexSpace, r: &Range<usize>) -> IntervalSet {
        match &self.access {
            Access::Window(window) => window.halo(r.clone()),
            _ => IntervalSet::of(self.span(space, r)),
        }
    }

    /// From the first to the last of [`Input::needs`], with whatever lies between. Of no elements it is an
    /// empty range, where they would be.
    #[inline]
    #[must_use]
    pub fn span(&self, space: &IndexSpace, r: &Range<usize>) -> Range<usize> {
        let lies = |layout: Layout| layout.needed(r, space.arguments(), space.along());
        match &self.access {
            Access::Each if space.along().is_none() => r.clone(),
            Access::Each => lies(Layout::row_major(0, space.arguments())),
            Access::Strided(layout) => lies(**layout),
            Access::Uniform => 0..1,
            Access::Whole(_) => 0..self.source.len(),
            Access::Lines(lines) => lines.hull(r),
            Access::Window(window) => match window.halo(r.clone()).ranges() {
                [first, .., last] => first.start..last.end,
                [only] => only.clone(),
                [] => 0..0,
            },
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

    /// Its role in the kernel of a device, if that is specialised.
    pub(super) fn role(&self, space: &IndexSpace) -> Option<Role> {
        match &self.access {
            Access::Each if space.along().is_none() => None,
            Access::Each => Some(Role::Strided(2)),
            Access::Strided(_) if space.along().is_some() => Some(Role::Strided(2)),
            Access::Strided(layout) => {
                let coalesced = layout.over(space.arguments());
                match coalesced.contiguous() {
                    Some(_) => None,
                    None => Some(Role::Strided(coalesced.dims.len() as u8)),
                }
            }
            Access::Window(window) => {
                let elems = space.arguments().len();
                let known = WindowSpecialisation::of(&window.near, &window.reach, elems)?;
                Some(Role::Window(Some(known)))
            }
            Access::Uniform | Access::Whole(_) | Access::Lines(_) => None,
        }
    }

    /// The slot of a piece `r` on the host; downloads what the host lacks.
    pub(super) fn slot(&self, space: &IndexSpace, r: &Range<usize>) -> Result<Slot<'e>> {
        let view = || self.source.host_view(self.span(space, r));
        Ok(match &self.access {
            Access::Each if space.along().is_none() => Slot::In(self.source.host_view(r.clone())?),
            Access::Each | Access::Uniform => Slot::In(view()?),
            Access::Strided(layout) => Slot::strided(view()?, layout.over(space.arguments())),
            Access::Whole(shape) => Slot::Whole(view()?, *shape),
            Access::Lines(lines) => {
                Slot::Lines(Box::new(LinesView::new(view()?, **lines, r.clone())))
            }
            Access::Window(window) => {
                let parts = self.source.host_sparse_view(&self.needs(space, r))?;
                Slot::Window(Box::new(NeighbourhoodView::new(
                    parts,
                    window.near,
                    window.pad,
                )))
            }
        })
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{
        container::Vector,
        space::{Along, Axis, Stream},
    };

    #[test]
    fn of_no_elements_is_needed_an_empty_range_where_they_would_be() {
        let v = Vector::from(vec![0_u32; 9]);
        let space = IndexSpace::new(Shape::D1(3), Stream::default());
        let part = Layout::row_major(2, Shape::D1(3));
        let input = Input::strided(v.buffer().into(), part);
        assert_eq!(input.span(&space, &(3..3)), 5..5);
        assert!(input.needs(&space, &(3..3)).is_empty());
        assert_eq!(input.span(&space, &(1..3)), 3..5);
        assert!(input.slot(&space, &(3..3)).is_ok());
    }

    #[test]
    fn folded_rows_are_needed_as_a_whole_and_columns_with_what_lies_between() {
        let v = Vector::from(vec![0_u32; 12]);
        let input = Input::each(v.buffer().into());
        let span = |axis| {
            let along = Along {
                rows: 3,
                cols: 4,
                axis,
            };
            let space = IndexSpace::folding(along, Stream::default());
            assert_eq!(space.elems(), along.values());
            input.span(&space, &(1..2))
        };
        assert_eq!(span(Axis::Rows), 4..8);
        assert_eq!(span(Axis::Cols), 1..10);
    }

    #[test]
    fn what_is_all_of_a_container_is_kept_on_devices_and_no_part_of_it() {
        let v = Vector::from(vec![0_u32; 9]);
        let all: Source<'_> = v.buffer().into();
        assert!(Input::whole(all, Shape::D1(9)).kept().is_some());
        assert!(Input::whole(all.part(0..9), Shape::D1(9)).kept().is_some());
        assert!(Input::whole(all.part(0..8), Shape::D1(8)).kept().is_none());
        assert!(Input::uniform(all).kept().is_none());
    }
}
