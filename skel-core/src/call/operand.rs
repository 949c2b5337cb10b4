//! What a call works on.

use super::{Layout, SliceMut, Source, Window};
use crate::{
    container::{Buffer, BufferMut, Shape},
    frame::{MAX_SLOTS, View},
};
use arrayvec::ArrayVec;
use std::ops::Range;

/// The operands of a call: arguments in order, then outputs.
pub type Operands<'e> = ArrayVec<Operand<'e>, MAX_SLOTS>;

/// What is bound to a slot.
pub enum Operand<'e> {
    /// A container to read.
    Read(&'e Buffer),
    /// A borrowed slice to read.
    ReadSlice(View<'e>),
    /// Elements to read that lie elsewhere than the call counts them.
    Strided(Source<'e>, Layout),
    /// One value for all elements.
    Uniform(View<'e>),
    /// One value for all elements, in a container.
    Scalar(&'e Buffer),
    /// A container to be read at random, of this shape.
    View(&'e Buffer, Shape),
    /// A borrowed slice to be read at random.
    ViewSlice(View<'e>),
    /// These elements to be read at random, in this shape: part of a container or slice.
    ViewPart(Source<'e>, Range<usize>, Shape),
    /// A container of which each element sees a neighbourhood.
    Window(&'e Buffer, Box<Window<'e>>),
    /// These elements, of which each element sees a neighbourhood: part of a container or slice.
    WindowPart(Source<'e>, Range<usize>, Box<Window<'e>>),
    /// A borrowed slice of which each element sees a neighbourhood.
    WindowSlice(View<'e>, Box<Window<'e>>),
    /// A container to read and write.
    Update(BufferMut<'e>),
    /// A borrowed slice to read and write.
    UpdateSlice(SliceMut<'e>),
    /// Elements to write, and, if the flag says so, to read before, that lie elsewhere than the call counts
    /// them: each in a place of its own, within the window of the target.
    Scatter(BufferMut<'e>, Layout, bool),
    /// A container to write.
    Write(BufferMut<'e>),
    /// A borrowed slice to write.
    WriteSlice(SliceMut<'e>),
}

impl Operand<'_> {
    /// The number of elements; none for uniforms.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        match self {
            Operand::Read(buffer) | Operand::View(buffer, _) | Operand::Window(buffer, _) => {
                Some(buffer.len())
            }
            Operand::ReadSlice(view) | Operand::ViewSlice(view) | Operand::WindowSlice(view, _) => {
                Some(view.window().len())
            }
            Operand::Strided(source, _) => Some(source.len()),
            Operand::ViewPart(_, part, _) | Operand::WindowPart(_, part, _) => Some(part.len()),
            Operand::Uniform(_) | Operand::Scalar(_) => None,
            Operand::Update(target) | Operand::Write(target) | Operand::Scatter(target, ..) => {
                Some(target.window().len())
            }
            Operand::UpdateSlice(slice) | Operand::WriteSlice(slice) => Some(slice.len()),
        }
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The container behind it.
    #[must_use]
    pub fn buffer(&self) -> Option<&Buffer> {
        match self {
            Operand::Read(buffer)
            | Operand::View(buffer, _)
            | Operand::Window(buffer, _)
            | Operand::Strided(Source::Container(buffer), _)
            | Operand::ViewPart(Source::Container(buffer), ..)
            | Operand::WindowPart(Source::Container(buffer), ..) => Some(buffer),
            Operand::Update(target) | Operand::Write(target) | Operand::Scatter(target, ..) => {
                Some(target.buffer())
            }
            Operand::ReadSlice(_)
            | Operand::Strided(Source::Slice(_), _)
            | Operand::ViewPart(Source::Slice(_), ..)
            | Operand::WindowPart(Source::Slice(_), ..)
            | Operand::Uniform(_)
            | Operand::Scalar(_)
            | Operand::ViewSlice(_)
            | Operand::WindowSlice(..)
            | Operand::UpdateSlice(_)
            | Operand::WriteSlice(_) => None,
        }
    }
}
