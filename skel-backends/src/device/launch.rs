//! What a driver is asked to launch.

use super::arg::{Arg, LaunchArg};
use skel_core::{
    frame::View,
    ir::{Ty, ViewKind},
    plan::{BlockConfig, Kernel, Phases},
    space::{Along, Axis, IndexSpace, Layout, MAX_RANK, SweepOrder},
};
use std::{ops::Range, sync::Arc};

/// One launch of a kernel.
pub struct Launch<'a, A> {
    /// The device face of the plan.
    pub kernel: &'a Arc<Kernel>,
    /// The host face, for drivers that compute with it.
    pub phases: &'static dyn Phases,
    /// The arguments, as [`Kernel::arguments`] lists them.
    pub args: Vec<LaunchArg<'a, A>>,
    /// For each argument, which element of its array belongs to element 0 of the index space; 0 unless it
    /// is [`Arg::In`], [`Arg::InOut`], [`Arg::Out`] or [`Arg::Sweep`]; of lines, which one is element 0 of the
    /// first line.
    pub offsets: Vec<usize>,
    /// The elements to compute; never empty.
    pub range: Range<usize>,
    /// The whole index space. Where its elements fold rows or columns, all that is read element by element is
    /// strided.
    pub space: IndexSpace,
    /// Scans: whether a later piece waits for the carry that this launch gives. A hint: if none waits, a
    /// driver may compute the carry later. It **must** still give the carry if [`Driver::finish`](super::Driver::finish) asks for
    /// it.
    pub followed: bool,
    /// The block configuration that was chosen, if any was. A driver that does not offer it for this kernel,
    /// or finds that it does not work, **must** launch as usual. It **must not** offer a failing
    /// configuration again: so tuning learns of it.
    pub block: Option<BlockConfig>,
}

impl<'a, A> Launch<'a, A> {
    /// Which elements are computed before which, of a sweep.
    #[must_use]
    pub fn sweep(&self) -> Option<&SweepOrder> {
        match self.args.first()? {
            Arg::Sweep(_, order, _) => Some(order),
            _ => None,
        }
    }

    /// The elements of the array of argument `k` that belong to the launch's, one by one; of lines, from the first to
    /// the last, with what lies between.
    #[must_use]
    pub fn places(&self, k: usize) -> Range<usize> {
        let offset = self.offsets.get(k).copied().unwrap_or(0);
        let elements = match self.args.get(k) {
            Some(Arg::Lines(_, lines) | Arg::LinesMut(_, lines)) => lines.hull(&self.range),
            _ => self.range.clone(),
        };
        offset + elements.start..offset + elements.end
    }

    /// How many elements argument `k` has along dimension `d`: of a view, those of its container, as the function sees
    /// it; of a row or column, those of its matrix; of lines, those of each.
    #[must_use]
    pub fn extent(&self, k: usize, d: usize) -> Option<usize> {
        let shape = match self.args.get(k)? {
            Arg::View(_, shape) => shape,
            Arg::Lines(_, lines) | Arg::LinesMut(_, lines) => return Some(lines.len()),
            Arg::Strided(_, layout) | Arg::StridedMut(_, layout) => {
                let dims = layout.over(self.space.arguments()).dims;
                return Some(dims.get(d).map_or(1, |dim| dim.0));
            }
            _ => return None,
        };
        let Ty::View(view) = &self.kernel.arguments.get(k)?.ty else {
            return None;
        };
        match view.kind {
            ViewKind::Whole { rank } => Some(shape.extent_of_rank(rank.into(), d)),
            ViewKind::Row => Some(shape.row_elems()),
            ViewKind::Col => Some(shape.extent_of_rank(2, d)),
            ViewKind::Window { .. }
            | ViewKind::Pool { .. }
            | ViewKind::Sweep { .. }
            | ViewKind::Line => None,
        }
    }

    /// The one value beyond the edges of argument `k`, if they are padded.
    #[must_use]
    pub fn pad(&self, k: usize) -> Option<View<'a>> {
        match self.args.get(k)? {
            Arg::Window(_, _, pad) | Arg::Sweep(_, _, pad) => *pad,
            _ => None,
        }
    }

    /// Where the elements of argument `k` lie, if that is strided.
    #[must_use]
    pub fn layout(&self, k: usize) -> Option<&Layout> {
        match self.args.get(k)? {
            Arg::Strided(_, layout) | Arg::StridedMut(_, layout) => Some(layout),
            _ => None,
        }
    }

    /// How far neighbours along dimension `d` of argument `k`, which is strided or a line, lie apart; in folds of rows
    /// or columns, values for `d` = 0, elements of a value for 1. None of an argument without strides.
    #[must_use]
    pub fn pitch(&self, k: usize, d: usize) -> Option<isize> {
        if let Arg::Lines(_, lines) | Arg::LinesMut(_, lines) = self.args.get(k)? {
            return Some(lines.stride() as isize);
        }
        let layout = self.layout(k)?;
        Some(match self.space.along() {
            Some(Along { axis, .. }) => {
                let [down, right] = [MAX_RANK - 2, MAX_RANK - 1].map(|d| layout.strides[d]);
                match (axis, d) {
                    (Axis::Rows, 0) | (Axis::Cols, 1) => down,
                    _ => right,
                }
            }
            None => {
                let dims = layout.over(self.space.arguments()).dims;
                dims.get(d).map_or(0, |dim| dim.1)
            }
        })
    }
}
