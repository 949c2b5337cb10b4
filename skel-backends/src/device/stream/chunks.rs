//! Where a piece is cut.

use super::{chunk_layout::ChunkLayout, wrap::Wrap};
use crate::device::{Driver, bind::element, cover::hull, residency::ArrayForm};
use skel_core::{
    Error,
    call::{Access, Call, Input, Operand},
    plan::Kernel,
};
use std::{marker::PhantomData, ops::Range};

/// More chunks than these are not worth their launches: then the device has no room.
const MOST_CHUNKS: usize = 1 << 16;

/// What the chunks of a call need.
pub(super) struct Chunks<'c, 'e, D> {
    call: &'c Call<'e>,
    kernel: &'c Kernel,
    _driver: PhantomData<fn() -> D>,
}

/// A piece, cut.
pub(super) struct Cut {
    pub(super) chunks: Vec<Range<usize>>,
    /// The one that needs most.
    pub(super) largest: Range<usize>,
}

/// The elements that a chunk's array has of an operand; none for those that have no array of their own in
/// each chunk.
pub(super) fn window(
    call: &Call<'_>,
    operand: &Operand<'_>,
    chunk: &Range<usize>,
) -> Option<Range<usize>> {
    let input = match operand {
        Operand::Input(input) => input,
        Operand::Output(output) => return Some(output.elements(chunk)),
    };
    match &input.access {
        Access::Uniform | Access::Whole(_) => None,
        Access::Lines(lines) => Some(lines.hull(chunk)),
        Access::Each | Access::Strided(_) => {
            let (space, along) = (call.space.arguments(), call.space.along());
            let layout = input.layout(&call.space)?;
            match (along, layout.over(space).contiguous()) {
                (None, Some(_)) => Some(chunk.clone()),
                _ => Some(ChunkLayout::of(layout, chunk, space, along).window),
            }
        }
        Access::Window(window) => {
            let longer = Wrap::of(window).map(|(_, longer)| longer);
            let seen = longer.as_ref().unwrap_or(window);
            Some(hull(&seen.halo(chunk.clone())))
        }
    }
}

impl<'c, 'e, D: Driver> Chunks<'c, 'e, D> {
    pub(super) fn new(call: &'c Call<'e>, kernel: &'c Kernel) -> Self {
        Chunks {
            call,
            kernel,
            _driver: PhantomData,
        }
    }

    /// The arrays of a chunk, in the order of the operands that have one.
    pub(super) fn forms(&self, chunk: &Range<usize>) -> Vec<ArrayForm> {
        let operands = self.call.operands.iter().zip(&self.kernel.arguments);
        let forms = operands.filter_map(|(operand, argument)| {
            Some(ArrayForm {
                layout: operand.element_layout(),
                ty: element(&argument.ty).clone(),
                window: window(self.call, operand, chunk)?,
            })
        });
        forms.collect()
    }

    /// The bytes of a chunk's arrays.
    pub(super) fn needed_bytes(&self, chunk: &Range<usize>) -> u64 {
        let forms = self.forms(chunk);
        forms
            .iter()
            .map(ArrayForm::bytes::<D>)
            .fold(0, u64::saturating_add)
    }

    /// The bytes of what stays throughout.
    pub(super) fn whole_bytes(&self) -> u64 {
        let operands = self.call.operands.iter().zip(&self.kernel.arguments);
        let bytes = operands.map(|(operand, argument)| match operand {
            Operand::Input(Input {
                source,
                access: Access::Whole(_),
            }) => D::array_bytes(source.element_layout(), element(&argument.ty), source.len()),
            _ => 0,
        });
        bytes.fold(0, u64::saturating_add)
    }

    /// Cuts a piece such that no chunk's arrays take more than `most` bytes; none if an element alone does.
    pub(super) fn cut(&self, r: &Range<usize>, most: u64) -> Option<Cut> {
        let (mut chunks, mut start, mut len) = (Vec::new(), r.start, r.len());
        let (mut largest, mut largest_bytes) = (r.start..r.start, 0);
        while start < r.end {
            let mut chunk = start..r.end.min(start + len);
            let mut bytes = self.needed_bytes(&chunk);
            while bytes > most {
                if chunk.len() <= 1 {
                    return None;
                }
                len = self.rounded(chunk.len() / 2);
                chunk.end = start + len;
                bytes = self.needed_bytes(&chunk);
            }
            if bytes >= largest_bytes {
                (largest, largest_bytes) = (chunk.clone(), bytes);
            }
            start = chunk.end;
            // Where the host has no room for the list, the piece is as good as uncut.
            chunks.try_reserve(1).ok()?;
            chunks.push(chunk);
            if chunks.len() > MOST_CHUNKS {
                return None;
            }
        }
        Some(Cut { chunks, largest })
    }

    /// Whole tiles of folds and scans, if there is room for one, so that chunks do not change the grouping; else
    /// whole rows, if there are some: they share less with their neighbours.
    fn rounded(&self, len: usize) -> usize {
        let most = match self.call.grain() {
            Some(_) => self.kernel.grouping.tile_elems(),
            None => self.call.space.shape().row_elems().max(1),
        };
        let unit = if len >= most { most } else { 1 };
        len - len % unit
    }

    /// The error if nothing fits: what the smallest chunk needs.
    pub(super) fn complaint(&self, full: Error, r: &Range<usize>) -> Error {
        let smallest = r.start..r.end.min(r.start + 1);
        match full {
            Error::OutOfMemory {
                device,
                available_bytes,
                ..
            } => Error::OutOfMemory {
                device,
                needed_bytes: self
                    .whole_bytes()
                    .saturating_add(self.needed_bytes(&smallest)),
                available_bytes,
            },
            other => other,
        }
    }
}
