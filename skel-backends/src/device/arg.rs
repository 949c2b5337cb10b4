//! Arguments of launches.

use skel_core::{
    frame::View,
    space::{Layout, Lines, Neighbourhood, Shape, SweepOrder},
};

/// An argument of a launch: `R` is an array that is read, `W` one that is written, `V` one value.
pub enum Arg<R, W, V> {
    /// [`skel_core::plan::Role::In`].
    In(R),
    /// [`skel_core::plan::Role::Strided`]: elements of the array at the places that the layout says.
    Strided(R, Layout),
    /// [`skel_core::plan::Role::InOut`].
    InOut(W),
    /// [`skel_core::plan::Role::Out`].
    Out(W),
    /// [`skel_core::plan::Role::StridedOut`]: elements of the array at the places that the layout says; what lies
    /// between stays. The range of the launch is the whole call.
    StridedMut(W, Layout),
    /// [`skel_core::plan::Role::Uniform`]: one element.
    Uniform(V),
    /// [`skel_core::plan::Role::View`]: all elements of a container of this shape, perhaps none. All of
    /// them are there, whatever the range of the launch.
    View(R, Shape),
    /// [`skel_core::plan::Role::Window`]: a container of which each element sees a neighbourhood, and
    /// the one value beyond edges that are padded. What the launch's elements see is there; the array may
    /// begin and end within the container.
    Window(R, Neighbourhood, Option<V>),
    /// [`skel_core::plan::Role::Line`]: a container of which each element reads a line. Those of the launch's elements
    /// are there, as [`Launch::places`](super::Launch::places) says.
    Lines(R, Lines),
    /// [`skel_core::plan::Role::LineMut`]: the same, to be read and written.
    LinesMut(W, Lines),
    /// [`skel_core::plan::Role::Sweep`]: a container that is swept, and the one value beyond edges that are padded. The
    /// range of the launch is all of it.
    Sweep(W, SweepOrder, Option<V>),
}

/// An argument as a driver gets it. An array is addressed by the element's absolute index; the driver knows
/// the window it was allocated for.
pub type LaunchArg<'a, A> = Arg<&'a A, &'a mut A, View<'a>>;

impl<R, W, V> Arg<R, W, V> {
    /// The array that is read and not written.
    fn read(&self) -> Option<&R> {
        match self {
            Arg::In(array)
            | Arg::Strided(array, _)
            | Arg::View(array, _)
            | Arg::Window(array, ..)
            | Arg::Lines(array, _) => Some(array),
            _ => None,
        }
    }

    /// The array that is written.
    pub(super) fn written(&self) -> Option<&W> {
        match self {
            Arg::InOut(array)
            | Arg::Out(array)
            | Arg::StridedMut(array, _)
            | Arg::LinesMut(array, _)
            | Arg::Sweep(array, ..) => Some(array),
            _ => None,
        }
    }

    /// The same of other arrays and values, unless there is none.
    pub(super) fn map<'s, R2, W2, V2>(
        &'s self,
        read: impl FnOnce(&'s R) -> Option<R2>,
        write: impl FnOnce(&'s W) -> Option<W2>,
        value: impl FnOnce(&'s V) -> V2,
    ) -> Option<Arg<R2, W2, V2>> {
        Some(match self {
            Arg::In(array) => Arg::In(read(array)?),
            Arg::Strided(array, layout) => Arg::Strided(read(array)?, *layout),
            Arg::InOut(array) => Arg::InOut(write(array)?),
            Arg::Out(array) => Arg::Out(write(array)?),
            Arg::StridedMut(array, layout) => Arg::StridedMut(write(array)?, *layout),
            Arg::Uniform(one) => Arg::Uniform(value(one)),
            Arg::View(array, shape) => Arg::View(read(array)?, *shape),
            Arg::Window(array, near, pad) => {
                Arg::Window(read(array)?, *near, pad.as_ref().map(value))
            }
            Arg::Lines(array, lines) => Arg::Lines(read(array)?, *lines),
            Arg::LinesMut(array, lines) => Arg::LinesMut(write(array)?, *lines),
            Arg::Sweep(array, order, pad) => {
                Arg::Sweep(write(array)?, *order, pad.as_ref().map(value))
            }
        })
    }
}

impl<A, V> Arg<A, A, V> {
    /// The array, whatever is done with it.
    pub(super) fn array(&self) -> Option<&A> {
        self.read().or(self.written())
    }

    /// The array, if it matters what was in it.
    pub(super) fn array_before(&self) -> Option<&A> {
        match self {
            Arg::Out(_) => None,
            _ => self.array(),
        }
    }
}
