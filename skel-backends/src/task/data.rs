//! The data of chunks, as the engine knows it: which bytes a chunk reads and writes, and where they lie.

use super::team::Team;
use skel_core::{
    call::{Access, Call, Operand, OutputTarget},
    container::Buffer,
    unit::NodeId,
};
use skel_tasks::{Access as Use, Engine, HandleId, MemoryNode, Mode, NodeSet};
use std::ops::Range;

/// What the chunks of a call access. Slices, uniforms and scattered outputs are not listed: they are the host's
/// before and after, whichever worker has the chunk (but for a device that has a scattered output and takes the whole
/// call as one chunk).
pub(super) struct Data {
    /// Of each chunk.
    uses: Vec<Vec<Use>>,
}

impl Data {
    /// Registers the data of a call that is cut so. Without devices, nothing has to be known.
    pub(super) fn register(
        engine: &mut Engine,
        team: &Team<'_>,
        call: &Call<'_>,
        chunks: &[Range<usize>],
    ) -> Data {
        let mut uses = vec![Vec::new(); chunks.len()];
        if engine.machine().nodes().len() == 1 {
            return Data { uses };
        }
        for operand in &call.operands {
            match operand {
                Operand::Input(input) => {
                    let Some(buffer) = input.source.buffer() else {
                        continue;
                    };
                    if !matches!(
                        input.access,
                        Access::Each | Access::Window(_) | Access::Lines(_)
                    ) {
                        let whole = add(engine, team, buffer, 0..buffer.len());
                        push(&mut uses, |_| Some((whole, Mode::Read)));
                        continue;
                    }
                    push(&mut uses, |k| {
                        let span = input.span(&call.space, &chunks[k]);
                        Some((add(engine, team, buffer, span), Mode::Read))
                    });
                }
                Operand::Output(output) => {
                    let OutputTarget::Container(target) = &output.target else {
                        continue;
                    };
                    if !output.is_ranged() {
                        continue;
                    }
                    let mode = match output.reads {
                        true => Mode::Update,
                        false => Mode::Write,
                    };
                    push(&mut uses, |k| {
                        let places = target.places(&output.elements(&chunks[k]));
                        Some((add(engine, team, target.buffer(), places), mode))
                    });
                }
            }
        }
        Data { uses }
    }

    /// The engine need not know it any more.
    pub(super) fn unregister(&self, engine: &mut Engine) {
        for of in self.uses.iter().flatten() {
            // Chunks share what all of them read: it is gone with the first.
            let _gone = engine.unregister(of.handle);
        }
    }

    /// What a chunk accesses.
    pub(super) fn of(&self, chunk: usize) -> &[Use] {
        &self.uses[chunk]
    }
}

fn push(uses: &mut [Vec<Use>], mut of: impl FnMut(usize) -> Option<(HandleId, Mode)>) {
    for (k, uses) in uses.iter_mut().enumerate() {
        if let Some((handle, mode)) = of(k) {
            uses.push(Use { handle, mode });
        }
    }
}

/// A handle for elements of a container, valid where all of them are.
fn add(engine: &mut Engine, team: &Team<'_>, buffer: &Buffer, places: Range<usize>) -> HandleId {
    let bytes = (places.len() * buffer.layout().size_bytes()) as u64;
    let devices = team.devices().map(|(node, seat)| (node, seat.unit.node()));
    register_at(engine, bytes, valid_nodes(buffer, places, devices))
}

/// The memory nodes that have all these elements, among the host's and those of `devices`.
pub(crate) fn valid_nodes(
    buffer: &Buffer,
    places: Range<usize>,
    devices: impl Iterator<Item = (MemoryNode, NodeId)>,
) -> NodeSet {
    let all = [(MemoryNode::HOST, NodeId::HOST)]
        .into_iter()
        .chain(devices);
    all.filter(|(_, node)| buffer.missing(*node, places.clone()).is_empty())
        .map(|(node, _)| node)
        .collect()
}

/// A handle for data that these memory nodes have. What lies in pieces on several of them comes from the host, as far as
/// plans are concerned.
pub(crate) fn register_at(engine: &mut Engine, bytes: u64, valid: NodeSet) -> HandleId {
    let handle = engine.register(bytes, Some(MemoryNode::HOST));
    if !valid.is_empty() {
        engine
            .saw(handle, valid)
            .expect("the handle was registered just now");
    }
    handle
}
