//! Pieces of calls, as a device's thread gets them.

use super::{Arg, Driver, Launched, cover, lent::Lent, scatter::LentOutput, taint::TaintSource};
use crate::{ItemId, current_task, observe};
use skel_core::{
    Result,
    call::Call,
    frame::{ErasedArray, ViewMut},
    plan::{BlockConfig, Kernel, Pattern, Phases},
    space::{IndexSpace, IntervalSet},
    unit::NodeId,
};
use std::{
    ops::Range,
    sync::{Arc, atomic::AtomicBool},
};

/// Names an array on its device.
pub(super) type ArrayId = u64;

/// An array, and the elements of it that have to have memory there.
pub(super) type Need = (ArrayId, Range<usize>);

/// Whether the end of a piece is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// It is not: what goes wrong is found out later.
    No,
    /// So that it can be timed, alone.
    Timed,
    /// While the device is given other pieces: see [`super::under_way`]. The caller is told of traps.
    Ahead,
}

impl Wait {
    /// What this thread's calls do.
    pub(super) fn of_calls_here(pattern: Pattern) -> Wait {
        match (observe::is_ahead(), observe::is_timed()) {
            (true, _) => Wait::Ahead,
            (false, true) => Wait::Timed,
            // The item's thread waits for a value. The device's need not.
            (false, false) if pattern == Pattern::Fold && current_task::item().is_some() => {
                Wait::Ahead
            }
            (false, false) => Wait::No,
        }
    }
}

/// What all pieces and chunks have in common that a device gets of a call at once.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) kernel: Arc<Kernel>,
    pub(super) phases: &'static dyn Phases,
    pub(super) space: IndexSpace,
    pub(super) block: Option<BlockConfig>,
    /// Whether to wait for the end.
    pub(super) wait: Wait,
    /// The item whose call it is.
    pub(super) item: Option<ItemId>,
    /// Whether the driver was asked to launch it: until then, what is to be changed in place is what it was.
    pub(super) launched: Arc<AtomicBool>,
}

impl Job {
    pub(super) fn of(call: &Call<'_>, node: NodeId, wait: Wait) -> Result<Self> {
        Ok(Job {
            kernel: call.kernel()?,
            phases: call.phases,
            space: call.space,
            block: call.blocks.of(node),
            wait,
            item: current_task::item(),
            launched: Arc::default(),
        })
    }

    /// The piece over these elements, with no arguments yet.
    pub(super) fn piece(&self, range: Range<usize>) -> Work {
        Work {
            job: self.clone(),
            range,
            args: Vec::new(),
            offsets: Vec::new(),
            slices: Vec::new(),
            staged: Vec::new(),
        }
    }
}

/// One piece of a call.
pub(super) struct Work {
    pub(super) job: Job,
    pub(super) range: Range<usize>,
    pub(super) args: Vec<WorkArg>,
    /// As [`super::Launch::offsets`].
    pub(super) offsets: Vec<usize>,
    /// Slices to write: uploaded first if the flag says so, downloaded afterwards.
    pub(super) slices: Vec<(ArrayId, Lent<ViewMut<'static>>, bool)>,
    /// What is written one by one.
    pub(super) staged: Vec<LentOutput>,
}

impl Work {
    /// All arrays that it needs.
    pub(super) fn arrays(&self) -> Vec<ArrayId> {
        self.needs().into_iter().map(|(id, _)| id).collect()
    }

    /// What it needs of which arrays.
    pub(super) fn needs(&self) -> Vec<Need> {
        let parts = self.args.iter().filter_map(Arg::array);
        parts
            .map(|part| (part.id, cover::hull(&part.elements)))
            .collect()
    }
}

/// An argument of a piece.
pub(super) type WorkArg = Arg<ArrayPart, ArrayPart, ErasedArray>;

/// What a piece reads or writes of an array.
pub(super) struct ArrayPart {
    pub(super) id: ArrayId,
    pub(super) elements: IntervalSet,
}

impl ArrayPart {
    pub(super) fn of(id: ArrayId, elements: Range<usize>) -> Self {
        let elements = IntervalSet::of(elements);
        ArrayPart { id, elements }
    }
}

/// A scan that waits for its carry.
pub(super) struct PendingScan<D: Driver> {
    pub(super) work: Work,
    /// Its traps are read when it has ended: what it still queues may go to the same words.
    pub(super) launched: Launched<D::Pending>,
    /// The launches that it reads the results of.
    pub(super) causes: Vec<TaintSource>,
}
