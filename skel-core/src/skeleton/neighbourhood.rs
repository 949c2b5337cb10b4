//! Where the neighbourhoods of a call lie: what MapOverlap and MapPool have in common.

use super::instance::Instance;
use crate::{
    Error, Result,
    call::{Access, ArgumentShapes, Executor, Fit, Operand, Operands},
    frame::View,
    param::Form,
    space::{EdgeKind, MAX_RANK, Neighbourhood, Shape},
};

/// What an instance says of all its neighbourhoods.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) edge: EdgeKind,
    /// Elements from one neighbourhood to the next, along each of their dimensions.
    pub(super) stride: [usize; MAX_RANK],
    /// Windows go along all dimensions but the innermost.
    pub(super) down: bool,
}

/// A call whose containers are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// Its shape: that of the outputs.
    pub(super) shape: Shape,
    near: Neighbourhood,
}

impl Layout {
    /// That of windows, by itself: one around each element, the nearest element beyond edges.
    pub(super) const WINDOWS: Layout = Layout {
        edge: EdgeKind::Duplicate,
        stride: [1; MAX_RANK],
        down: false,
    };

    /// The neighbourhoods of this form in containers of these shapes, which must agree.
    pub(super) fn place<E: Executor>(
        &self,
        instance: &Instance<E>,
        form: Form,
        shapes: &ArgumentShapes,
    ) -> Result<Placed> {
        instance.no_gaps(shapes)?;
        let mut windows = shapes
            .iter()
            .filter(|(_, _, fit)| *fit == Fit::Neighbourhood);
        let Some((_, input, _)) = windows.next() else {
            unreachable!("the plan says that there is a neighbourhood")
        };
        if let Some((argument, found, _)) = windows.find(|(_, found, _)| found != input) {
            return Err(Error::ShapeMismatch {
                instance: instance.name.to_string(),
                argument: *argument,
                found: Box::new(*found),
                expected: *input,
                reference: "the first container seen through a window has",
            });
        }
        if self.down && form.reach.rank >= input.rank() {
            return Err(unfit(
                instance,
                format!(
                    "a window of {} dimensions goes down the columns of a container with more of them, and {input} has not",
                    form.reach.rank
                ),
            ));
        }
        let placed = self.around(form, *input);
        instance.check(shapes, placed.shape, "the result has")?;
        Ok(placed)
    }

    fn around(&self, form: Form, input: Shape) -> Placed {
        let (rank, reach) = (form.reach.rank, form.reach);
        // The window's dimensions end before the innermost one, or with it.
        let mut all = input.extents();
        let inner = if self.down { all[MAX_RANK - 1] } else { 1 };
        if self.down {
            all.rotate_right(1);
            all[0] = 1;
        }
        let mut near = Neighbourhood {
            rank,
            positions: [1; MAX_RANK],
            extents: [1; MAX_RANK],
            stride: [1; MAX_RANK],
            shift: [0; MAX_RANK],
            inner,
            edge: self.edge,
        };
        for (d, extent) in all.into_iter().enumerate().skip(MAX_RANK - rank) {
            near.extents[d] = extent;
            near.stride[d] = self.stride[d];
            near.positions[d] = extent;
            if self.edge == EdgeKind::None {
                near.shift[d] = reach.before[d];
                near.positions[d] = match extent.checked_sub(reach.span(d)) {
                    Some(room) => room / self.stride[d] + 1,
                    None => 0,
                };
            }
            all[d] = near.positions[d];
        }
        if self.down {
            all.rotate_left(1);
            all[MAX_RANK - 1] = inner;
        }
        Placed {
            shape: Shape::of_rank(input.rank(), all),
            near,
        }
    }
}

impl Placed {
    /// Tells all operands that are neighbourhoods where they lie.
    pub(super) fn tell<'e>(&self, operands: &mut Operands<'e>, pad: Option<View<'e>>) {
        for operand in operands {
            if let Operand::Input(input) = operand
                && let Access::Window(window) = &mut input.access
            {
                window.near = self.near;
                window.pad = pad;
            }
        }
    }
}

/// What an instance was told does not go together.
pub(super) fn unfit<E: Executor>(instance: &Instance<E>, reason: impl Into<String>) -> Error {
    Error::Neighbourhood {
        instance: instance.name.to_string(),
        reason: reason.into(),
    }
}
