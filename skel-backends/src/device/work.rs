//! Pieces of calls, as a device's thread gets them.

use super::{Driver, Launched, cover, lent::Lent, scatter::LentOutput, taint::TaintSource};
use crate::{ItemId, observe, running_task};
use skel_core::{
    frame::{ErasedArray, ViewMut},
    plan::{BlockConfig, Kernel, Pattern, Phases},
    space::{IndexSpace, IntervalSet, Layout, Lines, Neighbourhood, Shape, SweepOrder},
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
            (false, false) if pattern == Pattern::Fold && running_task::item().is_some() => {
                Wait::Ahead
            }
            (false, false) => Wait::No,
        }
    }
}

/// One piece of a call.
pub(super) struct Work {
    pub(super) kernel: Arc<Kernel>,
    pub(super) phases: &'static dyn Phases,
    pub(super) space: IndexSpace,
    /// As [`super::Launch::followed`].
    pub(super) followed: bool,
    pub(super) block: Option<BlockConfig>,
    pub(super) range: Range<usize>,
    pub(super) args: Vec<Arg>,
    /// As [`super::Launch::offsets`].
    pub(super) offsets: Vec<usize>,
    /// Slices to write: uploaded first if the flag says so, downloaded afterwards.
    pub(super) slices: Vec<(ArrayId, Lent<ViewMut<'static>>, bool)>,
    /// What is written one by one.
    pub(super) staged: Vec<LentOutput>,
    /// Whether to wait for the end.
    pub(super) wait: Wait,
    /// The item whose call it is.
    pub(super) item: Option<ItemId>,
    /// Whether the driver was asked to launch it: until then, what is to be changed in place is what it was.
    pub(super) launched: Arc<AtomicBool>,
}

impl Work {
    /// The elements of the array of argument `k` that the piece reads or writes one by one.
    pub(super) fn places(&self, k: usize) -> Range<usize> {
        let offset = self.offsets.get(k).copied().unwrap_or(0);
        let elements = match self.args.get(k) {
            Some(Arg::StridedMut(_, _, places)) => return places.clone(),
            Some(Arg::Lines(_, lines) | Arg::LinesMut(_, lines)) => lines.hull(&self.range),
            _ => self.range.clone(),
        };
        offset + elements.start..offset + elements.end
    }

    /// All arrays that it needs.
    pub(super) fn arrays(&self) -> Vec<ArrayId> {
        self.needs().into_iter().map(|(id, _)| id).collect()
    }

    /// What it needs of which arrays.
    pub(super) fn needs(&self) -> Vec<Need> {
        let args = self.args.iter().enumerate();
        let needs = args.filter_map(|(k, arg)| match arg {
            Arg::In(id)
            | Arg::InOut(id)
            | Arg::Out(id)
            | Arg::Lines(id, _)
            | Arg::LinesMut(id, _)
            | Arg::Sweep(id, _) => Some((*id, self.places(k))),
            Arg::Strided(id, _, places) | Arg::StridedMut(id, _, places) => {
                Some((*id, places.clone()))
            }
            Arg::View(id, shape) => Some((*id, 0..shape.len())),
            Arg::Window(id, window) => Some((*id, cover::hull(&window.halo))),
            Arg::Uniform(_) => None,
        });
        needs.collect()
    }

    /// The same over other elements, with no arguments yet.
    pub(super) fn for_range(&self, range: Range<usize>) -> Work {
        Work {
            kernel: Arc::clone(&self.kernel),
            phases: self.phases,
            space: self.space,
            followed: self.followed || range.end < self.range.end,
            block: self.block,
            range,
            args: Vec::new(),
            offsets: Vec::new(),
            slices: Vec::new(),
            staged: Vec::new(),
            wait: self.wait,
            item: self.item,
            launched: Arc::clone(&self.launched),
        }
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

/// An argument of a launch.
pub(super) enum Arg {
    In(ArrayId),
    /// With all that the piece needs of it.
    Strided(ArrayId, Layout, Range<usize>),
    /// Stores some of these elements; the others stay.
    StridedMut(ArrayId, Layout, Range<usize>),
    InOut(ArrayId),
    Out(ArrayId),
    Uniform(ErasedArray),
    View(ArrayId, Shape),
    Lines(ArrayId, Lines),
    LinesMut(ArrayId, Lines),
    Sweep(ArrayId, Box<SweepArg>),
    Window(ArrayId, Box<NeighbourhoodArg>),
}

impl Arg {
    /// The array that is written.
    pub(super) fn written(&self) -> Option<ArrayId> {
        match self {
            Arg::InOut(id)
            | Arg::Out(id)
            | Arg::StridedMut(id, ..)
            | Arg::LinesMut(id, _)
            | Arg::Sweep(id, _) => Some(*id),
            Arg::In(_)
            | Arg::Strided(..)
            | Arg::Uniform(_)
            | Arg::View(..)
            | Arg::Lines(..)
            | Arg::Window(..) => None,
        }
    }
}

/// A container that is swept, and the one value beyond edges that are padded.
pub(super) struct SweepArg {
    pub(super) order: SweepOrder,
    pub(super) pad: Option<ErasedArray>,
}

/// A container of which each element sees a neighbourhood.
pub(super) struct NeighbourhoodArg {
    pub(super) near: Neighbourhood,
    /// What the piece sees.
    pub(super) halo: IntervalSet,
    pub(super) pad: Option<ErasedArray>,
}
