//! MapOverlap.

mod coloured;
mod iterate;
mod iterated;
mod padding;
mod parity;
mod reduced;
mod stencil;

pub use coloured::Update;
pub use iterated::Iterated;
pub use padding::{NoPad, Pad, PadValue, Padded};
pub use parity::Coordinates;
pub use reduced::Reduced;
pub use stencil::Stencil;

use super::{
    bound::shapes_of,
    elementwise::Elementwise,
    instance::{Instance, instance_methods, instance_traits},
    neighbourhood::{Layout, Placed},
};
use crate::{
    Element, Result,
    bind::{BindAll, Destination, Domain, Fill},
    call::{Executor, Fit},
    param::{Form, Outputs, ParamList},
    space::EdgeKind,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// `out[i] = f(x[i - r ..= i + r], …)`, for all `i`: each element from its neighbourhood.
///
/// The user function has one or more *windows* among its parameters: `w: Window1<T, R>` sees `w[-R]` to
/// `w[R]`, `w: Window2<T, RY, RX>` sees `w[(dy, dx)]`, and so on to four dimensions. Containers with
/// more dimensions than the window are taken part by part: a `Window1` goes along each row of a matrix
/// (or [down each column](MapOverlap::down_columns)), a `Window2` over each plane of a tensor. All
/// containers that are seen through windows have the same shape, and so has the result, unless edges
/// are [`Edge::None`]. What is passed for other parameters, element by element, has the shape of the
/// result.
///
/// What windows see beyond the container is said by [`edge`](MapOverlap::edge) or
/// [`pad`](MapOverlap::pad); else it is the nearest element of the container.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn blur(w: Window1<f32, 1>) -> f32 {
///     0.25 * w[-1] + 0.5 * w[0] + 0.25 * w[1]
/// }
///
/// let x = [4.0, 0.0, 0.0, 8.0];
/// let f = map_overlap!(blur);
/// assert_eq!(f.run((&x,))?.host()?[..], [3.0, 1.0, 2.0, 6.0]);
/// let f = f.edge(Edge::Cyclic);
/// assert_eq!(f.run((&x,))?.host()?[..], [4.0, 1.0, 2.0, 5.0]);
/// let f = f.edge(Edge::None);
/// assert_eq!(f.run((&x,))?.host()?[..], [1.0, 2.0]);
///
/// #[user_function]
/// fn neighbours(w: Window2<u32, 1, 1>, #[uniform] most: u32) -> u32 {
///     let mut sum = 0;
///     for dy in -1..=1 {
///         for dx in -1..=1 {
///             sum += w[(dy, dx)];
///         }
///     }
///     (sum - w[(0, 0)]).min(most)
/// }
///
/// let m = Matrix::filled(3, 4, 1);
/// let counts = map_overlap!(neighbours).pad(0).run((&m, 7))?;
/// assert_eq!(counts.host()?[..], [3, 5, 5, 3, 5, 7, 7, 5, 3, 5, 5, 3]);
/// # skel::Result::Ok(())
/// ```
///
/// A container may be smaller than the windows: edges wrap, or are mirrored, as often as need be. No
/// elements in, no elements out.
///
/// # Determinism
/// Every unit gives the same bits, within the numeric contract; the split does not matter.
pub struct MapOverlap<F, E, V = NoPad, U = Everywhere> {
    instance: Instance<E>,
    settings: Settings<V, U>,
    _function: PhantomData<fn() -> F>,
}

/// What an instance says of its windows.
#[derive(Clone, Debug)]
struct Settings<V, U> {
    layout: Layout,
    pad: V,
    update: U,
}

/// All elements are computed.
#[derive(Clone, Copy, Debug)]
pub struct Everywhere;

/// Elements of one colour are computed, or first those of one and then those of the other.
#[derive(Clone, Copy, Debug)]
pub struct Coloured(Update);

/// What windows see beyond the edges of a container.
///
/// It is a value: one instance may run with one edge after the other. (What `numpy.pad` calls them: `wrap`,
/// `edge`, `reflect`, `symmetric`, `constant`.)
///
/// ```
/// use skel::prelude::*;
///
/// let next = map_overlap!(|w: Window1<u32, 2>| w[2]).pad(7);
/// let seen = |edge| next.clone().edge(edge).run((&[1, 2, 3],))?.to_vec();
/// assert_eq!(seen(Edge::Duplicate)?, [3, 3, 3]);
/// assert_eq!(seen(Edge::Cyclic)?, [3, 1, 2]);
/// assert_eq!(seen(Edge::Reflect)?, [3, 2, 1]);
/// assert_eq!(seen(Edge::Symmetric)?, [3, 3, 2]);
/// assert_eq!(seen(Edge::Pad)?, [3, 7, 7]);
/// assert_eq!(seen(Edge::None)?, []);
/// # skel::Result::Ok(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Edge {
    /// Nothing: the result has elements only where windows lie inside, and so is smaller by the radius
    /// on either side; of several windows, by the largest. If it is smaller than the windows, it has
    /// none.
    None,
    /// The container again, as often as needed: `… b c | a b c | a b …`.
    Cyclic,
    /// The element at the edge: `… a a | a b c | c c …`.
    #[default]
    Duplicate,
    /// The container mirrored about the element at the edge, which is not repeated, as often as needed:
    /// `… c b | a b c | b a b …`.
    Reflect,
    /// The container mirrored about its edge, so that the element there is repeated, as often as needed:
    /// `… b a | a b c | c b …`.
    Symmetric,
    /// One value, which [`MapOverlap::pad`] says: `… v v | a b c | v v …`.
    Pad,
}

impl From<Edge> for EdgeKind {
    fn from(edge: Edge) -> EdgeKind {
        match edge {
            Edge::None => EdgeKind::None,
            Edge::Cyclic => EdgeKind::Cyclic,
            Edge::Duplicate => EdgeKind::Duplicate,
            Edge::Reflect => EdgeKind::Reflect,
            Edge::Symmetric => EdgeKind::Symmetric,
            Edge::Pad => EdgeKind::Pad,
        }
    }
}

impl<F, E: Executor + Default> MapOverlap<F, E> {
    /// An instance named after the type, run by the default executor: what `map_overlap!` makes, in
    /// long.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "an instance is no default of anything"
    )]
    pub fn new() -> Self {
        let function = std::any::type_name::<F>();
        Self::with_executor("", E::default()).named(format!("MapOverlap<{function}>"))
    }
}

instance_traits!(MapOverlap<F; V, U> { _function, settings });

impl<F, E: Executor> MapOverlap<F, E> {
    /// An instance of this name, run by `executor`.
    pub const fn with_executor(name: &'static str, executor: E) -> Self {
        MapOverlap {
            instance: Instance::new(name, executor),
            settings: Settings {
                layout: Layout::WINDOWS,
                pad: NoPad,
                update: Everywhere,
            },
            _function: PhantomData,
        }
    }
}

impl<F, E: Executor, V, U> MapOverlap<F, E, V, U> {
    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> MapOverlap<F, X, V, U> {
        MapOverlap {
            instance: self.instance.within(executor),
            settings: self.settings,
            _function: PhantomData,
        }
    }

    instance_methods!();

    /// What windows see beyond the edges. A value that [`pad`](MapOverlap::pad) has said is kept, so the type of
    /// the instance stays; [`Edge::Pad`] takes one.
    #[must_use]
    pub fn edge(mut self, edge: Edge) -> Self {
        self.settings.layout.edge = edge.into();
        self
    }

    /// Windows see this value beyond the edges, [`Edge::Pad`]. It has the type of their elements.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let sum = map_overlap!(|w: Window1<i32, 1>| w[-1] + w[1]).pad(100);
    /// assert_eq!(sum.run((&[1, 2, 3],))?.host()?[..], [102, 4, 102]);
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn pad<T: Element>(self, value: T) -> MapOverlap<F, E, Pad<T>, U> {
        let Settings { layout, update, .. } = self.settings;
        let edge = EdgeKind::Pad;
        MapOverlap {
            instance: self.instance,
            settings: Settings {
                layout: Layout { edge, ..layout },
                pad: Pad(value),
                update,
            },
            _function: PhantomData,
        }
    }

    /// Windows go along all dimensions but the innermost, one for each place in it: a `Window1` down the
    /// columns of a matrix, each by itself. (`Window2<T, R, 0>` sees the same; this is for functions of
    /// one dimension.)
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let above = map_overlap!(|w: Window1<u32, 1>| w[-1]);
    /// let m = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as u32);
    /// assert_eq!(above.run((&m,))?.host()?[..], [0, 0, 1, 10, 10, 11]);
    /// assert_eq!(above.down_columns().run((&m,))?.host()?[..], [0, 1, 2, 0, 1, 2]);
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn down_columns(mut self) -> Self {
        self.settings.layout.down = true;
        self
    }

    /// Windows go along the innermost dimensions: a `Window1` along the rows of a matrix, each by
    /// itself. So it is unless something else is said.
    #[must_use]
    pub fn along_rows(mut self) -> Self {
        self.settings.layout.down = false;
        self
    }

    /// Where the windows of a call with these arguments lie.
    fn place<P, A>(
        &self,
        form: Form,
        args: &A,
        more: Option<(usize, crate::space::Shape)>,
    ) -> Result<Placed>
    where
        P: ParamList,
        A: BindAll<P>,
    {
        let mut shapes = shapes_of(args);
        shapes.extend(more.map(|(at, shape)| (at, shape, Fit::Same)));
        self.settings.layout.place(&self.instance, form, &shapes)
    }
}

impl<F, E: Executor, V: PadValue> MapOverlap<F, E, V, Everywhere> {
    /// Only elements of one colour are computed, or first those of one and then those of the other; the
    /// others keep their value. See [`Update`].
    #[must_use]
    pub fn update(self, update: Update) -> MapOverlap<F, E, V, Coloured> {
        let Settings { layout, pad, .. } = self.settings;
        MapOverlap {
            instance: self.instance,
            settings: Settings {
                layout,
                pad,
                update: Coloured(update),
            },
            _function: PhantomData,
        }
    }

    /// Runs the call, and gives new containers: see [`Map::run`](super::Map::run).
    ///
    /// # Errors
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch), [`Trap`](crate::Error::Trap); whatever the
    /// chosen unit reports.
    pub fn run<P, A, D, C>(&self, mut args: A) -> Result<C>
    where
        P: ParamList + Padded<V>,
        F: UserFunction<P>,
        A: BindAll<P, Domain = D>,
        D: Domain,
        F::Output: Fill<D, Containers = C>,
    {
        let placed = self.place(Elementwise::<F, P>::NEAR, &args, None)?;
        let bound = self.instance.bind_near(&mut args, &placed, self.beyond()?);
        bound.run::<F::Output, D>(Elementwise::<F, P>::WINDOWS)
    }

    /// Runs the call, and writes the result to `out`, a container or a slice; a tuple of those for a
    /// function that returns a tuple.
    ///
    /// # Errors
    /// As [`MapOverlap::run`]. After an error, `out` has no valid elements (a slice: unspecified ones).
    pub fn run_into<P, A, O>(&self, mut args: A, out: O) -> Result<()>
    where
        P: ParamList + Padded<V>,
        F: UserFunction<P, Output: Outputs>,
        A: BindAll<P>,
        O: Destination<F::Output>,
    {
        let more = Some((P::LEN + 1, out.call_shape()));
        let placed = self.place(Elementwise::<F, P>::NEAR, &args, more)?;
        self.instance
            .check_near::<F::Output>(&placed, P::LEN, &out)?;
        let bound = self.instance.bind_near(&mut args, &placed, self.beyond()?);
        bound.run_into(Elementwise::<F, P>::WINDOWS, out)
    }
}
