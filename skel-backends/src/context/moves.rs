//! What has to be moved before and after a unit computes a part of a call.

use super::{Context, FIRST_DEVICE};
use crate::tune::Entry;
use skel_core::{
    call::{Call, Operand, Source},
    container::{Buffer, IntervalSet},
    model::{TransferModel, UnitId},
    schedule::{Moved, UnitIndex},
    unit::NodeId,
};
use std::ops::Range;

/// What a unit lacks, and what of its results goes back to the host.
#[derive(Default)]
pub(super) struct Moves {
    /// What it lacks of whole containers, whatever its range.
    pub(super) fixed_ns: f64,
    parts: Vec<Lacking>,
    /// What bringing back its results takes: once, and per element.
    pub(super) back_ns: (f64, f64),
}

/// Of one operand.
struct Lacking {
    /// In elements of the call.
    elems: IntervalSet,
    bytes_per_elem: f64,
    link: Link,
}

/// One way between the host and a device.
#[derive(Clone, Copy)]
struct Link {
    latency_ns: f64,
    ns_per_byte: f64,
}

impl Moves {
    pub(super) fn is_nothing(&self) -> bool {
        self.fixed_ns == 0.0 && self.parts.is_empty() && self.back_ns == (0.0, 0.0)
    }

    pub(super) fn moved(&self) -> Vec<Moved<'_>> {
        let moved = |part: &'_ Lacking| {
            (
                part.bytes_per_elem,
                part.link.ns_per_byte,
                part.link.latency_ns,
            )
        };
        self.parts
            .iter()
            .map(|part| {
                let (bytes, per_byte, latency) = moved(part);
                Moved::new(&part.elems, bytes, per_byte, latency)
            })
            .collect()
    }

    /// What the unit at this position of the context, which models call so, lacks for a call. Slices do not
    /// count: borrowed memory is the host's before and after, and each run that was measured has moved it.
    pub(super) fn of(
        context: &Context,
        call: &Call<'_>,
        (index, id): (UnitIndex, &UnitId),
        entry: &Entry,
    ) -> Moves {
        let mut moves = Moves::default();
        let Ok(node) = context.unit(index).map(crate::Unit::node) else {
            return moves;
        };
        let Some((to, back)) = links(index, id, &entry.transfers) else {
            return moves;
        };
        let elems = call.shape.len();
        for operand in &call.operands {
            match operand {
                Operand::Read(buffer) | Operand::Window(buffer, _) => {
                    moves.lacks(buffer, 0..buffer.len(), node, elems, to);
                }
                Operand::Update(target) => {
                    moves.lacks(target.buffer(), target.window(), node, elems, to);
                }
                Operand::View(buffer, _)
                | Operand::Scalar(buffer)
                | Operand::Strided(Source::Container(buffer), _)
                | Operand::ViewPart(Source::Container(buffer), ..)
                | Operand::WindowPart(Source::Container(buffer), ..) => {
                    moves.lacks_whole(buffer, node, to);
                }
                // The host gathers it, and puts it into its places, whoever computes.
                Operand::Scatter(..)
                | Operand::Write(_)
                | Operand::ReadSlice(_)
                | Operand::Strided(Source::Slice(_), _)
                | Operand::ViewPart(Source::Slice(_), ..)
                | Operand::WindowPart(Source::Slice(_), ..)
                | Operand::Uniform(_)
                | Operand::ViewSlice(_)
                | Operand::WindowSlice(..)
                | Operand::UpdateSlice(_)
                | Operand::WriteSlice(_) => {}
            }
            if let (Operand::Write(target) | Operand::Update(target), false) =
                (operand, node == NodeId::HOST)
            {
                let part = entry.model.read_back;
                let bytes = target.buffer().layout().size_bytes() as f64;
                moves.back_ns.0 += back.latency_ns * part;
                moves.back_ns.1 += bytes * part * back.ns_per_byte;
            }
        }
        moves
    }

    /// Elements `window` of a buffer are divided as those of the call.
    fn lacks(
        &mut self,
        buffer: &Buffer,
        window: Range<usize>,
        node: NodeId,
        elems: usize,
        link: Link,
    ) {
        let missing = buffer.missing(node, window.clone());
        if missing.is_empty() {
            return;
        }
        let (first, len) = (window.start, window.len().max(1));
        let scale = |place: usize, up: usize| {
            let scaled = ((place - first) as u128 * elems as u128 + up as u128) / len as u128;
            usize::try_from(scaled).unwrap_or(elems).min(elems)
        };
        let mut lacking = IntervalSet::new();
        for part in missing {
            let range = scale(part.start, 0)..scale(part.end, len - 1);
            if !range.is_empty() {
                lacking.insert(range);
            }
        }
        let bytes = (buffer.layout().size_bytes() * len) as f64 / elems.max(1) as f64;
        self.parts.push(Lacking {
            elems: lacking,
            bytes_per_elem: bytes,
            link,
        });
    }

    /// All of a buffer is needed.
    fn lacks_whole(&mut self, buffer: &Buffer, node: NodeId, link: Link) {
        let missing = buffer.missing(node, 0..buffer.len());
        let elems: usize = missing.iter().map(Range::len).sum();
        if elems > 0 {
            let bytes = (elems * buffer.layout().size_bytes()) as f64;
            self.fixed_ns += link.latency_ns + link.ns_per_byte * bytes;
        }
    }
}

/// How elements come to a unit, and how they go back to the host.
fn links(
    index: UnitIndex,
    id: &UnitId,
    transfers: &[(UnitId, TransferModel)],
) -> Option<(Link, Link)> {
    let on_host = index < FIRST_DEVICE;
    // What the host lacks, some device has: the first one will do for an estimate.
    let transfer = transfers.iter().find(|(known, _)| on_host || known == id);
    let (_, transfer) = transfer?;
    let up = Link {
        latency_ns: transfer.up_latency_ns,
        ns_per_byte: transfer.up_ns_per_byte,
    };
    let down = Link {
        latency_ns: transfer.down_latency_ns,
        ns_per_byte: transfer.down_ns_per_byte,
    };
    Some((if on_host { down } else { up }, down))
}
