//! What a call works on.

use super::{
    Access, Input, Output, OutputAccess, OutputTarget, ScatteredOutput, SweptOutput, Window,
};
use crate::{
    Element,
    container::{Buffer, BufferMut, Source},
    frame::{ElementLayout, View},
    short::ShortVec,
    space::{EdgeKind, IndexSpace, IntervalSet, Layout, Lines, MAX_RANK, Shape, SweepOrder},
};
use std::ops::Range;

/// The operands of a call: arguments in order, then outputs. Up to four lie in place.
pub type Operands<'e> = ShortVec<Operand<'e>, 4>;

/// What is bound to a slot.
pub enum Operand<'e> {
    /// Elements to read.
    Input(Input<'e>),
    /// Elements to write, and, if it [reads](Output::reads), to read before.
    Output(Output<'e>),
}

impl<'e> Operand<'e> {
    /// Each element of the call reads its own.
    #[must_use]
    pub fn read(source: impl Into<Source<'e>>) -> Self {
        Operand::Input(Input::each(source.into()))
    }

    /// Each element of the call reads its own, which lies where the layout says.
    #[must_use]
    pub fn strided(source: impl Into<Source<'e>>, layout: Layout) -> Self {
        Operand::Input(Input::strided(source.into(), layout))
    }

    /// All elements of the call read the first.
    #[must_use]
    pub fn uniform(source: impl Into<Source<'e>>) -> Self {
        Operand::Input(Input::uniform(source.into()))
    }

    /// All elements of the call read at random, in this shape.
    #[must_use]
    pub fn whole(source: impl Into<Source<'e>>, shape: Shape) -> Self {
        Operand::Input(Input::whole(source.into(), shape))
    }

    /// All elements of the call read a slice at random.
    #[must_use]
    pub fn whole_slice<T: Element>(slice: &'e [T]) -> Self {
        Self::whole(View::of(slice), Shape::D1(slice.len()))
    }

    /// Each element of the call sees a neighbourhood.
    #[must_use]
    pub fn window(source: impl Into<Source<'e>>, window: Window<'e>) -> Self {
        Operand::Input(Input::window(source.into(), window))
    }

    /// Each element of the call writes its own.
    #[must_use]
    pub fn write(target: impl Into<OutputTarget<'e>>) -> Self {
        Operand::Output(Output {
            target: target.into(),
            reads: false,
            access: None,
        })
    }

    /// Each element of the call reads and writes its own.
    #[must_use]
    pub fn update(target: impl Into<OutputTarget<'e>>) -> Self {
        Operand::Output(Output {
            target: target.into(),
            reads: true,
            access: None,
        })
    }

    /// Each element of the call writes its own, which lies where the layout says, within the window of
    /// `target`, and in a place of its own. It is read before if `reads` says so.
    #[must_use]
    pub fn scattered(target: BufferMut<'e>, layout: Layout, reads: bool) -> Self {
        let by_device = false;
        let access = OutputAccess::Scattered(ScatteredOutput { layout, by_device });
        Operand::Output(Output {
            target: target.into(),
            reads,
            access: Some(Box::new(access)),
        })
    }

    /// Each element of the call reads a line.
    #[must_use]
    pub fn lines(source: impl Into<Source<'e>>, lines: Lines) -> Self {
        Operand::Input(Input::lines(source.into(), lines))
    }

    /// Each element of the call reads and writes a line.
    #[must_use]
    pub fn lines_mut(target: impl Into<OutputTarget<'e>>, lines: Lines) -> Self {
        Operand::Output(Output {
            target: target.into(),
            reads: true,
            access: Some(Box::new(OutputAccess::Lines(lines))),
        })
    }

    /// Each element of the call writes its own, in the order of a sweep, and sees others; beyond the edges the nearest
    /// element.
    #[must_use]
    pub fn swept(target: impl Into<OutputTarget<'e>>, order: SweepOrder) -> Self {
        let access = SweptOutput { order, pad: None };
        Operand::Output(Output {
            target: target.into(),
            reads: true,
            access: Some(Box::new(OutputAccess::Sweep(access))),
        })
    }

    /// How it is swept, if it is.
    #[must_use]
    pub fn sweep(&self) -> Option<&SweptOutput<'e>> {
        match self {
            Operand::Input(_) => None,
            Operand::Output(output) => output.swept(),
        }
    }

    /// Says how it is swept, if it is.
    pub(crate) fn sweep_so(&mut self, descending: [bool; MAX_RANK], pad: Option<View<'e>>) {
        if let Operand::Output(Output { access, .. }) = self
            && let Some(OutputAccess::Sweep(swept)) = access.as_deref_mut()
        {
            let order = swept.order.descending(descending);
            swept.order = match pad {
                Some(_) => order.with_edge(EdgeKind::Pad),
                None => order,
            };
            swept.pad = pad;
        }
    }

    /// Where its lines lie, if elements see lines of it.
    #[must_use]
    pub fn seen_lines(&self) -> Option<Lines> {
        match self {
            Operand::Input(Input {
                access: Access::Lines(lines),
                ..
            }) => Some(**lines),
            Operand::Input(_) => None,
            Operand::Output(output) => output.lines(),
        }
    }

    /// Says where its lines lie, if elements see lines of it.
    pub(crate) fn lie_in(&mut self, lines: Lines) {
        match self {
            Operand::Input(Input {
                access: Access::Lines(seen),
                ..
            }) => **seen = lines,
            Operand::Input(_) => {}
            Operand::Output(output) => {
                if let Some(OutputAccess::Lines(seen)) = output.access.as_deref_mut() {
                    *seen = lines;
                }
            }
        }
    }

    /// The number of elements; none for uniforms.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        match self {
            Operand::Input(input) => (!input.is_uniform()).then(|| input.source.len()),
            Operand::Output(output) => Some(output.target.len()),
        }
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The layout of each element.
    #[must_use]
    pub fn element_layout(&self) -> ElementLayout {
        match self {
            Operand::Input(input) => input.source.element_layout(),
            Operand::Output(output) => output.target.element_layout(),
        }
    }

    /// The container behind it.
    #[must_use]
    pub fn buffer(&self) -> Option<&Buffer> {
        match self {
            Operand::Input(input) => input.source.buffer(),
            Operand::Output(output) => output.target.buffer(),
        }
    }

    /// The container behind it, but for single values.
    #[must_use]
    pub fn container(&self) -> Option<&Buffer> {
        self.len().and_then(|_| self.buffer())
    }

    /// Whether it is memory that the caller has lent for the call: such is moved in every call that runs on a
    /// device, and containers may stay where they are. Single values do not count.
    #[must_use]
    pub fn is_slice(&self) -> bool {
        match self {
            Operand::Input(input) => {
                !input.is_uniform() && matches!(input.source, Source::Slice(_))
            }
            Operand::Output(output) => matches!(output.target, OutputTarget::Slice(_)),
        }
    }

    /// Whether the host has all that the call may read of it; slices are the host's.
    #[inline]
    #[must_use]
    pub(super) fn is_complete_on_host(&self) -> bool {
        match self {
            Operand::Output(output) if !output.reads => output.scattered().is_none(),
            operand => operand.buffer().is_none_or(Buffer::is_complete_on_host),
        }
    }

    /// The container whose array a device keeps after the call, and, as the container counts, what elements
    /// `r` of the call need of it.
    #[must_use]
    pub fn kept(&self, space: &IndexSpace, r: &Range<usize>) -> Option<(&Buffer, IntervalSet)> {
        match self {
            Operand::Input(input) => Some((input.kept()?, input.needs(space, r))),
            Operand::Output(output) => match &output.target {
                // What the host scatters, a device computes in an array of the piece.
                OutputTarget::Container(target) if output.is_ranged() => {
                    let places = target.places(&output.elements(r));
                    Some((target.buffer(), IntervalSet::of(places)))
                }
                OutputTarget::Container(_) | OutputTarget::Slice(_) => None,
            },
        }
    }
}
