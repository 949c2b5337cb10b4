//! What a driver is asked to launch.

use skel_core::{
    frame::View,
    ir::{Ty, ViewKind},
    plan::{BlockConfig, Kernel, Phases},
    space::{Along, Axis, IndexSpace, Layout, Lines, MAX_RANK, Neighbourhood, Shape, SweepOrder},
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
    /// is [`LaunchArg::In`], [`LaunchArg::InOut`], [`LaunchArg::Out`] or [`LaunchArg::Sweep`]; of lines, which one is element 0 of the
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

/// An argument of a launch. An array is addressed by the element's absolute index; the driver knows
/// the window it was allocated for.
pub enum LaunchArg<'a, A> {
    /// [`skel_core::plan::Role::In`].
    In(&'a A),
    /// [`skel_core::plan::Role::Strided`]: elements of the array at the places that the layout says.
    Strided(&'a A, Layout),
    /// [`skel_core::plan::Role::InOut`].
    InOut(&'a mut A),
    /// [`skel_core::plan::Role::Out`].
    Out(&'a mut A),
    /// [`skel_core::plan::Role::StridedOut`]: elements of the array at the places that the layout says; what lies
    /// between stays. The range of the launch is the whole call.
    StridedMut(&'a mut A, Layout),
    /// [`skel_core::plan::Role::Uniform`]: one element.
    Uniform(View<'a>),
    /// [`skel_core::plan::Role::View`]: all elements of a container of this shape, perhaps none. All of
    /// them are there, whatever the range of the launch.
    View(&'a A, Shape),
    /// [`skel_core::plan::Role::Window`]: a container of which each element sees a neighbourhood, and
    /// the one value beyond edges that are padded. What the launch's elements see is there; the array may
    /// begin and end within the container.
    Window(&'a A, Neighbourhood, Option<View<'a>>),
    /// [`skel_core::plan::Role::Line`]: a container of which each element reads a line. Those of the launch's elements
    /// are there, as [`Launch::places`] says.
    Lines(&'a A, Lines),
    /// [`skel_core::plan::Role::LineMut`]: the same, to be read and written.
    LinesMut(&'a mut A, Lines),
    /// [`skel_core::plan::Role::Sweep`]: a container that is swept, and the one value beyond edges that are padded. The
    /// range of the launch is all of it.
    Sweep(&'a mut A, SweepOrder, Option<View<'a>>),
}

impl<A> Launch<'_, A> {
    /// Which elements are computed before which, of a sweep.
    #[must_use]
    pub fn sweep(&self) -> Option<&SweepOrder> {
        match self.args.first()? {
            LaunchArg::Sweep(_, order, _) => Some(order),
            _ => None,
        }
    }

    /// The elements of the array of argument `k` that belong to the launch's, one by one; of lines, from the first to
    /// the last, with what lies between.
    #[must_use]
    pub fn places(&self, k: usize) -> Range<usize> {
        let offset = self.offsets.get(k).copied().unwrap_or(0);
        let elements = match self.args.get(k) {
            Some(LaunchArg::Lines(_, lines)) => lines.hull(&self.range),
            Some(LaunchArg::LinesMut(_, lines)) => lines.hull(&self.range),
            _ => self.range.clone(),
        };
        offset + elements.start..offset + elements.end
    }

    /// An extent of the container that argument `k` is a view of, as the function sees it; of a row or column, of its
    /// matrix.
    #[must_use]
    pub fn view_extent(&self, k: usize, dimension: usize) -> Option<usize> {
        let LaunchArg::View(_, shape) = self.args.get(k)? else {
            return None;
        };
        let Ty::View(view) = &self.kernel.arguments.get(k)?.ty else {
            return None;
        };
        match (view.kind, dimension) {
            (ViewKind::Slice, _) => Some(shape.len()),
            (ViewKind::Matrix | ViewKind::Col, 0) => Some(shape.rows()),
            (ViewKind::Matrix | ViewKind::Col | ViewKind::Row, _) => Some(shape.row_elems()),
            (ViewKind::Tensor3, d) => Some(shape.extents()[MAX_RANK - 3 + d]),
            (
                ViewKind::Window { .. }
                | ViewKind::Pool { .. }
                | ViewKind::Sweep { .. }
                | ViewKind::Line,
                _,
            ) => None,
        }
    }

    /// Where the elements of argument `k` lie, if that is strided.
    #[must_use]
    pub fn layout(&self, k: usize) -> Option<&Layout> {
        match self.args.get(k)? {
            LaunchArg::Strided(_, layout) | LaunchArg::StridedMut(_, layout) => Some(layout),
            _ => None,
        }
    }

    /// How far neighbours along dimension `d` of argument `k` lie apart; in folds of rows or columns, values for
    /// `d` = 0, elements of a value for 1. None of an argument without strides.
    #[must_use]
    pub fn pitch(&self, k: usize, d: usize) -> Option<isize> {
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
