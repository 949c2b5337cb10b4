//! Transfers: what has to be moved before and after a unit computes a piece of a call.

use super::Context;
use crate::positions::FIRST_DEVICE;
use skel_core::{
    call::{Access, Call, Operand, OutputTarget},
    container::Buffer,
    schedule::UnitIndex,
    space::IntervalSet,
    unit::NodeId,
};
use skel_model::{TransferModel, UnitId, policy::Moved};
use std::ops::Range;

/// What lies where when a call is made, and what of its results the host reads next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Situation {
    /// What is there now. Of its results the host reads this part.
    Now { read_back: f64 },
    /// What a program may do: whether devices lack the arguments, and whether the host reads the results.
    Supposed { arguments: bool, results: bool },
}

impl Situation {
    /// Everything is where it is needed, and stays where it is computed.
    pub(crate) const AT_REST: Situation = Situation::supposed(false, false);
    /// All that a program may do.
    pub(crate) const SUPPOSED: [Situation; 4] = [
        Situation::AT_REST,
        Situation::supposed(true, true),
        Situation::supposed(false, true),
        Situation::supposed(true, false),
    ];

    const fn supposed(arguments: bool, results: bool) -> Situation {
        Situation::Supposed { arguments, results }
    }
}

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

    /// Whether it lacks some of what these elements need.
    pub(super) fn brings(&self, range: &Range<usize>) -> bool {
        let mut parts = self.parts.iter();
        self.fixed_ns > 0.0 || parts.any(|part| !part.elems.is_disjoint(range))
    }

    pub(super) fn moved(&self) -> Vec<Moved<'_>> {
        let parts = self.parts.iter();
        parts
            .map(|part| {
                let Link {
                    latency_ns,
                    ns_per_byte,
                } = part.link;
                Moved::new(&part.elems, part.bytes_per_elem, ns_per_byte, latency_ns)
            })
            .collect()
    }

    /// What the unit at this position of the context, which models call so, lacks for a call. Slices do not
    /// count: borrowed memory is the host's before and after, and each run that was measured has moved it.
    pub(super) fn of(
        context: &Context,
        call: &Call<'_>,
        (index, id): (UnitIndex, &UnitId),
        transfers: &[(UnitId, TransferModel)],
        situation: Situation,
    ) -> Moves {
        let mut moves = Moves::default();
        let Ok(node) = context.unit(index).map(crate::Unit::node) else {
            return moves;
        };
        let Some((to, back)) = links(index, id, transfers) else {
            return moves;
        };
        let lacking = |buffer: &Buffer, window: Range<usize>| match situation {
            Situation::Now { .. } => buffer.missing(node, window),
            Situation::Supposed { arguments, .. } if arguments && node != NodeId::HOST => {
                vec![window]
            }
            Situation::Supposed { .. } => Vec::new(),
        };
        let read_back = match situation {
            Situation::Now { read_back } => read_back,
            Situation::Supposed { results, .. } => f64::from(u8::from(results)),
        };
        let elems = call.space.elems();
        for operand in &call.operands {
            match operand {
                Operand::Input(input) => {
                    let Some(buffer) = input.source.buffer() else {
                        continue;
                    };
                    let all = 0..buffer.len();
                    let divided = matches!(
                        input.access,
                        Access::Each | Access::Window(_) | Access::Lines(_)
                    );
                    let missing = lacking(buffer, all.clone());
                    match divided && input.kept().is_some() {
                        true => moves.lacks(buffer, missing, all, elems, to),
                        false => moves.lacks_whole(buffer, &missing, to),
                    }
                }
                Operand::Output(output) => {
                    let OutputTarget::Container(target) = &output.target else {
                        continue;
                    };
                    let (buffer, window) = (target.buffer(), target.window());
                    // The host puts what is scattered into its places, whichever unit computes it; where the
                    // device that has the container does, nothing is moved.
                    if output.scattered().is_some() {
                        continue;
                    }
                    if output.reads {
                        moves.lacks(buffer, lacking(buffer, window.clone()), window, elems, to);
                    }
                    if node != NodeId::HOST {
                        let bytes = buffer.layout().size_bytes() as f64;
                        moves.back_ns.0 += back.latency_ns * read_back;
                        moves.back_ns.1 += bytes * read_back * back.ns_per_byte;
                    }
                }
            }
        }
        moves
    }

    /// Elements `window` of a buffer, of which these are missing, are divided as those of the call.
    fn lacks(
        &mut self,
        buffer: &Buffer,
        missing: Vec<Range<usize>>,
        window: Range<usize>,
        elems: usize,
        link: Link,
    ) {
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

    /// All of a buffer is needed, of which these are missing.
    fn lacks_whole(&mut self, buffer: &Buffer, missing: &[Range<usize>], link: Link) {
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
